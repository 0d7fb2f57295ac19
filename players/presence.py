"""Presence: when each token was last used, and which players are absent.

Every request uses its token, even if it is refused. A long poll or a stream uses its token for as long as it is open.
Each process writes the row of a token at most once a minute, and keeps later uses in memory until the next write.
"""

import logging
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from threading import Lock
from uuid import UUID

from django.db import Error, connection
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from knox.models import AuthToken

from players.models import Kind, Player, TokenUse
from runtime import uptime
from runtime.database_away import let_go

ABSENT_AFTER = timedelta(minutes=3)
"""A person is absent if none of their tokens was used for this long."""
WRITTEN_EVERY = timedelta(minutes=1)
"""A process writes the same token at most this often."""
KEPT_AFTER_LOGOUT = timedelta(days=1)
"""A person who has logged out counts as present for three more minutes. After that the token's row is not needed."""
MOST_REMEMBERED = 20_000

log = logging.getLogger(__name__)

# The statement writes only tokens that exist. It sorts them, so that two processes cannot deadlock.
WRITE = """
insert into players_tokenuse (digest, player_id, used_at)
select token.digest, token.user_id, used.at
  from unnest(%s::text[], %s::timestamptz[]) used (digest, at)
  join knox_authtoken token on token.digest = used.digest
 order by token.digest
    on conflict (digest) do update set used_at = excluded.used_at where players_tokenuse.used_at < excluded.used_at
"""


class Uses:
    """The uses of tokens in one process. ``due`` returns those to write now.

    A token that is not used again has no later request that would write its last use. So a use of any token also
    writes the uses of other tokens whose minute is over.
    """

    def __init__(self) -> None:
        self._written: dict[str, datetime] = {}
        self._left: dict[str, datetime] = {}
        self._looked_at = datetime.min.replace(tzinfo=UTC)
        self._lock = Lock()

    def due(self, digest: str, at: datetime) -> dict[str, datetime]:
        """Remember this use. Returns the uses to write now, by token, which then count as written."""
        with self._lock:
            self._left[digest] = at
            if self._was_just_written(digest, at) and abs(at - self._looked_at) < timedelta(seconds=1):
                return {}
            return self._take_due(at)

    def left(self, at: datetime) -> dict[str, datetime]:
        """Return the uses to write now, without a new use."""
        with self._lock:
            return self._take_due(at)

    def _take_due(self, at: datetime) -> dict[str, datetime]:
        self._looked_at = at
        due = {token: used for token, used in self._left.items() if not self._was_just_written(token, at)}
        for token, used in due.items():
            del self._left[token]
            self._written.pop(token, None)
            self._written[token] = used
        self._forget_oldest()
        return due

    def _was_just_written(self, digest: str, at: datetime) -> bool:
        written = self._written.get(digest)
        return written is not None and abs(at - written) < WRITTEN_EVERY

    def _forget_oldest(self) -> None:
        while len(self._written) > MOST_REMEMBERED:
            oldest = next(iter(self._written))
            del self._written[oldest]
            self._left.pop(oldest, None)

    def put_back(self, uses: Mapping[str, datetime]) -> None:
        """Take back uses that could not be written. Each is due again one minute after its use."""
        with self._lock:
            self._left = {**uses, **self._left}


USES = Uses()
"""The uses in this process."""


def touch(digest: str) -> None:
    """Record that the token with this digest is used. If the database fails, the use is written later."""
    due = USES.due(digest, timezone.now())
    if not due:
        return
    try:
        write(due)
    except Error as error:
        USES.put_back(due)
        if connection.in_atomic_block:
            raise
        let_go(error)
        log.warning("When tokens were used is written later: %s", error)


def write_left() -> None:
    """Write the uses whose minute is over, even if this process gets no requests. Raises database errors."""
    due = USES.left(timezone.now())
    if not due:
        return
    try:
        write(due)
    except Error:
        USES.put_back(due)
        raise


def write(uses: Mapping[str, datetime]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(WRITE, [list(uses), list(uses.values())])


def absent(players: Iterable[UUID], at: datetime, after: timedelta = ABSENT_AFTER) -> set[UUID]:
    """Return those of ``players`` who have been absent for at least ``after``.

    A bot is never absent. A deleted or inactive player is always absent.
    """
    asked = set(players)
    if not asked:
        return asked
    is_here = Q(kind=Kind.BOT) | Q(used_since("pk", present_since(at, after)), is_active=True)
    return asked - set(Player.objects.filter(is_here, pk__in=asked).values_list("pk", flat=True))


def is_absent(player: UUID, at: datetime, after: timedelta = ABSENT_AFTER) -> bool:
    return bool(absent([player], at, after))


def used_since(player: str, since: object) -> Exists:
    """Return a condition for a query: the player in the column named ``player`` has used a token since."""
    return Exists(TokenUse.objects.filter(player=OuterRef(player), used_at__gte=since))


def present_since(at: datetime, after: timedelta = ABSENT_AFTER) -> datetime:
    """Return the time since which a player must have used a token to be present.

    Outages do not count, because nobody could call then.
    """
    return uptime.counted_back(at, after)


def last_used(player: UUID) -> dict[str, datetime]:
    """Return when each token of a player was last used, to the minute, by the token's digest."""
    return dict(TokenUse.objects.filter(player=player).values_list("digest", "used_at"))


def forget_old_uses(at: datetime) -> None:
    """Delete the uses of tokens that have ended, one day after the last use."""
    lasting = AuthToken.objects.filter(digest=OuterRef("digest"))
    TokenUse.objects.filter(~Exists(lasting), used_at__lt=at - KEPT_AFTER_LOGOUT).delete()
