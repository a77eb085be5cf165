"""Values of a JSON file, each of the type that it is expected to have."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar

from jvmscope.errors import RunError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["JsonReader"]

_TABLE = re.compile(r"[a-z][a-z0-9_]*")
_T = TypeVar("_T", int, float, str)
_JSON_NAMES: dict[type, str] = {int: "a whole number", float: "a number", str: "a string"}


@dataclass(frozen=True)
class JsonReader:
    """Checks the types of JSON values and names the place of one that is wrong.

    Args:
        path: the file.

    Raises:
        RunError: a value is not what a method expects; so do all of them.
    """

    path: Path

    def typed(self, value: object, where: str, kind: type[_T]) -> _T:
        """Returns a value of a type; any number is a ``float``."""
        if isinstance(value, kind) and not isinstance(value, bool):
            return value
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            with suppress(OverflowError):
                return kind(value)  # JSON does not tell 3 from 3.0
        raise self.error(value, where, _JSON_NAMES[kind])

    def optional(self, value: object, where: str, kind: type[_T]) -> _T | None:
        """Returns a value of a type, or None."""
        return None if value is None else self.typed(value, where, kind)

    def table(self, name: str) -> str:
        """Returns what may be the name of a table."""
        if not _TABLE.fullmatch(name):
            raise self.error(name, "tables", "names of small letters, digits and _")
        return name

    def file(self, name: str) -> str:
        """Returns what may be the path of a file in a run."""
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            raise self.error(name, "files", "paths in the run")
        return name

    def mapping(self, value: object, where: str) -> dict[str, Any]:
        """Returns an object."""
        if not isinstance(value, dict):
            raise self.error(value, where, "an object")
        return value

    def listed(self, value: object, where: str) -> list[object]:
        """Returns a list."""
        if not isinstance(value, list):
            raise self.error(value, where, "a list")
        return value

    def texts(self, value: object, where: str) -> list[str]:
        """Returns a list of strings."""
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.error(value, where, "a list of strings")
        return value

    def word(self, value: object, where: str, words: tuple[str, ...]) -> Any:
        """Returns one of several words."""
        if value not in words:
            raise self.error(value, where, f"one of {', '.join(words)}")
        return value

    def error(self, value: object, where: str, expected: str) -> RunError:
        """Returns the error that says where a value is wrong, and what was expected."""
        return RunError(f"{self.path}: {where} is {value!r}, expected {expected}")
