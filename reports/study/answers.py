"""The questions Q1 to Q6 of the paper and their answers, as named numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.reports.study.published import NOTES, PUBLISHED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.reports.study.accuracy import PairCounts
    from jvmscope.reports.study.distributions import Distribution
    from jvmscope.reports.study.quiet import QuietTimes
    from jvmscope.reports.study.ratios import Ratios
    from jvmscope.reports.study.significance import Anova
    from jvmscope.reports.study.utilization import Utilization

__all__ = [
    "Answer",
    "anova_answers",
    "answer",
    "distribution_answers",
    "pair_answers",
    "quiet_answers",
    "ratio_answers",
    "utilization_answers",
]


@dataclass(frozen=True, slots=True)
class Answer:
    """A number that answers a question, or a part of it.

    Attributes:
        name: ``during.ratio.median``; the part before the first dot says what it is about.
        meaning: what it is, in a line.
        unit: ``ns``, or ``1`` for pure numbers, counts and shares.
        is_share: whether it is a part of a whole, from 0 to 1.
        value: the value; None: see the reason.
        reason: why there is no value.
        paper: the published value; None: there is none.
        note: what the paper says instead of a value.
    """

    name: str
    meaning: str
    unit: str
    is_share: bool
    value: float | None
    reason: str | None
    paper: float | None
    note: str | None


def answer(
    name: str,
    meaning: str,
    value: float | None,
    *,
    unit: str = "1",
    is_share: bool = False,
    reason: str | None = None,
) -> Answer:
    """Returns an answer with what the paper says; a reason counts only if there is no value."""
    return Answer(
        name=name,
        meaning=meaning,
        unit=unit,
        is_share=is_share,
        value=value,
        reason=None if value is not None else reason,
        paper=PUBLISHED.get(name),
        note=NOTES.get(name),
    )


def distribution_answers(
    name: str, what: str, found: Distribution, *, unit: str = "1", reason: str | None
) -> Iterator[Answer]:
    """Yields the five numbers of a distribution, smallest first."""
    parts = {
        "minimum": "smallest",
        "lower_quartile": "lower quartile of the",
        "median": "median",
        "upper_quartile": "upper quartile of the",
        "maximum": "largest",
    }
    for part, words in parts.items():
        value = getattr(found, part)
        yield answer(f"{name}.{part}", f"{words} {what}", value, unit=unit, reason=reason)


def pair_answers(counts: PairCounts) -> Iterator[Answer]:
    """Yields how samples became pairs, and what became of the others."""
    texts = {
        "n_pairs": "pairs of a static and a dynamic sample",
        "n_dynamic_outside": "pairs in which the dynamic sample contains the static one",
        "n_ambiguous_static": "static samples left out as ambiguous",
        "n_ambiguous_dynamic": "dynamic samples left out as ambiguous",
        "n_crossing": "static samples left out, since they overlap a dynamic one only partly",
        "n_unpaired_static": "static samples without a dynamic one",
        "n_unpaired_dynamic": "dynamic samples without a static one",
    }
    for part, meaning in texts.items():
        yield answer(f"accuracy.{part}", meaning, getattr(counts, part))


def anova_answers(name: str, about: str, found: Anova) -> Iterator[Answer]:
    """Yields the results of an analysis of variance of differences, with methods as groups."""
    yield answer(f"{name}.n_methods", f"analysis of variance, {about}: methods", found.n_groups)
    for part, text, value in (
        ("f", "F", found.f),
        ("p", "p", found.p),
        ("between_share", "share of the variance that is between methods", found.between_share),
    ):
        yield answer(
            f"{name}.{part}",
            f"analysis of variance, {about}: {text}",
            value,
            is_share=part == "between_share",
            reason=found.reason,
        )


def ratio_answers(
    name: str, ratios: Ratios, *, reason: str | None, of: str, slower: str, faster: str
) -> Iterator[Answer]:
    """Yields the distribution of ratios, and the shares of those that are significant.

    Args:
        name: first part of the names.
        ratios: the ratios.
        reason: why there are none.
        of: what the ratio is of.
        slower: what is significant if the ratio is above one; for launches, below one.
        faster: what is significant if the ratio is below one; for launches, above one.
    """
    yield answer(f"{name}.n_ratios", f"methods with a ratio of {of}", len(ratios.ratios))
    yield answer(
        f"{name}.n_without", "methods without: too few samples, or zero time", ratios.n_without
    )
    yield from distribution_answers(
        f"{name}.ratio", f"ratio of {of}", ratios.distribution, reason=reason
    )
    n = ratios.n_tested
    above = sum(ratio > 1 for ratio in ratios.significant)
    below = sum(ratio < 1 for ratio in ratios.significant)
    n_slower, n_faster = (above, below) if name == "during" else (below, above)
    for part, count, text in (("slower", n_slower, slower), ("faster", n_faster, faster)):
        yield answer(
            f"{name}.{part}_share",
            f"share of methods that are significantly {text}",
            count / n if n else None,
            is_share=True,
            reason=reason or ratios.untested_reason,
        )


def quiet_answers(change: str, times: QuietTimes) -> Iterator[Answer]:
    """Yields the distribution of the times after a kind of change, and how many timed out."""
    n = len(times.values_ns) + times.n_timed_out
    reason = "the compiler was not quiet before the time-out" if n else "there were no changes"
    what = f"time from {change} to the end of compilations"
    yield answer(f"{change}.n_changes", f"times of {change}", n)
    yield from distribution_answers(change, what, times.distribution, unit="ns", reason=reason)
    yield answer(
        f"{change}.timed_out_share",
        f"share of times of {change} after which the compiler was busy until the time-out",
        times.timed_out_share,
        is_share=True,
        reason=reason,
    )


def utilization_answers(found: Utilization) -> Iterator[Answer]:
    """Yields the mean utilisation with and without a dynamic probe, and their difference."""
    means = found.means
    n = len(found.during)
    why = "in no cycle could the utilisation of both steps be read"
    for part, text, values in (
        ("during", "with", found.during),
        ("after", "without", found.after),
    ):
        yield answer(
            f"utilization.{part}",
            f"mean utilisation of all processors {text} a dynamic probe",
            sum(values) / n if n else None,
            is_share=True,
            reason=why,
        )
    reason = means.reason if n else why
    for part, text, value in (
        (
            "difference",
            "mean difference in percentage points, with minus without",
            means.difference,
        ),
        ("low", "lower bound of its 95 % interval", means.low),
        ("high", "upper bound of its 95 % interval", means.high),
    ):
        yield answer(f"utilization.{part}", text, value, is_share=True, reason=reason)
    yield answer(
        "utilization.p", "p of the paired t-test of this difference", means.p, reason=reason
    )
    yield answer("utilization.n_cycles", "cycles in which both were read", n)
