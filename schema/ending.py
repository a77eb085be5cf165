"""How the program of a run ended, and whether its counts may be compared.

A JVM's exit status is known where COMMAND was that JVM, or where it called ``System.exit``. Below a
script, an exception that ``main`` did not catch is known from the tree: the VM then calls
``Thread.dispatchUncaughtException`` in the thread of ``main``, and nobody else does.
"""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from jvmscope.errors import RunError
from jvmscope.schema.local_paths import local

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.schema.manifest import Manifest

__all__ = ["Ending", "ending_of"]

_UNCAUGHT = ("java/lang/Thread", "dispatchUncaughtException")
_BY_SIGNAL = 128


@dataclass(frozen=True)
class Ending:
    """How a program ended.

    Attributes:
        text: what it did, as ``ended with exit status 3``.
        is_failure: whether it failed: another status than 0, a signal, or an exception that its
            main method did not catch.
    """

    text: str
    is_failure: bool


def ending_of(run: Path, manifest: Manifest) -> Ending | None:
    """Returns how the program of a run ended; None: unknown, as of a run that was imported.

    Args:
        run: the run's directory.
        manifest: its manifest.

    Raises:
        RunError: a table that tells cannot be read, or lacks a column.
    """
    facts = manifest.exit
    by_exception = " after an uncaught exception in main" if _main_threw(run, manifest) else ""
    if facts is None:
        return Ending(f"ended{by_exception}", is_failure=True) if by_exception else None
    if facts.signal is not None:
        return Ending(f"was killed by {_signal_name(facts.signal)}", is_failure=True)
    if facts.state == "killed":
        return Ending("was killed, crashed or outlived its command", is_failure=True)
    if facts.status:
        name = _signal_name(facts.status - _BY_SIGNAL)
        by_signal = f" ({name})" if name.startswith("SIG") else ""
        text = f"ended with exit status {facts.status}{by_signal}{by_exception}"
        return Ending(text, is_failure=True)
    if by_exception:
        return Ending(f"ended{by_exception}", is_failure=True)
    status = "" if facts.status is None else f" with exit status {facts.status}"
    return Ending(f"ended{status}", is_failure=False)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _main_threw(run: Path, manifest: Manifest) -> bool:
    """Tells whether the VM found an exception that the main method did not catch."""
    context = manifest.main.context_id
    needed = {"class", "method", "thread", "thread_method"}
    if context is None or not needed <= manifest.tables.keys():
        return False

    def rows(table: str, columns: list[str], **equal: object) -> pa.Table:
        path = run / "tables" / f"{table}.parquet"
        filters: list[Any] = [(name, "=", value) for name, value in equal.items()]
        try:
            return pq.read_table(local(path), columns=columns, filters=filters or None).select(
                columns
            )
        except (OSError, KeyError, pa.ArrowException):
            message = f"{path}: cannot be read, or lacks a column; see jvmscope check"
            raise RunError(message) from None

    classes = rows("class", ["class_id"], name=_UNCAUGHT[0], loader="boot")["class_id"]
    if not len(classes):
        return False
    methods = rows("method", ["method_id"], name=_UNCAUGHT[1], class_id=classes[0].as_py())
    threads = rows("thread", ["thread_id", "root_context_id"])
    before = threads.filter(pc.less_equal(threads["root_context_id"], pa.scalar(context)))
    if not len(methods) or not len(before):
        return False
    thread = before.sort_by("root_context_id")["thread_id"][-1].as_py()
    calls = rows(
        "thread_method", ["n_calls"], thread_id=thread, method_id=methods["method_id"][0].as_py()
    )
    return any(n for n in calls["n_calls"].to_pylist())
