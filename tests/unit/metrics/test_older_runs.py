"""Runs that were recorded before a table was there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.runs import RunBuilder

import jvmscope
from jvmscope.errors import QueryError
from jvmscope.schema import tables

if TYPE_CHECKING:
    from pathlib import Path

_OF_PROBES = {
    name: table.recorded
    for name, table in tables().items()
    if table.recorded.startswith("--probes ") and table.needs is None
}
_PAIRS = [
    (name, other)
    for name, option in _OF_PROBES.items()
    for other in [other for other in _OF_PROBES if other != name and _OF_PROBES[other] == option][
        :1
    ]
]


def _run(path: Path, probe: str, other: str) -> Path:
    """Writes a run of a probe that lacks all its tables but another one."""
    builder = RunBuilder()
    method = builder.method("app/A", "main", blocks=[["return"]])
    builder.thread("main").call(method)
    return builder.write(path, probes=[other], options={"probes": [probe]})


def test_lives_of_an_older_run_are_null(tmp_path: Path) -> None:
    with jvmscope.open(_run(tmp_path / "a.run", "lifetimes", "lifetime_log")) as run:
        measured = run.measure("objects.liveness", "objects.live_curve")
        rows = measured.arrow().to_pylist()

    assert len(rows) == 9 + 6  # measures of both, without the key of the curve
    for row in rows:
        assert row["value"] is None
        assert row["reason"] == (
            'the table "object_presence" was not recorded: the jvmscope that recorded the run did '
            "not have it; record again with this one"
        )


@pytest.mark.parametrize(("name", "other"), _PAIRS)
def test_the_option_of_a_table_that_was_given_is_no_remedy(
    name: str, other: str, tmp_path: Path
) -> None:
    probe = _OF_PROBES[name].removeprefix("--probes ").split(" or ")[0].split(",")[0]
    with (
        jvmscope.open(_run(tmp_path / "a.run", probe, other)) as run,
        pytest.raises(QueryError) as caught,
    ):
        run.query(f"FROM {name}")

    assert f'the table "{name}" was not recorded in this run' in str(caught.value)
    assert "what recorded the run did not have this table" in str(caught.value)
