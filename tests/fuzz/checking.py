"""One query, and whether it ends as a query may."""

from __future__ import annotations

import traceback
import zoneinfo
from pathlib import Path

import numpy as np  # noqa: F401 - a query may be the first to need it, and it sets a variable

from fuzz.watching import watched
from jvmscope.errors import LimitReached, QueryError
from jvmscope.queries import Engine, Question, parse_query_file

__all__ = ["Checker"]

_ROOT = Path(__file__).parents[2]
_PACKAGE = _ROOT / "src" / "jvmscope"
_MEMORY = (Path("/proc/self/statm"), Path("/sys/fs/cgroup"))
_READABLE = (_PACKAGE / "queries", _PACKAGE / "schema", *_MEMORY, *map(Path, zoneinfo.TZPATH))
"""Library modules, what tables are, how much memory there is, and the offsets of time zones."""


class Checker:
    """Asks one run mutated queries.

    Args:
        run: the run.
        language: ``xquery``, ``xpath`` or ``sql``.
        timeout: seconds after which a query is to stop by itself.
        limit: how many rows are read of an answer.
    """

    def __init__(
        self, run: Path, language: str = "xquery", timeout: float = 2.0, limit: int = 1000
    ) -> None:
        self._run = run
        self._engine = Engine(run)
        self._language = language
        self._timeout = timeout
        self._limit = limit

    def check(self, text: str) -> tuple[str, str]:
        """Returns how the query ended, and what is wrong with that: nothing, if it is empty.

        A query ends in an ``answer``, in the code of an error, or at the ``limit`` of time.
        """
        with watched(self._run, *_READABLE) as seen:
            try:
                ending = self._ending(text)
            except Exception:
                return "bug", traceback.format_exc(limit=-6)
        return ending, "\n".join(seen)

    def _ending(self, text: str) -> str:
        try:
            result = self._engine.query(
                Question(
                    parse_query_file(text, None),
                    language=self._language,
                    timeout=self._timeout,
                    limit=self._limit,
                )
            )
            for _ in result.rows():
                pass
        except QueryError as error:
            str(error)
            if error.code is None and self._language != "sql":
                raise AssertionError(f"an error without a code: {error}") from error
            return str(error.code)
        except LimitReached:
            return "limit"
        return "answer"
