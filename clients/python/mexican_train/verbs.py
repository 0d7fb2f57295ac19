"""One function for each call of the API. ``Client`` and ``AsyncClient`` have them as methods.

In the examples, ``alice`` is the client of a host and ``bob`` that of another player. ``lobby`` is an open table of
Alice's with two seats, ``table`` is one where it is her turn, and the match of ``finished`` is over. ``receiver`` is an
https URL of Bob's, and ``earlier`` is the id of an event that Alice has received. Pass a table or a webhook as its id
or as the answer itself. If the server refuses a call, the method raises a ``ProblemError``.

Methods that create something take a ``key`` of 16 to 255 characters that nobody can guess, such as ``str(uuid4())``.
Without one, the client makes a new key and uses it for all attempts of the call. With a key of your own you can repeat
a call, for example after a crash: within a day, the same call of the same caller returns the first answer and has no
second effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypedDict
from urllib.parse import parse_qs, quote, urlsplit

from mexican_train.answers import (
    Bot,
    CheckedRecord,
    CheckedRules,
    ClientSeed,
    Deal,
    Delivery,
    Explanation,
    Export,
    Handover,
    Hint,
    Invitation,
    Joined,
    LegalMove,
    LoggedMove,
    Me,
    NewWebhook,
    OnTimeout,
    Page,
    PastPosition,
    Played,
    PlayerRecord,
    Position,
    Preset,
    PresetDifferences,
    Record,
    RoundResult,
    RuleSheet,
    Session,
    Status,
    Table,
    Webhook,
    WebhookEvent,
    Welcome,
)
from mexican_train.calls import Call, create, get, given, held, keyed, nothing, patch, post, put, text
from mexican_train.reading import Unreadable, many, one

if TYPE_CHECKING:
    from typing_extensions import Unpack

Options = Mapping[str, Any]
Visibility = Literal["private", "public"]
Shape = Literal["tall", "wide"]
SVG = "image/svg+xml"
PLAIN = "text/plain"


class TableChanges(TypedDict, total=False):
    """The fields that a table is opened with, and that its host can change while it is open."""

    name: str
    preset: str
    options: Options
    seats: int
    visibility: Visibility
    turn_seconds: int | None
    on_timeout: OnTimeout
    on_leave: str
    spectators: Literal["open", "none"]
    bot_delay_ms: int
    auto_pass: bool
    stall_minutes: int | None
    hints: bool


class WebhookChanges(TypedDict, total=False):
    """The fields of a webhook that can change; ``enabled`` turns it off, or on again whatever disabled it."""

    url: str
    events: list[WebhookEvent]
    enabled: bool


def at(table: str | Table, *more: str | int) -> str:
    """Return the path of a table, or of something below it."""
    return "/".join(["tables", segment(table if isinstance(table, str) else table.id), *map(str, more)])


def segment(word: str) -> str:
    """Return a word quoted as one segment of a path. Raises ``ValueError`` for ``..``, which would change the path."""
    if word in {"", ".", ".."}:
        raise ValueError(f"{word!r} names nothing.")
    return quote(word, safe="")


def register_guest(name: str, *, key: str | None = None) -> Call[Welcome]:
    """Create a guest, the usual way to begin: it needs only a name. The client uses the new token from now on.

    >>> with Client(server) as zoe:
    ...     welcome = zoe.register_guest("Zoë")
    ...     zoe.me().name
    'Zoë'
    >>> zoe.token == welcome.token
    True
    """
    return create("players/guest", one(Welcome), {"name": name}, key=key)


def register(username: str, password: str, name: str | None = None, *, key: str | None = None) -> Call[Welcome]:
    """Create an account; a guest becomes it and keeps seats and history. The client uses the new token from now on.

    If an account repeats the call with its own username and password, it gets another token; with others the call
    raises ``AlreadyRegistered``. Without a token, a username that is taken raises ``Invalid``: log in instead.

    >>> alice.register(new_username, "dominoes at noon").player.name
    'Alice'
    """
    return create("players/register", one(Welcome), given(username=username, password=password, name=name), key=key)


def login(username: str, password: str) -> Call[Welcome]:
    """Get a new token for an account, which the client uses from now on. Earlier tokens stay valid.

    >>> bob.login("nobody", "open sesame")
    Traceback (most recent call last):
    mexican_train.errors.NotAuthenticated: bad_credentials: There is no account with this username and password.
    """
    return post("players/login", one(Welcome), {"username": username, "password": password})


def logout(*, everywhere: bool = False) -> Call[None]:
    """Revoke the client's token, or with ``everywhere`` all tokens of the player. The client deletes its token.

    >>> bob.logout()
    >>> bob.token is None
    True
    """
    body = {"everywhere": True} if everywhere else None
    return Call("POST", "players/logout", nothing, body=body, already=frozenset({"bad_token"}), forgets=True)


def me() -> Call[Me]:
    """Get the caller.

    >>> alice.me().name
    'Alice'
    """
    return get("players/me", one(Me))


def change_me(name: str | None = None, *, password: str | None = None, current_password: str | None = None) -> Call[Me]:
    """Change the caller's name or password. A new password revokes all other tokens, but not the client's.

    >>> bob.change_me("Robert").name
    'Robert'
    >>> bob.change_me(current_password="open sesame", password="dominoes at noon")
    Traceback (most recent call last):
    mexican_train.errors.Invalid: invalid: password: A guest has no password; register first.
    """
    return patch("players/me", one(Me), given(name=name, password=password, current_password=current_password))


def forget_me() -> Call[None]:
    """Make the caller anonymous, for good. Their matches continue without them; logs and others' histories stay.

    >>> bob.forget_me()
    """
    return Call("DELETE", "players/me", nothing, already=frozenset({"bad_token"}), forgets=True)


def offer_handover(*, key: str | None = None) -> Call[Handover]:
    """Get a code to log in on another device. It works once, within two minutes.

    >>> len(alice.offer_handover().code)
    14
    """
    return create("players/me/handover", one(Handover), key=key)


def handover(code: str, *, key: str | None = None) -> Call[Welcome]:
    """Log in with a code from another device. The client uses the new token from now on.

    >>> with Client(server) as phone:
    ...     phone.handover(alice.offer_handover().code).player.name
    'Alice'
    """
    return create("players/handover", one(Welcome), {"code": code}, key=key)


def sessions() -> Call[tuple[Session, ...]]:
    """List the caller's sessions, newest first.

    >>> any(session.current for session in alice.sessions())
    True
    """
    return get("players/me/sessions", many(Session))


def end_session(session: str | Session) -> Call[None]:
    """End one of the caller's sessions. Its token is no longer valid. Ending it again changes nothing.

    >>> with Client(server) as phone:
    ...     phone_token = phone.handover(alice.offer_handover().code).token
    >>> alice.end_session([each for each in alice.sessions() if not each.current][0])
    """
    path = f"players/me/sessions/{segment(session if isinstance(session, str) else session.id)}"
    return Call("DELETE", path, nothing, already=frozenset({"bad_token"}))


def export() -> Call[Export]:
    """Get all data that the server stores about the caller.

    >>> alice.export().player.name
    'Alice'
    """
    return get("players/me/export", one(Export))


def player(player: str) -> Call[PlayerRecord]:
    """Get a player's name and results.

    >>> alice.player(bob.me().id).matches
    0
    """
    return get(f"players/{segment(player)}", one(PlayerRecord))


def presets() -> Call[tuple[Preset, ...]]:
    """List the named rule sets.

    >>> [preset.name for preset in alice.presets()][:2]
    ['classic', 'official_d12']
    """
    return get("rules/presets", many(Preset))


def preset(name: str) -> Call[Preset]:
    """Get one rule set.

    >>> alice.preset("classic").differences
    {}
    """
    return get(f"rules/presets/{segment(name)}", one(Preset))


def options() -> Call[dict[str, Any]]:
    """Get the JSON Schema of all options, each with its meaning.

    >>> alice.options()["properties"]["rounds"]["description"]
    '...'
    """
    return get("rules/options", dict)


def preset_differences(preset: str, other: str) -> Call[PresetDifferences]:
    """Get the differences between two rule sets, also in words.

    >>> [difference.option for difference in alice.preset_differences("classic", "chain").differences]
    ['doubles_per_turn', ...]
    """
    return get(f"rules/presets/{segment(preset)}/diff/{segment(other)}", one(PresetDifferences))


def check_rules(
    preset: str | None = None, options: Options | None = None, seats: int | None = None
) -> Call[CheckedRules]:
    """Check whether a table can have these rules. ``Invalid`` names the option that does not fit.

    >>> alice.check_rules("classic", {"rounds": 3}, seats=4).hand_size
    15
    """
    return post("rules/check", one(CheckedRules), given(preset=preset, options=options, seats=seats))


def rule_sheet(table: str | Table) -> Call[RuleSheet]:
    """Get the rules of a table in whole sentences, in the order of a rule book.

    >>> sheet = alice.rule_sheet(lobby)
    >>> [section.title for section in sheet.sections][0], sheet.sections[0].sentences[0]
    ('Setting up', 'The set is double-12: 91 tiles.')
    """
    return get(at(table, "rules"), one(RuleSheet))


def rule_sheet_text(table: str | Table) -> Call[str]:
    """Get the rules of a table as a text to print.

    >>> "The set is double-12: 91 tiles." in alice.rule_sheet_text(lobby)
    True
    """
    return text(at(table, "rules"), PLAIN)


def bots() -> Call[tuple[Bot, ...]]:
    """List the levels of the bots, weakest first.

    >>> [bot.level for bot in alice.bots()]
    ['random', 'easy', 'medium', 'hard', 'expert']
    """
    return get("bots", many(Bot))


def tables(
    status: Status | None = None, visibility: Visibility | None = None, limit: int | None = None
) -> Call[Page[Table]]:
    """List public tables and the caller's own, newest first. The iterator requests pages of ``limit`` tables.

    >>> [table.status for table in alice.tables(status="open", limit=1)]
    ['open'...]
    """
    return get("tables", page, status=status, visibility=visibility, limit=limit)


def my_tables(
    status: Status | None = None, visibility: Visibility | None = None, limit: int | None = None
) -> Call[Page[Table]]:
    """List the tables where the caller sits, newest first, with ``your_turn``. The answer is an iterator.

    >>> table.id in [mine.id for mine in alice.my_tables("playing") if mine.your_turn]
    True
    """
    return get("players/me/tables", page, status=status, visibility=visibility, limit=limit)


def page(value: Any) -> Page[Table]:
    """Read a page. Only the cursor of the next page's URL is used: its host may differ from the client's ``server``."""
    if not isinstance(value, dict) or "results" not in value:
        raise Unreadable("a page has results")
    cursors = parse_qs(urlsplit(value.get("next") or "").query).get("cursor", [])
    return Page(many(Table)(value["results"]), {"cursor": cursors[0]} if cursors else {})


def open_table(
    *,
    host_seat: int | None = 0,
    bots: Mapping[int, str] | None = None,
    key: str | None = None,
    **fields: Unpack[TableChanges],
) -> Call[Table]:
    """Open a table as its host, who sits in ``host_seat``, or nowhere if it is ``None``. ``bots`` maps seats to levels.

    The other fields are those of ``TableChanges``. Fields left out, or ``None``, take their defaults.

    >>> kitchen = alice.open_table(name="Kitchen", seats=3, bots={2: "easy"}, options={"rounds": 1})
    >>> [seat.player.name if seat.player else None for seat in kitchen.seats]
    ['Alice', None, ...]
    >>> key = "a8f4cbd8-3a25-4a3f-b3f4-5d0d1dbbb3d6"
    >>> alice.open_table(name="Attic", key=key).id == alice.open_table(name="Attic", key=key).id
    True
    """
    chairs = None if bots is None else [{"seat": seat, "level": level} for seat, level in bots.items()]
    return create("tables", one(Table), {"host_seat": host_seat, **given(bots=chairs, **fields)}, key=key)


def table(table: str | Table) -> Call[Table]:
    """Get a table in its current state.

    >>> alice.table(lobby.id).status
    'open'
    """
    return get(at(table), one(Table))


def change_table(table: str | Table, changes: TableChanges) -> Call[Table]:
    """Change an open table. Only the host may do this.

    >>> alice.change_table(lobby, {"name": "Porch", "turn_seconds": 60}).name
    'Porch'
    """
    return patch(at(table), one(Table), changes)


def invitation(code: str) -> Call[Invitation]:
    """Get the table of an invite, before the caller takes a seat.

    >>> bob.invitation(lobby.invite.code).host
    'Alice'
    """
    return get(f"invites/{segment(code)}", one(Invitation))


def join(invite: str, seat: int | None = None, *, key: str | None = None) -> Call[Joined]:
    """Take the first free seat, or this one, with the code or link of an invite. Repeating it gives the same seat.

    >>> bob.join(lobby.invite.code).seat
    1
    """
    return create("tables/join", one(Joined), given(invite=invite, seat=seat), key=key)


def take_seat(
    table: str | Table, seat: int | None = None, invite: str | None = None, *, key: str | None = None
) -> Call[Joined]:
    """Take a seat at a public table or with its invite, or take the caller's own seat back from a bot.

    >>> bob.take_seat(lobby, seat=1, invite=lobby.invite.code).seat
    1
    """
    return create(at(table, "seats"), one(Joined), given(seat=seat, invite=invite), key=key)


def leave_seat(table: str | Table, seat: int, player: str | None = None, *, key: str | None = None) -> Call[None]:
    """Leave a seat, or empty one as the host. During a match, a bot plays until the player is back.

    In a match, others can empty a seat only if its player is absent: the host can, and at a table without a clock
    everybody who sits there. Otherwise the call raises ``PlayerPresent``. With ``player``, an id, nothing happens if
    another player sits there now. An empty seat stays empty, so you may repeat the call.

    >>> seat = bob.join(lobby.invite.code).seat
    >>> bob.leave_seat(lobby, seat)
    >>> alice.leave_seat(lobby, seat, player=bob.me().id)
    """
    already = frozenset({"not_your_seat", "not_found"})
    return Call("DELETE", at(table, "seats", seat), nothing, given(player=player), headers=keyed(key), already=already)


def renew_invite(table: str | Table, *, key: str | None = None) -> Call[Table]:
    """Get a new invite for an open table; the old one becomes invalid. Only the host may do this.

    >>> alice.renew_invite(lobby).invite.code == lobby.invite.code
    False
    """
    return create(at(table, "invite"), one(Table), key=key)


def seat_bot(table: str | Table, seat: int, level: str | None = None) -> Call[Table]:
    """Put a bot into an empty seat, or change its level. Only the host may do this.

    In a match a bot can replace an absent player, as in ``leave_seat``. Then omit ``level``, because the table's
    ``on_leave`` decides it.

    >>> alice.seat_bot(lobby, 1, "hard").seats[1].player.level
    'hard'
    """
    return put(at(table, "seats", seat, "bot"), one(Table), given(level=level))


def start(table: str | Table) -> Call[Table]:
    """Deal the first round. Only the host may do this, once every seat is filled. Repeating it changes nothing.

    >>> _ = alice.seat_bot(lobby, 1, "easy")
    >>> alice.start(lobby).status
    'playing'
    """
    return post(at(table, "start"), one(Table))


def cancel(table: str | Table) -> Call[Table]:
    """End a table without a winner. Only the host may do this.

    >>> alice.cancel(table).ended_reason
    'cancelled_by_host'
    """
    return post(at(table, "cancel"), one(Table))


def propose_clock(table: str | Table, turn_seconds: int | None, on_timeout: OnTimeout) -> Call[Table]:
    """Propose a clock for a running match, or agree to the proposed one. It applies once ``waiting_for`` is empty.

    >>> solo = alice.open_table(seats=2, bots={1: "easy"})
    >>> alice.propose_clock(alice.start(solo), 60, "bot").turn_seconds
    60
    """
    return post(at(table, "clock"), one(Table), {"turn_seconds": turn_seconds, "on_timeout": on_timeout})


def withdraw_clock(table: str | Table) -> Call[None]:
    """Withdraw the proposed clock. Only a player who has agreed to it may do this. Without a proposal nothing changes.

    >>> alice.withdraw_clock(table)
    """
    return Call("DELETE", at(table, "clock"), nothing)


def rematch(table: str | Table, *, key: str | None = None) -> Call[Table]:
    """Open the next table, with the same seats and options. The first player who asks becomes its host.

    >>> alice.rematch(finished).id == alice.rematch(finished).id == alice.table(finished).next_table
    True
    """
    return create(at(table, "rematch"), one(Table), key=key)


def position(
    table: str | Table, *, unless: Position | None = None, wait: int | None = None, said: bool = False
) -> Call[Position]:
    """Get everything that the caller may see now.

    Pass an earlier position as ``unless`` to get back that same object, at little cost, if nothing has changed since.
    With ``wait`` the server holds such an answer for so many seconds, up to 60, until something changes. With ``said``
    the last move has a sentence that describes it, in the client's language.

    >>> now = alice.position(table)
    >>> now.turn.seat == now.you.seat
    True
    >>> alice.position(table, unless=now) is now
    True
    >>> now = alice.play(table, now.legal_moves[0], now.next_number).position
    >>> now.seats[now.last_move.seat].name, alice.position(table, said=True).last_move.said
    ('...', '...')
    """
    return held(get(at(table, "position"), one(Position), **saying(said=said)), unless, wait)


def position_text(table: str | Table) -> Call[str]:
    """Get the position in words, for people and for programs that speak.

    >>> print(alice.position_text(table))
    Round 1 of 1...
    """
    return text(at(table, "position"), PLAIN)


def saying(*, said: bool) -> dict[str, str]:
    return {"said": "true"} if said else {}


def play(table: str | Table, move: str | LegalMove, number: int, *, keep_marker: bool = False) -> Call[Played]:
    """Make a move, with its number in the log: ``next_number`` of the position that it was chosen from.

    A move is a ``LegalMove``, or a text such as ``"12-7>mexican"``, ``"draw"`` or ``"call 2"``. The client repeats the
    request with the same number until an answer arrives, and the move is made once. ``IllegalMove`` contains the reason
    and the legal moves; ``Stale`` and ``NotYourTurn`` contain the current position.

    >>> now = alice.position(table)
    >>> alice.play(table, now.legal_moves[0], now.next_number).number == now.next_number
    True
    >>> alice.play(table, "13-13>mexican", now.next_number)
    Traceback (most recent call last):
    mexican_train.errors...
    """
    if isinstance(move, LegalMove):
        return play(table, move.move, number, keep_marker=move.keep_marker or keep_marker)
    body = {"move": move, "number": number, **({"keep_marker": True} if keep_marker else {})}
    return post(at(table, "moves"), one(Played), body)


def moves(table: str | Table, after: int = 0, limit: int = 500, *, said: bool = False) -> Call[Page[LoggedMove]]:
    """List the entries of the log after number ``after``. The iterator requests pages of ``limit`` entries.

    With ``said`` each entry has a sentence that describes the move, in the client's language.

    >>> [move.number for move in alice.moves(finished, after=2, limit=3)]
    [3, 4, ...]
    >>> next(alice.moves(finished, said=True)).said
    '...'
    """

    def read(value: Any) -> Page[LoggedMove]:
        logged = many(LoggedMove)(value)
        return Page(logged, {"after": logged[-1].number} if len(logged) == limit else {})

    return get(at(table, "moves"), read, after=after, limit=limit, **saying(said=said))


def moves_text(table: str | Table, after: int = 0, limit: int = 500) -> Call[str]:
    """Get a page of the log in words, one move per line.

    >>> print(alice.moves_text(finished, limit=2))
    1...
    """
    return text(at(table, "moves"), PLAIN, after=after, limit=limit)


def explain(table: str | Table) -> Call[Explanation]:
    """Explain, for the seat to move, each tile on each train: whether it is legal, or the reason why it is not.

    >>> {verdict.reason for verdict in alice.explain(table).moves if not verdict.legal} >= {"ends_do_not_match"}
    True
    """
    return get(at(table, "explain"), one(Explanation))


def hint(table: str | Table, level: str | None = None) -> Call[Hint]:
    """Get the move that a bot of this level (default *hard*) would make for the seat to move, and why.

    >>> alice.hint(table).why
    '...'
    """
    return get(at(table, "hint"), one(Hint), level=level)


def rounds(table: str | Table) -> Call[tuple[RoundResult, ...]]:
    """List the results of the finished rounds.

    >>> [result.number for result in alice.rounds(finished)]
    [1]
    """
    return get(at(table, "rounds"), many(RoundResult))


def round(table: str | Table, number: int) -> Call[RoundResult]:
    """Get the result of a finished round.

    >>> alice.round(finished, 1).engine
    '12-12'
    """
    return get(at(table, "rounds", number), one(RoundResult))


def deal(table: str | Table, number: int) -> Call[Deal]:
    """Get the deal of a finished round, with everything that is needed to check that it was fair.

    >>> import hashlib
    >>> dealt = alice.deal(finished, 1)
    >>> hashlib.sha256(bytes.fromhex(dealt.secret)).hexdigest() == dealt.commitment
    True
    """
    return get(at(table, "rounds", number, "deal"), one(Deal))


def set_client_seed(table: str | Table, seed: str) -> Call[ClientSeed]:
    """Set the caller's own contribution to the next deal, so that nobody else can choose the deal.

    >>> alice.set_client_seed(lobby, "my own words").round
    1
    """
    return put(at(table, "client-seed"), one(ClientSeed), {"seed": seed})


def past_position(table: str | Table, number: int) -> Call[PastPosition]:
    """Get the position after any logged move of a finished round, with all hands open.

    >>> alice.past_position(finished, 1).by_seat in {0, 1}
    True
    """
    return get(at(table, "positions", number), one(PastPosition))


def board_svg(table: str | Table, shape: Shape | None = None) -> Call[str]:
    """Draw the position as the caller sees it, *tall* (for a phone) or *wide*.

    >>> alice.board_svg(table, "wide")
    '<svg ...</svg>...'
    """
    return text(at(table, "board.svg"), SVG, shape=shape)


def past_board_svg(table: str | Table, number: int, shape: Shape | None = None) -> Call[str]:
    """Draw the position after any logged move of a finished round, with all hands open.

    >>> alice.past_board_svg(finished, 1)
    '<svg ...</svg>...'
    """
    return text(at(table, "positions", number, "board.svg"), SVG, shape=shape)


def record(table: str | Table) -> Call[Record]:
    """Get the finished rounds as one document. Write its ``raw`` to a file.

    >>> import json
    >>> record = alice.record(finished)
    >>> [seat.name for seat in record.seats][0], record.finished
    ('Alice', True)
    >>> json.dumps(record.raw)
    '{"mexican_train": 1, ...'
    """
    return get(at(table, "record"), one(Record))


def record_text(table: str | Table) -> Call[str]:
    """Get the record as a text that people can read and write.

    >>> print(alice.record_text(finished))
    [MexicanTrain "1"]
    ...
    """
    return text(at(table, "record"), PLAIN)


def check_record(record: Record | Mapping[str, Any] | str) -> Call[CheckedRecord]:
    """Check whether a record, as text or as a document, describes a legal match, and find its first fault.

    Raises ``Invalid`` if the argument is not a record.

    >>> alice.check_record(alice.record_text(finished)).fair
    'verified'
    >>> alice.check_record({**alice.record(finished).raw, "winners": []}).fault.code
    'wrong_winners'
    """
    return post("records/check", one(CheckedRecord), record.raw if isinstance(record, Record) else record)


def webhooks() -> Call[tuple[Webhook, ...]]:
    """List the caller's webhooks, each with the result of its last message.

    >>> bob.webhooks()
    ()
    """
    return get("players/me/webhooks", many(Webhook))


def add_webhook(url: str, events: Iterable[WebhookEvent], *, key: str | None = None) -> Call[NewWebhook]:
    """Register an https address that receives messages about the caller's turns or tables.

    Store the ``secret``, because the server sends it only once. ``mexican_train.webhooks.verify`` needs it to check
    messages.

    >>> bob.add_webhook(receiver, ["your_turn", "table_finished"]).secret
    'whsec_...'
    """
    return create("players/me/webhooks", one(NewWebhook), {"url": url, "events": list(events)}, key=key)


def webhook(webhook: str | Webhook) -> Call[Webhook]:
    """Get one of the caller's webhooks.

    >>> told = bob.add_webhook(receiver, ["your_turn"])
    >>> bob.webhook(told).enabled
    True
    """
    return get(webhook_at(webhook), one(Webhook))


def change_webhook(webhook: str | Webhook, changes: WebhookChanges) -> Call[Webhook]:
    """Change the address or the events of a webhook, or turn it off or on.

    >>> told = bob.add_webhook(receiver, ["your_turn"])
    >>> bob.change_webhook(told, {"enabled": False}).disabled_reason
    'by_player'
    """
    return patch(webhook_at(webhook), one(Webhook), changes)


def try_webhook(webhook: str | Webhook, *, key: str | None = None) -> Call[Delivery]:
    """Send a message of type *test*. The webhook's ``last_delivery`` has the result.

    >>> bob.try_webhook(bob.add_webhook(receiver, ["your_turn"])).event
    'test'
    """
    return create(f"{webhook_at(webhook)}/test", one(Delivery), key=key)


def remove_webhook(webhook: str | Webhook, *, key: str | None = None) -> Call[None]:
    """Delete a webhook and its waiting messages.

    >>> bob.remove_webhook(bob.add_webhook(receiver, ["your_turn"]))
    >>> bob.webhooks()
    ()
    """
    return Call("DELETE", webhook_at(webhook), nothing, headers=keyed(key), already=frozenset({"not_found"}))


def webhook_at(webhook: str | Webhook) -> str:
    return f"players/me/webhooks/{segment(webhook if isinstance(webhook, str) else webhook.id)}"
