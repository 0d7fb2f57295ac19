"""How the web server runs; gunicorn reads this by itself. Threads, because a request mostly waits for the database."""

worker_class = "gthread"
workers = 2
threads = 4
keepalive = 30
graceful_timeout = 3
control_socket_disable = True
