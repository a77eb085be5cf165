"""Methods with probes and sampled contexts, and what a recorded run beside the watch counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.faces.blocks import Grid, Heading, Note
from jvmscope.reports.faces.numbers import shown
from jvmscope.reports.watched.method_names import method_names
from jvmscope.reports.watched.times import shown_time

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries import Engine
    from jvmscope.reports.faces.blocks import Block

__all__ = ["together_blocks"]

_MOST_METHODS = 50
_METHODS = """
    SELECT class_name, name, descriptor, probe, n_calls, ns_per_call, recorded_calls,
        recorded_bytecodes / recorded_calls AS bytecodes, ns_per_bytecode, reason
    FROM measured_method
    WHERE n_calls IS NOT NULL
    ORDER BY total_ns DESC, class_name, name, descriptor, probe, copy
"""
_TITLES = (
    "method", "calls", "of a call", "recorded calls", "bytecodes of a call", "ns per bytecode",
    "why not",
)  # fmt: skip

_MOST_CONTEXTS = 30
_CONTEXTS = """
    SELECT class_name, name, descriptor, context_id, n_samples, recorded_calls,
        recorded_bytecodes, ns_per_call, least_ns_per_call, most_ns_per_call, reason
    FROM measured_context WHERE n_samples > 0
    ORDER BY n_samples DESC, context_id NULLS LAST, reason
"""
_CONTEXT_TITLES = (
    "method", "context", "samples", "recorded calls", "bytecodes", "itself, of a call",
    "95 % interval", "why not",
)  # fmt: skip


def together_blocks(engine: Engine) -> Iterator[Block]:
    """Yields a table of measured methods, and one of sampled contexts; most time first."""
    if engine.beside is None:
        return
    yield from _method_blocks(engine)
    yield from _context_blocks(engine)


def _method_blocks(engine: Engine) -> Iterator[Block]:
    found = engine.connect().execute(_METHODS).fetchall()
    yield Heading("Together with the recorded run")
    if not found:
        yield Note("no invocation of a method with a probe has ended")
        return
    names = method_names(row[:3] for row in found)
    rows = []
    for row in found[:_MOST_METHODS]:
        name = names[row[:3]]
        probe, n, of_call, recorded, bytecodes, of_bytecode, reason = row[3:]
        condition = probe.partition(" when ")[2]
        counts = (recorded, None if bytecodes is None else round(bytecodes, 1))
        rows.append(
            (
                f"{name} when {condition}" if condition else name,
                shown(n),
                shown_time(of_call),
                *("" if count is None else shown(count) for count in counts),
                shown(of_bytecode, 3),
                reason or "",
            )
        )
    numeric = frozenset(range(1, len(_TITLES) - 1))
    yield Grid(_TITLES, tuple(rows), numeric, names=frozenset({0}))
    if len(found) > _MOST_METHODS:
        yield Note(f"{len(found) - _MOST_METHODS} more methods are in the relation measured_method")


def _context_blocks(engine: Engine) -> Iterator[Block]:
    """Yields a table of the contexts that samples were in, with the time of a call itself."""
    found = engine.connect().execute(_CONTEXTS).fetchall()
    if not found:
        return
    yield Heading("Samples by calling context")
    names = method_names(row[:3] for row in found if row[0])
    rows = []
    for row in found[:_MOST_CONTEXTS]:
        context, n, calls, bytecodes, of_call, least, most, reason = row[3:]
        counts = ("" if count is None else shown(count) for count in (calls, bytecodes))
        interval = "" if least is None else f"{shown_time(least)} to {shown_time(most)}"
        where = "" if context is None else str(context)
        time = "" if of_call is None else shown_time(of_call)
        name = names.get(row[:3], "")
        rows.append((name, where, shown(n), *counts, time, interval, reason or ""))
    numeric = frozenset(range(1, len(_CONTEXT_TITLES) - 1))
    yield Grid(_CONTEXT_TITLES, tuple(rows), numeric, names=frozenset({0}), n_keys=2)
    if len(found) > _MOST_CONTEXTS:
        yield Note(f"{len(found) - _MOST_CONTEXTS} more are in the relation measured_context")
