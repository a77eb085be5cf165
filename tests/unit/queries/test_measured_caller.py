"""Times and counts of a method by its callers, worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.beside import write_recorded, write_watch
from support.runs import RunBuilder

from jvmscope.queries import Engine

if TYPE_CHECKING:
    from pathlib import Path

_ALL = """
    SELECT caller_class, caller_name, n_calls, recorded_calls, recorded_bytecodes, ns_per_call,
        ns_per_bytecode, reason
    FROM measured_caller WHERE probe NOT LIKE '%when%' ORDER BY caller_class, caller_name
"""
_STEP = [f"nop {index}" for index in range(14)]


def _recorded(run: Path) -> Path:
    """``few`` calls step 2 times, ``many`` 10 times, 5 of which call themselves once more."""
    builder = RunBuilder()
    deeper = builder.method("app/Work", "deeper", blocks=[["nop", "return"]])
    step = builder.method("app/Work", "step", blocks=[[*_STEP, "nop", "return"]])
    few = builder.method("app/Main", "few", blocks=[["return"]])
    many = builder.method("app/Main", "many", blocks=[["return"]])
    root = builder.thread("main")
    root.call(few).call(step, calls=2)
    outer = root.call(many).call(step, calls=10)
    outer.call(step, calls=5)
    outer.call(deeper, calls=20)
    return builder.write(run)


def _rows(tmp_path: Path, **tables: Any) -> list[tuple[Any, ...]]:
    watched = write_watch(tmp_path / "a.watch", **tables)
    with Engine(watched, beside=_recorded(tmp_path / "a.run")) as engine:
        return list(engine.query(_ALL).rows())


def test_callers_are_told_apart(tmp_path: Path) -> None:
    """A call by few executes 16 bytecodes, one by many (160 + 80 + 40) / 10 with its recursion."""
    callers = [(0, "app/Main", "few"), (1, "app/Main", "many"), (2, "app/Main", "none")]
    rows = _rows(
        tmp_path,
        probe_caller=[*callers, (3, None, "others")],
        probe_time=[
            (0, 9, 0, 0, False, 4, None, 640, 100, 200),
            (0, 9, 0, 1, False, 3, None, 100, 10, 100),
            (9, 18, 0, 1, True, 2, None, 40, 10, 30),
            (0, 9, 0, 2, False, 1, None, 10, 10, 10),
            (0, 9, 0, 3, False, 1, None, 10, 10, 10),
            (0, 9, 2, 0, False, 1, None, 10, 10, 10),
        ],
    )

    assert rows == [
        ("app/Main", "few", 4, 2, 32, 160.0, 10.0, None),
        ("app/Main", "many", 5, 10, 280, 28.0, 1.0, None),
        ("app/Main", "none", 1, None, None, 10.0, None, _NONE),
        (None, None, 1, None, None, 10.0, None, "callers beyond the first 1,000 of a method"),
    ]


_NONE = "the recorded run has no call by this caller"


def test_without_callers_there_is_no_row(tmp_path: Path) -> None:
    assert _rows(tmp_path) == []


@pytest.mark.parametrize(
    ("excluded", "count"),
    [
        ((), 0),
        ((("app/Work", None, None, "excluded"),), None),
        ((("app/Work", "unused", None, "excluded"),), None),
        ((("app/Work", "unused", "()V", "excluded"),), None),
        ((("app/Work", "unused", "(I)V", "excluded"), ("app/Main", None, None, "excluded")), 0),
    ],
)
def test_what_was_not_counted_has_no_count(
    excluded: tuple[tuple[str | None, ...], ...], count: int | None, tmp_path: Path
) -> None:
    """A sample of a method that did not run while it was recorded, or was not counted."""
    watched = write_watch(
        tmp_path / "a.watch",
        vm_method=[(0, "app/Work", "unused", "()V", False)],
        execution_sample=[(5, None, 0, False, "STATE_RUNNABLE")],
        stack_frame=[(0, 0, 0, 0, None, "Interpreted")],
    )
    recorded = write_recorded(tmp_path / "a.run", excluded=excluded)
    with Engine(watched, beside=recorded) as engine:
        query = "SELECT name, n_executions, n_samples FROM sampled_block"
        assert list(engine.query(query).rows()) == [("unused", count, 1)]
