"""What recording costs: each workload bare and recorded, in turn, in two forms.

The *whole process* form runs one iteration, as a user would start the program; the *steady* form
repeats the iteration in one VM and takes the median of the last half. Both are taken twice: by the
clock, and by processor time (of the process with its compiler and collector threads; of the thread
that iterates), which other programs on the machine stretch less.
"""

from __future__ import annotations

import dataclasses
import json
import math
import statistics
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks import measure, recording
from benchmarks.measure import Sample
from benchmarks.recording import Recording
from jvmscope.schema.options import probes_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from benchmarks.catalogue import Workload

__all__ = [
    "OBJECT_PROBES",
    "Cost",
    "Plan",
    "geometric_mean",
    "measure_cost",
    "read_json",
    "table",
    "table_of_variants",
    "write_json",
]

OBJECT_PROBES = (*probes_named("objects"), "lifetimes", "objects", "objects,lifetimes")
"""Each probe of objects alone, and all of them, as values of ``--probes``."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How to measure.

    Attributes:
        java_options: options that both the bare and the recorded program get.
        variants: further options of `jvmscope record`, by name; each is recorded in every turn.
    """

    java_home: Path
    size: str = "default"
    repetitions: int = 3
    forms: tuple[str, ...] = ("whole", "steady")
    record_options: tuple[str, ...] = ()
    java_options: tuple[str, ...] = ()
    timeout_seconds: float = 900
    variants: dict[str, tuple[str, ...]] = field(default_factory=lambda: {"": ()})


@dataclass(slots=True)
class Cost:
    """The samples of one workload in one form; `problems` holds what was wrong, in words.

    Costs that differ only in `variant` have the bare samples of the same turns.
    """

    workload: str
    form: str
    bare: list[Sample] = field(default_factory=list)
    recorded: list[Recording] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    variant: str = ""

    def bare_ms(self, measure: str = "wall") -> float:
        """Returns the bare median: of the steady state, or of whole processes."""
        return _median(_time(sample, self.form, measure) for sample in self.bare)

    def recorded_ms(self, measure: str = "wall") -> float:
        """Returns the recorded median of the same, ingest not included."""
        return _median(_time(one.program, self.form, measure) for one in self.recorded)

    def ratio(self, measure: str = "wall") -> float:
        """Returns how many times longer the recorded program takes, or how much more processor."""
        return self.recorded_ms(measure) / self.bare_ms(measure)

    def total_ratio(self) -> float:
        """Returns how many times longer than the bare process all of `record` takes."""
        bare = _median(sample.wall_ms for sample in self.bare)
        return _median(one.total_ms for one in self.recorded) / bare


def measure_cost(
    workload: Workload, plan: Plan, *, expected: str | None, say: Callable[[str], None]
) -> list[Cost]:
    """Returns the cost of each form and variant; bare and recorded processes alternate.

    A recording that fails is said and left out; a form without any is left out as well.
    """
    found = []
    for form in plan.forms:
        costs = [Cost(workload.name, form, variant=name) for name in plan.variants]
        iterations = workload.iterations if form == "steady" else 1
        command = workload.command(size=plan.size, iterations=iterations)
        command = [*plan.java_options, *command]
        for _ in range(plan.repetitions):
            bare = measure.run(
                [str(plan.java_home / "bin/java"), *command], timeout_seconds=plan.timeout_seconds
            )
            for cost in costs:
                try:
                    one = _record(cost, command, plan)
                except recording.RecordingFailed as failure:
                    say(f"{workload.name} {form} {cost.variant}: {failure}")
                    continue
                cost.bare.append(bare)
                cost.recorded.append(one)
                _check(cost, bare, one, expected)
        for cost in costs:
            if cost.recorded:
                say(_line(cost))
                found.append(cost)
    return found


def _record(cost: Cost, command: list[str], plan: Plan) -> Recording:
    return recording.record(
        command,
        java_home=plan.java_home,
        options=[*plan.record_options, *plan.variants[cost.variant]],
        timeout_seconds=plan.timeout_seconds,
    )


def _check(cost: Cost, bare: Sample, one: Recording, expected: str | None) -> None:
    if expected and bare.stdout_sha256 != expected:
        cost.problems.append("the bare program printed something else than expected")
    if one.program.stdout_sha256 != bare.stdout_sha256:
        cost.problems.append("the recorded program printed something else than the bare one")
    if one.program.status != bare.status:
        cost.problems.append(f"status {one.program.status} instead of {bare.status}")
    cost.problems += one.limits


def _time(sample: Sample, form: str, measure: str) -> float:
    if form == "whole":
        return sample.wall_ms if measure == "wall" else sample.cpu_ms
    steady = sample.steady_ms if measure == "wall" else sample.steady_cpu_ms
    return math.nan if steady is None else steady


def _median(values: Iterable[float]) -> float:
    return statistics.median(values)


def geometric_mean(values: Iterable[float]) -> float:
    """Returns the geometric mean; nan if there is no value.

    >>> geometric_mean([2.0, 8.0])
    4.0
    """
    logs = [math.log(value) for value in values]
    return math.exp(statistics.fmean(logs)) if logs else math.nan


def _line(cost: Cost) -> str:
    one = cost.recorded[-1]
    words = [
        f"{cost.workload:9} {cost.form:6} {cost.variant} bare {cost.bare_ms():8.0f} ms",
        f"recorded {cost.recorded_ms():9.0f} ms {cost.ratio():6.2f}x",
        f"processor {cost.ratio('cpu'):5.2f}x",
        f"with ingest {cost.total_ratio():6.2f}x",
        f"{one.n_nodes:11,} nodes {one.arena_bytes / max(1, one.n_nodes):4.0f} B",
        f"{one.program.peak_rss_bytes / 2**20:6.0f} MiB",
        *sorted(set(cost.problems)),
    ]
    return "  ".join(words)


_COLUMNS = (
    *("workload", "steady bare, ms", "recorded, ms", "ratio", "processor"),
    *("whole bare, s", "recorded, s", "ratio", "processor", "with ingest"),
    *("nodes", "bytes/node", "peak memory, MiB"),
)


def table(costs: list[Cost]) -> str:
    """Returns the costs as a Markdown table, a row a workload, geometric means last."""
    by_form = {(cost.workload, cost.form): cost for cost in costs}
    names = list(dict.fromkeys(cost.workload for cost in costs))
    rows = [
        [name, *_times(by_form.get((name, "steady"))), *_whole(by_form.get((name, "whole")))]
        for name in names
    ]
    steady = [c for c in costs if c.form == "steady"]
    whole = [c for c in costs if c.form == "whole"]
    means = [
        *("", "", _mean(c.ratio() for c in steady), _mean(c.ratio("cpu") for c in steady)),
        *("", "", _mean(c.ratio() for c in whole), _mean(c.ratio("cpu") for c in whole)),
        *(_mean(c.total_ratio() for c in whole), "", "", ""),
    ]
    lines = [_COLUMNS, ["---", *["--:"] * (len(_COLUMNS) - 1)], *rows]
    lines.append(["**geometric mean**", *means])
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def table_of_variants(costs: list[Cost], form: str) -> str:
    """Returns ratios of processor time as a Markdown table, a column a variant.

    The last rows are geometric means: of these, of the wall clock, and of all of `record`.
    """
    ratios = {(c.workload, c.variant): c.ratio("cpu") for c in costs if c.form == form}
    names = list(dict.fromkeys(name for name, _ in ratios))
    variants = list(dict.fromkeys(variant for _, variant in ratios))
    lines = [[form, *variants], ["---", *["--:"] * len(variants)]]
    for name in names:
        cells = [ratios.get((name, variant)) for variant in variants]
        lines.append([name, *("" if cell is None else f"{cell:.2f}" for cell in cells)])
    means: tuple[tuple[str, Callable[[Cost], float]], ...] = (
        ("geometric mean", lambda cost: cost.ratio("cpu")),
        ("wall clock", Cost.ratio),
        ("with ingest", Cost.total_ratio),
    )
    for title, value in means:
        of_variants = [
            _mean(value(c) for c in costs if (c.form, c.variant) == (form, variant))
            for variant in variants
        ]
        lines.append([f"**{title}**", *of_variants])
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _mean(values: Iterable[float]) -> str:
    mean = geometric_mean(values)
    return "" if math.isnan(mean) else f"**{mean:.2f}**"


def _times(cost: Cost | None) -> list[str]:
    if not cost:
        return [""] * 4
    unit, digits = (1, 1) if cost.form == "steady" else (1000, 2)
    return [
        f"{cost.bare_ms() / unit:.{digits}f}",
        f"{cost.recorded_ms() / unit:.{digits}f}",
        f"{cost.ratio():.2f}",
        f"{cost.ratio('cpu'):.2f}",
    ]


def _whole(cost: Cost | None) -> list[str]:
    if not cost:
        return [""] * 8
    last = cost.recorded[-1]
    before = _median(sample.peak_rss_bytes for sample in cost.bare) / 2**20
    after = _median(one.program.peak_rss_bytes for one in cost.recorded) / 2**20
    return [
        *_times(cost),
        f"{cost.total_ratio():.2f}",
        f"{last.n_nodes:,}",
        f"{last.arena_bytes / max(1, last.n_nodes):.0f}",
        f"{before:.0f} → {after:.0f}",
    ]


def refuse_problems(costs: list[Cost]) -> None:
    """Ends the program if a recording was not whole, or a program did something else than bare.

    What such a recording costs is no cost of a recording, so no table of it is published.
    """
    problems = [
        f"{cost.workload} {cost.form} {cost.variant}: {problem}"
        for cost in costs
        for problem in cost.problems
    ]
    if problems:
        raise SystemExit("\n".join(["nothing is published:", *problems]))


def write_json(path: Path, costs: list[Cost], plan: Plan, about: dict[str, Any]) -> None:
    """Writes every sample as JSON, with the plan and what `about` says of the machine."""
    content: dict[str, Any] = {
        "schema": 1,
        **about,
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "plan": {key: str(value) for key, value in dataclasses.asdict(plan).items()},
        "costs": [dataclasses.asdict(cost) for cost in costs],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")


def read_json(path: Path) -> tuple[list[Cost], dict[str, Any]]:
    """Returns the costs that `write_json` wrote, and all of the content."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    costs = [
        Cost(
            workload=one["workload"],
            form=one["form"],
            bare=[Sample(**sample) for sample in one["bare"]],
            recorded=[
                Recording(**(facts | {"program": Sample(**facts["program"])}))
                for facts in one["recorded"]
            ],
            problems=one["problems"],
            variant=one.get("variant", ""),
        )
        for one in content["costs"]
    ]
    return costs, content
