"""What users read is plain English: no riddles, no names that only insiders would use."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROOT = Path(__file__).parents[2]
_PAGES = [*sorted((_ROOT / "docs").glob("*.md")), _ROOT / "README.md", _ROOT / "CONTRIBUTING.md"]
_CODE = ("src", "queries", "reports", "collector", "metrics", "schema")
_BLOCK = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_RIDDLE = re.compile(
    r"(?<!there )(?<!There )\b(?:is|are) no (?!longer|more|other)[a-z]+(?:,|:|;|\.| that|$)"
    r"|\b(?:what|that|which|and|or|it|who|this|value) (?:is|are) (?:no|none)\b(?! longer| more)"
    r"|\bwhat are no\b|\bof which (?:are )?none\b|\bas which\b|\bnot one's own\b|\bof others'?\b"
    r"|\blocked quer(?:y|ies) (?:may|is|are|see|know)"
)


def _messages(path: Path) -> Iterator[tuple[int, str]]:
    """Yields lines and texts of a module that are not docstrings; ``{}`` stands for a value."""
    source = path.read_text(encoding="utf-8")
    if not _RIDDLE.search(source.replace('"', " ").replace("}", " value")):
        return
    tree = ast.parse(source)
    inner = {
        id(part)
        for node in ast.walk(tree)
        for part in ([node.value] if isinstance(node, ast.Expr) else getattr(node, "values", ()))
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (
                part.value if isinstance(part, ast.Constant) else "value" for part in node.values
            )
            yield node.lineno, "".join(map(str, parts))
        elif id(node) not in inner and isinstance(node, ast.Constant):
            yield node.lineno, str(node.value)


def _riddles(text: str) -> list[str]:
    return [found[0] for found in _RIDDLE.finditer(text)]


@pytest.mark.parametrize(
    "text", ["arithmetic with what is no number", "'x' is no prefix", "runs, of which none is kept"]
)
def test_riddles_are_found(text: str) -> None:
    assert _riddles(text)


@pytest.mark.parametrize(
    "text", ["there is no table", "it is no longer read", "a is 0, so there is no percentage"]
)
def test_plain_sentences_are_not_riddles(text: str) -> None:
    assert not _riddles(text)


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.name)
def test_pages_say_it_plainly(page: Path) -> None:
    prose = _BLOCK.sub("", page.read_text(encoding="utf-8"))

    assert _riddles(" ".join(prose.split())) == []


@pytest.mark.parametrize("folder", _CODE)
def test_messages_say_it_plainly(folder: str) -> None:
    modules = sorted((_ROOT / folder).rglob("*.py"))

    told = [
        f"{path.relative_to(_ROOT)}:{line}: {text}"
        for path in modules
        for line, text in _messages(path)
        if _riddles(text)
    ]

    assert modules
    assert told == []
