"""How busy the processors are with and without a dynamic probe: question Q6, figure 12."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.reports.study.significance import paired_means

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from jvmscope.reports.study.significance import PairedMeans

__all__ = ["Utilization", "utilization_of"]

_PAIRS = """
    SELECT during.utilization, after.utilization
    FROM reading AS during
    JOIN reading AS after ON after.cycle_id = during.cycle_id AND after.step = 'S8'
    WHERE during.step = 'S6'
    ORDER BY during.reading_id
"""


@dataclass(frozen=True, slots=True)
class Utilization:
    """The utilisation of all processors by the VM, for each cycle in which both were read.

    Attributes:
        during: shares while the dynamic probe was in the method, step S6.
        after: shares without it, step S8, of the same cycles.
        n_unread: cycles in which one of the two could not be read.
    """

    during: tuple[float, ...]
    after: tuple[float, ...]
    n_unread: int

    @property
    def means(self) -> PairedMeans:
        """The mean of during minus after, and its test."""
        return paired_means(list(zip(self.during, self.after, strict=True)))


def utilization_of(connection: DuckDBPyConnection) -> Utilization:
    """Returns the utilisation of the steps S6 and S8 of each cycle."""
    rows = connection.execute(_PAIRS).fetchall()
    pairs = [row for row in rows if None not in row]
    return Utilization(
        tuple(first for first, _ in pairs),
        tuple(second for _, second in pairs),
        len(rows) - len(pairs),
    )
