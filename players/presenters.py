"""Presents a player to themselves: their account, their token and their sessions."""

from datetime import datetime
from typing import Annotated, TypedDict

from players.models import Kind, Player
from players.names import NAME_LENGTH
from players.sessions import Session
from rest.answers import Id
from rest.texts import described


@described("A player as they see themselves.")
class Me(TypedDict):
    id: Annotated[Id, "The player's id."]
    name: Annotated[str, {"maxLength": NAME_LENGTH}, "The name that others see."]
    kind: Annotated[str, Kind, "A person or a bot."]
    username: Annotated[str | None, "An account's username; `null` for a guest."]
    created_at: Annotated[datetime, "When the player was created."]


@described("The player and their token. No later answer contains the token.")
class Welcome(TypedDict):
    player: Annotated[Me, "The player."]
    token: Annotated[str, "The token. Send it as `Authorization: Bearer …`."]


@described("A code to log in on another device.")
class HandoverAnswer(TypedDict):
    code: Annotated[str, "Three groups of four letters and digits; works once."]
    expires_at: Annotated[datetime, "When the code expires: after two minutes."]


@described("A token of the player, without the token.")
class SessionAnswer(TypedDict):
    id: Annotated[Id, "The id of the session. It reveals nothing about the token."]
    created_at: Annotated[datetime, "When the token was made."]
    last_used_at: Annotated[datetime | None, "When the token was last used, to the minute; `null` if unknown."]
    current: Annotated[bool, "Whether this request uses the token."]


def present_me(player: Player) -> Me:
    return {
        "id": str(player.id),
        "name": player.name,
        "kind": player.kind,
        "username": player.username,
        "created_at": player.created_at,
    }


def present_session(session: Session) -> SessionAnswer:
    return {
        "id": str(session.id),
        "created_at": session.created_at,
        "last_used_at": session.last_used_at,
        "current": session.current,
    }
