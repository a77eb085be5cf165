"""What the paper measured: SPECjbb2015 on OpenJDK 1.7.0, section 4.4, times in ns.

Horký, Kotrč, Libič, Tůma: Analysis of Overhead in Dynamic Java Performance Monitoring, ICPE 2016.
"""

from __future__ import annotations

__all__ = ["NOTES", "PUBLISHED"]

PUBLISHED = {
    "accuracy.difference.minimum": 76.0,
    "accuracy.difference.median": 1.34e3,
    "accuracy.difference.maximum": 166.09e6,
    "stability.interquartile_range": 3.33e3,
    "during.ratio.lower_quartile": 0.84,
    "during.ratio.median": 1.014,
    "during.ratio.upper_quartile": 1.23,
    "during.slower_share": 0.132,
    "during.faster_share": 0.180,
    "launch.ratio.lower_quartile": 0.87,
    "launch.ratio.median": 0.994,
    "launch.ratio.upper_quartile": 1.12,
    "launch.slower_share": 0.089,
    "launch.faster_share": 0.150,
    "control.ratio.lower_quartile": 0.76,
    "control.ratio.median": 1.003,
    "control.ratio.upper_quartile": 1.16,
    "control.slower_share": 0.123,
    "control.faster_share": 0.162,
    "insertion.median": 6.4e9,
    "removal.median": 3.7e9,
    "utilization.during": 0.7217,
    "utilization.after": 0.7303,
    "utilization.difference": -0.0086,
    "methods.static": 5628.0,
    "methods.eligible": 1286.0,
}
"""By the name of the statistic, the published number."""

NOTES = {
    "accuracy.ratio.from_10_us": "declines sharply below 10 to 20 µs",
    "accuracy.ratio.below_10_us": "declines sharply below 10 to 20 µs",
    "stability.range_by_median": "more than 2",
    "stability.anova_short.p": "close to 1",
    "insertion.timed_out_share": "1 to 2 % of both kinds of change, after 60 s",
    "removal.timed_out_share": "1 to 2 % of both kinds of change, after 60 s",
    "utilization.p": "below 0.05",
}
"""By the name of the statistic, what the paper says where it has no number."""
