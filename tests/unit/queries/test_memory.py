"""The memory that a run's database may use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmscope.errors import LimitReached
from jvmscope.queries import Engine
from jvmscope.queries.limits.memory import _machine_bytes, memory_settings, own_bytes
from jvmscope.queries.xquery.evaluator import worker

if TYPE_CHECKING:
    from pathlib import Path


def test_a_containers_limit_counts(tmp_path: Path) -> None:
    machine = _machine_bytes(tmp_path)
    limit = tmp_path / "sys/fs/cgroup/memory.max"
    limit.parent.mkdir(parents=True)

    limit.write_text("max\n")
    assert _machine_bytes(tmp_path) == machine
    limit.write_text("1073741824\n")
    assert _machine_bytes(tmp_path) == 1 << 30


def test_no_two_databases_spill_into_one_directory() -> None:
    assert memory_settings()["temp_directory"] != memory_settings()["temp_directory"]


def test_a_run_is_opened_with_the_limit(shapes: Path) -> None:
    with Engine(shapes) as engine:
        text = "SELECT current_setting('memory_limit')"
        ((value,),) = engine.query(text).rows()

    number, unit = value.split()
    assert float(number) * {"MiB": 1, "GiB": 1024}[unit] <= 3 * 1024


_HOLDS_ALL = (
    "count(let $all := (for $i in 1 to 100000000 return string($i)) return ($all, $all))",
    "count(sort(for $i in 1 to 100000000 return concat('x', $i mod 97)))",
    "map:size(map:merge((1 to 100000000) ! map:entry(., string(.))))",
)


@pytest.mark.parametrize("text", _HOLDS_ALL)
def test_evaluation_on_trees_ends_at_its_limit(
    shapes: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "most_bytes", lambda: 16 << 20)
    with Engine(shapes) as engine:
        (whole,) = engine.query("count($cct//*)").rows()
        for _ in range(2):  # what one query took, the next one does not pay for
            with pytest.raises(LimitReached, match="more than 16 MiB of memory on trees; select"):
                list(engine.query(text).rows())
        assert list(engine.query("count($cct//*)").rows()) == [whole]


def test_the_memory_of_a_process_grows_with_what_it_holds() -> None:
    before = own_bytes()
    held = bytearray(64 << 20)
    held[:: 1 << 12] = b"x" * (len(held) >> 12)

    assert own_bytes() - before > 60 << 20
