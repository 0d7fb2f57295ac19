"""API calls about the rules: presets, options, and whether a table could be opened with them. They need no token."""

from typing import Annotated, Any, ClassVar, TypedDict, cast

from django.utils.decorators import method_decorator
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from rest.bodies import validated
from rest.conditions import conditional
from rest.languages import TranslatedResponse
from rest.problems import NotFound, PreconditionFailed
from rest.texts import described, operation
from rules import games
from rules.errors import UnknownPreset
from rules.game import AnyGame
from tables.api.fields import CheckSerializer
from tables.api.views import TablesApiView
from tables.presenters.games import presenter_of
from tables.presenters.mexican_train import rulebook

KEPT_FOR = {"Cache-Control": "public, max-age=300"}
"""Only a new version of the server changes these answers. Every client gets the change within five minutes."""


@described("A rule set.")
class PresetAnswer(TypedDict):
    name: Annotated[str, "The name, as requests take it."]
    title: Annotated[str, "The title, in the language of the request."]
    seats: Annotated[list[int], "The possible numbers of seats: the keys of `hand_sizes`."]
    options: Annotated[dict[str, Any], "Every option, with its value. `GET rules/options` has the possible values."]
    differences: Annotated[dict[str, Any], "The options that differ from *classic*."]


@described("The rules that a table would have.")
class CheckedAnswer(TypedDict):
    preset: Annotated[str, "The name of the rule set."]
    seats: Annotated[int, "The number of seats."]
    options: Annotated[dict[str, Any], "Every option, with the value that the table would have."]
    hand_size: Annotated[int, "Tiles dealt to each seat."]
    boneyard: Annotated[
        int,
        (
            "Tiles left after the deal. An engine that is set aside is not among them. An engine that must come from "
            "a hand is among the dealt tiles or among these, and the seats may still draw for it."
        ),
    ]
    differences: Annotated[dict[str, Any], "The options that differ from *classic*."]


@method_decorator(conditional, name="dispatch")
class RulesApiView(TablesApiView):
    """A call about the rules only. Its answer has an ``ETag``, and may be cached for a while."""

    problems = (PreconditionFailed,)


class PresetsView(RulesApiView):
    @operation(
        "presets",
        "List the presets, each with all its options and its differences from *classic*",
        responses={200: list[PresetAnswer], 304: None},
    )
    def get(self, request: Request) -> Response:
        rules = games.newest()[games.DEFAULT]
        return TranslatedResponse([present_preset(rules, preset) for preset in rules.presets], headers=KEPT_FOR)


class PresetView(RulesApiView):
    path_meanings: ClassVar = {"name": "The name of the preset."}

    @operation("preset", "Show a preset", responses={200: PresetAnswer, 304: None})
    def get(self, request: Request, name: str) -> Response:
        return TranslatedResponse(present_preset(game_with(name), name), headers=KEPT_FOR)


class PresetDifferencesView(RulesApiView):
    path_meanings: ClassVar = {"name": "The name of the first preset.", "other": "The name of the second preset."}

    @operation(
        "preset_differences",
        "Describe the differences between two presets",
        responses={200: rulebook.PresetDifferencesAnswer, 304: None},
    )
    def get(self, request: Request, name: str, other: str) -> Response:
        rules, others = game_with(name), game_with(other)
        if rules.name != others.name:
            raise NotFound(gettext("These presets belong to different games."))
        return TranslatedResponse(presenter_of(rules.name).present_differences(name, other), headers=KEPT_FOR)


class OptionsView(RulesApiView):
    @operation(
        "options",
        "Get a JSON Schema of all options",
        "It has the possible values of each option, their meaning, and the value in *classic*.",
        responses={200: OpenApiTypes.OBJECT, 304: None},
    )
    def get(self, request: Request) -> Response:
        return TranslatedResponse(presenter_of(games.DEFAULT).option_schema(), headers=KEPT_FOR)


class CheckView(TablesApiView):
    @operation(
        "check_rules",
        "Check whether a table can be opened with these rules",
        "The answer has the rules of such a table, or an error that names the option.",
        request=CheckSerializer,
        responses=CheckedAnswer,
    )
    def post(self, request: Request) -> Response:
        given = validated(CheckSerializer, request.data)
        rules, seats = games.of_preset(given["preset"]), given["seats"]
        options = rules.options_of(given["preset"], given["options"])
        presenter = presenter_of(rules.name)
        answer: CheckedAnswer = {
            "preset": given["preset"],
            "seats": seats,
            "options": options.as_dict(),
            "hand_size": rules.hand_size(options, seats),
            "boneyard": presenter.boneyard(rules, options, seats),
            "differences": presenter.differences_of(options),
        }
        return Response(answer)


def present_preset(rules: AnyGame, preset: str) -> PresetAnswer:
    return cast("PresetAnswer", presenter_of(rules.name).present_preset(rules, preset))


def game_with(preset: str) -> AnyGame:
    """Return the game that has this preset. Raises ``NotFound``."""
    try:
        return games.of_preset(preset)
    except UnknownPreset as unknown:
        exists = gettext("This preset does not exist; choose one of {values}.")
        raise NotFound(exists.format(values=", ".join(games.presets()))) from unknown
