"""How often methods were compiled, and trees of inlined calls, on rows written by hand.

Version 7 of ``main`` (tier 4) inlines ``left`` (at 1) and ``right`` (at 5), both of which inline
``small`` (at 2), which inlines itself once, and ``big`` (at 9), though not at the second time that
the compiler thinks of it. Version 6 of ``main`` (tier 3) inlines nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.beside import write_recorded
from support.watched_rows import write_watched

from jvmscope.queries import Engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NAMES = ("main", "left", "right", "small", "big")
_MAIN, _LEFT, _RIGHT, _SMALL, _BIG = range(5)
_HOT, _BIG_REASON = "inline (hot)", "too big"


def _name(number: int) -> str:
    return f"app/Main.{_NAMES[number]}()V"


def _decision(caller: int, index: int, callee: int, *, inlined: bool = True) -> tuple[Any, ...]:
    reason = _HOT if inlined else _BIG_REASON
    return (0, 7, caller, index, "app/Main", _NAMES[callee], "()V", inlined, reason)


_ROWS = {
    "vm_thread": [(0, "main", 1, 11, None)],
    "vm_method": [(k, "app/Main", name, "()V", False) for k, name in enumerate(_NAMES)],
    "compilation": [
        (10, 5, None, 6, "c1", 3, _MAIN, False, True, 300, 0),
        (30, 20, None, 7, "c2", 4, _MAIN, True, True, 100, 9),
        (60, 20, None, 8, "c2", 4, _BIG, False, False, 0, 0),
    ],
    "compiled_code": [
        (20, 6, "in use", 3, "app/Main", "main", "()V", 1, 2),
        (55, 6, "not entered", 3, "app/Main", "main", "()V", 1, 2),
    ],
    "deoptimization": [
        (90, 0, 0, 7, "c2", _MAIN, 3, 7, "ifeq", "unstable_if", "reinterpret"),
        (91, 0, 0, 7, "c2", _MAIN, 3, 7, "ifeq", "class_check", "none"),
    ],
    "inlining": [
        _decision(_MAIN, 1, _LEFT),
        _decision(_LEFT, 2, _SMALL),
        _decision(_SMALL, 3, _SMALL),
        _decision(_MAIN, 5, _RIGHT),
        _decision(_RIGHT, 2, _SMALL),
        _decision(_MAIN, 9, _BIG),
        _decision(_MAIN, 9, _BIG, inlined=False),
        _decision(_BIG, 0, _SMALL, inlined=False),
    ],
    # small within right within main; left within main; main itself; big, called by main
    "stack_frame": [
        (0, 0, _SMALL, 0, 30, "Inlined"),
        (0, 1, _RIGHT, 2, 20, "Inlined"),
        (0, 2, _MAIN, 5, 10, "JIT compiled"),
        (1, 0, _LEFT, 7, 41, "Inlined"),
        (1, 1, _MAIN, 1, 9, "JIT compiled"),
        (2, 0, _MAIN, 0, 8, "JIT compiled"),
        (3, 0, _BIG, 0, 50, "Interpreted"),
        (3, 1, _MAIN, 9, 12, "JIT compiled"),
    ],
    "execution_sample": [
        (60 + at, 0, stack, False, "STATE_RUNNABLE") for at, stack in enumerate((0, 0, 0, 1, 2, 3))
    ],
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    run = tmp_path_factory.mktemp("inlining") / "a.watch"
    write_watched(run, rows=_ROWS)
    with Engine(run) as opened:
        yield opened


def _rows(engine: Engine, query: str) -> list[tuple[Any, ...]]:
    return list(engine.query(query).rows())


def test_compilations_are_counted_by_method(engine: Engine) -> None:
    query = """
        SELECT name, n_versions, n_c1, n_c2, n_osr, n_before_watch, n_failed, compile_ns,
            n_thrown_away, n_deoptimizations, end_reasons, deoptimization_reasons
        FROM compiled_method ORDER BY name
    """

    reasons = ["class_check", "unstable_if"]
    assert _rows(engine, query) == [
        ("big", 0, 0, 0, 0, 0, 1, None, 0, 0, None, None),
        ("main", 2, 1, 1, 1, 0, 0, 25, 2, 2, ["deoptimized", "not known"], reasons),
    ]


def test_the_tree_has_each_call_below_its_callers(engine: Engine) -> None:
    """The call of ``small`` by itself may be in two places."""
    query = """
        SELECT depth, caller, bytecode_index, line, callee, is_inlined, n_copies, n_samples,
            n_self_samples FROM inlining_tree WHERE is_inlined ORDER BY edges
    """

    assert _rows(engine, query) == [
        (1, _name(_MAIN), 1, 9, _name(_LEFT), True, 1, 1, 1),
        (2, _name(_LEFT), 2, None, _name(_SMALL), True, 1, 0, 0),
        (3, _name(_SMALL), 3, None, _name(_SMALL), True, 2, 0, 0),
        (1, _name(_MAIN), 5, 10, _name(_RIGHT), True, 1, 3, 0),
        (2, _name(_RIGHT), 2, 20, _name(_SMALL), True, 1, 3, 3),
        (3, _name(_SMALL), 3, None, _name(_SMALL), True, 2, 0, 0),
        (1, _name(_MAIN), 9, 12, _name(_BIG), True, 1, 0, 0),
    ]


def test_what_is_not_inlined_says_why(engine: Engine) -> None:
    query = "SELECT callee, is_inlined, reasons FROM inlining_tree WHERE len(reasons) > 1"
    below = "SELECT callee, reasons FROM inlining_tree WHERE NOT is_inlined"

    assert _rows(engine, query) == [(_name(_BIG), True, [_HOT, _BIG_REASON])]
    assert _rows(engine, below) == [(_name(_SMALL), [_BIG_REASON])]


def test_samples_add_up(engine: Engine) -> None:
    """Of five samples in versions of main four are in what is inlined."""
    ((n_self,),) = _rows(engine, "SELECT SUM(n_self_samples) FROM sampled_inlining")
    ((n_inlined,),) = _rows(engine, "SELECT COUNT(*) FROM sample_version WHERE form = 'Inlined'")

    assert n_self == n_inlined == 4


def test_recorded_counts_stand_beside_inlined_calls(tmp_path: Path) -> None:
    """``step`` has one block, which ran 15 times and calls ``held`` at 11, which ran 12 times."""
    step = ("app/Work", "step", "()V")
    rows = {
        "vm_method": [(0, *step, False), (1, "app/Work", "held", "()V", False)],
        "compilation": [(0, 9, None, 1, "c2", 4, 0, False, True, 100, 9)],
        "inlining": [
            (0, 1, 0, 11, "app/Work", "held", "()V", True, _HOT),
            (0, 1, 1, 0, "app/Work", "gone", "()V", True, _HOT),
        ],
        "stack_frame": [
            (0, 0, 0, 11, None, "JIT compiled"),
            (1, 0, 0, 0, None, "Interpreted"),
        ],
        "execution_sample": [(20 + at, None, at // 3, False, "") for at in range(4)],
    }
    write_watched(tmp_path / "a.watch", rows=rows)
    with Engine(tmp_path / "a.watch", beside=write_recorded(tmp_path / "a.run")) as engine:
        calls = "SELECT depth, callee, n_executions, matched_by FROM inlined_call ORDER BY depth"
        blocks = "SELECT form, tier, n_samples, share, n_executions FROM sampled_block ORDER BY 1"
        assert _rows(engine, calls) == [
            (1, "app/Work.held()V", 15, "names"),
            (2, "app/Work.gone()V", 12, "names"),
        ]
        assert _rows(engine, blocks) == [
            ("Interpreted", None, 1, 0.25, 15),
            ("JIT compiled", 4, 3, 0.75, 15),
        ]
