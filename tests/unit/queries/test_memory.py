"""The memory that a run's database may use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries import Engine
from jvmscope.queries.limits.memory import _machine_bytes, memory_settings

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
