"""Annotations of functions and variables (XQuery 3.1, section 4.15)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.analysis.name_expansion import XQUERY
from jvmscope.queries.xquery.analysis.static_errors import error_of_name
from jvmscope.queries.xquery.syntax.expanded_names import ARRAY, FN, MAP, MATH, XML, XS, XSI

if TYPE_CHECKING:
    from jvmscope.queries.xquery.analysis.name_expansion import Namespaces
    from jvmscope.queries.xquery.syntax.ast import Annotation
    from jvmscope.queries.xquery.syntax.source import Source

__all__ = ["RESERVED_NAMESPACES", "check_visibility", "expand_annotations", "is_private"]

RESERVED_NAMESPACES = frozenset({XML, XS, XSI, FN, MATH, MAP, ARRAY, XQUERY})
"""Namespaces in which a query can declare nothing."""

_VISIBILITY = ("public", "private")


def expand_annotations(
    annotations: tuple[Annotation, ...], namespaces: Namespaces, source: Source
) -> tuple[Annotation, ...]:
    """Returns annotations with expanded names.

    Raises:
        QueryError: XQST0045 (a reserved namespace, and not one of ours), XPST0081.
    """
    expanded = []
    for annotation in annotations:
        name = namespaces.expand(annotation.name, annotation.at, XQUERY)
        is_visibility = name.uri == XQUERY and name.local in _VISIBILITY
        if name.uri in RESERVED_NAMESPACES and not is_visibility:
            message = f"no annotation %{name} is known"
            raise error_of_name(source, "XQST0045", message, annotation.name, annotation.at)
        expanded.append(replace(annotation, name=name))
    return tuple(expanded)


def check_visibility(annotations: tuple[Annotation, ...], code: str, source: Source) -> None:
    """Checks that a declaration is public or private once at most.

    Raises:
        QueryError: the code, XQST0106 for functions and XQST0116 for variables.
    """
    found = [annotation for annotation in annotations if _is_visibility(annotation)]
    if len(found) > 1:
        message = "a declaration has at most one of %public and %private, once"
        raise error_of_name(source, code, message, found[1].name, found[1].at)


def is_private(annotations: tuple[Annotation, ...]) -> bool:
    """Tells whether only its own module sees what is annotated."""
    return any(
        _is_visibility(annotation) and annotation.name.local == "private"
        for annotation in annotations
    )


def _is_visibility(annotation: Annotation) -> bool:
    return annotation.name.uri == XQUERY and annotation.name.local in _VISIBILITY
