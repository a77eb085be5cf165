"""Casts between atomic types (F&O 3.1, section 19)."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

from elementpath import datatypes as ep

from jvmscope.queries.xquery.items import calendar, numbers
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.hierarchy import ancestors, is_known
from jvmscope.queries.xquery.items.lexical import STRING_PATTERNS, collapse, is_ncname
from jvmscope.queries.xquery.items.types import CLASSES, Float, local_type, primitive, untyped
from jvmscope.queries.xquery.syntax.expanded_names import XS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmscope.queries.xquery.items.types import Atomic
    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__ = ["atomic_to_string", "cast", "cast_to", "castable", "make_qname", "qname"]

_CALENDAR = {
    name: CLASSES[name]
    for name in (
        "dateTime",
        "dateTimeStamp",
        "date",
        "time",
        "gYearMonth",
        "gYear",
        "gMonthDay",
        "gDay",
        "gMonth",
    )
}
_TEXTS = {"string", "untypedAtomic"}
_NUMERIC = {"decimal", "double", "float"}


def atomic_to_string(value: Atomic) -> str:
    """Returns an atomic value cast to xs:string."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float, Decimal)):
        return numbers.number_to_string(value)
    if isinstance(value, ep.UntypedAtomic):
        return value.value
    if isinstance(value, ep.YearMonthDuration) and not value.months:
        return "P0M"
    return str(value)


def cast(value: Atomic, target: Name, namespaces: Mapping[str, str] | None = None) -> Atomic:
    """Returns an atomic value cast to a type.

    Args:
        value: the value.
        target: the expanded name of a generalized atomic type.
        namespaces: the prefixes that a text cast to xs:QName may use; "" is the default one.

    Raises:
        DynamicError: FORG0001 (the text is not of the type), XPTY0004 (no such cast), FOCA0002 and
            so on; XQST0052 or XPST0080 if the type cannot be a target.
    """
    if target.uri != XS or not is_known(target.local):
        raise DynamicError("XQST0052", f"{target} is not an atomic type that is known here")
    if target.local in {"anyAtomicType", "NOTATION"}:
        raise DynamicError("XPST0080", f"{target} cannot be the target of a cast")
    if target.local == "QName" and namespaces is not None:
        return make_qname(value, namespaces)
    return cast_to(value, target.local)


def castable(value: Atomic, target: Name, namespaces: Mapping[str, str] | None = None) -> bool:
    """Tells whether a cast would succeed; the target itself must be one that can be."""
    try:
        cast(value, target, namespaces)
    except DynamicError as error:
        if error.code in {"XQST0052", "XPST0080"}:
            raise
        return False
    return True


def cast_to(value: Atomic, local: str) -> Atomic:
    """Returns an atomic value cast to a type of XML Schema, named by its local name.

    >>> cast_to("0012", "integer"), cast_to(2.7, "integer"), str(cast_to("P1Y14M", "duration"))
    (12, 2, 'P2Y2M')
    """
    source = local_type(value)
    if source == local:
        return value
    try:
        return _caster(primitive(value), local)(value)
    except ValueError as error:
        shown = atomic_to_string(value)
        message = f"{shown[:60]!r} is not a value of xs:{local}"
        raise DynamicError("FORG0001", message) from error


@cache
def _caster(source: str, local: str) -> Callable[[Any], Any]:
    """Returns the function that casts values of a primitive type to a type."""
    if local == "numeric":
        return _to_numeric if source not in _NUMERIC else lambda value: value
    if local == "error":
        return _to_error
    above = ancestors(local)
    if "integer" in above:
        return _integer_caster(source, local)
    if "string" in above:
        return _string_caster(local)
    if local in _CALENDAR:
        return _calendar_caster(source, local)
    if "duration" in above:
        return _duration_caster(source, local)
    casters: dict[str, Callable[[str], Callable[[Any], Any]]] = {
        "untypedAtomic": lambda _: lambda value: untyped(atomic_to_string(value)),
        "boolean": _boolean_caster,
        "decimal": _decimal_caster,
        "double": _double_caster,
        "float": lambda source: _after(_double_caster(source), Float),
        "hexBinary": _binary_caster(ep.HexBinary),
        "base64Binary": _binary_caster(ep.Base64Binary),
        "anyURI": _uri_caster,
        "QName": _qname_caster,
    }
    return casters[local](source)


def _after(first: Callable[[Any], Any], then: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: then(first(value))


def _refuse(source: str, local: str) -> Callable[[Any], Any]:
    def refuse(_: Any) -> Any:
        raise DynamicError("XPTY0004", f"xs:{source} cannot be cast to xs:{local}")

    return refuse


def _to_error(_: Any) -> Any:
    raise DynamicError("FORG0001", "no value can be cast to xs:error")


def _to_numeric(value: Any) -> Any:
    return _double_caster(primitive(value))(value)


def _double_caster(source: str) -> Callable[[Any], Any]:
    if source in _TEXTS:
        return lambda value: numbers.parse_double(str(value))
    if source in _NUMERIC or source == "boolean":
        return numbers.to_double
    return _refuse(source, "double")


def _decimal_caster(source: str) -> Callable[[Any], Any]:
    if source in _TEXTS:
        return lambda value: numbers.parse_decimal(str(value))
    if source in {"double", "float"}:
        return numbers.double_to_decimal
    if source in {"decimal", "boolean"}:
        return lambda value: Decimal(value) if isinstance(value, int) else value
    return _refuse(source, "decimal")


def _integer_caster(source: str, local: str) -> Callable[[Any], Any]:
    kind = CLASSES[local]
    lowest, above = getattr(kind, "_lower_bound", None), getattr(kind, "_higher_bound", None)

    def restrict(number: int) -> Any:
        if (lowest is not None and number < lowest) or (above is not None and number >= above):
            raise DynamicError("FORG0001", f"{number} is not a value of xs:{local}")
        return int(number) if kind is int else int.__new__(kind, number)

    if source in _TEXTS:
        return lambda value: restrict(numbers.parse_integer(str(value)))
    if source in {"double", "float"}:
        return lambda value: restrict(int(numbers.double_to_decimal(value)))
    if source in {"decimal", "boolean"}:
        return lambda value: restrict(numbers.to_integer(value))
    return _refuse(source, local)


def _boolean_caster(source: str) -> Callable[[Any], Any]:
    if source in _TEXTS:
        return _parse_boolean
    if source in _NUMERIC:
        return lambda value: bool(value) and value == value  # noqa: PLR0124 - false for NaN
    return _refuse(source, "boolean")


def _parse_boolean(value: Any) -> bool:
    text = str(value).strip(numbers.WHITESPACE)
    if text in {"true", "1"}:
        return True
    if text in {"false", "0"}:
        return False
    raise ValueError(text)


def _string_caster(local: str) -> Callable[[Any], Any]:
    kind: Any = CLASSES[local]
    if kind is str:
        return atomic_to_string
    if local == "normalizedString":
        spaces = str.maketrans("\t\n\r", "   ")
        return lambda value: str.__new__(kind, atomic_to_string(value).translate(spaces))
    pattern = STRING_PATTERNS.get(local)

    def convert(value: Any) -> Any:
        text = collapse(atomic_to_string(value))
        if pattern is not None and not pattern.match(text):
            raise ValueError(text)
        return str.__new__(kind, text)

    return convert


def _calendar_caster(source: str, local: str) -> Callable[[Any], Any]:
    kind = _CALENDAR[local]
    if source in _TEXTS:
        return lambda value: calendar.parse_calendar(kind, str(value))
    if local == "dateTimeStamp":
        return _to_stamp if source in {"dateTime", "date"} else _refuse(source, local)
    if source == "dateTime" and local == "time":
        return lambda value: calendar.from_fields(kind, calendar.fields(value))
    if source == local or (source in {"dateTime", "date"} and local != "time"):
        return lambda value: calendar.from_fields(kind, _date_parts(source, local, value))
    return _refuse(source, local)


def _date_parts(source: str, local: str, value: Any) -> calendar.Fields:
    parts = calendar.fields(value)
    if source == "date" and local == "dateTime":
        return replace(parts, hour=0, minute=0, second=0, microsecond=0)
    return parts


def _to_stamp(value: Any) -> Any:
    if not calendar.has_timezone(value):
        raise ValueError(str(value))
    parts = calendar.fields(value)
    return calendar.from_fields(ep.DateTimeStamp, parts)


def _duration_caster(source: str, local: str) -> Callable[[Any], Any]:
    kind = CLASSES[local]
    if source in _TEXTS:
        return lambda value: calendar.parse_duration(kind, str(value))
    if source != "duration":
        return _refuse(source, local)
    if kind is ep.YearMonthDuration:
        return lambda value: ep.YearMonthDuration(value.months)
    if kind is ep.DayTimeDuration:
        return lambda value: ep.DayTimeDuration(value.seconds)
    return lambda value: ep.Duration(value.months, value.seconds)


def _binary_caster(kind: Any) -> Callable[[str], Callable[[Any], Any]]:
    def caster(source: str) -> Callable[[Any], Any]:
        if source in _TEXTS:
            return lambda value: _parse_binary(kind, str(value))
        if source in {"hexBinary", "base64Binary"}:
            return lambda value: _make_binary(kind, value.decode())
        return _refuse(source, kind.name)

    return caster


def _make_binary(kind: Any, octets: bytes) -> Any:
    text = octets.hex().upper() if kind is ep.HexBinary else b64encode(octets).decode("ascii")
    return kind(text)


_BASE64 = re.compile(
    r"(?:(?:[A-Za-z0-9+/] ?){4})*"
    r"(?:(?:[A-Za-z0-9+/] ?){3}[A-Za-z0-9+/]"
    r"|(?:[A-Za-z0-9+/] ?){2}[AEIMQUYcgkosw048] ?="
    r"|[A-Za-z0-9+/] ?[AQgw] ?= ?=)?\Z"
)
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})*\Z")


def _parse_binary(kind: Any, text: str) -> Any:
    text = collapse(text)
    if kind is ep.HexBinary:
        if not _HEX.match(text):
            raise ValueError(text)
        return _make_binary(kind, bytes.fromhex(text))
    if not _BASE64.match(text):
        raise ValueError(text)
    return _make_binary(kind, b64decode(text.replace(" ", "")))


_ESCAPE = re.compile(r"%(?![0-9a-fA-F]{2})")


def _uri_caster(source: str) -> Callable[[Any], Any]:
    if source in _TEXTS:
        return lambda value: _parse_uri(str(value))
    return _refuse(source, "anyURI")


def _parse_uri(text: str) -> Any:
    text = collapse(text)
    if _ESCAPE.search(text) or text.startswith(":"):
        raise ValueError(text)
    uri = ep.AnyURI.__new__(ep.AnyURI)
    uri.value = text
    return uri


def _qname_caster(source: str) -> Callable[[Any], Any]:
    if source in _TEXTS:
        return lambda value: make_qname(value, {})
    return _refuse(source, "QName")


def make_qname(value: Atomic, namespaces: Mapping[str, str]) -> ep.QName:
    """Returns a text, or a QName itself, cast to xs:QName.

    Raises:
        DynamicError: FORG0001 (no QName), FONS0004 (unknown prefix), XPTY0004 (another type).
    """
    if isinstance(value, ep.QName):
        return value
    if not isinstance(value, (str, ep.UntypedAtomic)):
        raise DynamicError("XPTY0004", f"xs:{local_type(value)} cannot be cast to xs:QName")
    text = collapse(str(value))
    prefix, colon, local = text.rpartition(":")
    if not is_ncname(local) or (colon and not is_ncname(prefix)):
        raise DynamicError("FORG0001", f"{text!r} is not a value of xs:QName")
    uri = namespaces.get(prefix, "")
    if prefix and not uri:
        raise DynamicError("FONS0004", f"no namespace is declared for the prefix {prefix!r}")
    return qname(uri, text)


def qname(uri: str, text: str) -> ep.QName:
    """Returns an xs:QName of a namespace and a name as written, which was checked already."""
    value: Any = ep.QName.__new__(ep.QName)
    prefix, _, local = text.rpartition(":")
    value.uri, value.qname, value.prefix, value.local_name = uri, text, prefix or None, local
    return value  # type: ignore[no-any-return]
