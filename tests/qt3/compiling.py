"""Queries and expressions of the suite, analysed in what a case says of the static context."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin

from jvmscope.queries.xquery.analysis import Program, StaticEnvironment, analyse
from jvmscope.queries.xquery.syntax.expanded_names import PREDECLARED, Name
from jvmscope.queries.xquery.syntax.parser import parse
from jvmscope.queries.xquery.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmscope.queries.xquery.syntax.parsing.cursor import Language
    from qt3.catalog import Case

__all__ = ["analysed", "static_environment", "variable_name"]

_UNDEFINED = "#UNDEFINED"


def variable_name(text: str, case: Case) -> Name:
    """Returns the expanded name of a variable of the catalogue."""
    if text.startswith("Q{"):
        uri, _, local = text[2:].rpartition("}")
        return Name(local, None, uri)
    prefix, _, local = text.rpartition(":")
    return Name(local, prefix, dict(case.environment.namespaces)[prefix] if prefix else "")


def static_environment(case: Case, variables: Iterable[Name]) -> StaticEnvironment:
    """Returns what a case gives its query before it is read.

    Args:
        case: the case.
        variables: the names of what it gives as external variables.
    """
    environment = case.environment
    namespaces = {**PREDECLARED, **dict(environment.namespaces)}
    base_uri: str | None = environment.static_base_uri or case.query_path.resolve().as_uri()
    if base_uri == _UNDEFINED:
        base_uri = None
    return StaticEnvironment(
        namespaces={prefix: uri for prefix, uri in namespaces.items() if prefix},
        default_element_namespace=namespaces.get("", ""),
        variables=dict.fromkeys(variables),
        modules=lambda uri, locations: _modules(case, base_uri, uri, locations),
        base_uri=base_uri,
        default_collation=environment.collation,
        decimal_formats=_decimal_formats(case),
    )


def analysed(text: str, environment: StaticEnvironment, language: Language = "xquery") -> Program:
    """Returns an analysed query or expression."""
    return analyse(parse(text, language=language), environment, language=language)


def _modules(
    case: Case, base_uri: str | None, uri: str, locations: tuple[str, ...]
) -> Sequence[Source]:
    """Returns the case's modules of a namespace: those at the locations, if it has any there."""
    own = [module for module in case.modules if module.uri == uri]
    given = [
        module
        for module in own
        if module.location and urljoin(base_uri or "", module.location) in locations
    ]
    return [Source(module.path.read_text(encoding="utf-8"), module.path) for module in given or own]


def _decimal_formats(case: Case) -> dict[Name | None, dict[str, str]]:
    formats: dict[Name | None, dict[str, str]] = {}
    for properties in map(dict, case.environment.decimal_formats):
        name = properties.pop("name", None)
        key = None
        if name is not None:
            uri, _, local = name.removeprefix("Q{").rpartition("}")
            key = Name(local, "", uri)
        formats[key] = properties
    return formats
