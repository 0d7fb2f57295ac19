"""What stands behind the question mark of an address: as strict as the schema of an operation's parameters."""

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
"""How numbers and truth values are written; Django REST framework reads many other spellings too."""


class QueryFields(serializers.Serializer[Any]):
    """An operation's query parameters. An empty value and a name that stands twice are as wrong as any other value.

    Names that the operation does not know are left alone: caches and proxies add theirs.
    """

    def to_internal_value(self, data: Any) -> Any:
        query = data.dict() if isinstance(data, QueryDict) else data  # of a form DRF would take "" for nothing
        wrong = misspelt(query, self.fields) | (repeated(data, self.fields) if isinstance(data, QueryDict) else {})
        try:
            fields = super().to_internal_value(query)
        except serializers.ValidationError as refused:
            wrong = dict(refused.detail) | wrong  # type: ignore[arg-type]  # DRF's own is by field
        if wrong:
            raise serializers.ValidationError(wrong)
        return fields


def misspelt(query: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    found = {}
    for name, value in query.items():
        if name in fields and value == "":
            found[name] = [ErrorDetail(gettext("This parameter has no value; leave it out instead."), code="blank")]
            continue
        for kind, spelling in SPELLINGS.items():
            if isinstance(fields.get(name), kind) and not spelling.fullmatch(str(value)):
                found[name] = [ErrorDetail(fields[name].error_messages["invalid"], code="invalid")]
    return found


def repeated(query: QueryDict, fields: Mapping[str, Any]) -> dict[str, Any]:
    twice = ErrorDetail(gettext("This parameter may be given only once."), code="repeated")
    return {name: [twice] for name in fields if len(query.getlist(name)) > 1}
