"""The variables of the environment: as the code declares them, and as the documents tell them."""

import ast
import re

from local import ROOT

BY_OTHERS = {"PROMETHEUS_MULTIPROC_DIR": "a temporary folder"}
"""Read by gunicorn.conf.py, and by the library it is for."""
SAID = {"True": "yes", "False": "no", "": "none"}


def declared() -> dict[str, list[str]]:
    """By variable the default, ``required`` if there is none; several where several places declare one."""
    found: dict[str, list[str]] = {}
    for path in ("config/settings.py", "config/env.py"):
        for node in ast.walk(ast.parse((ROOT / path).read_text())):
            if isinstance(node, ast.Call) and is_declaration(node):
                found.setdefault(ast.literal_eval(node.args[0]), []).append(default_in(node))
    return found | {name: [default] for name, default in BY_OTHERS.items()}


def is_declaration(call: ast.Call) -> bool:
    """A reader of ``env``, called with the name of a variable."""
    name = call.args[0] if call.args else None
    is_name = isinstance(name, ast.Constant) and re.fullmatch(r"[A-Z][A-Z_]+", str(name.value))
    reader = call.func
    in_settings = isinstance(reader, ast.Attribute) and isinstance(reader.value, ast.Name) and reader.value.id == "env"
    return bool(is_name) and (in_settings or isinstance(reader, ast.Name))


def default_in(call: ast.Call) -> str:
    """As the documents write it."""
    is_list = isinstance(call.func, ast.Attribute) and call.func.attr == "words"
    given = [*call.args[1:], *(keyword.value for keyword in call.keywords)]
    if not given:
        return "none" if is_list else "required"
    if isinstance(given[0], ast.BinOp):  # an address that begins with another
        return f"{ast.unparse(given[0].left)}{ast.literal_eval(given[0].right)}"
    value = str(ast.literal_eval(given[0]))
    return SAID.get(value, value)


def documented(page: str = "docs/production.md") -> dict[str, str]:
    """By variable the default, of the table of a page."""
    rows = [row.split("|") for row in (ROOT / page).read_text().splitlines() if re.match(r"\| `[A-Z_]+`", row)]
    return {name: row[2].strip().strip("`") for row in rows for name in re.findall(r"`([A-Z_]+)`", row[1])}
