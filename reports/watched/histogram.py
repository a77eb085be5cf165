"""The values of metric-focus pairs over the time of a watch.

The time is divided into bins of equal width, from the beginning of the watch: the least width of
125 ms, 250 ms, 500 ms, … that gives no more than ``MOST_BINS``. So a watch that goes on halves its
resolution now and then, and a bin of a longer watch is the sum of two of a shorter one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.errors import did_you_mean
from jvmscope.reports.watched.metric_functions import METRIC_FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.queries import Engine
    from jvmscope.reports.watched.pairs import Focus, Pair

__all__ = ["MOST_BINS", "Bins", "Series", "bins_of", "series_of"]

MOST_BINS = 64
_LEAST_WIDTH_NS = 125_000_000

_METHODS = "SELECT vm_method_id FROM vm_method WHERE {}".format(
    "starts_with(class_name || '/' || name || '/', $APCode || '/')"
)
_BELOW = "starts_with({} || '/', ${} || '/')"

_VALUES = """
    WITH happening AS ({rows}),
    chosen AS (
        SELECT duration_ns, amount, CASE WHEN duration_ns > 0 THEN start_ns
            ELSE GREATEST($first, LEAST(start_ns, $last)) END AS start_ns
        FROM happening AS h {where}
    ),
    bin AS (
        SELECT number, $first + number * $width AS low, $first + (number + 1) * $width AS high
        FROM range($n) AS r (number)
    )
    SELECT number, SUM(CASE WHEN duration_ns > 0 THEN amount / duration_ns::DOUBLE
        * (LEAST(high, start_ns + duration_ns) - GREATEST(low, start_ns)) ELSE amount END)
    FROM bin JOIN chosen
        ON start_ns < high AND (start_ns >= low OR start_ns + duration_ns > low)
    GROUP BY number
"""


@dataclass(frozen=True)
class Bins:
    """The division of a watch's time: where it begins, in nanoseconds since 1970, and its bins."""

    start_ns: int
    width_ns: int
    n: int


@dataclass(frozen=True)
class Series:
    """The values of a pair, one a bin, in a unit; or why it has none."""

    pair: Pair
    unit: str
    values: tuple[float, ...] = ()
    reason: str | None = None

    @property
    def total(self) -> float:
        """The sum of the values."""
        return sum(self.values)


def bins_of(engine: Engine) -> Bins:
    """Returns the bins of a watch run; of one that goes on, up to the last reading of /proc."""
    manifest = engine.manifest
    row = engine.connect().execute("SELECT MIN(at_ns), MAX(at_ns) FROM process_usage").fetchone()
    first, end = row if row and row[0] is not None else (0, 0)
    start = manifest.options.get("started_ns")
    start = start if isinstance(start, int) else first
    if manifest.duration_s is not None:
        end = max(end, start + round(manifest.duration_s * 1e9))
    width = _LEAST_WIDTH_NS
    while end - start > MOST_BINS * width:
        width *= 2
    return Bins(start, width, max(1, -(-(end - start) // width)))


def series_of(engine: Engine, pair: Pair, bins: Bins) -> Series:
    """Returns the values of a pair.

    Raises:
        QueryError: a focus names a resource that the watch run does not have.
    """
    metric = METRIC_FUNCTIONS[pair.metric]
    foci = [focus for focus in pair.foci if focus.path]
    for focus in foci:
        _expect_resource(engine, pair, focus)
    for focus in foci:
        if focus.hierarchy in metric.absent:
            reason = f"no values by {focus.hierarchy}: {metric.absent[focus.hierarchy]}"
            return Series(pair, metric.unit, reason=reason)
    where = " AND ".join(_condition(focus, metric.rows) for focus in foci)
    query = _VALUES.format(rows=metric.rows, where=f"WHERE {where}" if where else "")
    last = bins.start_ns + bins.n * bins.width_ns - 1
    given: dict[str, Any] = {focus.hierarchy: focus.path for focus in foci}
    given |= {"first": bins.start_ns, "last": last, "width": bins.width_ns, "n": bins.n}
    found = dict(engine.connect().execute(query, given).fetchall())
    values = tuple(float(found.get(number, 0)) for number in range(bins.n))
    return Series(pair, metric.unit, values)


def _condition(focus: Focus, rows: str) -> str:
    """Returns what is true of the rows that are charged to a resource."""
    if focus.hierarchy == "APThreads":
        return "thread_id IN (SELECT vm_thread_id FROM vm_thread WHERE name = $APThreads)"
    if focus.hierarchy == "APSyncObj":
        return _BELOW.format("sync", "APSyncObj")
    if focus.hierarchy == "Code":
        return _BELOW.format("code", "Code")
    if "vm_method_id" in rows:
        return f"vm_method_id IN ({_METHODS})"
    return f"stack_id IN (SELECT stack_id FROM stack_frame WHERE vm_method_id IN ({_METHODS}))"


def _expect_resource(engine: Engine, pair: Pair, focus: Focus) -> None:
    """Raises an error if the watch run has no such resource: nothing would not be a value."""
    asked = "SELECT path FROM resource WHERE hierarchy = $hierarchy"
    rows = engine.connect().execute(asked, {"hierarchy": focus.hierarchy}).fetchall()
    paths: Sequence[str] = [row[0] for row in rows]
    if focus.path not in paths:
        hint = did_you_mean(focus.path, paths)
        listing = f"all: SELECT path FROM resource WHERE hierarchy = '{focus.hierarchy}'"
        raise pair.error(
            f"the watch run has no resource {focus}",
            focus,
            f"{hint}  {listing}" if hint else listing,
        )
