"""Where each key and value of a TOML text stands, which the standard library's parser forgets."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from typing import TypeAlias

__all__ = ["Positions", "Span", "TomlPath", "find_positions"]

TomlPath: TypeAlias = "tuple[str | int, ...]"
"""Keys and indexes from the top: ``("benchmark", 0, "matrix", "size", 1)``."""

_BLANKS = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r"""
      \"\"\"(?:[^\\]|\\.)*?\"{3,5}(?!\") | \'\'\'.*?\'{3,5}(?!\')
    | \"(?:[^\"\\\n]|\\.)*\" | \'[^\'\n]*\'
    """,
    re.DOTALL | re.VERBOSE,
)
_SCALAR = re.compile(r"\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]*|[^\s,\]}#]+")


@dataclass(frozen=True)
class Span:
    """A stretch of the text: offset of its first character, number of characters."""

    start: int
    length: int


@dataclass(frozen=True)
class Positions:
    """The spans of keys and of values, by path. A table's key is its header, if it has one."""

    keys: dict[TomlPath, Span] = field(default_factory=dict)
    values: dict[TomlPath, Span] = field(default_factory=dict)

    def key(self, path: TomlPath) -> Span | None:
        """Returns where a key stands, or else the nearest thing around it."""
        return self._nearest(path, self.keys, self.values)

    def value(self, path: TomlPath) -> Span | None:
        """Returns where a value stands, or else its key or the nearest thing around it."""
        return self._nearest(path, self.values, self.keys)

    @staticmethod
    def _nearest(path: TomlPath, *places: dict[TomlPath, Span]) -> Span | None:
        for end in range(len(path), 0, -1):
            for place in places:
                if path[:end] in place:
                    return place[path[:end]]
        return None


def find_positions(text: str) -> Positions:
    """Returns where keys and values stand in a text that ``tomllib`` has accepted.

    >>> found = find_positions('[a]\\nb = ["x", "y"]')
    >>> found.keys["a", "b"], found.values["a", "b", 1]
    (Span(start=4, length=1), Span(start=14, length=3))
    """
    scanner = _Scanner(text)
    scanner.document()
    return scanner.found


class _Scanner:
    """Walks through a valid text once; `_at` is the offset of the next character."""

    def __init__(self, text: str) -> None:
        self.found = Positions()
        self._text = text
        self._at = 0
        self._n_tables: dict[TomlPath, int] = {}

    def document(self) -> None:
        table: TomlPath = ()
        self._skip()
        while self._at < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip()

    def _header(self) -> TomlPath:
        """Reads ``[a.b]`` or ``[[a.b]]``; returns the path of the table that it opens."""
        is_array = self._text.startswith("[[", self._at)
        self._at += 2 if is_array else 1
        start = self._at
        table: TomlPath = ()
        names = self._dotted()
        for name in names[:-1]:
            table = self._last((*table, name))
        table = (*table, names[-1])
        if is_array:
            index = self._n_tables.get(table, 0)
            self._n_tables[table] = index + 1
            self.found.keys.setdefault(table, Span(start, self._at - start))
            table = (*table, index)
        self.found.keys[table] = Span(start, self._at - start)
        self._skip()
        self._at += 2 if is_array else 1
        return table

    def _last(self, table: TomlPath) -> TomlPath:
        """Returns the path of an array's last table, or the table itself."""
        n = self._n_tables.get(table)
        return table if n is None else (*table, n - 1)

    def _pair(self, table: TomlPath) -> None:
        start = self._at
        names = self._dotted()
        path = (*table, *names)
        for end in range(len(table) + 1, len(path) + 1):
            self.found.keys.setdefault(path[:end], Span(start, self._at - start))
        self._skip()
        self._at += 1  # =
        self._skip()
        self._value(path)

    def _dotted(self) -> list[str]:
        names = [self._key()]
        end = self._at
        self._skip()
        while self._text.startswith(".", self._at):
            self._at += 1
            self._skip()
            names.append(self._key())
            end = self._at
            self._skip()
        self._at = end
        return names

    def _key(self) -> str:
        self._skip()
        start = self._at
        quoted = _STRING.match(self._text, start)
        if quoted is None:
            self._read(_BARE_KEY)
            return self._text[start : self._at]
        self._at = quoted.end()
        (name,) = tomllib.loads(f"{quoted[0]} = 0")
        return str(name)

    def _value(self, path: TomlPath) -> None:
        start = self._at
        if self._text[start] == "[":
            self._array(path)
        elif self._text[start] == "{":
            self._inline_table(path)
        elif self._text[start] in "\"'":
            self._read(_STRING)
        else:
            self._read(_SCALAR)
        self.found.values[path] = Span(start, self._at - start)

    def _array(self, path: TomlPath) -> None:
        self._at += 1
        index = 0
        while not self._closes("]"):
            self._value((*path, index))
            index += 1

    def _inline_table(self, path: TomlPath) -> None:
        self._at += 1
        while not self._closes("}"):
            self._pair(path)

    def _closes(self, bracket: str) -> bool:
        """Skips what separates values; true, and behind the bracket, at the end of them."""
        self._skip()
        if self._text.startswith(",", self._at):
            self._at += 1
            self._skip()
        is_end = self._text.startswith(bracket, self._at)
        self._at += is_end
        return is_end

    def _read(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self._text, self._at)
        if found is None:
            raise ValueError(f"no TOML at offset {self._at}")
        self._at = found.end()

    def _skip(self) -> None:
        found = _BLANKS.match(self._text, self._at)
        assert found is not None  # noqa: S101 - the pattern matches the empty text
        self._at = found.end()
