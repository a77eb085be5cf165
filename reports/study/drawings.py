"""The paper's figures 5 to 12 with the values of a study, and captions that say what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.study.figures import Axis, Figure, Points, Scatter, histogram

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmscope.reports.study.accuracy import Accuracy
    from jvmscope.reports.study.course import Course, Samples
    from jvmscope.reports.study.figures import Chart
    from jvmscope.reports.study.quiet import QuietTimes
    from jvmscope.reports.study.ratios import Ratios
    from jvmscope.reports.study.utilization import Utilization

__all__ = [
    "accuracy_ratios",
    "course",
    "differences",
    "during",
    "launches",
    "quiet",
    "utilization",
]

_MIDDLE = "the middle 90 %"
_LEAST_ZOOMED = 20
"""Values, at least, of which the middle is shown apart."""

_TRIMMED = "average, without the smallest and largest 2.5 %,"
_SIGNIFICANT = (
    "Significant differences (t-test of these averages, unequal variances, 0.05) are a series of "
    "their own; by chance alone, 5 % of methods would have one."
)


def differences(accuracy: Accuracy, reason: str | None) -> Figure:
    """Returns figure 5."""
    values = [each.difference_ns for each in accuracy.methods]
    return Figure(
        5,
        "Difference between dynamic and static samples",
        "(1) Pair static and dynamic samples of the same invocation, (2) dynamic minus static "
        "duration, (3) average by method, (4) distribution of the averages. Closer to zero is "
        "more accurate.",
        _histograms("methods", Axis("average difference", "ns", is_log=True), [("", values)]),
        reason,
    )


def accuracy_ratios(accuracy: Accuracy, reason: str | None) -> Figure:
    """Returns figure 6."""
    points = [
        (each.static_ns, each.ratio)
        for each in accuracy.methods
        if each.ratio is not None and each.static_ns > 0
    ]
    charts: tuple[Chart, ...] = ()
    if points:
        charts = (
            Scatter(
                "a point for each method",
                Axis("average static duration", "ns", is_log=True),
                Axis("dynamic by static", "1", is_log=True),
                (Points("methods", tuple(points)),),
            ),
        )
    return Figure(
        6,
        "Ratio of dynamic to static samples, by the duration of the method",
        "(1) Pair static and dynamic samples of the same invocation, (2) dynamic by static "
        "duration, (3) geometric mean by method, (4) average static duration by method, over the "
        "same pairs, (5) the means of ratios by the averages. Closer to one is more accurate.",
        charts,
        reason or (None if charts else "all static samples are zero"),
    )


def during(ratios: Ratios) -> Figure:
    """Returns figure 7."""
    return Figure(
        7,
        "Ratio of static samples during and after dynamic measurement",
        f"(1) The observed method's {_TRIMMED} of static samples in step S6, (2) the same in step "
        "S8 of the same cycle, (3) the first by the second, (4) distribution over cycles. Smaller "
        f"than one is faster with the dynamic probe. {_SIGNIFICANT}",
        _ratio_charts("cycles", ratios),
        None if ratios.ratios else "no observed method has samples in both steps",
    )


def course(found: Course | None) -> Figure:
    """Returns figure 8."""
    if found is None:
        title = "One method during dynamic measurement"
        return Figure(8, title, "", (), "no observed method has samples in both steps")
    series = (
        Points("static", _positive(found.static)),
        Points("dynamic", _positive(found.dynamic)),
    )
    has_points = any(each.points for each in series)
    tiers = ((at, f"compiled, tier {tier}") for at, tier in found.compilations)
    chart = Scatter(
        found.method,
        Axis("time since the insertion began", "ns"),
        Axis("duration", "ns", is_log=True),
        series,
        ((0.0, "insertion"), (float(found.removed_ns), "removal"), *tiers),
    )
    shown = ", ".join(
        f"{len(points)} of {n} {name} samples"
        for name, points, n in (
            ("static", found.static, found.n_static),
            ("dynamic", found.dynamic, found.n_dynamic),
        )
    )
    return Figure(
        8,
        f"{found.method} during dynamic measurement",
        f"Durations of invocations by when they began, in cycle {found.cycle_id}: {shown}. Static "
        "samples are those of the steps S6 and S8. Lines are the beginnings of insertion and "
        "removal, and the ends of compilations of the method.",
        (chart,) if has_points else (),
        None if has_points else "the cycle has no samples of any duration",
    )


def launches(ratios: Ratios, reason: str | None, *, is_control: bool) -> Figure:
    """Returns figure 9, or for launches without dynamic measurement figure 10."""
    kind = "without dynamic measurement" if is_control else "with dynamic measurement between"
    return Figure(
        10 if is_control else 9,
        f"Ratio of static samples at the beginning and end of a launch, {kind}",
        f"(1) The {_TRIMMED} of static samples by method in step S3, (2) the same in step S10 of "
        "the same launch, (3) the first by the second, (4) distribution over methods and launches "
        f"{'without dynamic measurement' if is_control else 'with it'}. Smaller than one is faster "
        f"at the beginning. {_SIGNIFICANT}",
        _ratio_charts("methods", ratios),
        reason,
    )


def quiet(times: Mapping[str, QuietTimes]) -> Figure:
    """Returns figure 11."""
    axis = Axis("time until the compiler is quiet", "ns")
    every = [float(value) for found in times.values() for value in found.values_ns]
    charts = [
        histogram(f"{change}s", axis, [("", list(map(float, found.values_ns)))], among=every)
        for change, found in times.items()
        if found.values_ns
    ]
    late = ", ".join(
        f"{found.n_timed_out} of {len(found.values_ns) + found.n_timed_out} {change}s"
        for change, found in times.items()
    )
    return Figure(
        11,
        "Time from a change of code to the end of the compilations that follow",
        "From the beginning of an insertion or removal to the end of the last compilation, of any "
        f"method, before the quiet span. Not shown are those that timed out: {late}.",
        tuple(charts),
        None if charts else "after no change was the compiler quiet before the time-out",
    )


def utilization(found: Utilization) -> Figure:
    """Returns figure 12."""
    axis = Axis("utilisation of all processors", "1")
    series = [("with, S6", found.during), ("without, S8", found.after)]
    every = [value for _, values in series for value in values]
    charts = tuple(
        histogram(f"cycles {name}", axis, [("", values)], among=every)
        for name, values in series
        if every
    )
    return Figure(
        12,
        "Utilisation of the processors with and without dynamic measurement",
        "The share of all processors that the VM used in step S6 and in step S8 of each cycle.",
        charts,
        None if charts else "in no cycle could the utilisation of both steps be read",
    )


def _ratio_charts(what: str, ratios: Ratios) -> tuple[Chart, ...]:
    significant = [each for each in ratios.ratios if each.means_ns.is_significant]
    others = [each for each in ratios.ratios if not each.means_ns.is_significant]
    series = [
        (name, [each.means_ns.ratio for each in found if each.means_ns.ratio is not None])
        for name, found in (("significant", significant), ("not significant", others))
    ]
    return _histograms(what, Axis("ratio", "1", is_log=True), series)


def _histograms(
    what: str, axis: Axis, series: Sequence[tuple[str, Sequence[float]]]
) -> tuple[Chart, ...]:
    """Returns a histogram of all values and one of the middle ones; nothing of no values."""
    n = sum(len(values) for _, values in series)
    if not n:
        return ()
    whole = histogram(f"all {what}", axis, series)
    if n < _LEAST_ZOOMED:
        return (whole,)
    return whole, histogram(f"{_MIDDLE} of the {what}", axis, series, is_zoom=True)


def _positive(samples: Samples) -> tuple[tuple[float, float], ...]:
    """Returns the points of samples that a logarithmic axis can show."""
    return tuple((float(at), float(duration)) for at, duration in samples if duration > 0)
