"""The queries that mutants are made of."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

from support.query_cases import read_cases

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["seeds"]

_ROOT = Path(__file__).parents[2]
_N_OF_SUITE = 3000


def seeds(language: str, suite: Path | None = None) -> list[str]:
    """Returns the queries of a language, in a fixed order.

    Args:
        language: ``xquery``, ``xpath`` or ``sql``.
        suite: the directory of the QT3 suite, of whose queries some are added.
    """
    return [text for text in _texts(language, suite) if text.strip()]


def _texts(language: str, suite: Path | None) -> Iterator[str]:
    for case in read_cases():
        if (case.language == "sql") == (language == "sql"):
            yield case.text
    if language == "sql":
        for path in sorted((_ROOT / "metrics").glob("*/*.sql")):
            yield path.read_text()
    elif suite is not None:
        yield from _of_suite(suite)


def _of_suite(suite: Path) -> list[str]:
    from qt3.catalog import read_cases as read_suite

    texts = [case.query for case in read_suite(suite, "*", "*")]
    return random.Random(1).sample(texts, min(_N_OF_SUITE, len(texts)))  # noqa: S311
