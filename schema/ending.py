"""How the program of a run ended, and whether its counts may be compared.

A JVM's exit status is known where COMMAND was that JVM, or where it called ``System.exit``. Below a
script, an exception that ``main`` did not catch is known from the tree: the VM then calls
``Thread.dispatchUncaughtException`` in the thread of ``main``, and nobody else does. A run of
native code alone does not know that, nor does one whose ``main`` was never entered, as where the
initialiser of its class has failed: how such a program ended is unknown.

A JVM may end well although what it did has failed, as the one in which a build runs its tests: the
status of COMMAND tells, so that counts where COMMAND failed may not be compared either. Nor does an
exception that ends another thread than ``main`` change the status: ``ended_threads`` tells of it.
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

__all__ = ["Ending", "ended_threads", "ending_of", "signal_name"]

_UNCAUGHT = ("java/lang/Thread", "dispatchUncaughtException")
_BY_SIGNAL = 128
_MAIN = "main"
"""The thread in which the VM calls the main method."""
_NEEDED = frozenset({"class", "method", "thread", "thread_method"})


@dataclass(frozen=True)
class Ending:
    """How a program ended.

    Attributes:
        text: what it did, as ``ended with exit status 3``.
        is_failure: whether it failed: another status than 0, a signal, or an exception that its
            main method did not catch; or COMMAND did, which started it.
    """

    text: str
    is_failure: bool


def ending_of(run: Path, manifest: Manifest) -> Ending | None:
    """Returns how the program of a run ended; None: unknown.

    It is unknown of a run that was imported, and where neither a status nor the tree tells.

    Args:
        run: the run's directory.
        manifest: its manifest.

    Raises:
        RunError: a table that tells cannot be read, or lacks a column.
    """
    own = _own_ending(run, manifest)
    command = manifest.command_exit
    if command is None or (own is not None and own.is_failure):
        return own
    if command.signal is None and not command.status:
        return own
    how = own.text if own is not None else "ended in a way that is not known"
    by = _with_status(command.status or _BY_SIGNAL + (command.signal or 0))
    return Ending(f"{how}, and COMMAND, which started it, {by}", is_failure=True)


def _own_ending(run: Path, manifest: Manifest) -> Ending | None:
    facts = manifest.exit
    has_thrown = _main_threw(run, manifest)
    by_exception = " after an uncaught exception in main" if has_thrown else ""
    if facts is None:
        return Ending(f"ended{by_exception}", is_failure=True) if by_exception else None
    if facts.signal is not None:
        return Ending(f"was killed by {signal_name(facts.signal)}", is_failure=True)
    if facts.state == "killed":
        return Ending("was killed, crashed or outlived its command", is_failure=True)
    if facts.status:
        return Ending(f"ended {_with_status(facts.status)}{by_exception}", is_failure=True)
    if by_exception:
        return Ending(f"ended{by_exception}", is_failure=True)
    status = "" if facts.status is None else f" with exit status {facts.status}"
    is_known = facts.status is not None or has_thrown is not None
    return Ending(f"ended{status}", is_failure=False) if is_known else None


def _with_status(status: int) -> str:
    """Names an exit status, and the signal that a shell reports by it.

    >>> _with_status(3), _with_status(143)
    ('with exit status 3', 'with exit status 143 (SIGTERM)')
    """
    name = signal_name(status - _BY_SIGNAL)
    return f"with exit status {status}{f' ({name})' if name.startswith('SIG') else ''}"


def signal_name(number: int) -> str:
    """Returns the name of a signal; most of the real-time signals have none.

    >>> signal_name(9), signal_name(40)
    ('SIGKILL', 'signal 40')
    """
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def ended_threads(run: Path, manifest: Manifest) -> tuple[str, ...] | None:
    """Returns the threads that ended by an exception which they did not catch; None: unknown.

    One name for each such thread but that of ``main``, in the order of names; one without a name
    has the name "unnamed". It is unknown of runs without a tree, and of watch runs.

    Args:
        run: the run's directory.
        manifest: its manifest.

    Raises:
        RunError: a table that tells cannot be read, or lacks a column.
    """
    if not manifest.tables.keys() >= _NEEDED:
        return None
    exceptions = _uncaught(run)
    if not exceptions:
        return ()
    threads = _rows(run, "thread", ["thread_id", "root_context_id", "name"])
    main = _main_thread(threads, manifest.main.context_id)
    names = dict(zip(threads["thread_id"].to_pylist(), threads["name"].to_pylist(), strict=True))
    found: list[str] = []
    for thread, n in exceptions.items():
        # Virtual threads without a name may share a row, so a row may stand for several.
        found += [names.get(thread) or "unnamed"] * (n if thread != main else 0)
    return tuple(sorted(found))


def _main_threw(run: Path, manifest: Manifest) -> bool | None:
    """Tells whether the VM found an exception that the main method did not catch; None: unknown."""
    if not manifest.tables.keys() >= _NEEDED:
        return None
    context = manifest.main.context_id
    # Where main was not counted, by the user's choice, what the VM did in its thread was.
    is_left_out = any(manifest.options.get(name) for name in ("from", "include", "exclude"))
    unknown = None if context is None and not is_left_out else False
    exceptions = _uncaught(run)
    if not exceptions:
        return unknown
    threads = _rows(run, "thread", ["thread_id", "root_context_id", "name"])
    return _main_thread(threads, context) in exceptions or unknown


def _uncaught(run: Path) -> dict[int, int]:
    """Returns how many exceptions the VM dispatched that a thread did not catch, by thread."""
    classes = _rows(run, "class", ["class_id"], name=_UNCAUGHT[0], loader="boot")["class_id"]
    if not len(classes):
        return {}
    in_class = {"name": _UNCAUGHT[1], "class_id": classes[0].as_py()}
    methods = _rows(run, "method", ["method_id"], **in_class)["method_id"]
    if not len(methods):
        return {}
    columns = ["thread_id", "n_calls"]
    calls = _rows(run, "thread_method", columns, method_id=methods[0].as_py())
    return {row["thread_id"]: row["n_calls"] for row in calls.to_pylist() if row["n_calls"]}


def _main_thread(threads: pa.Table, context: int | None) -> int | None:
    """Returns the thread of the main method, whose context may not have been counted."""
    is_before = (
        pc.equal(threads["name"], pa.scalar(_MAIN))
        if context is None
        else pc.less_equal(threads["root_context_id"], pa.scalar(context))
    )
    before = threads.filter(is_before)
    if not len(before):
        return None
    thread: int = before.sort_by("root_context_id")["thread_id"][
        0 if context is None else -1
    ].as_py()
    return thread


def _rows(run: Path, table: str, columns: list[str], **equal: object) -> pa.Table:
    """Returns columns of a table, of the rows in which others have these values."""
    path = run / "tables" / f"{table}.parquet"
    filters: list[Any] = [(name, "=", value) for name, value in equal.items()]
    try:
        return pq.read_table(local(path), columns=columns, filters=filters or None).select(columns)
    except (OSError, KeyError, pa.ArrowException):
        message = f"{path}: cannot be read, or lacks a column; see jvmscope check"
        raise RunError(message) from None
