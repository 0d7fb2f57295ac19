"""Every variable of the environment: its name, its kind, its default and its meaning.

The settings and ``gunicorn.conf.py`` read them here, ``docker-compose.yml`` passes them on, and the table in
``docs/production.md`` is written from them (``python -m tests.config.page``). Tests compare these.
"""

from typing import Any

from config.connections import database
from config.variables import (
    Variable,
    base_url,
    flag,
    folder,
    invite_url,
    log_level,
    positive_number,
    rate,
    redis_url,
    secret_key,
    whole_number,
    words,
)


class Environment:
    """The variables, in the order of the table."""

    SECRET_KEY = Variable(
        secret_key,
        None,
        "at least 32 random characters. A change ends all admin sessions and discards the answers stored for "
        "`Idempotency-Key`; a request that is repeated after the change is then executed again",
        is_secret=True,
    )
    DATABASE_URL = Variable(database, None, "`postgresql://user:password@host:port/name`", is_secret=True)
    REDIS_URL = Variable(redis_url, "redis://127.0.0.1:6379/0", "also `unix:///path/to/socket`", is_secret=True)
    ALLOWED_HOSTS = Variable(words, "127.0.0.1,localhost,[::1]", "the host names of the server, separated by commas")
    PUBLIC_URL = Variable(
        base_url,
        "http://127.0.0.1:8000",
        "the address that players use. With `https://`, cookies are secure, requests are redirected to https, and "
        "HSTS is on",
    )
    INVITE_URL = Variable(
        invite_url,
        "",
        "the link of an invite, with `{code}` in it. Without it, the link is `PUBLIC_URL/join/{code}`, a page of "
        "this server; set it if your app has its own page",
    )
    DEBUG = Variable(flag, "no", "Django's error pages with tracebacks; never use it in production")
    DATA_DIR = Variable(
        folder,
        ".data",
        "the folder for the first admin's password. In the compose file it is `/tmp`: with containers you create "
        "the admin with `createsuperuser`, so nothing is stored there",
    )
    STATIC_ROOT = Variable(
        str,
        "",
        "the folder that `collectstatic` has filled. Without it, each process finds the admin's static files itself",
    )
    HSTS_SUBDOMAINS = Variable(
        flag,
        "no",
        "whether HSTS includes all subdomains. Browsers remember this for a year and it cannot be undone, so all "
        "subdomains must support `https://`",
    )
    HSTS_PRELOAD = Variable(flag, "no", "whether this site may be in the HSTS preload lists of browsers")
    NUM_PROXIES = Variable(
        whole_number,
        "0",
        "how many proxies are in front of the server; throttles need it to find the caller's address. In the "
        "compose file it is 1",
    )
    REQUEST_START_HEADER = Variable(
        str.strip,
        "",
        "the header in which your proxy sends the time at which it had received the whole request, in seconds "
        "since 1970; [more](#when-a-request-counts-as-received)",
    )
    RATE_CALLER = Variable(
        rate,
        "6000/min",
        "requests with one token, or without a token from one address. Requests with an unknown token count for "
        "their address. A process takes a two-hundredth of the limit at a time, so with several processes a caller "
        "may be refused a little early",
    )
    RATE_HINT = Variable(
        rate,
        "60/min",
        "hints with one token. The limit for an address is three times as high, however many tokens it uses",
    )
    RATE_CHECK = Variable(
        rate, "30/min", "records checked with one token. The limit for an address is three times as high"
    )
    RATE_GUEST = Variable(rate, "60/min", "new players from one address")
    RATE_INVITE = Variable(rate, "60/min", "wrong invite codes from one address, and from one player")
    RATE_LOGIN = Variable(rate, "20/min", "password attempts from one address")
    RATE_PASSWORD = Variable(
        rate,
        "60/hour",
        "wrong passwords for one account, from all addresses together. Addresses where the password was right in "
        "the last 30 days are exempt; [more](#guessing)",
    )
    RATE_TABLE = Variable(rate, "2000/hour", "tables opened from one address")
    RATE_HANDOVER = Variable(
        rate,
        "20/min",
        "handover codes from one address, new ones and wrong ones. New codes are also counted for each player",
    )
    RATE_EXPORT = Variable(rate, "10/min", "data exports with one token")
    RATE_RECEIVER = Variable(rate, "300/min", "messages to one receiving host of webhooks")
    RATE_WEBHOOK = Variable(
        rate,
        "20/min",
        "webhooks registered, changed or tested with one token. The limit for an address is three times as high",
    )
    WEBHOOK_TEST_RECEIVERS = Variable(
        words,
        "",
        "receivers of webhooks that may be on a private network, as `host:port`, separated by commas. Use it for "
        "tests only; leave it empty in production",
    )
    OPEN_TABLES_OF_ONE = Variable(whole_number, "50", "how many open tables one player may host at a time; 0: no limit")
    RUNNING_TABLES_OF_ONE = Variable(
        whole_number, "100", "how many running matches one player may host at a time; 0: no limit"
    )
    OPEN_TABLE_DAYS = Variable(
        whole_number, "7", "an open table is cancelled after this many days without any change; 0: never"
    )
    IDLE_MATCH_DAYS = Variable(
        whole_number,
        "60",
        "a match is cancelled after this many days without a move; with a clock, after all its persons have been "
        "gone for so long; 0: never",
    )
    RESERVED_NAMES = Variable(words, "", "names that no player may choose, in any spelling, separated by commas")
    BOT_THINK_MS = Variable(whole_number, "150", "how many milliseconds a bot may think about a move")
    WATCHERS = Variable(
        whole_number, "2000", "how many callers may wait for changes in one web process ([waiting](waiting.md))"
    )
    WATCHERS_OF_ONE = Variable(
        whole_number, "100", "how many of these may belong to one player, or for callers without a token to one address"
    )
    WATCHERS_OF_ADDRESS = Variable(
        whole_number, "600", "how many of these may belong to one address, however many players use it"
    )
    WORKING_REQUESTS = Variable(
        positive_number,
        "16",
        "how many API requests one web process works on at once; those that wait for a change do not count; at least 1",
    )
    QUEUED_REQUESTS = Variable(
        whole_number,
        "100",
        "how many more requests may wait for half a second until one of these is done; others get 503 with "
        "`Retry-After`",
    )
    SNAPSHOTS = Variable(
        whole_number,
        "1000",
        "how many tables one process keeps in memory, so that a move or a position does not load them from the "
        "database; about 20 KB each",
    )
    SHARE_CONNECTIONS = Variable(
        flag,
        "no",
        "whether the threads of a process share their connections to PostgreSQL. `gunicorn.conf.py` sets it to "
        "yes for *web*; you do not need to set it",
    )
    DATABASE_POOL = Variable(
        whole_number, "8", "how many connections the threads of one web process share; 0: each thread has its own"
    )
    PREPARE_STATEMENTS = Variable(flag, "yes", "set it to no behind a connection pooler in transaction mode")
    STATEMENT_SECONDS = Variable(
        whole_number,
        "30",
        "the time limit of PostgreSQL for one statement of *web* and the workers. `manage.py` sets it to 0; "
        "[more](#postgresql-redis-and-the-proxy)",
    )
    LOG_LEVEL = Variable(log_level, "WARNING", "DEBUG, INFO, WARNING, ERROR or CRITICAL")
    PROMETHEUS_MULTIPROC_DIR = Variable(
        str,
        "",
        "the folder where the web processes of one machine count requests for `/metrics`. Without it, "
        "`gunicorn.conf.py` makes a temporary folder",
    )


environment = Environment()
VARIABLES: dict[str, Variable[Any]] = {
    name: each for name, each in vars(Environment).items() if isinstance(each, Variable)
}


def rates() -> dict[str, str]:
    """The rate of each throttle: ``RATE_GUEST`` is the rate of the throttle ``guest``."""
    names = [name for name in VARIABLES if name.startswith("RATE_")]
    return {name.removeprefix("RATE_").lower(): getattr(environment, name) for name in names}
