"""Run in a confined process: puts many queries to a run, as the worker puts one."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmscope.queries import Engine, Limits, Question, Serialized, parse_query_file
from jvmscope.queries.xquery import evaluation as _evaluation  # a query may need it

if TYPE_CHECKING:
    from jvmscope.confinement import Barriers

__all__ = ["main"]

_LIMITS = Limits(seconds=2, rows=20)


def main(_barriers: Barriers) -> None:
    """Reads ``{"run": …, "document": …, "queries": [[text, language], …]}``; answers them.

    A line is ``[is answered, text]``: the answer, or the type of an error and its message.
    """
    assert _evaluation
    asked = json.loads(sys.stdin.buffer.readline())
    with Engine(Path(asked["run"]), locked_to=_LIMITS, document=asked["document"]) as engine:
        for text, language in asked["queries"]:
            print(json.dumps(_answer(engine, text, language)), flush=True)  # noqa: T201


def _answer(engine: Engine, text: str, language: str) -> tuple[bool, str]:
    try:
        answer: Any = engine.answer(
            Question(parse_query_file(text, None), limit=_LIMITS.rows, timeout=2, language=language)
        )
        told = answer.text if isinstance(answer, Serialized) else str(list(answer.rows()))
    except Exception as error:
        return False, f"{type(error).__name__}: {error}"
    return True, told
