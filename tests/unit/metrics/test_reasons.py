"""Every absent value has a code of its reason beside the sentence, whoever found it absent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow.compute as pc
import pytest
from support.samples import write_empty, write_folded, write_shapes

from jvmscope.metrics import catalogue, measure
from jvmscope.metrics.reasons import ReasonCode
from jvmscope.queries import parse_scope
from jvmscope.reports.changes.measuring import Measuring, changes
from jvmscope.reports.changes.pairs import pairs_of

if TYPE_CHECKING:
    from pathlib import Path

_WRITERS = {"shapes": write_shapes, "folded": write_folded, "empty": write_empty}


@pytest.mark.parametrize(
    ("name", "scope"), [("shapes", "thread:main"), ("folded", "run"), ("empty", "run")]
)
def test_what_is_absent_has_a_reason_and_its_code(name: str, scope: str, tmp_path: Path) -> None:
    run = _WRITERS[name](tmp_path / "a.run")
    every = [*catalogue()]
    values = measure(
        [run],
        metrics=every,
        scope=parse_scope(scope),
        has_codes=True,
        on_failure=lambda _failure: None,
    ).arrow()

    is_absent = pc.is_null(values["value"])
    assert pc.is_valid(values["reason"]).equals(is_absent)
    assert pc.is_valid(values["reason_code"]).equals(is_absent)
    assert {*values["reason_code"].to_pylist()} - {None} <= {*ReasonCode}


@pytest.mark.parametrize("name", ["folded", "empty"])
def test_changes_have_the_codes_of_both_sides(name: str, tmp_path: Path) -> None:
    a, b = write_shapes(tmp_path / "a.run"), _WRITERS[name](tmp_path / "b.run")
    table = changes(pairs_of(a, b), (), Measuring(on_failure=lambda _failure: None)).arrow()

    for side in ("a", "b"):
        assert pc.is_valid(table[f"reason_code_{side}"]).equals(pc.is_null(table[side]))
        assert {*table[f"reason_code_{side}"].to_pylist()} - {None} <= {*ReasonCode}
    has_reason = pc.or_(pc.is_null(table["a"]), pc.is_null(table["b"]))
    assert pc.all(pc.is_valid(table["reason"].filter(has_reason))).as_py() is not False


def test_a_result_has_no_code_unless_it_is_asked_for(shapes: Path) -> None:
    assert "reason_code" not in measure([shapes], metrics=["execution.totals"]).arrow().column_names
