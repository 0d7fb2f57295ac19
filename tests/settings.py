"""The server's settings: cheap password hashes, time for a slow machine, nobody throttled unless a test says so."""

import os

os.environ.setdefault("STATEMENT_SECONDS", "150")

from config.settings import *  # noqa: F403
from config.settings import DATABASES as KEPT
from config.settings import REST_FRAMEWORK as SERVED

MAY_BE_EMPTIED = r"-c mexican_train.log=may\ be\ emptied"

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
UNTHROTTLED = dict.fromkeys(("caller", "check", "guest", "hint", "invite", "login", "webhook"))
REST_FRAMEWORK = SERVED | {"DEFAULT_THROTTLE_RATES": UNTHROTTLED}
options = KEPT["default"]["OPTIONS"]
marked = options | {"options": f"{options['options']} {MAY_BE_EMPTIED}"}
DATABASES = KEPT | {"default": KEPT["default"] | {"OPTIONS": marked}}
