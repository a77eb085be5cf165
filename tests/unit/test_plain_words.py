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
_PAGES = [
    *sorted((_ROOT / "docs").glob("*.md")),
    *sorted(_ROOT.glob("*/*/README.md")),
    _ROOT / "README.md",
    _ROOT / "CONTRIBUTING.md",
    _ROOT / "schema" / "dump-frames.md",
]
_CODE = ("src", "queries", "reports", "watch", "collector", "metrics", "schema")
_BLOCK = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_DENIAL = (
    r"(?<!there )(?<!There )\b(?:is|are) no (?!longer|more|other)[a-z]+(?:,|:|;|\.| that|$)"
    r"|(?<!there )(?<!There )\b(?:is|are) no [a-z]+ (?:of|by|in)\b"
    r"|\b(?:what|that|which|and|or|it|who|this|value) (?:is|are) (?:no|none)\b(?! longer| more)"
    r"|\bwhat are no\b|\bof which (?:are )?none\b|\bas which\b|\bnot one's own\b|\bof others'?\b"
    r"|\blocked quer(?:y|ies) (?:may|is|are|see|know)"
)
_RIDDLE = (
    _DENIAL + r"|\bthese of those\b|\bof these,? (?:those|that|the)\b|\bthese as a share\b"
    r"|\b(?:has|have) to be there\b|\b(?:is|are) there twice\b|\bno room for\b"
    r"|\bby the (?:loaded )?clock\b|\bheeds?\b|\blest\b|\b[Mm]ended\b|\bfor want of\b"
    r"|\bone (?:(?:row|file|line|tree|cache|node|value|thread) )?an? (?:row|run|thread|metric|bin"
    r"|method|file|table|language|line|context|node|class|benchmark|value|query|format|module"
    r"|report|subject|program|algorithm)\b"
    r"|\bgoes on\b|\bof ours\b|\bon our side\b|\bcannot be asked\b|\b(?:is|are) (?:not )?told\b"
    r"|\b(?:null|empty|absent) where\b|\bwhat (?:is|are) (?:asked|kept|near|no|not known)\b"
    r"|\bof what (?:it is|it does)\b|\bfor people\b|\bpeople read\b|\bas (?:its|the) \w+ says\b"
)
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')


def _messages(path: Path) -> Iterator[tuple[int, str]]:
    """Yields lines and texts of a module without docstrings; ``value`` stands for a value."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
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
            yield node.lineno, " ".join(str(node.value).split())


def _docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Yields lines and docstrings of a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.lineno, " ".join(str(node.value.value).split())


def _strings(path: Path) -> Iterator[tuple[int, str]]:
    """Yields lines and strings of a module in JavaScript or Java, comments left out."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.lstrip().startswith(("//", "*", "/*")):
            yield from ((number, found[1] or found[2] or "") for found in _STRING.finditer(line))


def _riddles(text: str, pattern: str = _RIDDLE) -> list[str]:
    return [found[0] for found in re.finditer(pattern, text)]


@pytest.mark.parametrize(
    "text",
    [
        "arithmetic with what is no number",
        "'x' is no prefix",
        "runs, of which none is kept",
        "app/A is no class of this JDK",
        "the key has to be there",
        "seconds by the clock",
        "one row a method",
        "these as a share",
        "the method that goes on",
        "what is near",
    ],
)
def test_riddles_are_found(text: str) -> None:
    assert _riddles(text)


@pytest.mark.parametrize(
    "text",
    [
        "there is no table",
        "it is no longer read",
        "a is 0, so there is no percentage",
        "one row per method",
        "there is no such run in the directory",
    ],
)
def test_plain_sentences_are_not_riddles(text: str) -> None:
    assert not _riddles(text)


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: str(page.relative_to(_ROOT)))
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


@pytest.mark.parametrize("folder", _CODE)
def test_docstrings_say_it_plainly(folder: str) -> None:
    told = [
        f"{path.relative_to(_ROOT)}:{line}: {text}"
        for path in sorted((_ROOT / folder).rglob("*.py"))
        for line, text in _docstrings(path)
        if _riddles(text, _DENIAL)
    ]

    assert told == []


@pytest.mark.parametrize(
    "files", ["reports/html/assets/*.js", "collector/agent/src/main/java/**/*.java"]
)
def test_texts_of_other_languages_say_it_plainly(files: str) -> None:
    modules = sorted(_ROOT.glob(files))

    told = [
        f"{path.relative_to(_ROOT)}:{line}: {text}"
        for path in modules
        for line, text in _strings(path)
        if _riddles(text)
    ]

    assert modules
    assert told == []
