"""How long the compiler is busy after a probe is put in or taken out: question Q5, figure 11."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.reports.study.distributions import distribution_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from jvmscope.reports.study.distributions import Distribution

__all__ = ["QuietTimes", "quiet_times"]

_TIMES = "SELECT {0}_quiet_ns, reason FROM cycle ORDER BY cycle_id"
_NO_PROBE = "no probe"


@dataclass(frozen=True, slots=True)
class QuietTimes:
    """The times of one kind of change, in the order of cycles.

    Attributes:
        values_ns: from the change to the end of the last compilation before the quiet span.
        n_timed_out: changes after which the compiler was busy until the time-out.
        n_without: cycles without such a change: the VM took no probe for the method.
    """

    values_ns: tuple[int, ...]
    n_timed_out: int
    n_without: int

    @property
    def distribution(self) -> Distribution:
        """The distribution of the times, of which those that timed out are the longest."""
        return distribution_of([*map(float, self.values_ns), *[math.inf] * self.n_timed_out])

    @property
    def timed_out_share(self) -> float | None:
        """The share of the changes that timed out; None: there were no changes."""
        n = len(self.values_ns) + self.n_timed_out
        return self.n_timed_out / n if n else None


def quiet_times(connection: DuckDBPyConnection, change: str) -> QuietTimes:
    """Returns the times of a kind of change: ``insertion`` or ``removal``."""
    rows = connection.execute(_TIMES.format(change)).fetchall()
    missing = [reason or "" for time_ns, reason in rows if time_ns is None]
    n_without = sum(reason.startswith(_NO_PROBE) for reason in missing)
    return QuietTimes(
        values_ns=tuple(time_ns for time_ns, _ in rows if time_ns is not None),
        n_timed_out=len(missing) - n_without,
        n_without=n_without,
    )
