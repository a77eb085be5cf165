"""Where runs go, and that a run is there whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from jvmscope.collector.destination import Destination
from jvmscope.errors import AgentError


@dataclass(frozen=True)
class Force:
    is_forced: bool = False


def make_run(place: Destination, ordinal: int) -> Path:
    directory = place.partial / f"jvm-{ordinal}"
    directory.mkdir()
    (directory / "run.json").write_text(f'{{"ordinal": {ordinal}}}')
    return directory


def test_one_jvm_gives_the_directory(tmp_path: Path) -> None:
    with Destination(tmp_path / "a.run", Path("runs"), "n", Force()) as place:
        assert place.partial == tmp_path / "a.run.partial"
        assert place.keep([make_run(place, 1)]) == [tmp_path / "a.run"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.run"]
    assert (tmp_path / "a.run/run.json").exists()


def test_several_jvms_give_a_parent(tmp_path: Path) -> None:
    with Destination(tmp_path / "out", Path("runs"), "n", Force()) as place:
        runs = place.keep([make_run(place, 1), make_run(place, 3)])
    assert runs == [tmp_path / "out/n-1.run", tmp_path / "out/n-3.run"]
    assert all((run / "run.json").exists() for run in runs)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("name", ["caf\udce9.run", "a\nb.run"])
def test_a_path_that_a_run_cannot_have_is_refused(tmp_path: Path, name: str) -> None:
    with (
        pytest.raises(AgentError, match="cannot be used"),
        Destination(tmp_path / name, Path("runs"), "n", Force()),
    ):
        pass
    assert list(tmp_path.iterdir()) == []


def test_without_output_runs_lie_side_by_side(tmp_path: Path) -> None:
    with Destination(None, tmp_path / "runs", "n", Force()) as place:
        runs = place.keep([make_run(place, 1), make_run(place, 2)])
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["n-1.run", "n-2.run"]
    with (
        pytest.raises(AgentError, match="exists already"),
        Destination(None, tmp_path / "runs", "n", Force()),
    ):
        pass
    assert runs[0].exists()


def test_no_run_leaves_nothing(tmp_path: Path) -> None:
    with Destination(tmp_path / "a.run", Path("runs"), "n", Force()) as place:
        assert place.keep([]) == []
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_recording_stays_partial_and_the_next_takes_over(tmp_path: Path) -> None:
    place = Destination(tmp_path / "a.run", Path("runs"), "n", Force())
    place.__enter__()
    make_run(place, 1)
    place.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert (tmp_path / "a.run.partial/jvm-1").exists()
    with Destination(tmp_path / "a.run", Path("runs"), "n", Force()) as place:
        assert [path.name for path in place.partial.iterdir()] == ["lock"]


def test_two_cannot_record_to_one_place(tmp_path: Path) -> None:
    with (
        Destination(tmp_path / "a.run", Path("runs"), "n", Force()) as place,
        pytest.raises(AgentError, match="another recording"),
        Destination(tmp_path / "a.run", Path("runs"), "n", Force()),
    ):
        pass
    assert not place.partial.exists()


def test_force_replaces_a_run_and_nothing_else(tmp_path: Path) -> None:
    old = tmp_path / "a.run"
    old.mkdir()
    (old / "run.json").write_text("old")
    with (
        pytest.raises(AgentError, match="force=True"),
        Destination(old, Path("runs"), "n", Force()),
    ):
        pass
    with Destination(old, Path("runs"), "n", Force(is_forced=True)) as place:
        assert (old / "run.json").read_text() == "old"
        place.keep([make_run(place, 1)])
    assert (old / "run.json").read_text() != "old"
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis.tex").touch()
    with (
        pytest.raises(AgentError, match="not a run"),
        Destination(precious, Path("runs"), "n", Force(is_forced=True)),
    ):
        pass
    assert (precious / "thesis.tex").exists()
