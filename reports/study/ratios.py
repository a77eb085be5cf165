"""How the time of methods changes: questions Q3 and Q4, figures 7, 9 and 10.

These compare different invocations, so averages leave out the smallest and largest 2.5 %.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jvmscope.reports.study.distributions import distribution_of
from jvmscope.reports.study.observations import groups
from jvmscope.reports.study.significance import mean_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from duckdb import DuckDBPyConnection
    from numpy.typing import NDArray

    from jvmscope.reports.study.distributions import Distribution
    from jvmscope.reports.study.significance import MeanPair

__all__ = ["LEAST_SAMPLES", "MethodRatio", "Ratios", "ratios_during", "ratios_of_launches"]

LEAST_SAMPLES = 2
"""As many samples, at least, an average is made of; a test of significance needs them, too."""

_OBSERVED = """
    SELECT r.restart_id, c.cycle_id, s.method_id, (r.step = 'S8')::INTEGER,
        s.exit_ns - s.entry_ns AS duration_ns
    FROM static_sample AS s
    JOIN reading AS r USING (reading_id)
    JOIN cycle AS c ON c.cycle_id = r.cycle_id AND c.method_id = s.method_id
    WHERE r.step IN ('S6', 'S8')
    ORDER BY 1, 2, 3, 4
"""
_ALL = """
    SELECT r.restart_id, -1, s.method_id, (r.step = 'S10')::INTEGER,
        s.exit_ns - s.entry_ns AS duration_ns
    FROM static_sample AS s
    JOIN reading AS r USING (reading_id)
    JOIN restart AS l USING (restart_id)
    WHERE r.step IN ('S3', 'S10') AND {}l.is_control
    ORDER BY 1, 2, 3, 4
"""


@dataclass(frozen=True, slots=True)
class MethodRatio:
    """The ratio of two averages of a method's time.

    Attributes:
        restart_id: the launch of the VM.
        cycle_id: the cycle in which the method was observed; None: it is about a whole launch.
        method_id: the method.
        n_first, n_second: samples of each.
        means_ns: the averages, their ratio and the test.
    """

    restart_id: int
    cycle_id: int | None
    method_id: int
    n_first: int
    n_second: int
    means_ns: MeanPair


@dataclass(frozen=True, slots=True)
class Ratios:
    """The ratios of methods, in the order of launches, cycles and methods.

    Attributes:
        ratios: those that have a value.
        n_without: how many have none: less than ``LEAST_SAMPLES`` samples on a side, or an average
            of zero.
    """

    ratios: tuple[MethodRatio, ...]
    n_without: int

    @property
    def values(self) -> list[float]:
        """The ratios."""
        return [each.means_ns.ratio for each in self.ratios if each.means_ns.ratio is not None]

    @property
    def distribution(self) -> Distribution:
        """The distribution of the ratios."""
        return distribution_of(self.values)

    @property
    def significant(self) -> list[float]:
        """The ratios of means that differ significantly."""
        return [
            each.means_ns.ratio
            for each in self.ratios
            if each.means_ns.ratio is not None and each.means_ns.is_significant
        ]

    @property
    def n_tested(self) -> int:
        """How many have a test."""
        return sum(each.means_ns.p is not None for each in self.ratios)

    @property
    def untested_reason(self) -> str | None:
        """Why none is tested; None: some are."""
        if self.n_tested:
            return None
        return next((each.means_ns.reason for each in self.ratios), "no method has a ratio")


def ratios_during(connection: DuckDBPyConnection) -> Ratios:
    """Returns for each cycle the observed method's average of step S6 by that of step S8.

    Above one: the method takes longer while the dynamic probe is in it.
    """
    return _ratios(connection, _OBSERVED)


def ratios_of_launches(connection: DuckDBPyConnection, *, is_control: bool) -> Ratios:
    """Returns for each launch and method the average of step S3 by that of step S10.

    Above one: the method took longer at the beginning. A reading's methods are those that were
    called while it was made, which may be in one of the two steps only.

    Args:
        connection: the study.
        is_control: whether the launches are those without dynamic measurement.
    """
    return _ratios(connection, _ALL.format("" if is_control else "NOT "))


def _ratios(connection: DuckDBPyConnection, query: str) -> Ratios:
    sides = list(_sides(connection, query))
    is_enough = [min(len(first), len(second)) >= LEAST_SAMPLES for _, first, second in sides]
    enough = [each for each, is_kept in zip(sides, is_enough, strict=True) if is_kept]
    means = mean_pairs([(first, second) for _, first, second in enough])
    ratios = tuple(
        MethodRatio(restart, None if cycle < 0 else cycle, method, len(first), len(second), pair)
        for ((restart, cycle, method), first, second), pair in zip(enough, means, strict=True)
        if pair.ratio is not None and pair.ratio > 0
    )
    return Ratios(ratios, len(sides) - len(ratios))


def _sides(
    connection: DuckDBPyConnection, query: str
) -> Iterator[tuple[tuple[int, int, int], NDArray[np.float64], NDArray[np.float64]]]:
    """Yields the launch, cycle and method, and the durations of the first and second step."""
    found: dict[tuple[int, int, int], dict[int, NDArray[np.float64]]] = {}
    for (restart, cycle, method, side), (durations,) in groups(connection, query, 4):
        found.setdefault((restart, cycle, method), {})[side] = durations.astype("float64")
    nothing: NDArray[np.float64] = np.array([])
    for keys, sides in found.items():
        yield keys, sides.get(0, nothing), sides.get(1, nothing)
