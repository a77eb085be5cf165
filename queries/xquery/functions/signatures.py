"""Signatures of functions, written as in the specification."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.syntax.expanded_names import PREDECLARED, Name
from jvmscope.queries.xquery.syntax.parsing.types import TypeParser
from jvmscope.queries.xquery.syntax.source import Source
from jvmscope.queries.xquery.syntax.types import (
    ArrayTest,
    AtomicType,
    FunctionTest,
    ItemSequence,
    KindTest,
    MapTest,
    ParenthesizedType,
)

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = ["expanded_name", "parse_type", "split_signature"]

_PARAMETER = re.compile(r"\$([\w-]+)\s+as\s+")


def split_signature(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...], str]:
    """Returns the name, the names and the types of the parameters, and the result's type.

    >>> split_signature("fn:head($arg as item()*) as item()?")
    ('fn:head', ('arg',), ('item()*',), 'item()?')
    """
    name, _, rest = text.partition("(")
    parts = _PARAMETER.split(rest)
    if len(parts) == 1:
        return name, (), (), rest.partition(") as ")[2]
    types = [part.strip().rstrip(",") for part in parts[2::2]]
    types[-1], result = _split_result(types[-1])
    return name, tuple(parts[1::2]), tuple(types), result


def _split_result(text: str) -> tuple[str, str]:
    """Returns the last parameter's type and the result's, on both sides of the closing ``)``."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return text[:at].removesuffix(", ...").strip(), text[at + 1 :].strip()[3:].strip()
    raise ValueError(text)


def expanded_name(text: str) -> Name:
    """Returns the name of a lexical QName with one of the predeclared prefixes."""
    prefix, _, local = text.rpartition(":")
    return Name(local, prefix, PREDECLARED.get(prefix, ""))


@cache
def parse_type(text: str) -> SequenceType:
    """Returns a sequence type; its prefixes are the predeclared ones."""
    parsed: SequenceType = _expand(TypeParser(Source(text)).sequence_type())
    return parsed


def _expand(kind: Any) -> Any:
    """Returns a type with its names expanded."""
    match kind:
        case ItemSequence(item) | ParenthesizedType(item):
            return replace(kind, item=_expand(item))
        case AtomicType(name):
            return AtomicType(expanded_name(str(name)))
        case FunctionTest(parameters, result):
            return FunctionTest(tuple(map(_expand, parameters)), _expand(result))
        case MapTest(key, value):
            return MapTest(_expand(key), _expand(value))
        case ArrayTest(member):
            return ArrayTest(_expand(member))
        case KindTest(_, name, type_name):
            inside = _expand(kind.inside) if kind.inside else None
            return replace(
                kind,
                inside=inside,
                name=expanded_name(str(name)) if name else None,
                type_name=expanded_name(str(type_name)) if type_name else None,
            )
        case _:
            return kind
