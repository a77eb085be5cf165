"""Metrics about times, of a watch run and the recorded run beside it, worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from support.beside import write_recorded, write_watch
from support.runs import SEGMENTS

import jvmscope
from jvmscope.commands.measure import command
from jvmscope.errors import RunError
from jvmscope.metrics import catalogue, measure
from jvmscope.metrics.reasons import ReasonCode
from jvmscope.metrics.requirements import needs_watch
from jvmscope.queries import Engine, parse_scope

if TYPE_CHECKING:
    from pathlib import Path

_COLLECTIONS = "time.collections"
_READINGS = [(at_s * 1_000_000_000, at_s, 0, at_s, 0, None, 0, 9) for at_s in (0, 1, 3)]
_TIMES = [id_ for id_, query in catalogue().items() if needs_watch(query)]
_BOTH = [id_ for id_ in _TIMES if "measured_method" in catalogue()[id_].requires]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_watch(tmp_path_factory.mktemp("watched") / "a.watch")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_recorded(tmp_path_factory.mktemp("recorded") / "a.run")


def _values(
    watched: Path, beside: Path | None, *metrics: str, name: str | None = None, probe: str = ""
) -> dict[str, Any]:
    """Returns the values of one method and probe, or of the whole, by measure."""
    rows = measure([watched], metrics=metrics, beside=beside).arrow().to_pylist()
    return {
        row["measure"]: row["value"] if row["reason"] is None else row["reason"]
        for row in rows
        if name is None or (row["name"], row["probe"]) == (name, probe)
    }


def _of_step(watched: Path, recorded: Path, metric: str) -> dict[str, Any]:
    return _values(watched, recorded, metric, name="step", probe="app.Work.*")


def test_calls_and_bytecodes(watched: Path, recorded: Path) -> None:
    """15 times the 10 instructions of step, 12 returns of held and 10 of wait, in 10 calls."""
    assert _of_step(watched, recorded, "time.methods") == {
        "n_calls": 4,
        "total_ns": 8000,
        "recorded_calls": 10,
        "recorded_bytecodes": 172,
        "ns_per_call": 2000,
        "ns_per_bytecode": pytest.approx(2000 / 17.2),
        "bytecodes_per_us": pytest.approx(8.6),
    }


def test_instructions(watched: Path, recorded: Path) -> None:
    """Block and callees: 15 executions of each instruction in 20 us; 12 calls of held."""
    assert _of_step(watched, recorded, "time.instructions") == {
        "aaload_rate": pytest.approx(30 / 20),
        "aastore_rate": pytest.approx(15 / 20),
        "getfield_rate": pytest.approx(15 / 20),
        "putfield_rate": pytest.approx(15 / 20),
        "late_bound_rate": pytest.approx(30 / 20),
        "dynamic_rate": pytest.approx(15 / 20),
        "monitor_rate": pytest.approx((15 + 12) / 20),
    }


def test_bytecodes_behind_a_throw_do_not_count(watched: Path, tmp_path: Path) -> None:
    """4 of 15 executions end with the first aaload, so 7 of 10 instructions run 11 times."""
    run = write_recorded(tmp_path / "a.run", probes=SEGMENTS)

    assert _of_step(watched, run, "time.methods")["recorded_bytecodes"] == 172 - 4 * 7
    assert _of_step(watched, run, "time.instructions") == {
        "aaload_rate": pytest.approx((15 + 11) / 20),
        "aastore_rate": pytest.approx(11 / 20),
        "getfield_rate": pytest.approx(15 / 20),
        "putfield_rate": pytest.approx(11 / 20),
        "late_bound_rate": pytest.approx(22 / 20),
        "dynamic_rate": pytest.approx(11 / 20),
        "monitor_rate": pytest.approx((11 + 12) / 20),
    }


def test_allocations(watched: Path, recorded: Path) -> None:
    """What main allocates is not of step."""
    assert _of_step(watched, recorded, "time.allocations") == {
        "byte_rate": pytest.approx((160 + 120) / 20),
        "instance_rate": pytest.approx(10 / 20),
        "array_rate": pytest.approx(5 / 20),
    }


def test_concurrency(watched: Path, recorded: Path) -> None:
    """A wait that another form of wait calls is the same wait."""
    assert _of_step(watched, recorded, "time.concurrency") == {
        "wait_rate": pytest.approx(10 / 20),
        "notify_rate": pytest.approx(20 / 20),
        "park_rate": pytest.approx(5 / 20),
        "atomic_rate": pytest.approx(30 / 20),
    }


def test_processor_time_needs_no_recording(watched: Path) -> None:
    """Readings are two seconds apart."""
    assert _values(watched, None, "time.processor") == {
        "elapsed_ns": 2_000_000_000,
        "user_ns": 3_000_000_000,
        "system_ns": 1_000_000_000,
        "processors_used": 2,
        "system_share": 0.25,
        "fault_rate": 21,
    }


def test_collections_need_no_recording(tmp_path: Path) -> None:
    """GIVEN readings after 0, 1 and 3 s, THEN a collection before the second one is left out."""
    run = write_watch(tmp_path / "a.watch", process_usage=_READINGS)
    assert _values(run, None, _COLLECTIONS) == {
        "elapsed_ns": 2_000_000_000,
        "n_collections": 1,
        "pauses_ns": 40_000_000,
        "pause_share": 0.02,
        "longest_ns": 30_000_000,
        "rate": 0.5,
    }


@pytest.mark.parametrize(
    ("id_", "n", "reason"),
    [("time.processor", 1, "not read twice"), (_COLLECTIONS, 2, "not read three times")],
)
def test_too_few_readings_tell_nothing(tmp_path: Path, id_: str, n: int, reason: str) -> None:
    run = write_watch(tmp_path / "a.watch", process_usage=_READINGS[:n])

    for name, value in _values(run, None, id_).items():
        assert reason in str(value), name


def test_collections_in_bins_are_not_left_out_silently(tmp_path: Path) -> None:
    """A bin may reach beyond the readings, so its collections cannot be told apart."""
    bins = [(0, 1_000_000_000, False, "G1New", "", 7, 70, 70)]
    run = write_watch(tmp_path / "a.watch", process_usage=_READINGS, collection_bin=bins)
    values = _values(run, None, _COLLECTIONS)

    assert values.pop("elapsed_ns") == 2_000_000_000
    assert len(values) == 5
    assert all("collection_bin" in str(value) for value in values.values())


@pytest.mark.parametrize("id_", _BOTH)
def test_what_cannot_be_joined_is_null_with_the_reason(
    id_: str, watched: Path, recorded: Path
) -> None:
    for name, probe, reason in (
        ("other", "app.Work.*", "no such method"),
        ("step", "app.Work.step when $1 > 0", "condition"),
    ):
        values = _values(watched, recorded, id_, name=name, probe=probe)
        divided = {measure: value for measure, value in values.items() if "per_b" in measure}
        for value in (divided if id_ == "time.methods" else values).values():
            assert reason in str(value)


@pytest.mark.parametrize("id_", _BOTH)
def test_no_time_is_no_rate(id_: str, watched: Path, recorded: Path) -> None:
    """Four calls that took no tick of the clock."""
    values = _values(watched, recorded, id_, name="idle", probe="app.Work.*")
    rates = [value for name, value in values.items() if name.endswith(("_rate", "_us"))]

    assert rates
    assert all(isinstance(value, str) for value in rates)


@pytest.mark.parametrize("id_", _BOTH)
def test_folded_calls_are_not_divided(id_: str, watched: Path, tmp_path: Path) -> None:
    folded = write_recorded(tmp_path / "a.run", is_folded=True)
    values = _of_step(watched, folded, id_)

    assert "folded calls" in str([*values.values()][-1])


@pytest.mark.parametrize("id_", _BOTH)
@pytest.mark.parametrize("option", ["include", "exclude"])
def test_bytecodes_that_are_left_out_are_not_divided(
    id_: str, option: str, watched: Path, tmp_path: Path
) -> None:
    """The measured time has what the left-out classes did."""
    run = write_recorded(tmp_path / "a.run", options={option: ["app/Other"]})

    assert "leaves out classes" in str([*_of_step(watched, run, id_).values()][-1])


@pytest.mark.parametrize("id_", _TIMES)
def test_one_run_alone_is_null_with_the_reason(id_: str, watched: Path, recorded: Path) -> None:
    found = measure([recorded], metrics=[id_], has_codes=True).arrow().to_pylist()
    assert {row["reason_code"] for row in found} == {ReasonCode.NOT_RECORDED}
    assert all("measure a watch run" in row["reason"] for row in found)

    if id_ in _BOTH:
        found = measure([watched], metrics=[id_], has_codes=True).arrow().to_pylist()
        assert {row["reason_code"] for row in found} == {ReasonCode.NOT_RECORDED}
        assert all("no recorded run stands beside" in row["reason"] for row in found)


def test_a_table_that_was_not_recorded(watched: Path, tmp_path: Path) -> None:
    bare = write_recorded(tmp_path / "a.run", probes=())
    rows = measure([watched], metrics=["time.allocations"], beside=bare).arrow().to_pylist()

    assert all("record again with --probes allocations" in row["reason"] for row in rows)


def test_without_names_a_watch_run_has_all_times(watched: Path, recorded: Path) -> None:
    rows = measure([watched], beside=recorded).arrow().to_pylist()

    assert {row["metric"] for row in rows} == {*_TIMES}
    with pytest.raises(RunError, match="no counted calls"):
        measure([watched], metrics=["hotness.methods"])


def test_counts_beside_times_have_a_reason(watched: Path) -> None:
    rows = measure([watched], metrics=["hotness.methods", "time.processor"]).arrow().to_pylist()

    assert {row["reason"] for row in rows if row["metric"] == "hotness.methods"} == {
        "a watch run has no counted calls: measure the recorded run itself"
    }


def test_a_watch_run_has_no_parts(watched: Path) -> None:
    with pytest.raises(RunError, match="leave out the scope"):
        measure([watched], metrics=["time.processor"], scope=parse_scope("application"))


def test_values_are_not_kept(watched: Path, recorded: Path) -> None:
    """Another recorded run beside it may have other counts."""
    measure([watched], beside=recorded)

    assert not (watched / "metrics").exists()


def test_an_incomplete_run_beside_it_has_a_warning(watched: Path, tmp_path: Path) -> None:
    limits = ["the JVM was killed or crashed"]
    run = write_recorded(tmp_path / "a.run", status="truncated", limits=limits)
    asked = CliRunner().invoke(command, [str(watched), "--with", str(run), "-m", "time.processor"])

    assert asked.exit_code == 0
    assert f"{run}: the recording is truncated: {limits[0]}" in asked.stderr


def test_a_run_of_native_code_alone_says_why_it_cannot_stand_beside(
    watched: Path, tmp_path: Path
) -> None:
    run = write_recorded(tmp_path / "a.run", kind="native")
    with pytest.raises(RunError, match="recorded with --no-tree"):
        measure([watched], metrics=["time.methods"], beside=run)


def test_only_a_watch_run_has_a_run_beside_it(recorded: Path) -> None:
    with pytest.raises(RunError, match="not a watch run"):
        measure([recorded], metrics=["time.methods"], beside=recorded)


def test_python_agrees(watched: Path, recorded: Path) -> None:
    expected = measure([watched], beside=recorded).arrow()

    assert jvmscope.measure([watched], beside=recorded).arrow() == expected
    with jvmscope.open(watched, beside=recorded) as run:
        assert run.measure().arrow() == expected
    with Engine(watched, beside=recorded) as engine:
        assert measure([engine]).arrow() == expected
