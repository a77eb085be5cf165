"""Whether two runs of native code alone have the same counts, and where not.

Such runs have no contexts. They are compared by thread, and in a thread by native method and by
the kind of calls by JNI; times are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jvmscope.queries.nameless import NO_NAME

if TYPE_CHECKING:
    from jvmscope.queries.engine import Engine
    from jvmscope.queries.identity.differences import Row

__all__ = ["n_native_methods", "native_rows"]

_THREADS = """
    WITH numbered AS (
        SELECT thread_id, name, is_vm_internal,
               ROW_NUMBER() OVER (PARTITION BY name ORDER BY start_order) AS number
        FROM thread
    )
"""
_NAMES = f"{_THREADS} SELECT name, number, is_vm_internal FROM numbered ORDER BY ALL"
_CALLS = f"""
    {_THREADS}
    SELECT t.name, t.number,
           COALESCE(c.name || '.' || m.name || m.descriptor, 'a method that is not known')
               || COALESCE(' in ' || library, ''),
           SUM(n_calls)::BIGINT, SUM(n_exceptions)::BIGINT, SUM(n_jni_calls)::BIGINT
    FROM native_method JOIN numbered AS t USING (thread_id)
    LEFT JOIN method AS m USING (method_id) LEFT JOIN class AS c USING (class_id)
    GROUP BY ALL ORDER BY ALL
"""
_BY_JNI = f"""
    {_THREADS}
    SELECT t.name, t.number, 'calls of Java by JNI, ' || kind, n_transitions
    FROM native_transition JOIN numbered AS t USING (thread_id)
    WHERE kind <> 'native_method' ORDER BY ALL
"""
_COUNTS = ("calls", "exceptions", "calls by JNI")


class _Thread(NamedTuple):
    """A thread in every run: its name, and which it is of those with this name."""

    name: str
    number: int

    def __str__(self) -> str:
        return f"thread {self.name or NO_NAME}" + (f" #{self.number}" if self.number > 1 else "")


class _Counted(NamedTuple):
    """The counts of a run, and which of its threads serve the VM."""

    threads: dict[_Thread, dict[str, tuple[int, ...]]]
    internal: frozenset[_Thread]


def native_rows(a: Engine, b: Engine) -> list[Row]:
    """Returns the threads that only one run has, and what differs in those of both."""
    in_a, in_b = _counted(a), _counted(b)
    rows: list[Row] = []
    for thread in sorted(in_a.threads.keys() | in_b.threads.keys()):
        mine, other = in_a.threads.get(thread), in_b.threads.get(thread)
        if mine is None or other is None:
            found = [_row(str(thread), _sum(mine), _sum(other))]
        else:
            found = [
                _row(f"{thread} > {name}", mine.get(name), other.get(name))
                for name in sorted(mine.keys() | other.keys())
                if mine.get(name) != other.get(name)
            ]
        is_internal = thread in in_a.internal | in_b.internal
        rows += [{**row, "is_vm_internal": is_internal} for row in found]
    return rows


def n_native_methods(run: Engine) -> int:
    """Returns the number of native methods that were called, in each thread."""
    return run.manifest.tables["native_method"].rows


def _counted(run: Engine) -> _Counted:
    connection = run.connect()
    threads: dict[_Thread, dict[str, tuple[int, ...]]] = {}
    internal = set()
    for name, number, is_internal in connection.execute(_NAMES).fetchall():
        threads[_Thread(name, number)] = {}
        if is_internal:
            internal.add(_Thread(name, number))
    for query in (_CALLS, _BY_JNI):
        for name, number, what, *counts in connection.execute(query).fetchall():
            threads[_Thread(name, number)][what] = tuple(counts)
    return _Counted(threads, frozenset(internal))


def _sum(counts: dict[str, tuple[int, ...]] | None) -> tuple[int, ...] | None:
    """Returns the calls of native methods and of Java in a thread; None if there is none."""
    return None if counts is None else (sum(values[0] for values in counts.values()),)


def _row(where: str, a: tuple[int, ...] | None, b: tuple[int, ...] | None) -> Row:
    """Returns the difference of two counts; None: it is not in that run."""
    if a is None or b is None:
        kind, counts = "only_b" if a is None else "only_a", None
    else:
        kind = "calls" if a[0] != b[0] else "counts"
        pairs = [(n, x, y) for n, x, y in zip(_COUNTS, a, b, strict=False) if x != y]
        counts = "; ".join(f"{name}: {x} and {y}" for name, x, y in pairs)
    return {
        "kind": kind,
        "where": where,
        "counts": counts,
        "a": a[0] if a else None,
        "b": b[0] if b else None,
    }
