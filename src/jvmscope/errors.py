"""The errors that a caller can handle; any other exception is a bug.

    JvmscopeError
    ├── RunError       a run is missing, damaged, incomplete or of another schema version
    ├── QueryError     a query, metric or table definition is wrong; it has a position
    ├── SuiteError     a suite file is wrong, or a suite cannot continue
    ├── AgentError     a program could not be recorded
    ├── WorkerFailed   the process of an untrusted query failed, through no fault of the query
    └── LimitReached   a limit or a timeout was reached; results are partial

Every stage may import this module, and it imports none of them.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "AgentError",
    "JvmscopeError",
    "LimitReached",
    "QueryError",
    "RunError",
    "SuiteError",
    "WorkerFailed",
    "did_you_mean",
    "excerpt",
    "is_worded_for_options",
    "word_for_options",
]

_LONGEST_LINE = 200


_PARAMETERS = {"-m": "metrics", "--param": "params"}
"""Options of the command line that Python's parameters have other names for."""

_is_worded_for_options = False


def word_for_options(is_worded: bool) -> None:
    """Has errors of this process name options of the command line, or else Python's parameters."""
    global _is_worded_for_options  # noqa: PLW0603 - of the process, whose threads say errors, too
    _is_worded_for_options = is_worded


def is_worded_for_options() -> bool:
    """Tells whether errors name options of the command line now."""
    return _is_worded_for_options


class JvmscopeError(Exception):
    """The root; its text says where, what was found, what was expected and what to do.

    Args:
        message: the text, which names options as the command line does.
        in_python: what takes the place of such an option where no command line was given, as
            ``{"--force": "force=True"}``.
    """

    def __init__(self, message: str, *, in_python: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.in_python = in_python or {}

    def __str__(self) -> str:
        """Returns the text."""
        return self._worded(super().__str__())

    def _worded(self, text: str) -> str:
        if not _is_worded_for_options:
            for option, parameter in self.in_python.items():
                text = text.replace(option, parameter)
        return text


class RunError(JvmscopeError):
    """A run is missing, damaged, incomplete or of another schema version."""


class QueryError(JvmscopeError):
    """A query, metric or table definition is wrong.

    Args:
        message: what is wrong, without the position.
        path: the file's name, or None for a query given on the command line.
        line: line of the mistake from 1, or None where it has none.
        column: column of the mistake from 1, or None.
        code: the W3C error code, as ``XPST0003``, or None.
        source: the text of the query, for the line that is shown with a caret.
        length: how many characters the caret underlines.
        hint: one suggestion for the last line.
        in_python: as in ``JvmscopeError``.
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | None = None,
        line: int | None = None,
        column: int | None = None,
        code: str | None = None,
        source: str | None = None,
        length: int = 1,
        hint: str | None = None,
        in_python: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message, in_python=in_python)
        self.message = message
        self.path = path
        self.line = line
        self.column = column
        self.code = code
        self.hint = hint
        self._source = source
        self._length = length

    def place(self, path: str | None, line: int, column: int, source: str, length: int) -> None:
        """Gives an error that arose while a query ran its position, as in the constructor."""
        self.path, self.line, self.column = path, line, column
        self._source, self._length = source, length

    def __str__(self) -> str:
        """Returns one line that a script can split, the source line, a caret and the hint."""
        where = [self._where()]
        where += [str(number) for number in (self.line, self.column) if number is not None]
        code = f" [{self.code}]" if self.code else ""
        lines = [f"{':'.join(where)}: error: {self.message}{code}", *self._excerpt()]
        if self.hint:
            lines.append(self.hint)
        return self._worded("\n".join(lines))

    def _where(self) -> str:
        """Returns the file, or the option or the parameter that is wrong.

        >>> str(QueryError("there is no scope 'x'", path="--scope"))
        "scope: error: there is no scope 'x'"
        """
        path = self.path or "query"
        if is_worded_for_options() or not path.startswith("-"):
            return path
        return _PARAMETERS.get(path) or path.removeprefix("--").replace("-", "_")

    def _excerpt(self) -> list[str]:
        if self._source is None or self.line is None:
            return []
        return excerpt(self._source, self.line, self.column, self._length)


def excerpt(source: str, line: int, column: int | None, length: int = 1) -> list[str]:
    """Returns the line of a text and a caret below a place in it; nothing if it has no such line.

    >>> for shown in excerpt("a = 1\\nb = true", 2, 5, 4):
    ...     print(shown)
        2 | b = true
          |     ^~~~
    """
    text = source.splitlines() or [""]
    if not 1 <= line <= len(text):
        return []
    shown, start = _around(text[line - 1].expandtabs(1), column or 1)
    lines = [f"{line:>5} | {shown}"]
    if column is not None:
        width = max(1, min(length, len(shown) - start + 1))
        lines.append(f"      | {' ' * (start - 1)}^{'~' * (width - 1)}")
    return lines


def _around(line: str, column: int) -> tuple[str, int]:
    """Returns what is shown of a line, and the column's place in that.

    >>> _around("SELECT 1", 8)
    ('SELECT 1', 8)
    >>> shown, column = _around("(" * 1000 + "x" + ")" * 1000, 1001)
    >>> len(shown), shown[column - 1]
    (202, 'x')
    """
    if len(line) <= _LONGEST_LINE:
        return line, column
    start = max(0, min(column - 1 - _LONGEST_LINE // 2, len(line) - _LONGEST_LINE))
    end = start + _LONGEST_LINE
    before, after = "…" if start else "", "…" if end < len(line) else ""
    return f"{before}{line[start:end]}{after}", column - start + len(before)


class SuiteError(JvmscopeError):
    """A suite file is wrong, or a suite cannot continue."""


class AgentError(JvmscopeError):
    """A program could not be recorded."""


class WorkerFailed(JvmscopeError):
    """The process of an untrusted query failed, through no fault of the query.

    The text is one line that may be shown to whoever asked. ``details`` is for the operator: what
    the process said last, as a traceback with paths of this machine; empty if it said nothing.
    """

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.details = details


class LimitReached(JvmscopeError):
    """A limit or a timeout ended the work; what there is, is partial."""


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """Returns a question with the nearest known name, or None where none is near.

    >>> did_you_mean("reciever", ["receiver", "context"])
    'did you mean "receiver"?'
    >>> did_you_mean("zzz", ["receiver"]) is None
    True
    """
    by_lower = {candidate.lower(): candidate for candidate in known}
    near = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.6)
    return f'did you mean "{by_lower[near[0]]}"?' if near else None
