"""A bot for any server: ``python bot.py http://127.0.0.1:8000 INVITE`` joins as a guest and plays to the end."""

import sys

from mexican_train import Client, LegalMove, Position, ProblemError, Table

LIKED = ["pass", "draw", "end", "play", "announce", "call"]  # the best last: "announce" and "call" cost no tile


def liking(move: LegalMove) -> tuple[int, int, bool]:
    """Return a sort key: prefer to call and announce, then to lay the heaviest tile and remove the marker."""
    pips = sum(map(int, move.tile.split("-"))) if move.tile else 0
    return LIKED.index(move.type) if move.type in LIKED else -1, pips, not move.keep_marker


def play(bot: Client, table: Table, position: Position) -> None:
    """Play until it is another seat's turn."""
    while position.legal_moves:
        best = max(position.legal_moves, key=liking)
        try:
            position = bot.play(table, best, position.next_number).position
        except ProblemError as refused:  # another seat or the clock was faster; the next position has the change
            print("refused:", refused, file=sys.stderr)
            return


def main(server: str, invite: str) -> None:
    with Client(server) as bot:
        bot.register_guest("Forty lines")
        table = bot.join(invite).table
        for position in bot.follow(table, said=True):  # now, and after every change
            print(position.last_move.said if position.last_move else "The match has not begun.")
            play(bot, table, position)
        print(position.status, "winners:", *(position.seats[seat].name for seat in position.winners or ()))


if __name__ == "__main__":
    main(*sys.argv[1:])
