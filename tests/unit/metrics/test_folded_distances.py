"""How far from their allocation objects died is not known of a folded run, in any scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.runs import RunBuilder

from jvmscope.metrics import measure
from jvmscope.queries import Engine, parse_scope

if TYPE_CHECKING:
    from pathlib import Path


def _write(run: Path, *, is_folded: bool) -> Path:
    """Writes a run of two threads: f calls itself in the one, g makes an object in the other.

    An object may die in any context of its thread, so a scope without folded calls says nothing.
    """
    builder = RunBuilder()
    f = builder.method("app/F", "f", blocks=[["invokevirtual app/F.f:()V", "return"]])
    g = builder.method("app/G", "g", blocks=[["new app/G", "return"]], is_static=True)
    node = builder.thread("main").call(f, calls=10)
    if is_folded:
        node.fold(node, site=0, calls=9)
    builder.thread("other").call(g)

    def died(rows: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
        made = max(row["context_id"] for row in rows["context"])
        nothing = {"instruction_id": None, "class_id": None}
        return [{"context_id": made, "type": "app/G", "distance": 1, "n_objects": 1, **nothing}]

    builder.derive("object_churn", died)
    return builder.write(run, probes=["object_churn"], limits=["folded"] if is_folded else [])


@pytest.mark.parametrize("scope", ["run", "thread:other", "subtree:app/G.g"])
@pytest.mark.parametrize("metric", ["objects.churn", "objects.churn_sites"])
@pytest.mark.parametrize("is_folded", [False, True])
def test_distances(tmp_path: Path, metric: str, scope: str, *, is_folded: bool) -> None:
    with Engine(_write(tmp_path / "a.run", is_folded=is_folded)) as engine:
        found = measure([engine], metrics=[metric], scope=parse_scope(scope), has_codes=True)
        rows = found.arrow().to_pylist()

    codes = {row["reason_code"] for row in rows if row["measure"] in ("n_objects", "mean_distance")}
    assert codes == ({"folded"} if is_folded else {None})
