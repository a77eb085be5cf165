"""Pairs of static and dynamic samples: worked out by hand, and against every pair tried out."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jvmscope.reports.study.pairing import Spans, pair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.reports.study.pairing import Pairing

Span = tuple[int, int]

_property = settings(max_examples=60, deadline=None)

# A thread's spans: static, dynamic; pairs of durations; ambiguous of each kind, crossing, and
# without partner of each kind.
_CASES: dict[str, tuple[list[Span], list[Span], list[Span], tuple[int, int, int, int, int]]] = {
    "the dynamic probe is outside": ([(10, 20)], [(8, 23)], [(10, 15)], (0, 0, 0, 0, 0)),
    "the dynamic probe is inside": ([(8, 23)], [(10, 20)], [(15, 10)], (0, 0, 0, 0, 0)),
    "equal spans": ([(10, 20)], [(10, 20)], [(10, 10)], (0, 0, 0, 0, 0)),
    "one invocation after the other": (
        [(10, 20), (20, 30)], [(10, 20), (20, 30)], [(10, 10), (10, 10)], (0, 0, 0, 0, 0),
    ),
    # f calls itself: both probes have the outermost invocation alone.
    "a recursion": ([(2, 98), (110, 120)], [(1, 99), (109, 122)], [(96, 98), (10, 13)],
                    (0, 0, 0, 0, 0)),
    # f was called before the dynamic probe came, and called itself twice after: no guess.
    "a recursion that began before": ([(0, 100)], [(10, 20), (30, 40)], [], (1, 2, 0, 0, 0)),
    "two static samples in a dynamic one": ([(10, 20), (30, 40)], [(0, 50)], [], (2, 1, 0, 0, 0)),
    # The second dynamic sample meets one static sample only, which meets two.
    "a chain": ([(10, 20), (25, 40)], [(9, 21), (24, 30), (35, 41)], [(10, 12)], (1, 2, 0, 0, 0)),
    "partly overlapping": ([(10, 20)], [(15, 25)], [], (0, 0, 1, 0, 0)),
    "the static sample was overwritten": ([(50, 60)], [(9, 21), (49, 61)], [(10, 12)],
                                          (0, 0, 0, 0, 1)),
    "no dynamic sample": ([(50, 60), (70, 80)], [], [], (0, 0, 0, 2, 0)),
    "no static sample": ([], [(50, 60)], [], (0, 0, 0, 0, 1)),
    "nothing": ([], [], [], (0, 0, 0, 0, 0)),
    "the clock did not move": ([(10, 10)], [(9, 11)], [(0, 2)], (0, 0, 0, 0, 0)),
    # A static sample of no duration, where one dynamic sample ends and the next one begins.
    "no duration between two": ([(20, 20)], [(10, 20), (20, 30)], [], (1, 2, 0, 0, 0)),
}  # fmt: skip


def _spans(spans: Sequence[Span]) -> Spans:
    columns = np.array(spans, dtype=np.int64).reshape(-1, 2)
    return Spans(columns[:, 0], columns[:, 1])


def _counts(found: Pairing) -> tuple[int, int, int, int, int]:
    return (
        found.n_ambiguous_static,
        found.n_ambiguous_dynamic,
        found.n_crossing,
        found.n_unpaired_static,
        found.n_unpaired_dynamic,
    )


def _durations(found: Pairing) -> list[Span]:
    return [*zip(map(int, found.static_ns), map(int, found.dynamic_ns), strict=True)]


@pytest.mark.parametrize("case", _CASES)
def test_pairs(case: str) -> None:
    static, dynamic, pairs, counts = _CASES[case]

    found = pair(_spans(static), _spans(dynamic))

    assert _durations(found) == pairs
    assert _counts(found) == counts


def test_which_probe_is_outside() -> None:
    found = pair(_spans([(10, 20), (30, 40)]), _spans([(9, 21), (32, 38)]))

    assert found.n_dynamic_outside == 1


_SPANS = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 12)).map(lambda each: (each[0], sum(each))),
    max_size=12,
)


def _meets(first: Span, second: Span) -> bool:
    return max(first[0], second[0]) < min(first[1], second[1]) or _is_nested(first, second)


def _is_nested(first: Span, second: Span) -> bool:
    return any(
        outer[0] <= inner[0] and inner[1] <= outer[1]
        for inner, outer in ((first, second), (second, first))
    )


@_property
@given(_SPANS, _SPANS)
def test_every_pair_tried_out(static: list[Span], dynamic: list[Span]) -> None:
    found = pair(_spans(static), _spans(dynamic))

    partners = [[other for other in dynamic if _meets(each, other)] for each in static]
    of_dynamic = [sum(_meets(each, other) for each in static) for other in dynamic]
    alone = [
        (each, met[0])
        for each, met in zip(static, partners, strict=True)
        if len(met) == 1 and sum(_meets(other, met[0]) for other in static) == 1
    ]
    pairs = [(a[1] - a[0], b[1] - b[0]) for a, b in sorted(alone) if _is_nested(a, b)]
    assert sorted(_durations(found)) == sorted(pairs)
    assert found.n_crossing == len(alone) - len(pairs)
    assert found.n_unpaired_static == sum(not met for met in partners)
    assert found.n_unpaired_dynamic == of_dynamic.count(0)


@_property
@given(_SPANS, _SPANS, st.randoms(use_true_random=False), st.integers(-1000, 10**15))
def test_neither_order_nor_origin_matter(
    static: list[Span], dynamic: list[Span], chance: object, shift: int
) -> None:
    before = pair(_spans(static), _spans(dynamic))
    moved = [[(start + shift, end + shift) for start, end in each] for each in (static, dynamic)]
    for each in moved:
        chance.shuffle(each)  # type: ignore[attr-defined]
    after = pair(*map(_spans, moved))

    for field in fields(before):
        assert np.array_equal(getattr(before, field.name), getattr(after, field.name))


@_property
@given(_SPANS, _SPANS)
def test_the_kinds_are_alike(static: list[Span], dynamic: list[Span]) -> None:
    """What is static and what is dynamic decides nothing; each sample is counted once."""
    found, turned = pair(_spans(static), _spans(dynamic)), pair(_spans(dynamic), _spans(static))

    assert sorted(_durations(found)) == sorted((b, a) for a, b in _durations(turned))
    ambiguous, other, crossing, unpaired, other_unpaired = _counts(found)
    assert _counts(turned) == (other, ambiguous, crossing, other_unpaired, unpaired)
    assert len(found.static_ns) + ambiguous + crossing + unpaired == len(static)
    assert len(found.static_ns) + other + crossing + other_unpaired == len(dynamic)
