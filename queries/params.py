"""Values for the parameters of a query: bound, never pasted into its text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.queries.query_parts import convert

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmscope.queries.query_file import QueryFile
    from jvmscope.queries.query_parts import QueryParam

__all__ = [
    "Assigned",
    "bind_params",
    "guess_undeclared",
    "guess_value",
    "how_to_give",
    "parse_assignments",
]

_FORMS = {
    "integer": re.compile(r"-?[0-9]{1,4000}"),
    "number": re.compile(r"-?[0-9]+\.[0-9]+"),
    "boolean": re.compile(r"true|false"),
}


def how_to_give(name: str) -> tuple[str, dict[str, str]]:
    """Returns how a parameter gets its value, for an error's ``hint`` and ``in_python``.

    >>> how_to_give("n")
    ('give one with --param n=VALUE', {'--param n=VALUE': "params={'n': VALUE}"})
    """
    option = f"--param {name}=VALUE"
    return f"give one with {option}", {option: f"params={{{name!r}: VALUE}}"}


class Assigned(str):
    """A text of the command line, whose type is guessed where none is declared."""

    __slots__ = ()


def parse_assignments(assignments: Sequence[str]) -> dict[str, str]:
    """Returns the names and texts of ``name=value`` arguments.

    Raises:
        QueryError: one has no ``=``, or a name is given twice.

    >>> parse_assignments(["a=1", "b=x=y"])
    {'a': '1', 'b': 'x=y'}
    """
    values: dict[str, str] = {}
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        if not equals or not name:
            raise QueryError(f"{assignment!r} is not of the form name=value", path="--param")
        if name in values:
            raise QueryError(f"the parameter {name} is given twice", path="--param")
        values[name] = Assigned(value)
    return values


def bind_params(query: QueryFile, given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a value for each declared parameter, and for undeclared ones if none is declared.

    Texts are converted to the declared type; without declarations, those of the command line to
    the type they look like.

    Raises:
        QueryError: a name is not declared, or a value is not of its type or in its range.
    """
    if not query.params:
        return guess_undeclared(query, given)
    declared = {param.name: param for param in query.params}
    values = {param.name: param.default for param in query.params}
    for name, value in given.items():
        if name not in declared:
            hint = did_you_mean(name, declared) or f"parameters: {', '.join(declared)}"
            raise QueryError(f"there is no parameter {name!r}", path=query.path, hint=hint)
        values[name] = _convert(query, declared[name], value)
    return values


def _convert(query: QueryFile, param: QueryParam, value: Any) -> Any:
    if isinstance(value, str):
        try:
            value = convert(str(value), param.type)
        except ValueError as error:
            raise QueryError(f"parameter {param.name}: {error}", path=query.path) from None
    if param.range is not None and value not in param.range:
        message = f"parameter {param.name}: expected {param.range.words}, found {value}"
        raise QueryError(message, path=query.path)
    return value


def guess_undeclared(query: QueryFile, given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what was given, with guessed types if the query declares no parameters."""
    if query.params:
        return dict(given)
    return {name: guess_value(value) for name, value in given.items()}


def guess_value(value: Any) -> Any:
    """Returns a text of the command line as what it looks like, anything else as it is.

    >>> [guess_value(Assigned(text)) for text in ("3", "-0.5", "true", "a/b", "1_000", "nan")]
    [3, -0.5, True, 'a/b', '1_000', 'nan']
    >>> guess_value("3")
    '3'
    """
    if not isinstance(value, Assigned):
        return value
    for type_, form in _FORMS.items():
        if form.fullmatch(value):
            return convert(value, type_)
    return str(value)
