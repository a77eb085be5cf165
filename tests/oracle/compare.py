"""Compares the execution counts of a run with those of the single-step oracle."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oracle.recorded import Count, Recorded, RecordedMethod
    from oracle.steps import MethodKey, SteppedMethod, Steps

__all__ = ["Comparison", "Difference", "compare_blocks", "compare_segments", "render"]


@dataclass(frozen=True)
class Difference:
    """A count on which run and oracle disagree: where, and what each says."""

    where: str
    recorded: int
    oracle: int


@dataclass(frozen=True)
class Comparison:
    """What was compared, what differed, and which methods have no counters to compare."""

    n_compared: int
    differences: list[Difference]
    not_counted: list[str]


def _by_key(methods: Iterable[RecordedMethod]) -> dict[MethodKey, list[RecordedMethod]]:
    grouped: dict[MethodKey, list[RecordedMethod]] = defaultdict(list)
    for method in methods:
        grouped[method.key].append(method)
    return grouped


def _common_starts(variants: list[RecordedMethod]) -> set[int]:
    """Offsets at which a block starts in every class of the name (hidden classes differ)."""
    starts = [{block.offsets[0] for block in method.blocks} for method in variants]
    return set.intersection(*starts)


def _sums(counts: Iterable[Count], *, own: bool) -> dict[int, int]:
    """Executions by offset, every instruction of a block counted as its first."""
    sums: dict[int, int] = defaultdict(int)
    for count in counts:
        for offset in count.offsets:
            sums[offset] += count.n_own if own else count.n
    return sums


def _stepped(method: SteppedMethod | None, *, own: bool) -> dict[int, int]:
    if method is None:
        return {}
    return method.own if own else method.all


def compare_blocks(
    recorded: Recorded,
    steps: Steps,
    *,
    application: bool,
    skip: frozenset[MethodKey] = frozenset(),
) -> Comparison:
    """Every block's executions against those of its first bytecode.

    Args:
        recorded: the run.
        steps: the oracle's counts.
        application: the application's classes, in all threads and from the start of the VM;
            otherwise the class library below `main` and in the program's own threads.
        skip: methods that are not compared.
    """
    n_compared = 0
    differences = []
    not_counted = []
    grouped = _by_key(m for m in recorded.methods if m.is_application == application)
    for key, variants in grouped.items():
        stepped = _stepped(steps.get(key), own=not application)
        if key in skip or (not stepped and not any(m.blocks for m in variants)):
            continue
        if any(method.coverage != "full" for method in variants):
            if stepped:
                not_counted.append(str(key))
            continue
        executed = [method for method in variants if method.blocks]
        if not executed:
            n = max(stepped.values())
            differences += [Difference(f"{key}: not executed", 0, n)] if n else []
            continue
        sums = _sums((b for m in executed for b in m.blocks), own=not application)
        for offset in sorted(_common_starts(executed)):
            n_compared += 1
            if sums[offset] != stepped.get(offset, 0):
                where = f"{key} @{offset}"
                differences.append(Difference(where, sums[offset], stepped.get(offset, 0)))
    for key, method in steps.items():
        counts = _stepped(method, own=not application)
        if key not in grouped and key not in skip and method.is_application == application:
            n = max(counts.values(), default=0)
            differences += [Difference(f"{key}: not in the run", 0, n)] if n else []
    return Comparison(n_compared, sorted(differences, key=lambda d: d.where), sorted(not_counted))


def compare_segments(
    recorded: Recorded, steps: Steps, *, skip: frozenset[MethodKey] = frozenset()
) -> Comparison:
    """Every bytecode's executions, by the segments of exact exceptions: the application's."""
    n_compared = 0
    differences = []
    for key, variants in _by_key(m for m in recorded.methods if m.is_application).items():
        if key in skip or any(method.coverage != "full" for method in variants):
            continue
        stepped = _stepped(steps.get(key), own=False)
        sums = _sums((s for m in variants for s in m.segments), own=False)
        for offset in sorted({o for m in variants for b in m.blocks for o in b.offsets}):
            n_compared += 1
            if sums[offset] != stepped.get(offset, 0):
                where = f"{key} @{offset}"
                differences.append(Difference(where, sums[offset], stepped.get(offset, 0)))
    return Comparison(n_compared, differences, [])


def render(differences: list[Difference], *, limit: int = 40) -> str:
    """A table of the differences, the first `limit` of them.

    >>> print(render([Difference("A.m()V @3", 2, 1)]))
    recorded   oracle  where
           2        1  A.m()V @3
    """
    lines = ["recorded   oracle  where"]
    lines += [f"{d.recorded:8} {d.oracle:8}  {d.where}" for d in differences[:limit]]
    if len(differences) > limit:
        lines.append(f"… and {len(differences) - limit} more")
    return "\n".join(lines)
