"""Versions of compiled methods, and those of samples, on rows written by hand.

``work`` was compiled as number 1 before the watch (tier 3), as 2 at 100 ns (tier 4), which gives up
at 300 ns, and as 3 at 400 ns (tier 4). ``main`` was never compiled; ``small`` is inlined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.watched_rows import write_watched

from jvmscope.queries import Engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_WORK = ("app/Work", "work", "()V")
_ROWS = {
    "vm_thread": [(0, "main", 1, 11, None)],
    "vm_method": [
        (0, *_WORK, False),
        (1, "app/Main", "main", "()V", False),
        (2, "app/Work", "small", "()I", False),
    ],
    "compilation": [
        (80, 20, None, 2, "c2", 4, 0, False, True, 100, 9),
        (390, 10, None, 3, "c2", 4, 0, False, True, 120, 9),
        (395, 10, None, 4, "c2", 4, 0, False, False, 0, 0),  # it has failed
    ],
    "compiled_code": [
        (50, 1, "in use", 3, *_WORK, 1000, 1100),
        (150, 1, "not entered", 3, *_WORK, 1000, 1100),
        (150, 2, "in use", 4, *_WORK, 2000, 2100),
        (350, 1, "gone", 3, *_WORK, 1000, 1100),
        (350, 2, "not entered", 4, *_WORK, 2000, 2100),
        (450, 3, "in use", 4, *_WORK, 3000, 3120),
    ],
    "deoptimization": [
        (200, 0, 0, 2, "c2", 0, 3, 7, "ifeq", "unstable_if", "maybe_recompile"),
        (300, 0, 0, 2, "c2", 0, 3, 7, "ifeq", "class_check", "make_not_entrant"),
    ],
    "stack_frame": [
        (0, 0, 0, 3, 7, "JIT compiled"),
        (0, 1, 1, 1, 5, "Interpreted"),
        (1, 0, 2, 3, 7, "Inlined"),
        (1, 1, 0, 3, 7, "JIT compiled"),
        (2, 0, 0, 3, 7, "Interpreted"),
    ],
    "execution_sample": [
        (60, 0, 0, False, "STATE_RUNNABLE"),
        (160, 0, 1, False, "STATE_RUNNABLE"),
        (310, 0, 2, False, "STATE_RUNNABLE"),
        (500, 0, 1, False, "STATE_RUNNABLE"),
    ],
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    run = tmp_path_factory.mktemp("forms")
    write_watched(run, rows=_ROWS)
    with Engine(run) as opened:
        yield opened


def test_versions_join_what_is_known_of_a_compilation(engine: Engine) -> None:
    query = """
        SELECT compile_id, tier, made_ns, begin_address, not_entered_ns, gone_ns, end_reason,
            n_deoptimizations, deoptimization_reasons
        FROM compiled_version ORDER BY compile_id
    """

    assert [*engine.query(query).rows()] == [
        (1, 3, None, 1000, 150, 350, "replaced", 0, None),
        (2, 4, 100, 2000, 300, None, "deoptimized", 2, ["class_check", "unstable_if"]),
        (3, 4, 400, 3000, None, None, None, 0, None),
    ]


_IN_USE, _LEFT = (150, 11, "in use", 3, *_WORK, 0, 9), (250, 11, "not entered", 3, *_WORK, 0, 9)
_ASKED = (150, 99, "in use", 4, "app/Other", "f", "()V", 0, 9)
_TRAP, _DROP = (
    (at, 0, 0, 11, "c2", 0, 3, 7, "ifeq", "unstable_if", action)
    for at, action in ((120, "maybe_recompile"), (300, "make_not_entrant"))
)


@pytest.mark.parametrize(
    ("is_osr", "next_ns", "cached", "deoptimized", "expected"),
    [
        (False, None, [], [], (None, None)),
        (False, 200, [_ASKED], [], (200, "replaced")),
        (False, 120, [_ASKED], [], (120, "replaced")),  # came and went between two answers
        (False, 200, [_IN_USE], [], (200, "replaced")),  # later than the last answer
        (False, 120, [_IN_USE], [], (None, None)),  # another class has the name
        (False, 200, [_IN_USE, _LEFT], [], (200, "replaced")),
        (False, 260, [_IN_USE, _LEFT], [], (250, "not known")),
        (True, 200, [_IN_USE], [], (None, None)),  # for which loop is not known
        (True, 200, [_IN_USE, _LEFT], [], (250, "replaced")),
        (False, None, [_IN_USE], [_TRAP], (None, None)),
        (False, None, [_IN_USE, _LEFT], [_TRAP], (250, "not known")),
        (False, 200, [_IN_USE], [_TRAP], (200, "not known")),  # it went by then
        (False, None, [_IN_USE], [_TRAP, _DROP], (300, "deoptimized")),
        (False, 400, [_IN_USE], [_DROP], (300, "deoptimized")),
        (False, 200, [_IN_USE], [_DROP], (200, "replaced")),  # who ran it gave up later
    ],
)
def test_a_version_ends_when_that_is_sure(
    tmp_path: Path,
    *,
    is_osr: bool,
    next_ns: int | None,
    cached: list[tuple[Any, ...]],
    deoptimized: list[tuple[Any, ...]],
    expected: tuple[int | None, str | None],
) -> None:
    """Version 11 is made at 100 ns, of tier 3, and the next one, of tier 4, at `next_ns`."""
    made = [(11, 100, 3)] + ([(12, next_ns, 4)] if next_ns is not None else [])
    rows = {
        "vm_thread": _ROWS["vm_thread"],
        "vm_method": _ROWS["vm_method"],
        "compilation": [
            (at - 10, 10, None, number, "c", tier, 0, is_osr, True, 100, 9)
            for number, at, tier in made
        ],
        "compiled_code": cached,
        "deoptimization": deoptimized,
    }
    write_watched(tmp_path / "a.watch", rows=rows)
    query = "SELECT not_entered_ns, end_reason FROM compiled_version WHERE compile_id = 11"
    with Engine(tmp_path / "a.watch") as opened:
        assert [*opened.query(query).rows()] == [expected]


def _succeeds(tier: int, next_tier: int) -> bool:
    """HotSpot compiles a method again while its code is in use for a higher tier, or for tier 1."""
    return next_tier > tier or (next_tier == 1 and tier in (2, 3))


@pytest.mark.parametrize("cached", [[], [_IN_USE], [_IN_USE, _LEFT]])
@pytest.mark.parametrize("next_tier", [1, 2, 3, 4])
@pytest.mark.parametrize("tier", [1, 2, 3, 4])
def test_a_version_is_replaced_by_one_that_may_succeed_it(
    tmp_path: Path, tier: int, next_tier: int, cached: list[tuple[Any, ...]]
) -> None:
    """Before any other next one it had ended: a collector throws away code of dead objects."""
    rows = {
        "vm_thread": _ROWS["vm_thread"],
        "vm_method": _ROWS["vm_method"],
        "compilation": [
            (90, 10, None, 11, "c", tier, 0, False, True, 100, 9),
            (190, 10, None, 12, "c", next_tier, 0, False, True, 100, 9),
        ],
        "compiled_code": [(*row[:3], tier, *row[4:]) for row in cached],
    }
    write_watched(tmp_path / "a.watch", rows=rows)
    query = "SELECT not_entered_ns, end_reason FROM compiled_version WHERE compile_id = 11"
    expected = (200, "replaced") if _succeeds(tier, next_tier) else (190, "not known")
    with Engine(tmp_path / "a.watch") as opened:
        assert [*opened.query(query).rows()] == [expected]


@pytest.mark.parametrize(
    ("is_osr", "next_tier", "is_next_osr", "expected"),
    [
        (True, 4, True, "replaced"),
        (True, 3, True, "not known"),  # another loop's
        (True, 4, False, "not known"),  # what is entered in loops stays
        (False, 4, True, "not known"),
        (None, 4, True, "replaced"),  # of before the watch: of which kind it is, nothing says
        (None, 3, False, "not known"),
    ],
)
def test_a_version_is_replaced_by_one_of_its_kind(
    tmp_path: Path,
    *,
    is_osr: bool | None,
    next_tier: int,
    is_next_osr: bool,
    expected: str,
) -> None:
    """Version 11, of tier 3, is no longer entered when the VM is asked after the next one."""
    made = [(190, 10, None, 12, "c", next_tier, 0, is_next_osr, True, 100, 9)]
    if is_osr is not None:
        made.insert(0, (90, 10, None, 11, "c", 3, 0, is_osr, True, 100, 9))
    rows = {
        "vm_thread": _ROWS["vm_thread"],
        "vm_method": _ROWS["vm_method"],
        "compilation": made,
        "compiled_code": [_IN_USE, _LEFT],
    }
    write_watched(tmp_path / "a.watch", rows=rows)
    query = "SELECT end_reason FROM compiled_version WHERE compile_id = 11"
    with Engine(tmp_path / "a.watch") as opened:
        assert [*opened.query(query).rows()] == [(expected,)]


def test_samples_have_the_newest_version_that_may_have_run(engine: Engine) -> None:
    query = """
        SELECT at_ns, form, compile_id, tier, n_versions FROM sample_version ORDER BY at_ns
    """

    assert [*engine.query(query).rows()] == [
        (60, "JIT compiled", 1, 3, 1),
        (160, "Inlined", 2, 4, 2),  # in work, which may still run in version 1
        (310, "Interpreted", None, None, 0),
        (500, "Inlined", 3, 4, 2),
    ]
