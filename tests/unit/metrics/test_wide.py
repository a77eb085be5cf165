"""`wide iload 300` is a load of an int: what is told of `iload` is told of it, whoever reads it.

The prefix and what it stands before are one instruction, whose opcode is `wide` (table
`instruction`). So a query that knows instructions by their opcodes has to read its operand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.runs import RunBuilder

from jvmscope.metrics import catalogue, measure
from jvmscope.metrics.catalogue import implementations
from jvmscope.queries import Engine

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.queries import QueryFile

_WIDENED = (
    *("iload", "lload", "fload", "dload", "aload"),
    *("istore", "lstore", "fstore", "dstore", "astore"),
    *("iinc", "ret"),
)
"""What `wide` may stand before (JVMS 6.5)."""


def _tells_opcodes(query: QueryFile) -> bool:
    """Whether a metric's answer names opcodes, or prices them: there, `wide` is one of its own."""
    return query.grain == "opcode" or "costs" in query.imports


_READERS = [
    query.id
    for versions in implementations().values()
    for query in versions
    if "instruction" in query.requires and not _tells_opcodes(query)
]


def _run(path: Path, prefix: str) -> Path:
    """A block for each: no sum of their executions, 1, 2, 4 and so on, is that of others."""
    builder = RunBuilder()
    code = [["dup2", "fadd", "new p/C", "iadd"]]
    code += [[f"{prefix}{name} 300{' 1' if name == 'iinc' else ''}", "nop"] for name in _WIDENED]
    method = builder.method("p/C", "main", blocks=[*code, ["return"]])
    counts = [1 << k for k in range(len(_WIDENED))]
    node = builder.thread("main").call(method, blocks=[2, *counts, 2])
    node.allocates("p/C", 2, size=16, instruction=2)
    return builder.write(path, probes=("allocation", "allocation_site"))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two runs that differ in that these instructions are all wide in the second."""
    folder = tmp_path_factory.mktemp("runs")
    return _run(folder / "plain.run", ""), _run(folder / "wide.run", "wide ")


def _values(run: Path) -> list[dict[str, Any]]:
    with Engine(run) as engine:
        rows = measure([engine], metrics=sorted(set(_READERS)), is_cached=False).arrow()
    return rows.drop_columns(["run_id"]).to_pylist()


def test_metrics_take_it_for_what_it_widens(both: tuple[Path, Path]) -> None:
    plain, wide = map(_values, both)

    assert wide == plain


def test_features_of_methods_do_so_too(both: tuple[Path, Path]) -> None:
    found = []
    for run in both:
        with Engine(run) as engine:
            found.append(engine.query("SELECT * FROM features.allocations()").arrow().to_pylist())

    assert found[0]
    assert found[1] == found[0]


def test_there_are_readers() -> None:
    assert {"floating.operations", "control.branches", "recursion.tail_calls"} <= set(_READERS)
    assert set(_READERS) <= set(catalogue())
