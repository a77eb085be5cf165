"""The samples of one method around its dynamic measurement: figure 8."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.queries import first_row
from jvmscope.reports.study.observations import method_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection

    from jvmscope.reports.study.ratios import Ratios

__all__ = ["Course", "course_of", "cycle_of"]

MOST_POINTS = 1_000
"""Samples of a kind that are shown; of more, every second, third, … is."""

_STATIC = """
    SELECT s.entry_ns - $start, s.exit_ns - s.entry_ns
    FROM static_sample AS s
    JOIN reading AS r USING (reading_id)
    WHERE r.cycle_id = $cycle AND s.method_id = $method
    ORDER BY s.entry_ns, s.exit_ns
"""
_DYNAMIC = """
    SELECT entry_ns - $start, exit_ns - entry_ns FROM dynamic_sample WHERE cycle_id = $cycle
    ORDER BY entry_ns, exit_ns
"""
_COMPILATIONS = """
    SELECT k.at_ns - $start, k.tier
    FROM compilation AS k
    JOIN cycle AS c ON c.restart_id = k.restart_id
    JOIN study_method AS m ON (m.class_name, m.name, m.descriptor)
        = (k.class_name, k.name, k.descriptor) AND m.method_id = c.method_id
    WHERE c.cycle_id = $cycle AND k.at_ns >= c.inserted_ns
        AND k.at_ns <= (SELECT MAX(ended_ns) FROM reading WHERE cycle_id = $cycle)
    ORDER BY k.at_ns
"""

Samples = tuple[tuple[int, int], ...]
"""When invocations began and how long they took, in ns; the first from the insertion."""


@dataclass(frozen=True, slots=True)
class Course:
    """The course of one cycle, all times in ns from the beginning of the insertion.

    Attributes:
        method: class and name.
        cycle_id: the cycle.
        static: static samples of the steps S6 and S8.
        dynamic: dynamic samples.
        n_static, n_dynamic: how many there are, of which every nth is shown.
        removed_ns: when the removal began.
        compilations: when compilations of the method ended, with their tiers.
    """

    method: str
    cycle_id: int
    static: Samples
    dynamic: Samples
    n_static: int
    n_dynamic: int
    removed_ns: int
    compilations: Samples


def cycle_of(connection: DuckDBPyConnection, during: Ratios, text: str | None) -> int | None:
    """Returns the cycle that is shown; None: there is none with samples.

    Args:
        connection: the study.
        during: the ratios of the observed methods.
        text: the class and name of an observed method, or an end of that; its first cycle. None:
            the cycle whose ratio is nearest to the median.

    Raises:
        QueryError: no such method was observed, or several were.
    """
    if text is not None:
        return _named(connection, text)
    median = during.distribution.median
    if median is None:
        return None
    nearest = min(during.ratios, key=lambda each: abs((each.means_ns.ratio or 0) - median))
    return nearest.cycle_id


def _named(connection: DuckDBPyConnection, text: str) -> int:
    rows = connection.execute("SELECT method_id, cycle_id FROM cycle ORDER BY cycle_id").fetchall()
    names = method_names(connection)
    observed = {names[method]: cycle for method, cycle in reversed(rows)}
    found = [name for name in observed if _is_named(name, text)]
    if len(found) == 1:
        return int(observed[found[0]])
    if found:
        hint = f"give more of the name: {', '.join(sorted(found)[:5])}"
        raise QueryError(
            f"several observed methods are called {text!r}", path="--method", hint=hint
        )
    near = did_you_mean(text, list(observed))
    listing = f"observed methods: {', '.join(sorted(observed)[:10])}"
    raise QueryError(
        f"no observed method is called {text!r}", path="--method", hint=near or listing
    )


def _is_named(name: str, text: str) -> bool:
    """Tells whether a text is a method's name, or the last parts of it.

    >>> [_is_named("app.Cache.get(I)V", text) for text in ("Cache.get", "app.Cache.get(I)V", "et")]
    [True, True, False]
    """
    plain = name.partition("(")[0]
    return any(each == text or each.endswith(f".{text}") for each in (name, plain))


def course_of(connection: DuckDBPyConnection, cycle_id: int) -> Course:
    """Returns the course of a cycle."""
    row = first_row(
        connection,
        "SELECT method_id, inserted_ns, removed_ns FROM cycle WHERE cycle_id = $cycle",
        {"cycle": cycle_id},
    )
    if row is None:
        raise ValueError(f"there is no cycle {cycle_id}")
    method, start, removed = row
    given = {"cycle": cycle_id, "start": start}
    static = connection.execute(_STATIC, {**given, "method": method}).fetchall()
    dynamic = connection.execute(_DYNAMIC, given).fetchall()
    compilations = connection.execute(_COMPILATIONS, given).fetchall()
    return Course(
        method=method_names(connection)[method],
        cycle_id=cycle_id,
        static=_thinned(static),
        dynamic=_thinned(dynamic),
        n_static=len(static),
        n_dynamic=len(dynamic),
        removed_ns=removed - start,
        compilations=tuple(compilations),
    )


def _thinned(samples: Sequence[tuple[int, int]]) -> Samples:
    """Returns every nth sample, so that they are not too many.

    >>> len(_thinned([(0, 0)] * 2500))
    834
    """
    step = -(-len(samples) // MOST_POINTS) or 1
    return tuple(samples[::step])
