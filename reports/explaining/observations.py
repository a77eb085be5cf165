"""What is read of runs to explain an outcome: rows of coded features, with numbers of objects."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jvmscope.queries import Engine, Question
from jvmscope.reports.explaining.coding import codings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from typing import TypeAlias

    from numpy.typing import NDArray

    from jvmscope.queries import Scope
    from jvmscope.reports.explaining.coding import Coding, Value
    from jvmscope.reports.explaining.outcomes import Outcome
    from jvmscope.reports.explaining.programs import Program

    Integers: TypeAlias = NDArray[np.int64]

__all__ = ["Observations", "Reading", "observe"]


@dataclass(frozen=True)
class Observations:
    """Rows with different features, each with its objects and those that have the outcome.

    Rows are ordered by program, then by their codes, so that the order of runs makes no difference.

    Attributes:
        programs: names, in their order.
        codings: how the columns of ``codes`` are coded.
        program: the program of each row, as an index.
        codes: of each row and coding.
        n_objects: of each row.
        n_with: those of them that have the outcome.
        n_unknown: objects that have no row, since whether they have the outcome is not known.
    """

    programs: tuple[str, ...]
    codings: tuple[Coding, ...]
    program: Integers
    codes: Integers
    n_objects: Integers
    n_with: Integers
    n_unknown: int

    def of(self, programs: Sequence[int]) -> Observations:
        """Returns the rows of some programs."""
        kept = np.isin(self.program, programs)
        return Observations(
            self.programs,
            self.codings,
            self.program[kept],
            self.codes[kept],
            self.n_objects[kept],
            self.n_with[kept],
            0,
        )


@dataclass(frozen=True)
class Reading:
    """How runs are read.

    Attributes:
        outcome: what is explained.
        params: of its table of features.
        scope: the part of each run.
        timeout: seconds for a query.
        on_progress: called with the percentage that is done.
    """

    outcome: Outcome
    params: Mapping[str, int]
    scope: Scope
    timeout: float | None = None
    on_progress: Callable[[float], None] = lambda _percent: None

    @property
    def table(self) -> str:
        """The SQL of the table of features."""
        return self.outcome.call(self.params)

    def question(self, sql: str) -> Question:
        """Returns a question about a run."""
        return Question(sql, language="sql", scope=self.scope, timeout=self.timeout)


def observe(programs: Sequence[Program], reading: Reading) -> Observations:
    """Reads the runs twice: the values of the features first, then the coded rows.

    Raises:
        QueryError: a run lacks the scope.
        LimitReached: a query took too long, or needs more memory than allowed.
    """
    features = reading.outcome.features
    counts: dict[str, dict[str, Counter[Value | None]]] = {name: {} for name in features}
    steps = [(program, run) for program in programs for run in program.runs]
    for number, (program, run) in enumerate(steps):
        reading.on_progress(50 * number / len(steps))
        for feature, value, n_objects in _values(run, reading):
            counted = counts[feature].setdefault(program.name, Counter())
            counted[value] += n_objects
    codings = tuple(codings_of(features, counts))
    tables = []
    for number, (program, run) in enumerate(steps):
        reading.on_progress(50 + 50 * number / len(steps))
        tables.append((program.name, _coded(run, reading, codings)))
    return _together([program.name for program in programs], codings, tables)


def _values(run: Path, reading: Reading) -> list[tuple[str, Value | None, int]]:
    """Returns how many objects have each value of each feature, in one pass over the rows."""
    features = reading.outcome.features
    sets = ", ".join(f"({name})" for name in features)
    flags = ", ".join(f"GROUPING({name})" for name in features)
    sql = (
        f"SELECT {', '.join(features)}, {flags}, SUM(n_objects)::BIGINT "
        f"FROM {reading.table} WHERE {reading.outcome.count} IS NOT NULL "
        f"GROUP BY GROUPING SETS ({sets})"
    )
    found = []
    with Engine(run) as engine:
        for row in engine.query(reading.question(sql)).rows():
            grouped = row[len(features) : -1].index(0)
            found.append((features[grouped], row[grouped], row[-1]))
    return found


def _coded(run: Path, reading: Reading, codings: Sequence[Coding]) -> Integers:
    """Returns the rows of a run: codes, objects, those with the outcome, and those not known."""
    count = reading.outcome.count
    columns = [f"{coding.sql} AS c{place}" for place, coding in enumerate(codings)]
    sums = [
        f"COALESCE(SUM(n_objects) FILTER ({count} IS NOT NULL), 0)::BIGINT AS n_objects",
        f"COALESCE(SUM({count}), 0)::BIGINT AS n_with",
        f"COALESCE(SUM(n_objects) FILTER ({count} IS NULL), 0)::BIGINT AS n_unknown",
    ]
    sql = f"SELECT {', '.join([*columns, *sums])} FROM {reading.table} GROUP BY ALL"
    with Engine(run) as engine:
        table = engine.query(reading.question(sql)).arrow()
    values = [column.to_numpy().astype(np.int64) for column in table.columns]
    return np.column_stack(values) if len(table) else np.zeros((0, len(values)), np.int64)


def _together(
    names: Sequence[str], codings: tuple[Coding, ...], tables: Sequence[tuple[str, Integers]]
) -> Observations:
    """Returns the rows of all runs; those of a program with the same codes are one."""
    place = {name: index for index, name in enumerate(names)}
    rows = np.concatenate(
        [
            np.column_stack([np.full(len(table), place[name], np.int64), table])
            for name, table in tables
        ]
    )
    keys, inverse = np.unique(rows[:, :-3], axis=0, return_inverse=True)
    sums = np.zeros((len(keys), 3), np.int64)
    np.add.at(sums, inverse.reshape(-1), rows[:, -3:])
    kept = sums[:, 0] > 0
    return Observations(
        programs=tuple(names),
        codings=codings,
        program=keys[kept, 0],
        codes=keys[kept, 1:],
        n_objects=sums[kept, 0],
        n_with=sums[kept, 1],
        n_unknown=int(sums[:, 2].sum()),
    )
