"""Metric functions: what a watch run knows as a time or a count, and what it can be charged to.

Each is a query with a row for each happening: when it began, how long it took, how much it is, and
what it is charged to. A column of charges that is missing is a hierarchy that the metric function
cannot be constrained by, and ``absent`` says why.

What was folded into time bins counts evenly over its bin.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["METRIC_FUNCTIONS", "MetricFunction"]

_NO_STACK = "the event stream has no stack for it"
_NO_SYNC = "it is not about an object that threads wait for"
_NO_CODE = "the program does it, not the VM"
_OF_VM = "the VM does it in threads of its own"


@dataclass(frozen=True)
class MetricFunction:
    """A time or a count.

    Attributes:
        name: its name in pairs.
        unit: its unit; a time in ``ns`` is spread over its duration, all else counts at its end.
        meaning: what it is, in one line.
        source: the table that it is computed from.
        rows: a query with the columns ``start_ns``, ``duration_ns``, ``amount``, and those charges
            that it has: ``stack_id``, ``vm_method_id`` or ``method_path``, ``thread_id``,
            ``sync``, ``code``.
        absent: for each hierarchy that it has no charge for, the reason.
        asked: the option of a watch that it needs, as the manifest has it; empty: none.
        unbinned: the table whose bins do not have what it needs; empty: none.
    """

    name: str
    unit: str
    meaning: str
    source: str
    rows: str
    absent: Mapping[str, str] = field(default_factory=dict)
    asked: str = ""
    unbinned: str = ""


def _timed(table: str, charges: str, condition: str = "TRUE") -> str:
    return f"""
        SELECT start_ns, duration_ns, duration_ns AS amount{charges} FROM {table} WHERE {condition}
        UNION ALL {_binned(table, "total_duration_ns", charges)} WHERE {condition}
    """


def _counted(
    table: str,
    charges: str,
    end: str = "start_ns + duration_ns",
    amount: str = "",
) -> str:
    return f"""
        SELECT {end} AS start_ns, 0 AS duration_ns, {amount or 1} AS amount{charges} FROM {table}
        UNION ALL {_binned(table, f"total_{amount}" if amount else "n_events", charges)}
    """


def _binned(table: str, amount: str, charges: str) -> str:
    span = "start_ns, end_ns - start_ns AS duration_ns"
    return f"SELECT {span}, {amount} AS amount{charges} FROM {table}_bin"


_WAIT = ", thread_id, stack_id, class_name AS sync"
_DONE = ", thread_id, stack_id"
_WAITS = {"Code": _NO_CODE}
_NO_OBJECT = {"APSyncObj": _NO_SYNC}
_COMPILED = ", vm_method_id, 'compiler/' || compiler AS code"
_NO_CALLER = {"APThreads": _OF_VM, "APSyncObj": _NO_SYNC}
_COLLECTED = {"APCode": _NO_STACK, "APThreads": _OF_VM, "APSyncObj": _NO_SYNC}

# A class is loaded within the loading of another one: only the outermost time of a thread counts.
_OUTERMOST_LOADS = """
    SELECT start_ns, duration_ns, duration_ns AS amount, thread_id, stack_id, 'classes' AS code
    FROM (
        SELECT *, MAX(start_ns + duration_ns) OVER (
            PARTITION BY thread_id ORDER BY start_ns, duration_ns DESC
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS end_before
        FROM class_load
    )
    WHERE end_before IS NULL OR start_ns + duration_ns > end_before
"""

_SAMPLES = f"""
    SELECT s.start_ns, s.duration_ns, s.amount, s.thread_id, s.stack_id,
        CASE f.form WHEN 'Interpreted' THEN 'interpreter' WHEN 'JIT compiled' THEN 'compiled'
            WHEN 'Inlined' THEN 'inlined' WHEN 'Native' THEN 'native' END AS code
    FROM ({_counted("execution_sample", _DONE, "at_ns")}) AS s
    LEFT JOIN stack_frame AS f ON f.stack_id = s.stack_id AND f.position = 0
"""

_MEASURED = {
    "APSyncObj": _NO_SYNC,
    "Code": "an invocation runs in several forms, and other code as well",
}
_ALL_THREADS = {"APThreads": "the counts are of all threads; sampled_… are by thread"}


def _probed(amount: str) -> str:
    """Returns the invocations of each interval; as for readings, they count evenly in it."""
    return f"""
        SELECT start_ns, end_ns - start_ns AS duration_ns, {amount} AS amount,
            class_name || '/' || name AS method_path
        FROM probe_time JOIN probe_method USING (probe_method_id)
    """


def _sampled(start: str, duration: str, amount: str) -> str:
    """Returns single invocations; a thread may have several names, but is one."""
    charges = ", probe_method_id, java_thread_id"
    binned = "n_events" if amount == "1" else "total_duration_ns"
    return f"""
        SELECT start_ns, duration_ns, amount, thread_id, class_name || '/' || name AS method_path
        FROM (
            SELECT {start} AS start_ns, {duration} AS duration_ns, {amount} AS amount{charges}
            FROM probe_sample UNION ALL {_binned("probe_sample", binned, charges)}
        ) JOIN probe_method USING (probe_method_id)
        LEFT JOIN (
            SELECT java_thread_id, MIN(vm_thread_id) AS thread_id FROM vm_thread
            WHERE java_thread_id IS NOT NULL GROUP BY java_thread_id
        ) USING (java_thread_id)
    """


def _used(amount: str) -> str:
    """Returns the rows of what the process used between two readings."""
    return f"""
        SELECT LAG(at_ns) OVER readings AS start_ns,
            at_ns - LAG(at_ns) OVER readings AS duration_ns,
            {amount} - LAG({amount}) OVER readings AS amount
        FROM process_usage WINDOW readings AS (ORDER BY at_ns)
        QUALIFY LAG(at_ns) OVER readings IS NOT NULL
    """


_PROCESS = dict.fromkeys(
    ("APCode", "APThreads", "APSyncObj", "Code"),
    "the operating system knows it of the whole process alone",
)

_ALL = (
    MetricFunction(
        "cpu_time", "ns", "processor time of the process", "process_usage",
        _used("(user_ns + system_ns)"), _PROCESS,
    ),
    MetricFunction(
        "page_faults", "fault", "page faults of the process", "process_usage",
        _used("(n_minor_faults + n_major_faults)"), _PROCESS,
    ),
    MetricFunction(
        "samples", "sample", "samples of running threads", "execution_sample", _SAMPLES, _NO_OBJECT
    ),
    MetricFunction(
        "allocated_bytes", "byte", "allocated bytes, estimated from samples", "allocation_sample",
        _counted("allocation_sample", _DONE, "at_ns", "weight_bytes"), _NO_OBJECT | _WAITS,
    ),
    MetricFunction(
        "collections", "collection", "garbage collections", "collection",
        _counted("collection", ", 'gc' AS code"), _COLLECTED,
    ),
    MetricFunction(
        "collection_pauses", "ns", "time in pauses of garbage collections", "collection_phase",
        _timed("collection_phase", ", 'gc' AS code", "level = 'GCPhasePause'"), _COLLECTED,
    ),
    MetricFunction(
        "compilations", "compilation", "compilations", "compilation",
        _counted("compilation", _COMPILED), _NO_CALLER,
    ),
    MetricFunction(
        "compile_time", "ns", "time of compiler threads", "compilation",
        _timed("compilation", _COMPILED), _NO_CALLER,
    ),
    MetricFunction(
        "deoptimizations", "deoptimization", "times that compiled code gave up", "deoptimization",
        _counted("deoptimization", f"{_DONE}, 'deoptimization' AS code", "at_ns"), _NO_OBJECT,
    ),
    MetricFunction(
        "class_definitions", "class", "classes defined", "class_define",
        _counted("class_define", f"{_DONE}, 'classes' AS code", "at_ns"), _NO_OBJECT,
    ),
    MetricFunction(
        "class_load_time", "ns", "time to load classes", "class_load", _OUTERMOST_LOADS, _NO_OBJECT,
        unbinned="class_load",
    ),
    MetricFunction(
        "safepoint_time", "ns", "time of VM operations at safepoints", "vm_operation",
        _timed("vm_operation", ", 'safepoint' AS code", "is_at_safepoint"), _COLLECTED,
    ),
    MetricFunction(
        "lock_waits", "wait", "waits to enter a monitor", "monitor_enter",
        _counted("monitor_enter", _WAIT), _WAITS,
    ),
    MetricFunction(
        "lock_wait_time", "ns", "time of waits to enter a monitor", "monitor_enter",
        _timed("monitor_enter", _WAIT), _WAITS,
    ),
    MetricFunction(
        "object_wait_time", "ns", "time in Object.wait", "monitor_wait",
        _timed("monitor_wait", _WAIT), _WAITS,
    ),
    MetricFunction(
        "park_time", "ns", "time parked", "park", _timed("park", _WAIT), _WAITS
    ),
    MetricFunction(
        "sleep_time", "ns", "time in Thread.sleep", "sleep", _timed("sleep", _DONE),
        _NO_OBJECT | _WAITS,
    ),
    *(
        MetricFunction(
            f"{kind}_wait_time", "ns", f"time in reads and writes of {kind}s",
            f"{kind}_read, {kind}_write",
            f"{_timed(f'{kind}_read', _DONE)} UNION ALL {_timed(f'{kind}_write', _DONE)}",
            _NO_OBJECT | _WAITS, "io",
        )
        for kind in ("file", "socket")
    ),
    *(
        MetricFunction(
            f"{kind}_bytes", "byte", f"bytes that were read from and written to {kind}s",
            f"{kind}_read, {kind}_write",
            " UNION ALL ".join(
                _counted(f"{kind}_{operation}", _DONE, amount="size_bytes")
                for operation in ("read", "write")
            ),
            _NO_OBJECT | _WAITS, "io",
        )
        for kind in ("file", "socket")
    ),
    MetricFunction(
        "calls", "call", "invocations of methods with probes", "probe_time", _probed("n_calls"),
        _MEASURED | _ALL_THREADS, "probes",
    ),
    MetricFunction(
        "call_time", "ns", "time of these invocations", "probe_time", _probed("total_ns"),
        _MEASURED | _ALL_THREADS, "probes",
    ),
    MetricFunction(
        "sampled_calls", "call", "invocations that have a sample", "probe_sample",
        _sampled("start_ns + duration_ns", "0", "1"), _MEASURED, "samples",
    ),
    MetricFunction(
        "sampled_call_time", "ns", "time of invocations that have a sample", "probe_sample",
        _sampled("start_ns", "duration_ns", "duration_ns"), _MEASURED, "samples",
    ),
)  # fmt: skip

METRIC_FUNCTIONS = {each.name: each for each in _ALL}
"""The metric functions by name."""
