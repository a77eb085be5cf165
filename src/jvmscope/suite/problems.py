"""What is wrong with a suite file: all of it at once, each with its place."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmscope.errors import SuiteError, excerpt
from jvmscope.suite.positions import Positions, Span, TomlPath, find_positions

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["SuiteText"]

_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")
_END = " (at end of document)"
_MOST_SHOWN = 20


@dataclass
class SuiteText:
    """The text of a suite file, and the problems found in it so far.

    Attributes:
        name: how the file is called in messages.
        text: its content.
        values: the content as ``tomllib`` reads it.
        positions: where its keys and values stand.
    """

    name: str
    text: str
    values: dict[str, Any] = field(init=False)
    positions: Positions = field(init=False)
    _problems: list[tuple[int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Reads the text.

        Raises:
            SuiteError: it is not TOML.
        """
        try:
            self.values = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            raise SuiteError(self._syntax_error(str(error))) from None
        except ValueError:  # Python converts no number of thousands of digits
            raise SuiteError(f"{self.name}: a number has too many digits") from None
        except RecursionError:
            raise SuiteError(f"{self.name}: lists or tables are nested too deeply") from None
        # The parser takes \r\n for \n, and offsets are those of lines that end so.
        self.text = self.text.replace("\r\n", "\n")
        self.positions = find_positions(self.text)

    @classmethod
    def read(cls, path: Path) -> SuiteText:
        """Reads a file.

        Raises:
            SuiteError: it cannot be read, or is not TOML.
        """
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise SuiteError(f"{path}: cannot be read: {error.strerror}") from None
        except UnicodeDecodeError as error:
            raise SuiteError(f"{path}: not UTF-8: {error.reason}") from None
        return cls(str(path), text)

    def wrong_key(self, path: TomlPath, message: str, hint: str | None = None) -> None:
        """Notes a problem with a key."""
        self._note(self.positions.key(path), message, hint)

    def wrong_value(self, path: TomlPath, message: str, hint: str | None = None) -> None:
        """Notes a problem with a value."""
        self._note(self.positions.value(path), message, hint)

    def raise_problems(self) -> None:
        """Raises what was noted, in the order of the file.

        Raises:
            SuiteError: there are problems.
        """
        if not self._problems:
            return
        shown = [message for _, message in sorted(self._problems, key=lambda each: each[0])]
        shown = list(dict.fromkeys(shown))
        more = len(shown) - _MOST_SHOWN
        if more > 0:
            shown = [*shown[:_MOST_SHOWN], f"and {more} more"]
        raise SuiteError("\n".join(shown))

    def wrong_placeholder(self, path: TomlPath, shown: str, message: str, hint: str | None) -> None:
        """Notes a problem with a part of a text."""
        span = self.positions.value(path)
        if span is not None:
            start = self.text.find(shown, span.start, span.start + span.length)
            span = Span(start, len(shown)) if start >= 0 else span
        self._note(span, message, hint)

    def line_of(self, path: TomlPath) -> int:
        """Returns the line of a value."""
        span = self.positions.value(path)
        return self.text.count("\n", 0, span.start if span else 0) + 1

    def _note(self, span: Span | None, message: str, hint: str | None) -> None:
        span = span or Span(0, 1)
        before = self.text[: span.start]
        line = before.count("\n") + 1
        column = span.start - (before.rfind("\n") + 1) + 1
        length = len(self.text[span.start : span.start + span.length].partition("\n")[0])
        self._problems.append((span.start, self._shown(message, line, column, length, hint)))

    def _syntax_error(self, message: str) -> str:
        found = _PLACE.search(message)
        if found:
            line, column = int(found[1]), int(found[2])
        else:
            line = max(1, len(self.text.splitlines()))
            column = len((self.text.splitlines() or [""])[-1]) + 1
        text = _PLACE.sub("", message).removesuffix(_END)
        return self._shown(f"no TOML: {text[:1].lower()}{text[1:]}", line, column, 1, None)

    def _shown(self, message: str, line: int, column: int, length: int, hint: str | None) -> str:
        head = f"{self.name}:{line}:{column}: error: {message}"
        lines = [head, *excerpt(self.text, line, column, length)]
        return "\n".join([*lines, hint] if hint else lines)
