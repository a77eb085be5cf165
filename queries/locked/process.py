"""The caller's side of a locked query: starts the worker, waits no longer than it may, reads."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.errors import LimitReached, QueryError, RunError
from jvmscope.queries.locked import frames
from jvmscope.queries.result import Result, ResultColumn
from jvmscope.queries.serialized import Serialized

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from jvmscope.queries.locked.limits import Limits

__all__ = ["answer_locked"]

_START_S = 60.0  # a loaded machine; importing takes half a second
_GRACE_S = 2.0  # in which the worker itself says that its time is over
_FRAMING_BYTES = 1 << 16
_KEPT = ("PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LANG", "LC_ALL")  # that Python starts by


def answer_locked(
    run: Path,
    text: str,
    limits: Limits,
    *,
    path: str | None = None,
    params: Mapping[str, Any] | None = None,
    language: str | None = None,
    form: str | None = None,
) -> Result | Serialized:
    """Returns the answer to a query of others.

    Args:
        run: the run's directory.
        text: the query.
        limits: what it may use.
        path: the query's file name, for messages.
        params: values for ``$name``: texts, numbers and truth values.
        language: ``sql``, ``xquery`` or ``xpath``; None: by the text.
        form: ``table``, ``items``, or None as ``Engine.answer`` decides.

    Raises:
        QueryError: the query is wrong, or says what a locked query may not say.
        LimitReached: it needs more than it may use.
        RunError: the run cannot be read.
    """
    if len(text.encode("utf-8", "surrogatepass")) > limits.text_bytes:
        raise QueryError(f"a locked query has at most {limits.text_bytes:,} bytes", path=path)
    request = {
        "run": os.fsdecode(run.absolute()),
        "text": text,
        "path": path,
        "params": dict(params or {}),
        "language": language,
        "form": form,
        "limits": asdict(limits),
    }
    with _worker() as worker:
        assert worker.stdin is not None  # noqa: S101 - it is a pipe
        with contextlib.suppress(BrokenPipeError):
            worker.stdin.write(json.dumps(request).encode() + b"\n")
            worker.stdin.close()
        return _read(worker, limits)


@contextlib.contextmanager
def _worker() -> Any:
    """Starts a worker, which does not outlive the block."""
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment |= {"MALLOC_ARENA_MAX": "2", "ARROW_DEFAULT_MEMORY_POOL": "system"}
    command = [sys.executable, "-B", "-P", "-W", "ignore", "-m", "jvmscope.queries.locked.worker"]
    worker = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        env=environment,
        start_new_session=True,  # Ctrl-C is the caller's
    )
    try:
        yield worker
    finally:
        worker.kill()
        worker.wait()
        for stream in (worker.stdin, worker.stdout):
            if stream is not None:
                stream.close()


def _read(worker: Any, limits: Limits) -> Result | Serialized:
    reader = frames.FrameReader(worker.stdout, limits.result_bytes * 2 + _FRAMING_BYTES)
    _next(reader, worker, limits, time.monotonic() + _START_S)
    deadline = time.monotonic() + limits.seconds + _GRACE_S
    head = json.loads(_next(reader, worker, limits, deadline)[1])
    kind, content = _next(reader, worker, limits, deadline)
    if kind == frames.TEXT:
        return Serialized(content.decode("utf-8", "surrogatepass"), **head)
    table = pa.ipc.open_stream(content).read_all()
    columns = [ResultColumn(*column) for column in head["columns"]]
    return Result.of_table(table, columns, is_truncated=head["is_truncated"])


def _next(
    reader: frames.FrameReader, worker: Any, limits: Limits, deadline: float
) -> tuple[bytes, bytes]:
    try:
        frame = reader.read(deadline)
    except TimeoutError:
        raise LimitReached(_time_is_over(limits)) from None
    except frames.TooLarge:
        message = f"the answer has more than {limits.result_bytes:,} bytes"
        raise LimitReached(message) from None
    if frame is None:
        raise _death(worker.wait(), limits)
    if frame[0] == frames.ERROR:
        raise _error(json.loads(frame[1]))
    return frame


def _error(facts: dict[str, Any]) -> Exception:
    kind, message = facts.pop("kind"), facts.pop("message")
    if kind == "query":
        return QueryError(message, **facts)
    if kind == "bug":
        return RuntimeError(f"the process of a locked query failed:\n{message}")
    return LimitReached(message) if kind == "limit" else RunError(message)


def _death(status: int, limits: Limits) -> Exception:
    """Returns what it means that the worker ended without a word."""
    if status == -signal.SIGXCPU:
        return LimitReached(_time_is_over(limits))
    if status < 0:
        return LimitReached(
            f"the query ended its process ({signal.Signals(-status).name}): it needs more than "
            f"{limits.memory_bytes:,} bytes of memory or is nested too deep"
        )
    return RuntimeError(f"the process of a locked query ended with status {status}")


def _time_is_over(limits: Limits) -> str:
    return f"the query was stopped after {limits.seconds:g} s, the limit of a locked query"
