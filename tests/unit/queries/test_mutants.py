"""Mutated queries end in an answer or a coded error; ``python -m fuzz`` asks many more."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from fuzz.corpus import seeds
from fuzz.mutation import Mutator
from fuzz.processes import Task, endings
from fuzz.watching import watched
from support.samples import write_shapes

from jvmscope.errors import LimitReached, QueryError
from jvmscope.queries import Engine, Question

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(("language", "count"), [("xquery", 400), ("xpath", 100), ("sql", 100)])
def test_mutants_end_as_they_may(tmp_path: Path, language: str, count: int) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    run = write_shapes(tmp_path / "a.run", probes=("receiver",))
    task = Task(seeds(language), run, folder, language, timeout=2.0)

    found = list(endings(task, count, n_jobs=1, seed=7))

    assert [(ending.text, ending.problem) for ending in found if ending.problem] == []
    assert len(found) == count
    assert len({ending.kind for ending in found}) > 1
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("language", ["xquery", "sql"])
def test_half_characters_are_refused(shapes: Path, language: str) -> None:
    with Engine(shapes) as engine, pytest.raises(QueryError) as raised:
        engine.query(Question("SELECT 1,\n  '\ud800'", language=language))
    assert raised.value.line is not None


def test_a_machine_without_room_for_threads_is_a_limit(
    shapes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with Engine(shapes) as engine, monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", start)
        for timeout in (1.0, None):
            with pytest.raises(LimitReached, match="not enough memory"):
                engine.query(Question("<a>{1}</a>/text()", timeout=timeout)).arrow()


def test_mutants_are_the_same_for_the_same_seed() -> None:
    one, two, other = (Mutator(["for $x in (1, 2) return $x + 1"], seed) for seed in (1, 1, 2))
    mutants = [one.mutant() for _ in range(20)]
    assert mutants == [two.mutant() for _ in range(20)]
    assert mutants != [other.mutant() for _ in range(20)]


def test_what_a_query_does_to_files_is_seen(tmp_path: Path) -> None:
    (tmp_path / "allowed").mkdir()
    (tmp_path / "allowed" / "a").write_text("a")
    with watched(tmp_path / "allowed") as seen:
        (tmp_path / "allowed" / "a").read_text()
        assert seen == []
        (tmp_path / "b").write_text("b")
        (tmp_path / "b").unlink()
    assert [event.split()[0] for event in seen] == ["open", "os.remove"]
