"""Presents a rule sheet as text."""

from django.utils.translation import gettext

from tables.presenters.mexican_train.rulebook import SheetAnswer


def sheet_text(sheet: SheetAnswer) -> str:
    """Return a rule sheet as text, to print or to read aloud."""
    heading = sheet["name"] + "\n" if sheet["name"] else ""
    sections = [
        f"{each['title']}\n" + "\n".join(f"- {said}" for said in each["sentences"]) for each in sheet["sections"]
    ]
    own = [each["sentence"] for each in sheet["differs_from_preset"]]
    if own:
        house = gettext("House rules: differences from “{title}”").format(title=sheet["title"])
        sections.append(f"{house}\n" + "\n".join(f"- {said}" for said in own))
    return "\n\n".join([heading + sheet["title"], *sections]) + "\n"
