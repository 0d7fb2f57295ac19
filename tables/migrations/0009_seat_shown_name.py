"""What the players are called at the tables where they sit, by today's names."""

from itertools import groupby
from typing import Any
from unicodedata import category, normalize

from django.db import migrations, models
from django.db.models import OuterRef, Subquery

AT_ONCE = 2000
NAME_LENGTH = 40


def folded(name: str) -> str:
    """As ``players.names`` had it when this was written, but for a few letters that show nothing."""
    letters = normalize("NFKC", normalize("NFKC", name).casefold())
    return " ".join("".join(letter for letter in letters if category(letter) not in {"Cf", "Cc"}).split())


def numbered(name: str, taken: set[str]) -> str:
    shown, number = name, 1
    while folded(shown) in taken:
        number += 1
        tail = f" {number}"
        shown = name[: NAME_LENGTH - len(tail)].rstrip() + tail
    return shown


def name_seats(apps: Any, schema_editor: Any) -> None:
    """The plain names in one statement; then each table at which two are the same to a reader."""
    Seat, Player = apps.get_model("tables", "Seat"), apps.get_model("players", "Player")
    plain = Player.objects.filter(pk=OuterRef("player_id")).values("name")[:1]
    unnamed = Seat.objects.filter(player__isnull=False, shown_name="")
    unnamed.update(shown_name=Subquery(plain))
    rows = Seat.objects.filter(player__isnull=False).order_by("table_id", "number")
    changed = []
    for _, seats in groupby(rows.iterator(chunk_size=AT_ONCE), key=lambda seat: seat.table_id):
        taken = set[str]()
        for seat in seats:
            shown = numbered(seat.shown_name, taken)
            taken.add(folded(shown))
            if shown != seat.shown_name:
                seat.shown_name = shown
                changed.append(seat)
    Seat.objects.bulk_update(changed, ("shown_name",), batch_size=AT_ONCE)


class Migration(migrations.Migration):
    dependencies = (("tables", "0008_public_newest"), ("players", "0003_player_newest"))
    operations = (
        migrations.AddField(
            model_name="seat",
            name="shown_name",
            field=models.CharField(
                blank=True, db_default="", default="", help_text="The player's name at this table.", max_length=40
            ),
        ),
        migrations.RunPython(name_seats, migrations.RunPython.noop),
    )
