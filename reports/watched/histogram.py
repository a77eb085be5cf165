"""The values of metric-focus pairs over the time of a watch.

The time is divided into bins of equal width, from the beginning of the watch: the least width of
125 ms, 250 ms, 500 ms, … that gives no more than ``MOST_BINS``. So a watch that goes on halves its
resolution now and then, and a bin of a longer watch is the sum of two of a shorter one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.queries import first_row
from jvmscope.reports.watched.charges import condition_of, reason_against
from jvmscope.reports.watched.metric_functions import METRIC_FUNCTIONS

if TYPE_CHECKING:
    from jvmscope.queries import Engine
    from jvmscope.reports.watched.pairs import Pair

__all__ = ["MOST_BINS", "Bins", "Series", "bins_of", "series_of"]

MOST_BINS = 64
_LEAST_WIDTH_NS = 125_000_000
_READ = "process_usage"
"""The table of readings: of the time before the first and after the last nothing is known."""

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
    """The division of a watch's time: where it begins, in nanoseconds since 1970, and its bins.

    Attributes:
        start_ns: where the time begins.
        width_ns: the width of a bin.
        n: how many bins there are.
        span_ns: the time watched, which may end within the last bin.
        opened_ns: from when on the VM told of events; in runs that do not say it, the beginning.
    """

    start_ns: int
    width_ns: int
    n: int
    span_ns: int
    opened_ns: int = 0


@dataclass(frozen=True)
class Series:
    """The values of a pair, one a bin, in a unit; or why it has none.

    Attributes:
        pair: the pair.
        unit: what the values count.
        values: one a bin; null: what they count was not seen in that time.
        reason: why there are no values.
        span_ns: the time that the values are about.
    """

    pair: Pair
    unit: str
    values: tuple[float | None, ...] = ()
    reason: str | None = None
    span_ns: int = 0

    @property
    def total(self) -> float:
        """The sum of the values."""
        return sum(filter(None, self.values))


def bins_of(engine: Engine) -> Bins:
    """Returns the bins of a watch run; of one that goes on, up to the last reading of /proc."""
    manifest = engine.manifest
    first, end = _readings(engine) or (0, 0)
    start = manifest.options.get("started_ns")
    start = start if isinstance(start, int) else first
    if manifest.duration_s is not None:
        end = max(end, start + round(manifest.duration_s * 1e9))
    width = _LEAST_WIDTH_NS
    while end - start > MOST_BINS * width:
        width *= 2
    n = max(1, -(-(end - start) // width))
    opened = manifest.options.get("opened_ns")
    opened = opened if isinstance(opened, int) and start < opened < end else start
    return Bins(start, width, n, end - start if end > start else width, opened)


def series_of(engine: Engine, pair: Pair, bins: Bins) -> Series:
    """Returns the values of a pair.

    Raises:
        QueryError: a focus names a resource that the watch run does not have.
    """
    metric = METRIC_FUNCTIONS[pair.metric]
    reason = reason_against(engine, pair)
    if reason is not None:
        return Series(pair, metric.unit, reason=reason)
    where, given = condition_of(pair)
    query = _VALUES.format(rows=metric.rows, where=f"WHERE {where}" if where else "")
    last = bins.start_ns + bins.n * bins.width_ns - 1
    given |= {"first": bins.start_ns, "last": last, "width": bins.width_ns, "n": bins.n}
    found = dict(engine.connect().execute(query, given).fetchall())
    values = [float(found.get(number, 0)) for number in range(bins.n)]
    first, end = bins.opened_ns, bins.start_ns + bins.span_ns
    if metric.source == _READ:
        first, end = _readings(engine) or (0, 0)
        if first == end:
            return Series(pair, metric.unit, reason="the process was not read twice")
    told = tuple(
        value if value or (low < end and low + bins.width_ns > first) else None
        for low, value in zip(range(bins.start_ns, last + 1, bins.width_ns), values, strict=True)
    )
    return Series(pair, metric.unit, told, span_ns=end - first)


def _readings(engine: Engine) -> tuple[int, int] | None:
    """Returns when the process was read first and last; None: never."""
    row = first_row(engine.connect(), f"SELECT MIN(at_ns), MAX(at_ns) FROM {_READ}")
    return None if row is None or row[0] is None else (row[0], row[1])
