"""The OpenAPI schema of the operations: what a problem document may have about a move."""

from typing import Annotated, Literal, NotRequired

from rest.problem_documents import ProblemDocument
from rest.schema import OperationSchema
from rest.texts import described
from tables.presenters.mexican_train.moves import LegalMove
from tables.presenters.positions import PositionAnswer
from tables.presenters.values import REASONS


@described(
    (
        "An error, as in RFC 9457. `code` is stable. Validation errors add `errors`; refused moves add fields such "
        "as `position` or `legal_moves`."
    ),
    name="Problem",
)
class MoveProblem(ProblemDocument):
    reason: NotRequired[Annotated[str, Literal[REASONS], "Why the rules do not allow the move."]]
    legal_moves: NotRequired[Annotated[list[LegalMove], "The moves that the caller may make now."]]
    position: NotRequired[Annotated[PositionAnswer, "The position now, as the caller sees it."]]


class TablesOperationSchema(OperationSchema):
    problem = MoveProblem
