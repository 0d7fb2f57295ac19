"""Django's settings. Those that differ from server to server come from ``environment``."""

from datetime import timedelta
from typing import Any

import django_stubs_ext

from config import connections
from config.environment import environment, rates
from words import LOCALE

django_stubs_ext.monkeypatch()  # Django's generic classes take their type arguments at run time too

DATA_DIR = environment.DATA_DIR
DEBUG = environment.DEBUG
SECRET_KEY = environment.SECRET_KEY
PUBLIC_URL = environment.PUBLIC_URL
INVITE_URL = environment.INVITE_URL or PUBLIC_URL + "/join/{code}"
ALLOWED_HOSTS = environment.ALLOWED_HOSTS
REDIS_URL = environment.REDIS_URL

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "corsheaders",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "knox",
    "rest_framework",
    "rest",
    "runtime",
    "players",
    "webhooks",
    "tables",
]
MIDDLEWARE = [
    "runtime.metrics.CountRequests",
    "django.middleware.security.SecurityMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "rest.compression.Compression",
    "rest.languages.SpokenLanguage",
    "rest.api_headers.ApiHeaders",
    "rest.error_pages.DatabaseDown",
    "rest.bodies.BodyLimit",
    "rest.working.WorkLimit",
    "rest.page_middleware.PageMiddleware",
]
# Only pages need these, and so only pages go through them.
PAGE_MIDDLEWARE = [
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
X_FRAME_OPTIONS = "DENY"
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Each thread keeps its connection: opening one for every request costs half to two thirds of the throughput.
DATABASES = {"default": environment.DATABASE_URL | {"CONN_MAX_AGE": None}}
options = DATABASES["default"]["OPTIONS"]
# Repeated statements are prepared, which saves a third of the time of a move. A pooler in transaction mode allows
# neither that nor time limits in the connection options: there, set the limits for the role (docs/production.md).
if environment.PREPARE_STATEMENTS:
    limits = connections.time_limits(environment.STATEMENT_SECONDS, options.get("options", ""))
    options |= {"server_side_binding": True, "prepare_threshold": 3, "options": limits}
# A web process has more requests than the database has connections, so its threads share a pool. gunicorn.conf.py
# sets SHARE_CONNECTIONS; in the other processes each thread keeps its own connection.
if environment.DATABASE_POOL and environment.SHARE_CONNECTIONS:
    DATABASES["default"]["CONN_MAX_AGE"] = 0
    options |= {"pool": connections.pool(environment.DATABASE_POOL)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "mexican-train",
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    },
}

AUTH_USER_MODEL = "players.Player"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"

# Each language by its own name. Texts are written in English; words/locale has the translations (docs/translating.md).
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("nl", "Nederlands"), ("hu", "Magyar")]
LOCALE_PATHS = [LOCALE]
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "static/"
STATIC_ROOT = environment.STATIC_ROOT or None
WHITENOISE_USE_FINDERS = STATIC_ROOT is None
APPEND_SLASH = True

SECURE = PUBLIC_URL.startswith("https://")
SECURE_SSL_REDIRECT = SECURE
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SECURE else None
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
# HSTS covers this host only, unless the owner says that all subdomains have https: browsers remember it for a year.
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE and environment.HSTS_SUBDOMAINS
SECURE_HSTS_PRELOAD = SECURE and environment.HSTS_PRELOAD
SILENCED_SYSTEM_CHECKS = [
    *("security.W005", "security.W021"),  # the two settings above are off on purpose
    *("admin.E408", "admin.E409", "admin.E410", "security.W002", "security.W003"),  # these are in PAGE_MIDDLEWARE
]
SESSION_COOKIE_SECURE = SECURE
CSRF_COOKIE_SECURE = SECURE
CSRF_FAILURE_VIEW = "rest.error_pages.form_expired"
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]

# Web pages of any origin may call the API: a caller is known by a token, never by a cookie.
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_HEADERS = ("accept", "authorization", "content-type", "idempotency-key", "if-none-match", "last-event-id")
CORS_EXPOSE_HEADERS = ("Content-Language", "ETag", "Location", "Retry-After")

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["players.tokens.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest.callers.TokenWhereNeeded"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "rest.callers.CallerFirst",
    "DEFAULT_RENDERER_CLASSES": ["rest.rendering.FastJSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest.bodies.StrictJSONParser"],
    "DEFAULT_PAGINATION_CLASS": "rest.pages.NewestFirst",
    "DEFAULT_SCHEMA_CLASS": "tables.api.schema.TablesOperationSchema",
    "DEFAULT_THROTTLE_CLASSES": ["rest.throttles.CallerThrottle"],
    "DEFAULT_THROTTLE_RATES": rates(),
    "URL_FORMAT_OVERRIDE": None,  # only Accept chooses the media type
    "NUM_PROXIES": environment.NUM_PROXIES,
    "DEFAULT_METADATA_CLASS": "rest.methods.AllowedMethods",
    "EXCEPTION_HANDLER": "rest.problem_documents.problem_response",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
REST_KNOX = {
    "TOKEN_TTL": None,
    "AUTH_HEADER_PREFIX": "Bearer",
    "TOKEN_LIMIT_PER_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Mexican Train",
    "DESCRIPTION": (
        "Play Mexican Train: open a table, share its invite, play until the match has a winner. You need only a name "
        "to get a token; send the token as `Authorization: Bearer …`. Errors have the type "
        "`application/problem+json` and a stable `code`. Requests that create something, or empty a seat, accept an "
        "`Idempotency-Key`: a random text, such as a UUID. If you send the same request again with the same key, you "
        "get the same answer. `Accept-Language` chooses the language of `detail`, `title` and other texts for "
        "people: `en` (the default), `nl` or `hu`."
    ),
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVERS": [{"url": "/", "description": "The server that sent this schema."}],
    "TAGS": [
        {
            "name": name,
            "description": description,
            "externalDocs": {"url": f"/docs/{page}.md", "description": title},
        }
        for name, description, page, title in (
            (
                "tables",
                "Open a table, take a seat, play, wait for changes, read the history.",
                "tables",
                "Opening a table",
            ),
            ("invites", "See the table of an invite before you take a seat.", "tables", "Opening a table"),
            ("players", "Players, their sessions and their webhooks.", "webhooks", "Webhooks"),
            ("rules", "Presets, options, and a check of a table's rules.", "rules", "Every rule"),
            ("bots", "The levels of the bots.", "bots", "Bots"),
            ("records", "Whole matches as documents.", "record-format", "The format of a record"),
        )
    ],
    "SCHEMA_PATH_PREFIX": r"/api/v1/",
    "PATH_CONVERTER_OVERRIDES": {"id": {"type": "string", "format": "uuid"}},
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "DISABLE_DOCSTRING_DESCRIPTIONS": True,  # ``python -OO`` removes docstrings; see rest/texts.py
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,  # the values explain themselves
    # Code generators make a type of each, so each has one name, however the fields are called.
    "ENUM_NAME_OVERRIDES": {
        "BotLevel": "tables.presenters.values.LEVELS",
        "DealtRound": "tables.presenters.history.DEALT",
        "EndedRound": "tables.presenters.history.ENDED",
        "DeliveryOutcome": "webhooks.models.Outcome.values",
        "EndedReason": "tables.models.EndedReason.values",
        "Fairness": "tables.presenters.values.FAIRNESS",
        "MessageType": "webhooks.models.Event.values",
        "MoveType": "tables.presenters.values.MOVE_TYPES",
        "MovedBy": "tables.models.By.values",
        "OnTimeout": "tables.models.OnTimeout.values",
        "PlayerKind": "players.models.Kind.values",
        "Reason": "tables.presenters.values.REASONS",
        "RecordFaultCode": "tables.presenters.values.FAULT_CODES",
        "RoundEnding": "tables.presenters.values.ENDINGS",
        "Spectators": "tables.models.Spectators.values",
        "StreamEndReason": "tables.api.stream_answers.END_REASONS",
        "TableField": "tables.events.EVENT_FIELDS",
        "TableStatus": "tables.models.Status.values",
        "TurnPhase": "tables.presenters.values.PHASES",
        "Visibility": "tables.models.Visibility.values",
        "WebhookDisabledReason": "webhooks.presenters.DISABLED_REASONS",
        "WebhookEvent": "webhooks.presenters.EVENTS",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enum_id_removal",  # enums with the same values are the same
        "drf_spectacular.hooks.postprocess_schema_enums",
        "rest.schema.name_enums",
        "rest.schema.add_codes",
        "rest.schema.add_examples",
    ],
}

# The server's own settings. ``config/environment.py`` says what they mean.
BOT_THINK_MS = environment.BOT_THINK_MS
IDLE_MATCH_DAYS = environment.IDLE_MATCH_DAYS
OPEN_TABLE_DAYS = environment.OPEN_TABLE_DAYS
OPEN_TABLES_OF_ONE = environment.OPEN_TABLES_OF_ONE
QUEUED_REQUESTS = environment.QUEUED_REQUESTS
REQUEST_START_HEADER = environment.REQUEST_START_HEADER
RESERVED_NAMES = environment.RESERVED_NAMES
RUNNING_TABLES_OF_ONE = environment.RUNNING_TABLES_OF_ONE
SNAPSHOTS = environment.SNAPSHOTS
WATCHERS = environment.WATCHERS
WATCHERS_OF_ADDRESS = environment.WATCHERS_OF_ADDRESS
WATCHERS_OF_ONE = environment.WATCHERS_OF_ONE
WEBHOOK_TEST_RECEIVERS = environment.WEBHOOK_TEST_RECEIVERS
WORKING_REQUESTS = environment.WORKING_REQUESTS

CELERY_BROKER_URL = connections.celery_broker(REDIS_URL)
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A message only saves time: if the broker is down it is dropped at once, and the sweep finds the table later.
CELERY_TASK_PUBLISH_RETRY = False
# Messages are not acknowledged: a lost one costs a second, but returning one to a Redis that is away ends the worker
# (kombu 5.7).
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_connect_timeout": 1,
    "socket_timeout": 2,
    "max_retries": 0,
    "ack_emulation": False,
}
CELERY_DB_REUSE_MAX = 1_000_000
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULER = "config.beat:Scheduler"
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "tables.tasks.sweep", "schedule": timedelta(seconds=1), "options": {"expires": 2}},
    "hand-on": {"task": "tables.tasks.hand_on", "schedule": timedelta(minutes=1), "options": {"expires": 60}},
    "tidy": {"task": "tables.tasks.tidy", "schedule": timedelta(hours=1), "options": {"expires": 3600}},
    # In the queue of the workers that send webhooks, so that no other worker takes it.
    "webhooks-sweep": {
        "task": "webhooks.tasks.sweep",
        "schedule": timedelta(seconds=3),
        "options": {"queue": "webhooks", "expires": 3},
    },
    "webhooks-tidy": {"task": "webhooks.tasks.tidy", "schedule": timedelta(hours=1), "options": {"expires": 3600}},
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": environment.LOG_LEVEL},
    # Refusals are not faults, and neither is a 503 while the server is not ready.
    "filters": {
        "faults": {
            "()": "django.utils.log.CallbackFilter",
            "callback": lambda record: getattr(record, "status_code", 500) == 500,
        },
        "seldom": {"()": "runtime.logs.OncePerMinute"},
    },
    "loggers": {
        "django.request": {"level": "ERROR", "filters": ["faults"]},
        "psycopg.pool": {"filters": ["seldom"]},  # it warns at every attempt while the database is away
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "django.security.DisallowedModelAdminLookup": {"level": "CRITICAL"},
    },
}
