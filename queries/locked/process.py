"""The caller's side of an untrusted query: starts the worker, waits for a limited time, reads."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from jvmscope.children import child
from jvmscope.confinement import Barriers
from jvmscope.confinement.availability import described
from jvmscope.errors import LimitReached, QueryError, RunError, WorkerFailed
from jvmscope.queries.locked import frames
from jvmscope.queries.locked.disclosure import disclosed_manifest, without_machine
from jvmscope.queries.locked.reach import python_path, readable_files
from jvmscope.queries.params import guess_undeclared
from jvmscope.queries.result import Result, ResultColumn
from jvmscope.queries.serialized import Serialized

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import IO

    from jvmscope.queries.locked.limits import Limits
    from jvmscope.queries.question import Question

__all__ = ["answer_locked"]

_START_S = 60.0  # a loaded machine; importing takes half a second
_GRACE_S = 2.0  # in which the worker itself says that its time is over
_FRAMING_BYTES = 1 << 16
_KEPT = ("PYTHONHOME", "LD_LIBRARY_PATH", "LANG", "LC_ALL")  # that Python starts by
_BARRIERS = ("landlock", "seccomp")
_WORKER = "jvmscope.queries.locked.worker"
_FAILED = "the process for untrusted queries failed"


def answer_locked(
    run: Path,
    document: Mapping[str, Any],
    question: Question,
    *,
    on_notice: Callable[[str], None] | None = None,
) -> Result | Serialized:
    """Returns the answer to an untrusted query.

    Args:
        run: the run's directory.
        document: what its manifest says; the query sees a part of it (``disclosure``).
        question: the query, which has limits; its parameters are texts, numbers and truth values.
        on_notice: told if the operating system does not keep the process from writing.

    Raises:
        QueryError: the query is wrong, or says what an untrusted query may not say.
        LimitReached: it needs more than it may use.
        RunError: the run cannot be read.
        WorkerFailed: the process that answers failed.
    """
    limits, file = question.resolved_limits, question.file
    assert limits is not None  # noqa: S101 - it is untrusted
    if len(file.text.encode("utf-8", "surrogatepass")) > limits.text_bytes:
        raise QueryError(
            f"an untrusted query may have at most {limits.text_bytes:,} bytes", path=file.path
        )
    request = {
        "run": os.fsdecode(run.absolute()),
        "document": disclosed_manifest(document),
        "text": file.text,
        "path": file.path,
        "params": guess_undeclared(file, question.params),
        "language": question.language,
        "form": question.form,
        "limits": asdict(limits),
    }
    tables = [run / "tables" / f"{name}.parquet" for name in document.get("tables", ())]
    _refuse_links(run, tables)
    confinement = {
        "module": _WORKER,
        "readable": readable_files(tables),
        "barriers": _BARRIERS,
    }
    with tempfile.TemporaryFile() as said, _worker(said) as worker:
        assert worker.stdin is not None  # noqa: S101 - it is a pipe
        with contextlib.suppress(BrokenPipeError):
            for line in (confinement, request):
                worker.stdin.write(json.dumps(line).encode() + b"\n")
            worker.stdin.close()
        return _Answer(worker, limits, run, said).read(on_notice)


def _refuse_links(run: Path, tables: Iterable[Path]) -> None:
    """Refuses a run whose files are links to others, which it would have the query read."""
    inside = run.resolve()
    for path in tables:
        if not path.resolve().is_relative_to(inside):
            message = f"{path}: a link out of the run, which an untrusted query may not follow"
            raise RunError(message)


@contextlib.contextmanager
def _worker(said: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """Starts a worker, which does not outlive the block; what it says on stderr is kept."""
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(python_path())
    environment |= {"MALLOC_ARENA_MAX": "2", "ARROW_DEFAULT_MEMORY_POOL": "system"}
    command = [sys.executable, "-B", "-P", "-W", "ignore", "-m", "jvmscope.confinement"]
    with child(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=said,
        bufsize=0,
        cwd="/",  # which says nothing of the caller
        env=environment,
        start_new_session=True,  # Ctrl-C is the caller's
    ) as worker:
        yield worker


class _Answer:
    """What a worker says, read within its limits."""

    def __init__(
        self, worker: subprocess.Popen[bytes], limits: Limits, run: Path, said: IO[bytes]
    ) -> None:
        self._worker = worker
        self._limits = limits
        self._run = run
        self._said = said
        assert worker.stdout is not None  # noqa: S101 - it is a pipe
        most = limits.result_bytes * 2 + _FRAMING_BYTES
        self._reader = frames.FrameReader(worker.stdout, most)

    def read(self, on_notice: Callable[[str], None] | None) -> Result | Serialized:
        """Returns the answer; what is raised is as ``answer_locked`` says."""
        ready = self._next(time.monotonic() + _START_S)
        barriers = Barriers(**json.loads(ready[1]))
        if on_notice is not None and not barriers.prevent_writing:
            found = described(barriers)
            on_notice(f"untrusted queries are not confined: {found}")
        deadline = time.monotonic() + self._limits.seconds + _GRACE_S
        head, (kind, content) = self._next(deadline)[1], self._next(deadline)
        try:
            return self._answer(json.loads(head), kind, content)
        except (KeyError, OSError, TypeError, ValueError) as error:
            raise WorkerFailed(f"{_FAILED}: its answer cannot be read", str(error)) from None

    def _answer(self, head: dict[str, Any], kind: bytes, content: bytes) -> Result | Serialized:
        if kind == frames.TEXT:
            head["refusals"] = [self._told(text) for text in head.get("refusals", ())]
            return Serialized(content.decode("utf-8", "surrogatepass"), **head)
        import pyarrow as pa

        table = pa.ipc.open_stream(content).read_all()
        table.validate(full=True)  # whoever wrote it has read an untrusted query
        columns = [ResultColumn(*column) for column in head["columns"]]
        return Result.of_table(table, columns, is_truncated=head["is_truncated"])

    def _next(self, deadline: float) -> tuple[bytes, bytes]:
        try:
            frame = self._reader.read(deadline)
        except TimeoutError:
            raise LimitReached(_time_is_over(self._limits)) from None
        except frames.TooLarge:
            message = f"the answer has more than {self._limits.result_bytes:,} bytes"
            raise LimitReached(message) from None
        if frame is None:
            raise self._death(self._worker.wait())
        if frame[0] == frames.ERROR:
            raise self._error(json.loads(frame[1]))
        return frame

    def _told(self, message: str) -> str:
        return without_machine(message, self._run)

    def _error(self, facts: dict[str, Any]) -> Exception:
        kind, message = facts.pop("kind"), self._told(facts.pop("message"))
        if kind == "query":
            if "hint" in facts:
                facts["hint"] = self._told(facts["hint"])
            return QueryError(message, **facts)
        if kind == "bug":
            return WorkerFailed(f"{_FAILED}: {message}", facts["details"])
        kinds = {"limit": LimitReached, "run": RunError}
        return kinds[kind](message, in_python=facts["in_python"])

    def _death(self, status: int) -> Exception:
        """Returns what it means that the worker ended without a word."""
        if status == -signal.SIGXCPU:
            return LimitReached(_time_is_over(self._limits))
        if status < 0:
            return LimitReached(
                f"the query crashed its process ({signal.Signals(-status).name}): it needs over "
                f"{self._limits.memory_bytes:,} bytes of memory or is nested too deep"
            )
        self._said.seek(0)
        details = self._said.read(_FRAMING_BYTES).decode(errors="replace")
        return WorkerFailed(f"{_FAILED}: it ended with status {status}", details)


def _time_is_over(limits: Limits) -> str:
    return f"the query was stopped after {limits.seconds:g} s, the limit of an untrusted query"
