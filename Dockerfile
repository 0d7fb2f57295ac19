# The server as production runs it: one image; compose says which of web, worker and beat it becomes.
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
# How it runs stands in gunicorn.conf.py.
CMD ["gunicorn", "config.wsgi:application", "--bind", "0.0.0.0:8000", "--worker-tmp-dir", "/dev/shm"]
