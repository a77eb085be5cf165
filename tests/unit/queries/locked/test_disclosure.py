"""What an untrusted query learns beside the tables: nothing of who recorded the run, or where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.samples import write_shapes

from jvmscope.errors import QueryError, RunError, WorkerFailed
from jvmscope.queries import Engine, Limits, Question, Serialized
from jvmscope.queries.locked import process
from jvmscope.queries.locked.disclosure import without_machine

if TYPE_CHECKING:
    from collections.abc import Iterator

_SECRET = "s3cr3t"  # noqa: S105 - it is in every entry that is about the recorder


def _with_secrets(value: Any) -> Any:
    """Returns a value of the manifest in which every text holds a secret path."""
    if isinstance(value, dict):
        return {name: _with_secrets(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_with_secrets(one) for one in value]
    return f"at /home/{_SECRET}/x: {value}" if isinstance(value, str) else value


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose manifest tells all that one may tell."""
    facts = {
        "command": ["java", "-cp", "/opt/app", "Main", "--token"],
        "directory": "/srv/app",
        "environment": {"PATH": "/usr/bin", "JAVA_HOME": "/opt/jdk"},
        "jvm": {"home": "/opt/jdk", "command": ["java"], "added_options": ["-javaagent:/x.jar"]},
        "host": {"name": "build7", "release": "6.1", "n_processors": 2},
        "options": {"select": "x", "consumer": "/x.jar"},
        "tags": {"who": "me"},
        "limits": ["the JVM was killed by SIGKILL"],
        "determinism": ["JAVA_TOOL_OPTIONS was set"],
        "unheard": {"of": "x"},
    }
    folder = tmp_path_factory.mktemp("disclosure")
    run = write_shapes(folder / "app.run")
    path = run / "run.json"
    document = json.loads(path.read_text(encoding="utf-8")) | _with_secrets(facts)
    document["jvm"]["version"] = "25.0.3"
    path.write_text(json.dumps(document), encoding="utf-8")
    return run


@pytest.fixture(scope="module")
def engine(run: Path) -> Iterator[Engine]:
    with Engine(run) as engine:
        yield engine


@pytest.mark.parametrize("text", ["$cct//dcg:run", "collection(), doc('cct')"])
def test_trees_do_not_tell_who_recorded_the_run(engine: Engine, text: str) -> None:
    answer = engine.answer(Question(text, limits=Limits(), form="items"))

    assert isinstance(answer, Serialized)
    assert _SECRET not in answer.text
    assert '<dcg:string name="version">25.0.3</dcg:string>' in answer.text
    assert "at …: the JVM was killed by SIGKILL" in answer.text


def test_its_owner_sees_all(engine: Engine) -> None:
    answer = engine.answer(Question("$cct//dcg:run", form="items"))

    assert isinstance(answer, Serialized)
    assert answer.text.count(_SECRET) > 10


def test_errors_name_the_run_and_no_directory(run: Path, engine: Engine) -> None:
    table = run / "tables" / "class.parquet"
    kept = table.read_bytes()
    table.write_bytes(kept[:-8])
    try:
        with pytest.raises((RunError, QueryError)) as raised:
            engine.answer(Question("SELECT * FROM class", limits=Limits()))
    finally:
        table.write_bytes(kept)

    assert str(raised.value).startswith("app.run/tables/class.parquet: not a readable Parquet file")
    assert str(run.parent) not in str(raised.value)


def test_places_of_this_machine_are_not_told(tmp_path: Path) -> None:
    for place in (Path.cwd(), Path(json.__file__), tmp_path / "x"):
        assert str(place) not in without_machine(f"cannot open {place}/a", tmp_path / "x")
    assert without_machine("no /such/file", tmp_path) == "no /such/file"


@pytest.mark.parametrize("fault", ["at its start", "while it answers"])
def test_a_traceback_is_for_the_operator(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    limits: Any = Limits()
    if fault == "at its start":
        monkeypatch.setattr(process, "_WORKER", "jvmscope.no_such_worker")
        told = "it ended with status 1"
    else:
        limits = Limits(memory_bytes="much")  # type: ignore[arg-type]
        told = "ParserException"

    with pytest.raises(WorkerFailed) as raised:
        engine.answer(Question("SELECT 1", limits=limits))

    assert str(raised.value) == f"the process for untrusted queries failed: {told}"
    assert "Traceback (most recent call last)" in raised.value.details
    assert raised.value.__suppress_context__ or raised.value.__context__ is None
