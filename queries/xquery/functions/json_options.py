"""The options of functions that read JSON (F&O 3.1, section 17.5)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.signatures import parse_type
from jvmscope.queries.xquery.items.atomize import atomize
from jvmscope.queries.xquery.items.conversion import converter
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.functions import MapItem
from jvmscope.queries.xquery.notations.json_reader import replace_escapes

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["JsonOptions", "escape_json"]

_SPECIAL = re.compile("[\\\\\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_INVALID = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SHORT = {
    "\\": "\\\\",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
}


def escape_json(character: str) -> str:
    """Returns the escape of a character in JSON.

    >>> escape_json("\\n"), escape_json("\\x00")
    ('\\\\n', '\\\\u0000')
    """
    return _SHORT.get(character) or f"\\u{ord(character):04X}"


class JsonOptions:
    """The options of fn:parse-json and fn:json-to-xml.

    Args:
        options: the map given, or None.
        duplicates: the policies allowed; the first is the default.

    Attributes:
        duplicates: what is done with equal keys.
        escapes: whether strings keep escapes for special characters.
        validates: whether the result is to be validated, which cannot be done.

    Raises:
        DynamicError: FOJS0005 (a value is not allowed), XPTY0004 (or of another type).
    """

    def __init__(self, options: MapItem | None, duplicates: tuple[str, ...]) -> None:
        self._options = options or MapItem()
        self._option("liberal", "xs:boolean", default=False)
        self.duplicates = str(self._option("duplicates", "xs:string", default=duplicates[0]))
        if self.duplicates not in duplicates:
            raise DynamicError("FOJS0005", f"duplicates={self.duplicates} is not allowed")
        self.validates = bool(self._option("validate", "xs:boolean", default=False))
        self.escapes = bool(self._option("escape", "xs:boolean", default=False))
        self._fallback = self._fallback_function()

    def _option(self, name: str, kind: str, *, default: Any) -> Any:
        if name not in self._options:
            return default
        (value,) = converter(parse_type(kind))(self._options.get(name))
        return value

    def _fallback_function(self) -> Callable[[str], str] | None:
        if "fallback" not in self._options:
            return None
        if self.escapes:
            raise DynamicError("FOJS0005", "escape and fallback exclude each other")
        kind = parse_type("function(xs:string) as xs:anyAtomicType")
        (function,) = converter(kind)(self._options.get("fallback"))
        return lambda escape: str(next(iter(atomize(function((escape,))))))

    def string(self, written: str) -> str:
        """Returns the string for what stands between quotes."""
        text = replace_escapes(written)
        if self.escapes:
            return _SPECIAL.sub(lambda match: escape_json(match.group()), text)
        if _INVALID.search(text) is None:
            return text
        if self._fallback is None:
            return _INVALID.sub("\ufffd", text)
        fallback = self._fallback
        return _INVALID.sub(lambda match: fallback(escape_json(match.group())), text)
