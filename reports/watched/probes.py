"""The probes of a watch run: how often methods were called, and how long they took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries import first_row
from jvmscope.reports.faces.blocks import Grid, Heading, Note
from jvmscope.reports.faces.numbers import shown
from jvmscope.reports.watched.method_names import method_names
from jvmscope.reports.watched.times import shown_time

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmscope.queries import Engine
    from jvmscope.reports.faces.blocks import Block

__all__ = ["SHARES", "percentiles", "probe_blocks"]

_MOST_METHODS = 50
SHARES = (0.5, 0.9, 0.99)
"""The shares of invocations whose durations are shown."""

# The methods of one name in classes of several loaders are one, as in the live view: the first.
_NAMED = """
    SELECT probe_method_id, class_name, name, descriptor, text,
        MIN(probe_method_id) OVER same AS first_id, COUNT(*) OVER same AS n_classes
    FROM probe_method JOIN probe USING (probe_id)
    WINDOW same AS (PARTITION BY probe_id, class_name, name, descriptor)
"""
_TOTALS = f"""
    SELECT first_id, SUM(n_calls), SUM(n_calls) FILTER (is_exceptional), SUM(total_ns),
        MIN(least_ns), MAX(most_ns)
    FROM probe_time JOIN ({_NAMED}) USING (probe_method_id) GROUP BY ALL
"""
_METHODS = f"""
    SELECT first_id, class_name, name, descriptor, text, n_classes
    FROM ({_NAMED}) WHERE probe_method_id = first_id
"""
_BUCKETS = f"""
    SELECT first_id, low_ns, high_ns, SUM(n_calls) AS n
    FROM probe_histogram JOIN ({_NAMED}) USING (probe_method_id) GROUP BY ALL ORDER BY ALL
"""
_TITLES = ("method", "calls", "thrown", "total", "mean", *(f"{s * 100:.0f} %" for s in SHARES))


def probe_blocks(engine: Engine) -> Iterator[Block]:
    """Yields a table with a row for each method that was called, those with most time first."""
    connection = engine.connect()
    probes = first_row(connection, "SELECT COUNT(*) FROM probe")
    if probes is None or not probes[0]:
        return
    methods = {row[0]: row[1:] for row in connection.execute(_METHODS).fetchall()}
    buckets: dict[int, list[tuple[int, int, int]]] = {}
    for method, low, high, n in connection.execute(_BUCKETS).fetchall():
        buckets.setdefault(method, []).append((low, high, n))
    totals = sorted(connection.execute(_TOTALS).fetchall(), key=lambda row: (-row[3], row[0]))
    names = method_names(method[:3] for method in methods.values())
    yield Heading("Probes")
    if not totals:
        yield Note("no invocation of a method with a probe has ended")
        return
    rows = []
    for method, n, thrown, total, least, most in totals[:_MOST_METHODS]:
        *called, text, n_classes = methods[method]
        condition = text.partition(" when ")[2]
        named = names[tuple(called)]
        if n_classes > 1:
            named += f" (of {n_classes:,} classes)"
        times = [min(max(t, least), most) for t in percentiles(buckets[method])]
        cells = (total, total / n, *times, most)
        rows.append(
            (
                f"{named} when {condition}" if condition else named,
                shown(n),
                shown(thrown or 0),
                *map(shown_time, cells),
            )
        )
    titles = (*_TITLES, "longest")
    yield Grid(titles, tuple(rows), numeric=frozenset(range(1, len(titles))), names=frozenset({0}))
    if len(totals) > _MOST_METHODS:
        yield Note(f"{len(totals) - _MOST_METHODS} more methods are in the table probe_time")


def percentiles(buckets: Sequence[tuple[int, int, int]]) -> list[float]:
    """Returns the middles of the buckets in which shares of all invocations are reached.

    Args:
        buckets: least duration, that of the next bucket, and count, in the order of durations.

    >>> percentiles([(0, 1, 5), (8, 9, 4), (16, 18, 1)])
    [0, 8, 16.5]
    """
    n_all = sum(n for _, _, n in buckets)
    found = []
    for share in SHARES:
        seen = 0
        for low, high, n in buckets:
            seen += n
            if seen >= share * n_all:
                found.append(low if high - low == 1 else (low + high - 1) / 2)
                break
    return found
