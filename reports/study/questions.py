"""The report of a study: each question with its answers and figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.errors import RunError
from jvmscope.queries import first_row
from jvmscope.reports.study import drawings
from jvmscope.reports.study.accuracy import accuracy_of
from jvmscope.reports.study.answers import (
    anova_answers,
    answer,
    distribution_answers,
    pair_answers,
    quiet_answers,
    ratio_answers,
    utilization_answers,
)
from jvmscope.reports.study.course import course_of, cycle_of
from jvmscope.reports.study.distributions import distribution_of
from jvmscope.reports.study.observations import method_names
from jvmscope.reports.study.quiet import quiet_times
from jvmscope.reports.study.ratios import ratios_during, ratios_of_launches
from jvmscope.reports.study.significance import anova
from jvmscope.reports.study.utilization import utilization_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from duckdb import DuckDBPyConnection

    from jvmscope.queries import Result
    from jvmscope.reports.study.accuracy import Accuracy, MethodAccuracy
    from jvmscope.reports.study.answers import Answer
    from jvmscope.reports.study.figures import Figure
    from jvmscope.reports.study.ratios import Ratios

__all__ = ["Observed", "Question", "StudyReport", "study_report"]

_MOST_DIFFERENCE_NS = 10_000
"""Methods with a larger average difference are left out of the second analysis of variance."""

_CLASSES_NS = (
    ("below_10_us", "shorter than 10 µs", 0, 10_000),
    ("from_10_us", "of 10 to 20 µs", 10_000, 20_000),
    ("from_20_us", "of 20 µs and longer", 20_000, float("inf")),
)


@dataclass(frozen=True, slots=True)
class Question:
    """One question.

    Attributes:
        name: ``Q1``.
        text: the question.
        answers: its answers.
        figures: its figures.
    """

    name: str
    text: str
    answers: tuple[Answer, ...]
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Observed:
    """One cycle: what was found of its method.

    Attributes:
        cycle_id: the cycle.
        method: class and name.
        n_pairs: pairs of samples of the method, over all of its cycles.
        static_ns: its mean duration by the static probe, over the pairs; None: there are none.
        difference_ns: mean difference of dynamic and static sample; None: there are no pairs.
        accuracy_ratio: geometric mean of dynamic by static sample; None: there are none.
        during_ratio: average of step S6 by that of S8; None: too few samples.
        p: of its t-test; None: too few samples, or no SciPy.
        insertion_quiet_ns, removal_quiet_ns: times until the compiler is quiet; None: see reason.
        reason: why a time is missing.
    """

    cycle_id: int
    method: str
    n_pairs: int
    static_ns: float | None
    difference_ns: float | None
    accuracy_ratio: float | None
    during_ratio: float | None
    p: float | None
    insertion_quiet_ns: int | None
    removal_quiet_ns: int | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class StudyReport:
    """Everything that the report of a study shows.

    Attributes:
        title: what was studied.
        facts: names and values of what is known of the study: program, JDK, options.
        notes: what a reader has to know before all else.
        answers: the size of the study.
        questions: Q1 to Q6.
        observed: a row for each cycle.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    answers: tuple[Answer, ...]
    questions: tuple[Question, ...]
    observed: tuple[Observed, ...]

    def __repr__(self) -> str:
        """Returns what the report is about, in one line."""
        return f"<StudyReport of {self.title}: {len(self.observed)} cycles>"

    def rows(self) -> Result:
        """Returns a row for each number: its question, name, value or reason, and the paper's."""
        from jvmscope.reports.study.plain import to_table  # it imports this module

        return to_table(self)

    def _repr_markdown_(self) -> str:
        """Returns the page, for notebooks."""
        from jvmscope.reports.faces import to_markdown
        from jvmscope.reports.study.page import study_page  # it imports this module

        return to_markdown(study_page(self))


def study_report(
    connection: DuckDBPyConnection,
    *,
    title: str,
    facts: Sequence[tuple[str, str]] = (),
    notes: Sequence[str] = (),
    method: str | None = None,
) -> StudyReport:
    """Returns the report of a study.

    Args:
        connection: has the tables of the study.
        title: what was studied.
        facts: what is known of the study beside its tables.
        notes: what a reader has to know before all else.
        method: the method that figure 8 shows; None: the one of the cycle that is most usual.

    Raises:
        RunError: no cycle of the study is finished.
        QueryError: no such method was observed, or several were.
    """
    if not first_row(connection, "SELECT 1 FROM cycle LIMIT 1"):
        raise RunError(
            f"{title}: no method was observed to the end yet; continue the study, and ask again"
        )
    accuracy, during = accuracy_of(connection), ratios_during(connection)
    cycle = cycle_of(connection, during, method)
    course = None if cycle is None else course_of(connection, cycle)
    return StudyReport(
        title=title,
        facts=tuple(facts),
        notes=tuple(notes),
        answers=tuple(_sizes(connection)),
        questions=(
            _q1(accuracy),
            _q2(accuracy),
            Question(
                "Q3",
                "Does a method take longer while the dynamic probe is in it?",
                tuple(_during_answers(during)),
                (drawings.during(during), drawings.course(course)),
            ),
            _q4(connection),
            _q5(connection),
            _q6(connection),
        ),
        observed=tuple(_observed(connection, accuracy, during)),
    )


_SIZES = (
    ("methods.static", "methods with static probes", "FROM study_method"),
    ("methods.eligible", "of these, called often enough", "FROM study_method WHERE is_eligible"),
    ("launches.observed", "launches with dynamic measurement", "FROM restart WHERE NOT is_control"),
    ("launches.control", "launches without", "FROM restart WHERE is_control"),
    ("cycles", "cycles: methods observed, one after the other", "FROM cycle"),
)


def _sizes(connection: DuckDBPyConnection) -> Iterator[Answer]:
    for name, meaning, source in _SIZES:
        row = first_row(connection, f"SELECT COUNT(*) {source}")
        yield answer(name, meaning, row[0] if row else None)


def _q1(accuracy: Accuracy) -> Question:
    reason = None if accuracy.methods else "no static and dynamic sample are of one invocation"
    differences = distribution_of([each.difference_ns for each in accuracy.methods])
    answers = [
        *pair_answers(accuracy.counts),
        answer("accuracy.n_methods", "methods with pairs", len(accuracy.methods)),
        *distribution_answers(
            "accuracy.difference", "average difference", differences, unit="ns", reason=reason
        ),
        *(_by_duration(accuracy.methods, each) for each in _CLASSES_NS),
    ]
    text = "How far is the measured time from the actual one?"
    figures = (drawings.differences(accuracy, reason), drawings.accuracy_ratios(accuracy, reason))
    return Question("Q1", text, tuple(answers), figures)


def _by_duration(
    methods: Sequence[MethodAccuracy], limits: tuple[str, str, float, float]
) -> Answer:
    name, about, low, high = limits
    ratios = [
        each.ratio for each in methods if each.ratio is not None and low <= each.static_ns < high
    ]
    return answer(
        f"accuracy.ratio.{name}",
        f"median ratio of dynamic to static sample, methods {about} ({len(ratios)})",
        distribution_of(ratios).median,
        reason=f"no method {about} has a ratio",
    )


def _q2(accuracy: Accuracy) -> Question:
    methods = accuracy.methods
    found = distribution_of([each.difference_ns for each in methods])
    reason = None if methods else "no static and dynamic sample are of one invocation"
    spread, median = found.interquartile_range, found.median
    short = [each for each in methods if each.difference_ns <= _MOST_DIFFERENCE_NS]
    answers = (
        answer(
            "stability.interquartile_range",
            "upper minus lower quartile of the average differences",
            spread,
            unit="ns",
            reason=reason,
        ),
        answer(
            "stability.range_by_median",
            "this by the median of the average differences",
            spread / median if spread is not None and median else None,
            reason=reason or "the median is zero",
        ),
        *anova_answers(
            "stability.anova", "all methods", anova([each.differences_ns for each in methods])
        ),
        *anova_answers(
            "stability.anova_short",
            "those with an average difference of 10 µs at most",
            anova([each.differences_ns for each in short]),
        ),
    )
    text = "Is this difference stable? (figures 5 and 6, too)"
    return Question("Q2", text, answers, ())


def _during_answers(during: Ratios) -> Iterator[Answer]:
    return ratio_answers(
        "during",
        during,
        reason=None if during.ratios else "no observed method has samples in both steps",
        of="step S6 (with the dynamic probe) to S8 (after it)",
        slower="slower with the dynamic probe",
        faster="faster with the dynamic probe",
    )


def _q4(connection: DuckDBPyConnection) -> Question:
    answers: list[Answer] = []
    figures = []
    for name, is_control in (("launch", False), ("control", True)):
        ratios = ratios_of_launches(connection, is_control=is_control)
        reason = None if ratios.ratios else _without_launches(connection, is_control=is_control)
        without = " without dynamic measurement" if is_control else ""
        answers += ratio_answers(
            name,
            ratios,
            reason=reason,
            of=f"step S3 (begin) to S10 (end) of launches{without}",
            slower=f"slower at the end{without}",
            faster=f"faster at the end{without}",
        )
        figures.append(drawings.launches(ratios, reason, is_control=is_control))
    text = "Do methods take longer after dynamic measurement than before?"
    return Question("Q4", text, tuple(answers), tuple(figures))


def _without_launches(connection: DuckDBPyConnection, *, is_control: bool) -> str:
    row = first_row(
        connection,
        "SELECT COUNT(*) FROM restart WHERE is_control = $kind",
        {"kind": is_control},
    )
    (n,) = row or (0,)
    kind = "control launch" if is_control else "launch with dynamic measurement"
    if not n:
        return f"the study has no {kind}"
    return f"no method has samples in both step S3 and step S10 of a {kind}"


def _q5(connection: DuckDBPyConnection) -> Question:
    times = {change: quiet_times(connection, change) for change in ("insertion", "removal")}
    answers = [each for change, found in times.items() for each in quiet_answers(change, found)]
    text = "How long does the compiler work after a probe was put in or taken out?"
    return Question("Q5", text, tuple(answers), (drawings.quiet(times),))


def _q6(connection: DuckDBPyConnection) -> Question:
    found = utilization_of(connection)
    text = "How much more does the program use the processors with a dynamic probe?"
    return Question("Q6", text, tuple(utilization_answers(found)), (drawings.utilization(found),))


def _observed(
    connection: DuckDBPyConnection, accuracy: Accuracy, during: Ratios
) -> Iterator[Observed]:
    names = method_names(connection)
    paired = {each.method_id: each for each in accuracy.methods}
    ratios = {each.cycle_id: each.means_ns for each in during.ratios}
    rows = connection.execute(
        "SELECT cycle_id, method_id, insertion_quiet_ns, removal_quiet_ns, reason FROM cycle"
        " ORDER BY cycle_id"
    ).fetchall()
    for cycle, method, insertion, removal, reason in rows:
        pairs, means = paired.get(method), ratios.get(cycle)
        yield Observed(
            cycle_id=cycle,
            method=names[method],
            n_pairs=0 if pairs is None else len(pairs.differences_ns),
            static_ns=None if pairs is None else pairs.static_ns,
            difference_ns=None if pairs is None else pairs.difference_ns,
            accuracy_ratio=None if pairs is None else pairs.ratio,
            during_ratio=None if means is None else means.ratio,
            p=None if means is None else means.p,
            insertion_quiet_ns=insertion,
            removal_quiet_ns=removal,
            reason=reason,
        )
