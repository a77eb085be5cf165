"""How far off dynamic samples are: questions Q1 and Q2, figures 5 and 6.

The static sample of an invocation is taken as its actual time, and the dynamic one as the measured
time, as in section 4.4 of the paper.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from jvmscope.reports.study.observations import groups
from jvmscope.reports.study.pairing import Spans, pair

if TYPE_CHECKING:
    from collections.abc import Mapping

    from duckdb import DuckDBPyConnection
    from numpy.typing import NDArray

    from jvmscope.reports.study.pairing import Pairing

__all__ = ["Accuracy", "MethodAccuracy", "PairCounts", "accuracy_of"]

_STATIC = """
    SELECT c.cycle_id, s.thread_id, c.method_id, s.entry_ns, s.exit_ns
    FROM static_sample AS s
    JOIN reading AS r USING (reading_id)
    JOIN cycle AS c ON c.cycle_id = r.cycle_id AND c.method_id = s.method_id
    WHERE r.step = 'S6'
    ORDER BY c.cycle_id, s.thread_id, s.entry_ns
"""
_DYNAMIC = """
    SELECT cycle_id, thread_id, c.method_id, d.entry_ns, d.exit_ns
    FROM dynamic_sample AS d
    JOIN cycle AS c USING (cycle_id)
    ORDER BY cycle_id, thread_id, entry_ns
"""
_NONE = Spans(np.array([], dtype=np.int64), np.array([], dtype=np.int64))


@dataclass(frozen=True, slots=True)
class PairCounts:
    """What became of the samples, as ``pairing.Pairing`` has it, over all methods and threads."""

    n_pairs: int = 0
    n_dynamic_outside: int = 0
    n_ambiguous_static: int = 0
    n_ambiguous_dynamic: int = 0
    n_crossing: int = 0
    n_unpaired_static: int = 0
    n_unpaired_dynamic: int = 0


@dataclass(frozen=True, slots=True)
class MethodAccuracy:
    """The pairs of one method, over all cycles in which it was observed.

    Attributes:
        method_id: the method.
        differences_ns: dynamic minus static, for each pair.
        difference_ns: their mean.
        static_ns: the mean duration by the static probe.
        ratio: the geometric mean of dynamic by static; None: in every pair, one of them is zero.
        n_ratios: the pairs in which neither is zero.
    """

    method_id: int
    differences_ns: NDArray[np.float64]
    difference_ns: float
    static_ns: float
    ratio: float | None
    n_ratios: int


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The accuracy of dynamic samples, by method in the order of ids, and how pairs were found."""

    methods: tuple[MethodAccuracy, ...]
    counts: PairCounts


def accuracy_of(connection: DuckDBPyConnection) -> Accuracy:
    """Returns the accuracy of each observed method that has pairs."""
    pairings = _pairings(connection)
    every = [pairing for found in pairings.values() for pairing in found]
    methods = (_of_method(method, found) for method, found in sorted(pairings.items()))
    return Accuracy(tuple(each for each in methods if each is not None), _counts(every))


def _pairings(connection: DuckDBPyConnection) -> Mapping[int, list[Pairing]]:
    """Returns the pairings of each observed method, one for each thread of a cycle."""
    static = {keys: Spans(*spans) for keys, spans in groups(connection, _STATIC, 3)}
    dynamic = {keys: Spans(*spans) for keys, spans in groups(connection, _DYNAMIC, 3)}
    found: dict[int, list[Pairing]] = {}
    for keys in sorted(static.keys() | dynamic.keys()):
        pairing = pair(static.get(keys, _NONE), dynamic.get(keys, _NONE))
        found.setdefault(keys[-1], []).append(pairing)
    return found


def _of_method(method: int, pairings: list[Pairing]) -> MethodAccuracy | None:
    static = np.concatenate([each.static_ns for each in pairings]).astype(np.float64)
    dynamic = np.concatenate([each.dynamic_ns for each in pairings]).astype(np.float64)
    if not len(static):
        return None
    differences = dynamic - static
    has_ratio = (static > 0) & (dynamic > 0)
    ratios = dynamic[has_ratio] / static[has_ratio]
    return MethodAccuracy(
        method_id=method,
        differences_ns=differences,
        difference_ns=float(np.mean(differences)),
        static_ns=float(np.mean(static)),
        ratio=float(np.exp(np.mean(np.log(ratios)))) if len(ratios) else None,
        n_ratios=len(ratios),
    )


def _counts(pairings: list[Pairing]) -> PairCounts:
    sums = {
        field.name: sum(getattr(each, field.name) for each in pairings)
        for field in fields(PairCounts)
        if field.name != "n_pairs"
    }
    return PairCounts(n_pairs=sum(len(each.static_ns) for each in pairings), **sums)
