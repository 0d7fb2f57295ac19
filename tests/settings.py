"""The server's settings: cheap password hashes, time for a slow machine, no throttling unless a test asks for it."""

import os

os.environ.setdefault("STATEMENT_SECONDS", "150")
os.environ.setdefault("WORKING_REQUESTS", "100")  # tests let many wait for one lock

from config.settings import *  # noqa: F403
from config.settings import DATABASES as KEPT
from config.settings import REST_FRAMEWORK as SERVED

MAY_BE_EMPTIED = r"-c mexican_train.log=may\ be\ emptied"

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
REST_FRAMEWORK = SERVED | {"DEFAULT_THROTTLE_RATES": dict.fromkeys(SERVED["DEFAULT_THROTTLE_RATES"])}
options = KEPT["default"]["OPTIONS"]
marked = options | {"options": f"{options['options']} {MAY_BE_EMPTIED}"}
DATABASES = KEPT | {"default": KEPT["default"] | {"OPTIONS": marked}}
