"""Where runs go, and that a run is there whole or not at all."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from jvmscope.collector.begun import Begun
from jvmscope.collector.destination import Destination, is_held
from jvmscope.errors import AgentError, RunError
from jvmscope.signals import Ended, cleaning_up
from jvmscope.whole_files import replace_directory


def make_run(place: Destination, ordinal: int) -> Path:
    directory = place.partial / f"jvm-{ordinal}"
    directory.mkdir()
    (directory / "run.json").write_text(f'{{"ordinal": {ordinal}}}')
    return directory


def test_one_jvm_gives_the_directory(tmp_path: Path) -> None:
    with Destination(tmp_path / "a.run", Path("runs"), "n", is_forced=False) as place:
        assert place.partial == tmp_path / "a.run.partial"
        assert place.keep([make_run(place, 1)]) == [tmp_path / "a.run"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.run"]
    assert (tmp_path / "a.run/run.json").exists()


def test_several_jvms_give_a_parent(tmp_path: Path) -> None:
    with Destination(tmp_path / "out", Path("runs"), "n", is_forced=False) as place:
        runs = place.keep([make_run(place, 1), make_run(place, 3)])
    assert runs == [tmp_path / "out/n-1.run", tmp_path / "out/n-3.run"]
    assert all((run / "run.json").exists() for run in runs)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("name", ["caf\udce9.run", "a\nb.run"])
def test_a_path_that_a_run_cannot_have_is_refused(tmp_path: Path, name: str) -> None:
    with (
        pytest.raises(AgentError, match="cannot be used"),
        Destination(tmp_path / name, Path("runs"), "n", is_forced=False),
    ):
        pass
    assert list(tmp_path.iterdir()) == []


def test_without_output_runs_lie_side_by_side(tmp_path: Path) -> None:
    with Destination(None, tmp_path / "runs", "n", is_forced=False) as place:
        runs = place.keep([make_run(place, 1), make_run(place, 2)])
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["n-1.run", "n-2.run"]
    with (
        pytest.raises(AgentError, match="exists already"),
        Destination(None, tmp_path / "runs", "n", is_forced=False),
    ):
        pass
    assert runs[0].exists()


def test_no_run_leaves_nothing(tmp_path: Path) -> None:
    with Destination(tmp_path / "a.run", Path("runs"), "n", is_forced=False) as place:
        assert place.keep([]) == []
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_recording_stays_partial_and_the_next_takes_over(tmp_path: Path) -> None:
    place = Destination(tmp_path / "a.run", Path("runs"), "n", is_forced=False)
    place.__enter__()
    make_run(place, 1)
    place.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert (tmp_path / "a.run.partial/jvm-1").exists()
    with Destination(tmp_path / "a.run", Path("runs"), "n", is_forced=False) as place:
        assert [path.name for path in place.partial.iterdir()] == ["lock"]


def test_two_cannot_record_to_one_place(tmp_path: Path) -> None:
    with (
        Destination(tmp_path / "a.run", Path("runs"), "n", is_forced=False) as place,
        pytest.raises(AgentError, match="another recording"),
        Destination(tmp_path / "a.run", Path("runs"), "n", is_forced=False),
    ):
        pass
    assert not place.partial.exists()


@pytest.mark.parametrize("is_third", [False, True])
def test_a_directory_that_is_removed_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_third: bool
) -> None:
    """GIVEN a recording that ends, or also one that begins, when another has opened the lock."""
    first, second, third = (
        Destination(tmp_path / "a.run", Path("runs"), "n", is_forced=False) for _ in range(3)
    )
    first.__enter__()

    def meanwhile(self: Destination) -> bool:
        monkeypatch.undo()
        first.__exit__(None, None, None)
        if is_third:
            third.__enter__()
        return self._is_free()

    monkeypatch.setattr(Destination, "_is_free", meanwhile)
    if is_third:
        with pytest.raises(AgentError, match="another recording"):
            second.__enter__()
        holder = third
    else:
        holder = second.__enter__()
    assert (holder.partial / "lock").exists()
    assert is_held(holder.partial)
    holder.__exit__(None, None, None)
    assert list(tmp_path.iterdir()) == []


def test_what_another_has_recovered_is_not_recovered_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIVEN a recovery that ends when another has opened the lock."""
    partial = tmp_path / "a.run.partial"
    killed = Destination(tmp_path / "a.run", Path("runs"), "n", is_forced=False)
    killed.__enter__()
    killed.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    partial.mkdir(exist_ok=True)
    begun = Begun(
        command=[],
        directory="",
        environment={},
        options={},
        tags={},
        has_tree=True,
        is_deterministic=True,
        started="",
        name="n",
        has_output=True,
        workspace="",
    )

    def meanwhile(self: Destination) -> bool:
        monkeypatch.undo()
        with Destination.of_killed(partial, begun) as place:
            place.keep([make_run(place, 1)])
        return self._is_free()

    monkeypatch.setattr(Destination, "_is_free", meanwhile)
    with (
        pytest.raises(RunError, match="exists already"),
        Destination.of_killed(partial, begun),
    ):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["a.run"]


def test_force_replaces_a_run_and_nothing_else(tmp_path: Path) -> None:
    old = tmp_path / "a.run"
    old.mkdir()
    (old / "run.json").write_text("old")
    with (
        pytest.raises(AgentError, match="force=True"),
        Destination(old, Path("runs"), "n", is_forced=False),
    ):
        pass
    with Destination(old, Path("runs"), "n", is_forced=True) as place:
        assert (old / "run.json").read_text() == "old"
        place.keep([make_run(place, 1)])
    assert (old / "run.json").read_text() != "old"
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis.tex").touch()
    with (
        pytest.raises(AgentError, match="not a run"),
        Destination(precious, Path("runs"), "n", is_forced=True),
    ):
        pass
    assert (precious / "thesis.tex").exists()


@pytest.mark.parametrize("is_forced", [False, True])
def test_a_partial_directory_of_somebody_else_is_left_alone(
    tmp_path: Path, *, is_forced: bool
) -> None:
    foreign = tmp_path / "a.run.partial"
    foreign.mkdir()
    (foreign / "thesis.tex").write_text("precious")
    with (
        pytest.raises(AgentError, match=r"a\.run\.partial: contains thesis\.tex"),
        Destination(tmp_path / "a.run", Path("runs"), "n", is_forced=is_forced),
    ):
        pass
    assert [path.name for path in foreign.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("n_jvms", [1, 2])
def test_nothing_but_the_run_is_replaced(tmp_path: Path, n_jvms: int) -> None:
    """Whatever stands beside it, such as the copies that people make before."""
    old = tmp_path / "a.run"
    names = [".old", ".bak", "~", ".1", ".new", ".tmp", ".lock", ".replaced", ".partial.old"]
    others = [tmp_path / f"{old.name}{name}" for name in names]
    for directory in (old, *others):
        directory.mkdir()
        (directory / "run.json").write_text("old")
    with Destination(old, Path("runs"), "n", is_forced=True) as place:
        place.keep([make_run(place, 1 + i) for i in range(n_jvms)])
    assert all((directory / "run.json").read_text() == "old" for directory in others)
    assert {path.name for path in tmp_path.iterdir()} == {old.name, *(p.name for p in others)}


def test_what_cannot_be_replaced_is_there_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = tmp_path / "new", tmp_path / "a.run"
    for directory in (source, target):
        directory.mkdir()
        (directory / "name").write_text(directory.name)
    rename = Path.rename

    def fail(path: Path, to: Path) -> Path:
        if path == source:
            raise OSError("no")
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(OSError, match="no"):
        replace_directory(source, target)
    assert (target / "name").read_text() == "a.run"
    assert {path.name for path in tmp_path.iterdir()} == {"new", "a.run"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("nth", [1, 2])
def test_a_signal_while_a_run_is_replaced_loses_neither(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, nth: int
) -> None:
    source, target = tmp_path / "new", tmp_path / "a.run"
    for directory in (source, target):
        directory.mkdir()
        (directory / "name").write_text(directory.name)
    rename, n_renamed = Path.rename, 0

    def disturbed(path: Path, to: Path) -> Path:
        nonlocal n_renamed
        renamed = rename(path, to)
        n_renamed += 1
        if n_renamed >= nth:
            signal.raise_signal(number)
            signal.raise_signal(number)
        return renamed

    def replace() -> None:
        with cleaning_up():
            replace_directory(source, target)

    monkeypatch.setattr(Path, "rename", disturbed)
    with pytest.raises((Ended, KeyboardInterrupt)):
        replace()
    assert (target / "name").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["a.run"]


@pytest.mark.parametrize("before", [0, 1, 2, 3])
@pytest.mark.parametrize("now", [0, 1, 2, 3])
def test_runs_of_an_earlier_recording_of_the_name_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: int, now: int
) -> None:
    monkeypatch.chdir(tmp_path)
    kept = []
    for n_jvms in (before, now):
        with Destination(None, Path("runs"), "n", is_forced=True) as place:
            kept.append(place.keep([make_run(place, 1 + i) for i in range(n_jvms)]))
            left = place.left(kept[-1])
    assert left == ([path for path in kept[0] if path not in kept[1]] if now else [])
