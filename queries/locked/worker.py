"""The process that answers one locked query, and can do little else.

It reads a request from stdin as one line of JSON, and writes frames to stdout. It has none of its
caller's environment variables. Before it imports anything, ``jvmscope.confinement`` took from it
what the operating system can take: writing, networks, other processes, and all files but those
that ``reach`` names. Address space and processor time are limited before it looks at the query.
"""

from __future__ import annotations

import json
import resource
import sys
import traceback
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.confinement import address_space_bytes
from jvmscope.errors import JvmscopeError, LimitReached, QueryError, RunError, word_for_options
from jvmscope.queries.engine import Engine
from jvmscope.queries.locked import frames
from jvmscope.queries.locked.limits import Limits
from jvmscope.queries.query_file import parse_query_file
from jvmscope.queries.question import Question
from jvmscope.queries.serialized import Serialized
from jvmscope.queries.xquery import evaluation  # noqa: F401 - a query may need it, in its time
from jvmscope.queries.xquery.trees.run import RunTree  # noqa: F401 - a query may need it, in its time

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.confinement import Barriers
    from jvmscope.queries.result import Result

__all__ = ["main"]

_STACK_BYTES = 640 << 20  # of the evaluator's thread, which may use little of it
_CPU_MARGIN_S = 2
_MESSAGE_CHARACTERS = 4_000
_LIMIT_CODE = "XPDY0130"  # what XQuery calls a limit of the processor: memory, recursion


def main(barriers: Barriers) -> None:
    """Answers the request on stdin.

    Args:
        barriers: what the operating system has taken from this process.
    """
    word_for_options(is_worded=True)  # whoever reads an error may word it for Python
    request = json.loads(sys.stdin.buffer.readline())
    out = sys.stdout.buffer
    try:
        _answer(request, barriers, out)
    except MemoryError:
        _send_error(out, LimitReached(_memory_message(request)))
    except JvmscopeError as error:
        _send_error(out, error)
    except RecursionError:
        _send_error(out, QueryError("the query is nested too deep", code="XPDY0130"))
    except Exception:
        _send_defect(out)


def _answer(request: Mapping[str, Any], barriers: Barriers, out: Any) -> None:
    limits = Limits(**request["limits"])
    run, document = Path(request["run"]), request["document"]
    with Engine(run, locked_to=limits, document=document) as engine:
        _limit_process(limits)
        frames.send(out, frames.READY, asdict(barriers))
        question = Question(
            parse_query_file(request["text"], request["path"]),
            language=request["language"],
            params=request["params"],
            limit=limits.rows,
            timeout=limits.seconds,
            form=request["form"],
        )
        answer = engine.answer(question)
        if isinstance(answer, Serialized):
            _send_text(answer, limits, out)
        else:
            _send_table(answer, limits, out)


def _limit_process(limits: Limits) -> None:
    used = address_space_bytes()
    _lower(resource.RLIMIT_AS, used + limits.memory_bytes + _STACK_BYTES)
    spent = resource.getrusage(resource.RUSAGE_SELF)
    seconds = spent.ru_utime + spent.ru_stime + limits.seconds * limits.threads
    _lower(resource.RLIMIT_CPU, int(seconds) + _CPU_MARGIN_S)
    _lower(resource.RLIMIT_FSIZE, 0)
    _lower(resource.RLIMIT_CORE, 0)


def _lower(what: int, value: int) -> None:
    """Lowers a limit for good; one that is lower already stays."""
    _, hard = resource.getrlimit(what)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(what, (value, value))


def _send_table(result: Result, limits: Limits, out: Any) -> None:
    batches = []
    n_bytes = 0
    for batch in result.batches():
        n_bytes += batch.nbytes
        if n_bytes > limits.result_bytes:
            raise _too_large(limits)
        batches.append(batch)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, result.arrow_schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    columns = [[column.name, column.type, column.unit] for column in result.columns]
    head = {"columns": columns, "is_truncated": result.is_truncated}
    frames.send(out, frames.COLUMNS, head)
    frames.send(out, frames.TABLE, sink.getvalue().to_pybytes())


def _send_text(answer: Serialized, limits: Limits, out: Any) -> None:
    data = answer.text.encode("utf-8", "surrogatepass")
    if len(data) > limits.result_bytes:
        raise _too_large(limits)
    head = {key: value for key, value in vars(answer).items() if key != "text"}
    frames.send(out, frames.COLUMNS, head)
    frames.send(out, frames.TEXT, data)


def _too_large(limits: Limits) -> LimitReached:
    return LimitReached(f"the answer has more than {limits.result_bytes:,} bytes")


def _memory_message(request: Mapping[str, Any]) -> str:
    return f"the query needs more than {request['limits']['memory_bytes']:,} bytes of memory"


def _send_error(out: Any, error: JvmscopeError) -> None:
    if isinstance(error, QueryError) and error.code == _LIMIT_CODE:
        place = "" if error.line is None else f" (line {error.line}, column {error.column})"
        error = LimitReached(f"{error.message}{place}")
    if isinstance(error, QueryError):
        facts = {key.lstrip("_"): value for key, value in vars(error).items()}
        known = ("message", "path", "line", "column", "code", "hint", "source", "length")
        fields = {key: facts[key] for key in known if facts.get(key) is not None}
        fields = {k: v if isinstance(v, int) else str(v) for k, v in fields.items()}
        fields["in_python"] = dict(error.in_python)
        for name in {"message", "hint"} & fields.keys():  # of which the query may make any text
            fields[name] = _shortened(fields[name])
        frames.send(out, frames.ERROR, {"kind": "query", **fields})
        return
    if not isinstance(error, LimitReached | RunError):
        _send_defect(out)
        return
    kind = "limit" if isinstance(error, LimitReached) else "run"
    fields = {"message": _shortened(str(error)), "in_python": dict(error.in_python)}
    frames.send(out, frames.ERROR, {"kind": kind, **fields})


def _shortened(message: str) -> str:
    n_left_out = len(message) - _MESSAGE_CHARACTERS
    if n_left_out <= 0:
        return message
    return f"{message[:_MESSAGE_CHARACTERS]} … ({n_left_out:,} more characters)"


def _send_defect(out: Any) -> None:
    """Tells of the exception that is being handled, which is a bug: its type, and all for -v."""
    kind = sys.exc_info()[0]
    name = "error" if kind is None else kind.__name__
    details = traceback.format_exc()
    frames.send(out, frames.ERROR, {"kind": "bug", "message": name, "details": details})
