"""Validation of query parameters, as strict as the schema of their operation."""

import re
from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

SPELLINGS: Mapping[type[serializers.Field], re.Pattern[str]] = {  # type: ignore[type-arg]  # of any kind
    serializers.IntegerField: re.compile(r"-?[0-9]+"),
    serializers.BooleanField: re.compile("true|false"),
}
"""How integers and booleans are written. DRF accepts many other spellings too."""


class QueryFields(serializers.Serializer[Any]):
    """An operation's query parameters. Empty values and repeated names are refused.

    Unknown names are ignored, because caches and proxies add their own.
    """

    def to_internal_value(self, data: Any) -> Any:
        query = data.dict()  # in a form, DRF takes "" for a missing field
        wrong = misspelt(query, self.fields) | repeated(data, self.fields)
        try:
            fields = super().to_internal_value(query)
        except serializers.ValidationError as refused:
            wrong = dict(refused.detail) | wrong  # type: ignore[arg-type]  # DRF's own is by field
        if wrong:
            raise serializers.ValidationError(wrong)
        return fields


def misspelt(query: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the errors of empty values, and of integers and booleans in another spelling."""
    found = {}
    for name, value in query.items():
        if name in fields and value == "":
            found[name] = [
                ErrorDetail(gettext("This parameter has no value; give it a value or omit it."), code="blank")
            ]
            continue
        for kind, spelling in SPELLINGS.items():
            if isinstance(fields.get(name), kind) and not spelling.fullmatch(str(value)):
                found[name] = [ErrorDetail(fields[name].error_messages["invalid"], code="invalid")]
    return found


def repeated(query: QueryDict, fields: Mapping[str, Any]) -> dict[str, Any]:
    twice = ErrorDetail(gettext("This parameter may be given only once."), code="repeated")
    return {name: [twice] for name in fields if len(query.getlist(name)) > 1}
