"""The header of a query, metric or table definition: its first comment.

The form is ``/** … */`` in SQL and ``(:~ … :)`` in XQuery. A line ``@key value`` begins an entry;
a line without ``@`` goes on with the entry above. Positions count lines and columns from 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["Header", "HeaderEntry", "parse_header"]

_OPENINGS = {"/**": "*/", "(:~": ":)"}
_LINE_START = re.compile(r"\s*(?:\*(?!/)|:(?!\)))?[ \t]*")
_KEY = re.compile(r"@([A-Za-z_][\w-]*)[ \t]*")


@dataclass(frozen=True)
class HeaderEntry:
    """One ``@key value``, with the position of its ``@``."""

    key: str
    value: str
    line: int
    column: int


@dataclass(frozen=True)
class Header:
    """The entries of a header in the order of the file, and where the body begins."""

    entries: tuple[HeaderEntry, ...]
    body_offset: int

    def get(self, key: str) -> str | None:
        """Returns the value of the first entry of a key, or None."""
        return next((entry.value for entry in self.entries if entry.key == key), None)

    def all(self, key: str) -> tuple[HeaderEntry, ...]:
        """Returns the entries of a key that may be repeated."""
        return tuple(entry for entry in self.entries if entry.key == key)


def parse_header(
    text: str,
    *,
    path: str | None,
    keys: Collection[str],
    repeatable: Collection[str] = (),
) -> Header | None:
    """Returns the header of a file, or None where its first comment is not a header.

    Args:
        text: the file's text.
        path: the file's name for messages.
        keys: the keys that may occur.
        repeatable: those of them that may occur more than once.

    Raises:
        QueryError: the comment does not end, or a key is unknown or given twice.

    >>> header = parse_header("/** @id a.b\\n * @tags x\\n *   y */ SELECT 1", path=None,
    ...                       keys={"id", "tags"})
    >>> [(entry.key, entry.value, entry.line, entry.column) for entry in header.entries]
    [('id', 'a.b', 1, 5), ('tags', 'x y', 2, 4)]
    """
    start = len(text) - len(text.lstrip())
    end_mark = _OPENINGS.get(text[start : start + 3])
    if end_mark is None:
        return None
    end = text.find(end_mark, start + 3)
    first_line = text.count("\n", 0, start) + 1
    if end < 0:
        raise QueryError(
            f"the header has no end: {end_mark} is missing",
            path=path,
            line=first_line,
            column=1,
            code="XPST0003" if end_mark == ":)" else None,  # to XQuery it is a comment
            source=text,
        )
    entries = _entries(text[start + 3 : end], first_line, _column_of(text, start + 3))
    _check_keys(entries, text, path, keys, repeatable)
    return Header(entries, end + len(end_mark))


def _entries(comment: str, first_line: int, first_column: int) -> tuple[HeaderEntry, ...]:
    entries: list[HeaderEntry] = []
    lines: list[list[str]] = []  # of each entry
    for number, line in enumerate(comment.split("\n")):
        start = _LINE_START.match(line)
        indent = start.end() if start else 0
        content = line[indent:].rstrip()
        key = _KEY.match(content)
        if key:
            column = indent + (first_column if number == 0 else 1)
            value = content[key.end() :]
            entries.append(HeaderEntry(key.group(1), value, first_line + number, column))
            lines.append([value] if value else [])
        elif content and entries:
            lines[-1].append(content)
    return tuple(
        replace(entry, value=" ".join(words)) for entry, words in zip(entries, lines, strict=True)
    )


def _check_keys(
    entries: tuple[HeaderEntry, ...],
    text: str,
    path: str | None,
    keys: Collection[str],
    repeatable: Collection[str],
) -> None:
    seen: set[str] = set()
    for entry in entries:
        if entry.key not in keys:
            message = f"unknown key @{entry.key}"
            hint = did_you_mean(entry.key, keys) or f"known keys: {', '.join(sorted(keys))}"
        elif entry.key in seen and entry.key not in repeatable:
            message, hint = f"@{entry.key} is given twice", None
        else:
            seen.add(entry.key)
            continue
        raise QueryError(
            message,
            path=path,
            line=entry.line,
            column=entry.column,
            source=text,
            length=len(entry.key) + 1,
            hint=hint,
        )


def _column_of(text: str, offset: int) -> int:
    return offset - text.rfind("\n", 0, offset)
