"""A bot on any server: ``python bot.py http://127.0.0.1:8000 INVITE`` joins as a guest, and plays to the end."""

import sys

from mexican_train import Client, LegalMove, Position, ProblemError, Table

LIKED = ["pass", "draw", "end", "play", "announce", "call"]  # what is said costs no tile, and comes first


def liking(move: LegalMove) -> tuple[int, int, bool]:
    """Call and announce, then get rid of the heaviest tile, and of the marker with it."""
    pips = sum(map(int, move.tile.split("-"))) if move.tile else 0
    return LIKED.index(move.type), pips, not move.keep_marker


def play(bot: Client, table: Table, position: Position) -> None:
    """Everything that may be played from here on, until it is somebody else's turn."""
    while position.legal_moves:
        best = max(position.legal_moves, key=liking)
        try:
            position = bot.play(table, best, position.next_number).position
        except ProblemError as refused:  # somebody was faster, or the clock was: the next position tells
            print("refused:", refused, file=sys.stderr)
            return


def main(server: str, invite: str) -> None:
    with Client(server) as bot:
        bot.register_guest("Forty lines")
        table = bot.join(invite).table
        for position in bot.follow(table):  # now, and whenever something has changed
            play(bot, table, position)
        print(position.status, "winners:", position.winners)


if __name__ == "__main__":
    main(*sys.argv[1:])
