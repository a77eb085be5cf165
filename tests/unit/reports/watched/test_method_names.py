"""Names of methods in tables of watch runs: no two are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from support.beside import write_recorded, write_watch
from support.calibrated import calibration, write_counted, write_sampled

from jvmscope.queries import Engine
from jvmscope.reports.faces.blocks import Grid
from jvmscope.reports.watched import costs
from jvmscope.reports.watched.method_names import method_names
from jvmscope.reports.watched.probes import probe_blocks
from jvmscope.reports.watched.together import together_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import pytest

    from jvmscope.reports.faces.blocks import Block

_S = 1_000_000_000


def _first_cells(blocks: Iterable[Block]) -> list[Any]:
    return [row[0] for block in blocks if isinstance(block, Grid) for row in block.rows]


def test_a_name_says_no_more_than_tells_it_from_others() -> None:
    named = {
        ("app/A", "alone", "(I)V"): "app.A.alone",
        ("app/A", "f", "()V"): "app.A.f()",
        ("app/A", "f", "(I[Ljava/lang/String;)V"): "app.A.f(int, String[])",
        ("app/A", "g", "(Ljava/util/Date;)V"): "app.A.g(java.util.Date)",
        ("app/A", "g", "(Ljava/sql/Date;)V"): "app.A.g(java.sql.Date)",
        ("app/A", "h", "()Ljava/lang/Object;"): "app.A.h()Ljava/lang/Object;",
        ("app/A", "h", "()V"): "app.A.h()V",
        ("app/B", "f", "()V"): "app.B.f",
    }
    assert method_names(named) == named
    assert method_names([]) == {}


def test_overloads_have_their_parameters(tmp_path: Path) -> None:
    """GIVEN a second ``step``, which has a probe, too."""
    where = (None, 1, None, None)
    methods = [
        (0, 0, 0, "app/Work", "step", "()V", *where),
        (1, 0, 0, "app/Work", "step", "(Lapp/Request;)V", *where),
    ]
    times = [(0, _S, n, None, False, 3, None, 6500, 2000, 2500) for n in range(2)]
    buckets = [(_S, n, None, False, 2048, 2304, 3) for n in range(2)]
    watch = write_watch(
        tmp_path / "a.watch", probe_method=methods, probe_time=times, probe_histogram=buckets
    )
    with Engine(watch, beside=write_recorded(tmp_path / "a.run")) as engine:
        for blocks in (probe_blocks, together_blocks):
            assert _first_cells(blocks(engine)) == ["app.Work.step()", "app.Work.step(Request)"]


def test_estimated_costs_of_overloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """GIVEN that all methods of the tables are called the same."""
    real = costs.method_names

    def same(methods: Iterable[Any]) -> Any:
        given = dict.fromkeys(methods)
        called = {method: ("app/A", "f", f"({'I' * n})V") for n, method in enumerate(given)}
        names = real(called.values())
        return {method: names[other] for method, other in called.items()}

    monkeypatch.setattr(costs, "method_names", same)
    watch, run = write_sampled(tmp_path / "a.watch"), write_counted(tmp_path / "a.run")
    with Engine(watch, beside=run, calibration=calibration()) as engine:
        by_method, by_called, _ = (
            block for block in costs.cost_blocks(engine) if isinstance(block, Grid)
        )

    assert by_method.rows[0][0] == "app.A.f()"
    assert [row[0] for row in by_called.rows] == ["app.A.f()", "app.A.f(int)"]
