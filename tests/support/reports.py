"""Made reports of any number of subjects: plausible values, the same for a seed."""

from __future__ import annotations

import random
import statistics
from typing import TYPE_CHECKING

import numpy as np
from scipy.cluster.hierarchy import fcluster, leaves_list, linkage

from jvmscope.metrics import catalogue
from jvmscope.reports.model import (
    Cell,
    Cluster,
    Clusters,
    Component,
    Components,
    Curve,
    Curves,
    Details,
    Fact,
    Listing,
    ListingColumn,
    Loading,
    Measure,
    Merge,
    MetricTable,
    Report,
    Stack,
    Subject,
    Subset,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmscope.queries import QueryFile

__all__ = ["made_report"]

_LANGUAGES = ("clojure", "groovy", "java", "javascript", "jruby", "jython", "kotlin", "scala")
_ALGORITHMS = ("binary-trees", "deltablue", "fannkuch", "json", "k-nucleotide", "mandelbrot")
_STACKS = {
    "polymorphism.targets.calls": ("Dispatched calls by targets of their site", "1 2 3-4 5-8 >8"),
    "arguments.calls": ("Calls by number of parameters", "0 1 2 3 4 >4"),
    "instructions.mix.groups": (
        "Bytecodes by kind",
        "constants loads stores stack arithmetic conversions comparisons control references",
    ),
}
_OPCODES = ("aload", "iload", "getfield", "invokevirtual", "iadd", "if_icmplt", "dmul", "checkcast")


def made_report(
    n_subjects: int,
    runs: Sequence[Path],
    *,
    names: Sequence[str] = (),
    title: str = "languages",
    seed: int = 1,
) -> Report:
    """Returns a report; of every 17 subjects one failed, and one in 23 values is absent.

    Args:
        n_subjects: how many.
        runs: the runs of the first subjects; the others show values only.
        names: names of the first subjects.
        title: the report's.
        seed: decides the values.
    """
    chance = random.Random(seed)  # noqa: S311 - values of a fixture
    subjects = tuple(_subject(index, names, runs, chance) for index in range(n_subjects))
    is_measured = [subject.is_measured for subject in subjects]
    metrics = tuple(_metric(query, is_measured, chance) for query in catalogue().values())
    return Report(
        title=title,
        version="0.1.0",
        scope="run",
        subjects=subjects,
        metrics=metrics,
        curves=(_curves("methods", is_measured, chance), _curves("blocks", is_measured, chance)),
        stacks=tuple(_stack(stack, is_measured, chance) for stack in _STACKS),
        components=_components(is_measured, chance),
        clusters=_clusters(is_measured, chance),
        details=tuple(_details(i) for i in range(min(n_subjects, 60)) if is_measured[i]),
        notes=("One benchmark printed something else than was expected.",),
    )


def _subject(
    index: int, names: Sequence[str], runs: Sequence[Path], chance: random.Random
) -> Subject:
    default = f"{_LANGUAGES[index % 8]}-{_ALGORITHMS[index // 8 % 6]}"
    name = names[index] if index < len(names) else default + (f"-{index}" if index >= 48 else "")
    if index % 17 == 11:
        reason = "exit status 1: Exception in thread main"
        return Subject(
            name, name, suite="languages", status="failed", reason=reason, is_measured=False
        )
    return Subject(
        name,
        name,
        (("size", "small"),),
        suite="languages",
        run=runs[index] if index < len(runs) else None,
        command=f"java -cp suite.jar {name}",
        jvm_version="17.0.15",
        facts=(
            Fact("threads", chance.randint(1, 12), "thread", "sum"),
            Fact("contexts", int(chance.lognormvariate(11, 1.4)), "context", "sum"),
            Fact("bytecodes", int(chance.lognormvariate(17, 2)), "bytecode", "sum"),
            Fact("classes", int(chance.lognormvariate(7, 0.5)), "class"),
        ),
    )


def _metric(query: QueryFile, is_measured: Sequence[bool], chance: random.Random) -> MetricTable:
    keys = [""] if query.grain == "run" else list(_OPCODES) if query.grain == "opcode" else []
    columns = [column for column in query.columns if column.unit]
    measures = [
        _measure(
            f"{query.id}.{column.name}", column.name, key, column.unit, is_measured, chance=chance
        )
        for column in columns
        for key in keys
    ]
    return MetricTable(
        query.id or "",
        query.name,
        query.description,
        query.grain or "run",
        "lower" if "boxing" in (query.id or "") else "none",
        query.version or 1,
        query.source or "",
        f"metrics/{(query.id or '').replace('.', '/', 1)}.sql",
        tuple(query.tags),
        tuple(measures),
        None if measures else f"one row per {query.grain}: too many for a table",
    )


def _measure(
    id_: str,
    name: str,
    key: str,
    unit: str | None,
    is_measured: Sequence[bool],
    *,
    chance: random.Random,
) -> Measure:
    scale = 1 if unit == "1" else 10 ** chance.randint(1, 7)
    values: list[float | None] = []
    for measured in is_measured:
        drawn = chance.random() * scale
        values.append((drawn if unit == "1" else int(drawn)) if measured else None)
        if chance.random() < 1 / 23:
            values[-1] = None
    found = sorted((value for value in values if value is not None), reverse=True)
    cells = tuple(
        Cell(value, None, found.index(value) + 1)
        if value is not None
        else Cell(None, "the probe 'receivers' was not recorded" if measured else "failed")
        for value, measured in zip(values, is_measured, strict=True)
    )
    return Measure(
        f"{id_}[{key}]" if key else id_,
        name,
        key,
        f"what the column {name} holds",
        unit or "1",
        cells,
        len(found),
        found[-1] if found else None,
        statistics.median(found) if found else None,
        found[0] if found else None,
        is_share=unit == "1",
    )


def _curves(part: str, is_measured: Sequence[bool], chance: random.Random) -> Curves:
    def points() -> tuple[tuple[float, float], ...]:
        bend = chance.uniform(3, 60)
        return tuple((x / 100, 1 - (1 - x / 100) ** bend) for x in range(101))

    return Curves(
        f"hotness.{part}_curve.bytecodes_share",
        f"Bytecodes on the hottest {part}",
        f"Share of the bytecodes that the hottest {part} execute",
        f"share of executed {part}",
        "share of bytecodes",
        tuple(Curve(points()) if measured else Curve(None, "failed") for measured in is_measured),
        f"hotness.{part}",
    )


def _stack(id_: str, is_measured: Sequence[bool], chance: random.Random) -> Stack:
    name, labels = _STACKS[id_]
    keys = labels.split()
    shares = []
    for _ in is_measured:
        parts = [chance.gammavariate(2 / (1 + i / 3), 1) for i in range(len(keys))]
        shares.append([part / sum(parts) for part in parts])
    segments = []
    for i, key in enumerate(keys):
        cells = tuple(
            Cell(share[i], None, 1) if measured else Cell(None, "failed")
            for share, measured in zip(shares, is_measured, strict=True)
        )
        segments.append(Measure(f"{id_}[{key}]", id_, key, key, "1", cells, 1, 0.0, 0.1, 1.0))
    totals = tuple(1e6 if measured else None for measured in is_measured)
    return Stack(id_, name, f"{name}, as shares", tuple(segments), totals, "call")


def _components(is_measured: Sequence[bool], chance: random.Random) -> Components:
    shares = (0.41, 0.22, 0.11)
    return Components(
        "instructions.mix.share",
        tuple(
            Component(i + 1, 10 * share, share, sum(shares[: i + 1]))
            for i, share in enumerate(shares)
        ),
        tuple(
            Loading(
                f"instructions.mix.share[{opcode}]", tuple(chance.gauss(0, 0.5) for _ in shares)
            )
            for opcode in (*_OPCODES, "dup", "pop", "new", "areturn", "lcmp", "goto", "tableswitch")
        ),
        tuple(
            tuple(chance.gauss(0, 4 * share) + i % 8 for share in shares) if measured else None
            for i, measured in enumerate(is_measured)
        ),
        (("instructions.mix.share[wide]", "the same in all"),),
    )


def _clusters(is_measured: Sequence[bool], chance: random.Random) -> Clusters:
    leaves = [index for index, measured in enumerate(is_measured) if measured]
    if len(leaves) < 3:
        return Clusters("Euclidean distance", reason="fewer than three benchmarks have values")
    places = np.array([[chance.gauss(leaf % 8, 0.7), chance.gauss(0, 1)] for leaf in leaves])
    tree = linkage(places, "average", optimal_ordering=len(leaves) < 200)
    within = float(np.quantile(tree[:, 2], 0.8))
    groups: dict[int, list[int]] = {}
    for leaf, group in zip(leaves, fcluster(tree, within, "distance"), strict=True):
        groups.setdefault(int(group), []).append(leaf)
    medoids = {member: group[0] for group in groups.values() for member in group}
    return Clusters(
        "Euclidean distance of standardised components, average linkage.",
        tuple(leaves),
        tuple(int(leaf) for leaf in leaves_list(tree)),
        tuple(Merge(int(a), int(b), float(d), int(n)) for a, b, d, n in tree),
        within,
        tuple(Cluster(tuple(group), group[0]) for group in groups.values()),
        Subset(
            tuple(sorted(set(medoids.values()))),
            tuple(medoids.get(index) for index in range(len(is_measured))),
            tuple(0.5 if measured else None for measured in is_measured),
            max(1, len(groups) - 1),
        ),
    )


def _details(subject: int) -> Details:
    rows = tuple(
        (
            f"app.pkg.Class{i}.method{i}(int)",
            f"Class{i}.java:{10 * i}" if i % 5 else None,
            1000 // (i + 1),
            900_000 // (i + 1),
            0.4 / (i + 1),
        )
        for i in range(20)
    )
    columns = (
        ListingColumn("method", holds="method"),
        ListingColumn("source", holds="source"),
        ListingColumn("calls", "call"),
        ListingColumn("bytecodes", "bytecode"),
        ListingColumn("share", "1", "of all bytecodes"),
    )
    return Details(subject, (Listing("Hottest methods", "by bytecodes", columns, rows, 1234),))
