"""Threads and a Dask cluster record the same; when one is left, nothing goes on."""

from __future__ import annotations

import concurrent.futures
import gc
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.suites import write_suite_file

from jvmscope import cli
from jvmscope.errors import SuiteError
from jvmscope.suite import open_suite
from jvmscope.suite.engines import engine_of
from jvmscope.suite.reading import read_suite_file
from jvmscope.suite.running import agenda, run_agenda
from jvmscope.suite.storage import LocalStorage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmscope.schema.suite import Row

pytestmark = [
    pytest.mark.usefixtures("stand_in"),
    # A cluster leaves sockets to the garbage collector where the machine is slow.
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]

_GONE_S = 60.0


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The name of an engine: a cluster of two workers in this process."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=False,
        protocol="tcp://",
        dashboard_address="127.0.0.1:0",
    ) as made:
        yield made.scheduler_address.replace("tcp://", "dask://")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def test_a_cluster_records_as_this_machine_does(tmp_path: Path, cluster: str) -> None:
    file = write_suite_file(tmp_path, {"a": "ok", "b": "fail", "c": "two", "d": "crash"})

    def outcome(out: str, *options: str) -> list[tuple[str, str, str | None, list[str]]]:
        command = ["suite", "run", str(file), "-o", str(tmp_path / out), *options]
        assert cli.run(command) == cli.NO
        rows = open_suite(tmp_path / out).rows
        return [(r.name, r.status, r.reason, [run.name for run in r.runs]) for r in rows]

    assert outcome("there", "--engine", cluster) == outcome("here", "--jobs", "2")


def test_what_is_finished_is_not_recorded_again_for_a_lost_worker(
    tmp_path: Path, cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scheduler sends out again what a worker had finished before it died."""
    ledger = tmp_path / "ledger"
    monkeypatch.setenv("LEDGER", str(ledger))
    file = read_suite_file(write_suite_file(tmp_path, {"a": "ok", "b": "fail"}))
    storage = LocalStorage(tmp_path / "out")
    with storage.exclusive() as lost, engine_of(cluster, 1) as engine:
        things = agenda(file, storage)

        first, again = (run_agenda(things, engine, lost) for _ in range(2))

        assert first.rows == again.rows
        assert len(_processes(ledger)) == 2
        run_agenda(agenda(file, storage, reruns=True), engine, lost)
    assert len(_processes(ledger)) == 4


def test_a_lost_scheduler_is_an_error(cluster: str) -> None:
    with pytest.raises(SuiteError, match="the scheduler is gone"), engine_of(cluster, 1):
        raise concurrent.futures.CancelledError


def test_a_cluster_brings_runs_to_any_file_system(tmp_path: Path, cluster: str) -> None:
    import fsspec

    file = write_suite_file(tmp_path, {"a": "ok"})
    command = ["suite", "run", str(file), "-o", f"memory:/{tmp_path}", "--engine", cluster]

    assert cli.run(command) == cli.DONE

    fs, root = fsspec.core.url_to_fs(f"memory:/{tmp_path}")
    assert fs.exists(f"{root}/a-1.run/run.json")


def test_no_scheduler_or_no_worker_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("jvmscope.suite.engines._CONNECT_S", 0.2)
    file = write_suite_file(tmp_path, {"a": "ok"})
    command = ["suite", "run", str(file), "-o", str(tmp_path / "out"), "--engine"]

    assert cli.run([*command, "dask://127.0.0.1:9"]) == cli.WRONG

    assert "no Dask scheduler answers" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["threads", "cluster"])
def test_an_interrupted_engine_leaves_no_process(
    tmp_path: Path, kind: str, cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = tmp_path / "ledger"
    monkeypatch.setenv("LEDGER", str(ledger))
    file = write_suite_file(tmp_path, {"a": "ok", "b": "never", "c": "never", "d": "ok"})
    storage = LocalStorage(tmp_path / "out")

    def interrupt(_row: Row) -> None:
        _until(lambda: len(_processes(ledger)) > 2)  # the next one is under way
        raise KeyboardInterrupt

    with (
        pytest.raises(KeyboardInterrupt),
        storage.exclusive() as lost,
        engine_of(cluster if kind == "cluster" else None, 2) as engine,
    ):
        run_agenda(agenda(read_suite_file(file), storage), engine, lost, interrupt)

    _until(lambda: not any(map(_lives, _processes(ledger))))
    status = {row.benchmark: row.status for row in open_suite(tmp_path / "out").rows}
    assert status["a"] == "recorded"
    assert status["b"] == "missing"


def _processes(ledger: Path) -> list[int]:
    lines = ledger.read_text().splitlines() if ledger.exists() else []
    return [int(line.split()[1]) for line in lines]


def _lives(process: int) -> bool:
    return Path(f"/proc/{process}").exists()


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _GONE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
