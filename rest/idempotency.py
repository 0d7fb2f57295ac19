"""``Idempotency-Key``: a request that is sent again gets the first answer again, and has no second effect."""

import base64
import hashlib
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from cryptography.fernet import Fernet
from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rest.models import AnsweredRequest
from rest.problems import KeyReused, raises
from rest.rendering import FastJSONRenderer
from rest.throttles import address_of
from runtime.deletion import forget

KEPT_FOR = timedelta(days=1)
LONGEST_KEY = 255
SHORTEST_OF_STRANGERS = 16
"""For callers without a token. Those at one address share their keys, and an answer may contain a token."""
V = TypeVar("V", bound=APIView)
P = ParamSpec("P")


def idempotent(
    handler: Callable[Concatenate[V, Request, P], Response],
) -> Callable[Concatenate[V, Request, P], Response]:
    """Wrap a view's handler: its changes and the stored answer are committed in one transaction."""

    @raises(KeyReused)
    @wraps(handler)
    def answer(view: V, request: Request, *args: P.args, **kwargs: P.kwargs) -> Response:
        key = request.META.get("HTTP_IDEMPOTENCY_KEY")
        if key is None:
            return handler(view, request, *args, **kwargs)
        must_be_key(key, shortest=1 if request.user.pk else SHORTEST_OF_STRANGERS)
        with transaction.atomic():
            return answer_once(request, key, lambda: handler(view, request, *args, **kwargs))

    return answer  # type: ignore[return-value]  # mypy wants the first two parameters positional-only


def must_be_key(key: str, *, shortest: int) -> None:
    if not shortest <= len(key) <= LONGEST_KEY:
        detail = gettext("A key must have 1 to {most} characters; without a token, at least {least}.")
        detail = detail.format(most=LONGEST_KEY, least=SHORTEST_OF_STRANGERS)
        raise ValidationError({"Idempotency-Key": detail})


def answer_once(request: Request, key: str, handle: Callable[[], Response]) -> Response:
    """Store the key and handle the request, or repeat the stored answer.

    If two requests with the same key arrive at once, the second waits until the first has committed.
    """
    kept, is_new = AnsweredRequest.objects.get_or_create(
        digest=digest_of(request, key), defaults={"fingerprint": fingerprint(request)}
    )
    if not is_new:
        return repeated(kept, request, key)
    response = handle()
    kept.status = response.status_code
    kept.answer = cipher(key).encrypt(FastJSONRenderer().render([response.data, headers_kept(response)]))
    kept.save(update_fields=("status", "answer"))
    return response


def repeated(kept: AnsweredRequest, request: Request, key: str) -> Response:
    if kept.fingerprint != fingerprint(request):
        raise KeyReused
    assert kept.answer is not None
    data, headers = json.loads(cipher(key).decrypt(bytes(kept.answer)))
    return Response(data, kept.status, headers=headers)


def headers_kept(response: Response) -> dict[str, str]:
    """Return the headers to store with an answer: those that describe its content."""
    return {name: response.headers[name] for name in ("ETag", "Location") if name in response.headers}


def digest_of(request: Request, key: str) -> str:
    """Return the row's key. It depends on ``SECRET_KEY``, so that an answer that cannot be decrypted is not found."""
    return digest(settings.SECRET_KEY, caller_of(request), key)


def caller_of(request: Request) -> str:
    """Return the player's id, or the address of a caller without a token. Each caller has keys of their own."""
    return str(request.user.pk or address_of(request))


def fingerprint(request: Request) -> str:
    body = json.dumps(request.data, sort_keys=True)
    return digest(str(request.method), request.get_full_path(), body)


def digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def cipher(key: str) -> Fernet:
    """Return the cipher for an answer, which may contain a token. It needs the key, which only the caller knows."""
    secret = hashlib.sha256(f"{settings.SECRET_KEY}\n{key}".encode()).digest()
    return Fernet(base64.urlsafe_b64encode(secret))


def forget_old_answers(at: datetime) -> None:
    forget(AnsweredRequest.objects.filter(created_at__lt=at - KEPT_FOR).order_by("created_at"))
