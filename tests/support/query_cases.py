"""The query cases under ``tests/queries``: a query and its answer, side by side."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["QueryCase", "read_cases"]

_FOLDER = Path(__file__).parents[1] / "queries"
_CASE = re.compile(
    r"^=== (?P<title>[^\n]*?)(?: \[(?P<options>[^\n]*)\])?\n"
    r"(?P<text>.*?)^---\n(?P<answer>.*?)(?=^===|\Z)",
    re.MULTILINE | re.DOTALL,
)
_LANGUAGES = {"sql": "sql", "xpath": "xpath"}


@dataclass(frozen=True)
class QueryCase:
    """A query and its answer.

    Attributes:
        area: the name of the file.
        line: the line of the title.
        title: what it shows.
        language: ``xquery``, ``xpath`` or ``sql``.
        text: the query.
        expected: the items of the answer as text, or one error.
        compiles: whether all of it must be answered in SQL.
        not_saxon: why SaxonC is not asked, or None.
        params: the values of external variables.
    """

    area: str
    line: int
    title: str
    language: str
    text: str
    expected: list[str]
    compiles: bool
    not_saxon: str | None
    params: dict[str, int]

    @property
    def id(self) -> str:
        """The case's name in the output of tests."""
        return f"{self.area}:{self.line}: {self.title}"


def read_cases() -> list[QueryCase]:
    """Returns all cases, in the order of the files' names."""
    return [case for path in sorted(_FOLDER.glob("*.txt")) for case in _cases_of(path)]


def _cases_of(path: Path) -> Iterator[QueryCase]:
    text = path.read_text()
    for match in _CASE.finditer(text):
        title, options, query, expected = match.group("title", "options", "text", "answer")
        words = [word.strip() for word in (options or "").split(";")]
        values = (word[1:].split("=") for word in words if word.startswith("$"))
        yield QueryCase(
            area=path.stem,
            line=text.count("\n", 0, match.start()) + 1,
            title=title,
            language=_LANGUAGES.get(path.stem, "xquery"),
            text=query.rstrip("\n"),
            expected=expected.rstrip("\n").splitlines(),
            compiles="sql" in words,
            not_saxon=next((w.partition(":")[2] for w in words if w.startswith("SaxonC:")), None),
            params={name.strip(): int(value) for name, value in values},
        )
