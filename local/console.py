"""Messages on the console while servers start and stop."""


def say(line: str) -> None:
    print(line, flush=True)


def last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing"
