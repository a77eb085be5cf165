"""Reports on watch runs: metric-focus pairs as values over time."""

from jvmscope.reports.watched.charges import has_block
from jvmscope.reports.watched.constraints import Focus
from jvmscope.reports.watched.histogram import Bins, Series, bins_of, series_of
from jvmscope.reports.watched.metric_functions import METRIC_FUNCTIONS, MetricFunction
from jvmscope.reports.watched.page import DEFAULT_PAIRS, watch_page
from jvmscope.reports.watched.pairs import Pair, parse_pair, read_pairs

__all__ = [
    "DEFAULT_PAIRS",
    "METRIC_FUNCTIONS",
    "Bins",
    "Focus",
    "MetricFunction",
    "Pair",
    "Series",
    "bins_of",
    "has_block",
    "parse_pair",
    "read_pairs",
    "series_of",
    "watch_page",
]
