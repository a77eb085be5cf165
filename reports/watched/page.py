"""The page of a watch run: a curve for each metric-focus pair, and the forms in which code ran."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from jvmscope.queries import first_row
from jvmscope.reports.faces.blocks import Bars, Heading, Note, Paragraph, Sparks
from jvmscope.reports.faces.numbers import shown
from jvmscope.reports.watched.costs import cost_blocks
from jvmscope.reports.watched.forms import FORMS, forms_of
from jvmscope.reports.watched.histogram import bins_of, series_of
from jvmscope.reports.watched.pairs import read_pairs
from jvmscope.reports.watched.probes import probe_blocks
from jvmscope.reports.watched.tables import table_blocks
from jvmscope.reports.watched.times import NS_PER_S, shown_time
from jvmscope.reports.watched.together import together_blocks
from jvmscope.reports.wording import counted
from jvmscope.schema.limits import Limit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmscope.queries import Engine
    from jvmscope.reports.faces.blocks import Block
    from jvmscope.reports.watched.histogram import Bins, Series

__all__ = [
    "DEFAULT_PAIRS",
    "amount_and_rate",
    "missing_notes",
    "resolution_notes",
    "span_of",
    "title_of",
    "watch_page",
]

DEFAULT_PAIRS = (
    "cpu_time", "page_faults", "samples", "allocated_bytes", "collections", "collection_pauses",
    "safepoint_time", "compilations", "compile_time{/Code/compiler/c1}",
    "compile_time{/Code/compiler/c2}", "deoptimizations", "class_load_time", "lock_wait_time",
)  # fmt: skip
"""What is shown where no pair is named."""

_MOST_ROWS = 8


def watch_page(engine: Engine, texts: Sequence[str]) -> Iterator[Block]:
    """Yields the blocks of the page.

    Args:
        engine: a watch run.
        texts: the pairs that are shown, or ``@FILE``; none: ``DEFAULT_PAIRS``.

    Raises:
        QueryError: a text is not a pair, or names a resource that the run does not have.
    """
    pairs = read_pairs(texts or DEFAULT_PAIRS)
    bins = bins_of(engine)
    yield Heading(title_of(engine), 1)
    yield Paragraph(span_of(engine, bins))
    yield from missing_notes(engine)
    yield Sparks(tuple(_spark(series_of(engine, pair, bins)) for pair in pairs))
    if not texts:
        yield from probe_blocks(engine)
        yield from together_blocks(engine)
        yield from cost_blocks(engine)
        yield from _forms(engine, bins)
        yield from table_blocks(engine, bins)
    yield from resolution_notes(engine)


def title_of(engine: Engine) -> str:
    """Returns the title of the page."""
    manifest = engine.manifest
    main = (manifest.main.class_name or "a VM").replace("/", ".")
    return f"Watch of {main}, Java {manifest.jvm.get('version', '?')}"


def span_of(engine: Engine, bins: Bins) -> str:
    """Returns when the watch was, and how its time is divided."""
    seconds = round(bins.span_ns / NS_PER_S, 1)
    width = shown(bins.width_ns / NS_PER_S)
    return f"{shown(seconds)} s from {engine.manifest.started}, in {bins.n} bins of {width} s"


def _spark(series: Series) -> tuple[str, tuple[float | None, ...] | str, str]:
    if series.reason is not None:
        return series.pair.text, series.reason, ""
    most = max(filter(None, series.values), default=1.0)
    heights = tuple(None if value is None else value / most for value in series.values)
    return series.pair.text, heights, amount_and_rate(series)


def amount_and_rate(series: Series) -> str:
    """Returns the total of a pair, and how much that is a second of the time that it is about.

    >>> from jvmscope.reports.watched import Series, parse_pair
    >>> used = Series(parse_pair("cpu_time"), "ns", (2.5e9, None), span_ns=10_000_000_000)
    >>> amount_and_rate(used)
    '2.5 s, 25.0 % of the time'
    >>> amount_and_rate(Series(used.pair, "collection", (30.0,), span_ns=used.span_ns))
    '30 collections, 3 a second'
    """
    total, seconds = series.total, series.span_ns / NS_PER_S
    if series.unit == "ns":
        return f"{shown_time(total)}, {100 * total / NS_PER_S / seconds:.1f} % of the time"
    return f"{counted(round(total), series.unit)}, {shown(round(total / seconds, 1))} a second"


def _forms(engine: Engine, bins: Bins) -> Iterator[Block]:
    """Yields the shares of the forms in which methods ran that were met by samples, over time."""
    series = forms_of(engine, bins)
    n_rows = min(_MOST_ROWS, bins.n)
    edges = [bins.n * row // n_rows for row in range(n_rows + 1)]
    rows = []
    for low, high in pairwise(edges):
        sums = [sum(values[low:high]) for values in series]
        name = f"from {shown(round(low * bins.width_ns / NS_PER_S, 3))} s"
        total = sum(sums)
        shares = tuple(value / total for value in sums) if total else "no samples"
        rows.append((name, shares))
    yield Heading("Forms in which the running methods were executed")
    yield Bars(FORMS, tuple(rows))


_LAPSES = "SELECT COUNT(*), SUM(end_ns - start_ns) FROM lapse"
_DROPPED = """
    SELECT COALESCE(SUM(lost_bytes), 0) FROM (
        SELECT lost_bytes FROM data_loss UNION ALL SELECT total_lost_bytes FROM data_loss_bin)
"""


def missing_notes(engine: Engine) -> Iterator[Note]:
    """Yields a note for each limit of the run, also where a run that grows does not name it yet."""
    for limit in engine.manifest.limits:
        yield Note(limit)
    told = set(engine.manifest.limit_codes)
    n_spans, nanoseconds = first_row(engine.connect(), _LAPSES) or (0, 0)
    if n_spans and not told & {"lapse", "killed"}:
        yield Note(Limit.of_lapses(n_spans, int(nanoseconds)).text)
    (n_dropped,) = first_row(engine.connect(), _DROPPED) or (0,)
    if n_dropped and "dropped" not in told:
        yield Note(Limit.of_dropped(int(n_dropped)).text)


_RESOLUTIONS = """
    SELECT table_name, n_binned, n_binned + n_events, bin_ns FROM resolution
    WHERE n_binned > 0 ORDER BY table_name
"""


def resolution_notes(engine: Engine) -> Iterator[Note]:
    """Yields a note for each table whose older rows were folded into time bins."""
    for name, n_binned, n, width in engine.connect().execute(_RESOLUTIONS).fetchall():
        seconds = shown(width / NS_PER_S)
        yield Note(
            f"{shown(n_binned)} of {shown(n)} rows of {name} are sums in bins of {seconds} s"
        )
