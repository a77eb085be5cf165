"""Waits to enter monitors: which thread waited for a monitor of which class that which one held."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.faces.blocks import Grid, Heading, Note
from jvmscope.reports.faces.numbers import shown
from jvmscope.reports.watched.charges import is_binned
from jvmscope.reports.watched.times import shown_time

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries import Engine
    from jvmscope.reports.faces.blocks import Block

__all__ = ["lock_blocks"]

_MOST_ROWS = 20

_WAITS = """
    WITH wait AS (
        SELECT class_name, owner_id, thread_id, 1 AS n, duration_ns AS total_ns, duration_ns,
            address
        FROM monitor_enter
        UNION ALL
        SELECT class_name, owner_id, thread_id, n_events, total_duration_ns, NULL, NULL
        FROM monitor_enter_bin
    )
    SELECT COALESCE(w.class_name, ''), COALESCE(owner.name, ''), COALESCE(waiter.name, ''),
        SUM(w.n)::BIGINT, SUM(w.total_ns)::BIGINT AS total_ns, MAX(w.duration_ns),
        COUNT(DISTINCT w.address)
    FROM wait AS w
    LEFT JOIN vm_thread AS waiter ON waiter.vm_thread_id = w.thread_id
    LEFT JOIN vm_thread AS owner ON owner.vm_thread_id = w.owner_id
    GROUP BY ALL ORDER BY total_ns DESC, 1, 2, 3
"""


def lock_blocks(engine: Engine) -> Iterator[Block]:
    """Yields a table with a row for each class of monitor, holder and thread that waited."""
    found = engine.connect().execute(_WAITS).fetchall()
    if not found:
        return
    rows = tuple(
        (monitor, holder, waiter, shown(n), shown_time(total))
        + (("", "") if most is None else (shown_time(most), shown(n_monitors)))
        for monitor, holder, waiter, n, total, most, n_monitors in found[:_MOST_ROWS]
    )
    titles = ("class of monitor", "held by", "waited", "waits", "total", "longest", "addresses")
    yield Heading("Locks by monitor and holder", 3)
    yield Grid(titles, rows, frozenset(range(3, 7)), names=frozenset({0, 1, 2}), n_keys=3)
    yield Note("The holder is the thread that had the monitor when the wait began.")
    if any(not holder for _, holder, *_ in found):
        yield Note("Where none is named, the VM did not note it, as happens in short waits.")
    if is_binned(engine, "monitor_enter"):
        yield Note("The longest wait and the addresses are of those after the bins.")
    if len(found) > _MOST_ROWS:
        yield Note(f"{len(found) - _MOST_ROWS} more rows can be computed from monitor_enter")
