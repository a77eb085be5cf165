"""The pictures of fn:format-dateTime and its kin (F&O 3.1, section 9.8.4)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from jvmscope.queries.xquery.items.errors import DynamicError

__all__ = ["Marker", "parse_date_picture"]

_MARKER = re.compile(r"\[([^\[\]]*)\]")
_PARTS = re.compile(r"([YMDdFWwHhPmsfZzCE])(.*?)(?:,([^,]+))?\Z", re.DOTALL)
_WIDTH = re.compile(r"(\*|[0-9]+)(?:-(\*|[0-9]+))?\Z")
_DEFAULTS = {
    "F": "n",
    "P": "n",
    "C": "n",
    "E": "n",
    "m": "01",
    "s": "01",
    "Z": "01:01",
    "z": "01:01",
}
_WORDS = {"A", "a", "I", "i", "W", "w", "Ww", "N", "n", "Nn", "Z"}


@dataclass(frozen=True, slots=True)
class Marker:
    """A variable part of a picture.

    Attributes:
        component: the letter of what is shown.
        form: the first presentation modifier.
        modifiers: the second one: ``o`` for ordinals, ``t`` for timezones, ``a``, ``c``.
        least: the minimal width, 0 for none.
        most: the maximal width, or None.
    """

    component: str
    form: str
    modifiers: str
    least: int
    most: int | None

    @property
    def is_digits(self) -> bool:
        """Whether the form is a picture of digits."""
        return any(character.isdecimal() for character in self.form)


def _bad(picture: str, message: str) -> DynamicError:
    return DynamicError("FOFD1340", f"{message} in the picture {picture!r}")


@lru_cache(256)
def parse_date_picture(picture: str) -> tuple[str | Marker, ...]:
    """Returns the literal and the variable parts of a picture; FOFD1340 if it is wrong.

    >>> [str(part) for part in parse_date_picture("[[x]]")]
    ['[', 'x', ']']
    """
    parts: list[str | Marker] = []
    at = 0
    while at < len(picture):
        if picture.startswith(("[[", "]]"), at):
            parts.append(picture[at])
            at += 2
        elif picture[at] == "]":
            raise _bad(picture, "] must be doubled")
        elif picture[at] == "[":
            found = _MARKER.match(picture, at)
            if found is None:
                raise _bad(picture, "[ is not closed")
            parts.append(_marker("".join(found[1].split()), picture))
            at = found.end()
        else:
            end = re.compile(r"[\[\]]|\Z").search(picture, at)
            stop = len(picture) if end is None else end.start()
            parts.append(picture[at:stop])
            at = stop
    return tuple(parts)


def _marker(text: str, picture: str) -> Marker:
    found = _PARTS.match(text)
    if found is None:
        raise _bad(picture, f"[{text}] is not a component")
    component, form, width = found.groups()
    modifiers = ""
    if len(form) > 1 and form[-1] in "atco":
        form, modifiers = form[:-1], form[-1]
    form = form or _DEFAULTS.get(component, "1")
    if form not in _WORDS:
        _check_form(form, component, picture)
    least, most = _width(width, picture)
    return Marker(component, form, modifiers, least, most)


def _check_form(form: str, component: str, picture: str) -> None:
    """Refuses digits of two scripts, and optional digits on the wrong side."""
    zeros = {ord(char) - unicodedata.decimal(char) for char in form if char.isdecimal()}
    if len(zeros) > 1 or (not zeros and "#" in form):
        raise _bad(picture, f"{form!r} is not a valid picture of digits")
    if zeros and "#" in form:
        kinds = "".join(
            "0" if char.isdecimal() else char for char in form if char.isdecimal() or char == "#"
        )
        order = kinds[::-1] if component == "f" else kinds
        if "#" in order.lstrip("#"):
            raise _bad(picture, f"an optional digit is misplaced in {form!r}")


def _width(text: str | None, picture: str) -> tuple[int, int | None]:
    if text is None:
        return 0, None
    found = _WIDTH.match(text)
    if found is None:
        raise _bad(picture, f"{text!r} is not a width")
    least = 0 if found[1] == "*" else int(found[1])
    most = None if found[2] in {None, "*"} else int(found[2])
    if (found[1] != "*" and least < 1) or (most is not None and most < max(least, 1)):
        raise _bad(picture, f"{text!r} is not a width")
    return least, most
