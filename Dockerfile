# The image of the server in production. The compose file decides which of web, worker and beat it runs.
FROM python:3.12-slim

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
WORKDIR /srv/mexican-train

COPY requirements/run.txt requirements/run.txt
RUN pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements/run.txt

COPY . .
RUN python -m words.compile
RUN python -m compileall -q .
RUN useradd --system --no-create-home mexican-train
USER mexican-train

EXPOSE 8000
# gunicorn.conf.py has the settings.
CMD ["gunicorn", "config.wsgi:application", "--bind", "0.0.0.0:8000", "--worker-tmp-dir", "/dev/shm"]
