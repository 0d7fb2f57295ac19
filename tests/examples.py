"""Answers that a real server gave, as they were recorded for the schema."""

from typing import Any

from rest.schema import examples


def answer_of(operation: str) -> dict[str, Any]:
    """The first recorded answer that is no refusal and has a body."""
    answers = (each["answer"] for each in examples()[operation] if each["status"] < 300 and "answer" in each)
    answer: dict[str, Any] = next(answers)
    return answer
