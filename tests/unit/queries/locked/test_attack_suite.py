"""Every statement and function that DuckDB and XQuery have, at every place, put to a locked run.

The rules are tried in this process, on every attack. What passes them is put to a worker, and what
does not is put to a database without rules: nothing but the operating system is in its way then.
After each, no byte of the run, of the directory around it and of a canary has changed, and no
answer or message holds a secret. ``make test-long`` tries the whole products.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import tempfile
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from support.locked_attacks import (
    EXPRESSION_PLACES,
    QUERY_PLACES,
    XQUERY_PLACES,
    Attacks,
)
from support.long import IS_LONG
from support.samples import write_shapes

from jvmscope.confinement.availability import available_barriers
from jvmscope.errors import JvmscopeError, QueryError
from jvmscope.queries import Engine, Limits, Question, parse_query_file
from jvmscope.queries.locked import process
from jvmscope.queries.locked.disclosure import disclosed_manifest, without_machine
from jvmscope.queries.locked.reach import readable_files
from jvmscope.queries.locked.vocabulary import FUNCTIONS, TABLE_FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TESTS = Path(__file__).parents[3]
_PLACE, _CONTENT = "s3cr3t", "t0p-of-the-file"
_TOLD = (_PLACE, _CONTENT, "Traceback", sys.prefix, os.fspath(_TESTS.parent))
# What nobody can write, or what comes as a statement of another type.
_INTERNAL = {
    "ANALYZE", "COPY_DATABASE", "CREATE_FUNC", "EXTENSION", "INVALID", "LOGICAL_PLAN",
    "RELATION", "VARIABLE_SET",
}  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """A run in a directory whose name is a secret, and the attacks, which name it otherwise."""

    folder: Path
    run: Path
    attacks: Attacks

    def state(self) -> dict[str, Any]:
        """Returns all that could be changed."""
        found: dict[str, Any] = {}
        for path in sorted(self.folder.rglob("*")):
            status = path.lstat()
            content = path.read_bytes() if path.is_file() else None
            found[str(path)] = (content, status.st_mode, status.st_mtime_ns)
        return found


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return _scene(tmp_path_factory.mktemp("attacks"))


def _scene(folder: Path) -> Scene:
    real = folder / _PLACE
    run = write_shapes(
        real / "app.run",
        command=[f"/{_PLACE}/java"],
        directory=os.fspath(real),
        environment={"PATH": f"/{_PLACE}/bin"},
        host={"name": _PLACE},
    )
    canary = real / "canary"
    canary.mkdir()
    (canary / "secret").write_text(f"{_CONTENT}\n", encoding="utf-8")
    (canary / "kept.xml").write_text(f"<a>{_CONTENT}</a>", encoding="utf-8")
    alias = folder / "alias"
    alias.symlink_to(real)
    return Scene(real, run, Attacks(alias / "app.run", alias / "canary"))


@pytest.fixture(scope="module")
def engine(scene: Scene) -> Iterator[Engine]:
    with Engine(scene.run, locked_to=Limits(seconds=5)) as engine:
        yield engine


def _shared_out(attacks: Sequence[str], places: Sequence[str], n: int) -> Iterator[tuple[str, str]]:
    """Yields attacks with places: all pairs, or n places for each attack, all in their turn."""
    if IS_LONG:
        yield from product(attacks, places)
        return
    for number, attack in enumerate(attacks):
        for step in range(n):
            yield attack, places[(number * n + step) % len(places)]


def _passing(engine: Engine, texts: Sequence[str]) -> list[str]:
    """Returns the texts that the rules let pass."""
    found = []
    for text in texts:
        try:
            engine.check_untrusted(parse_query_file(text, None))
        except QueryError:
            continue
        found.append(text)
    return found


def test_every_statement_is_refused_at_every_place(scene: Scene, engine: Engine) -> None:
    statements = scene.attacks.statements()
    pairs = [(statement, "{q}") for statement in statements]
    pairs += _shared_out(statements, QUERY_PLACES, 6)

    texts = [scene.attacks.at(place, statement) for statement, place in pairs]

    assert _passing(engine, texts) == []


def test_there_is_a_statement_of_each_type(scene: Scene, engine: Engine) -> None:
    connection = duckdb.connect()
    found = set()
    for text in scene.attacks.statements():
        with contextlib.suppress(duckdb.Error, ValueError):  # of another version, or without a name
            found |= {statement.type.name for statement in connection.extract_statements(text)}

    types = set(duckdb.StatementType.__members__) - _INTERNAL
    assert types - found == set()


def test_every_word_that_begins_a_statement_is_refused_or_reads(
    scene: Scene, engine: Engine
) -> None:
    passing = _passing(engine, scene.attacks.keywords(engine.connect()))

    words = {text.partition(" ")[0] for text in passing}
    assert words <= {"DESC", "DESCRIBE", "FROM", "SELECT", "SUMMARIZE", "TABLE"}
    assert [text for text in passing if "/made" in text and not text.startswith("SELECT")] == []


def test_every_other_function_is_refused_at_every_place(scene: Scene, engine: Engine) -> None:
    known = FUNCTIONS | TABLE_FUNCTIONS
    calls = scene.attacks.calls(engine.connect())
    refused = sorted({call.text for call in calls if call.name.lower() not in known})

    passing = [place.format(e=text) for text, place in _shared_out(refused, EXPRESSION_PLACES, 1)]

    assert len(refused) > 300
    assert _passing(engine, passing) == []


def _many(
    scene: Scene,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    request: dict[str, Any],
    *,
    barriers: Sequence[str] = process._BARRIERS,
    endings: Sequence[int] = (0,),
) -> list[tuple[bool, str]]:
    """Returns what a confined process said of many queries, as its caller would be told."""
    monkeypatch.setenv("PYTHONPATH", os.fspath(_TESTS))
    monkeypatch.setenv("JVMSCOPE_SECRET", _PLACE)
    tables = sorted((scene.run / "tables").glob("*.parquet"))
    readable = readable_files(tables)
    confinement = {"module": module, "readable": readable, "barriers": barriers}
    with tempfile.TemporaryFile() as said, process._worker(said) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        for line in (confinement, request):
            worker.stdin.write(json.dumps(line).encode() + b"\n")
        worker.stdin.close()
        output = b"".join(iter(lambda: worker.stdout.read(1 << 16), b""))
        said.seek(0)
        assert worker.wait() in endings, said.read().decode()[-2000:]
    found = [json.loads(line) for line in output.splitlines()]
    return [(is_answered, without_machine(text, scene.run)) for is_answered, text in found]


def _put(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, queries: Sequence[tuple[str, str]]
) -> list[tuple[bool, str]]:
    """Returns what a worker answers to queries, with their languages."""
    document = json.loads((scene.run / "run.json").read_text(encoding="utf-8"))
    request = {
        "run": os.fspath(scene.run),
        "document": disclosed_manifest(document),
        "queries": queries,
    }
    found = _many(scene, monkeypatch, "support.attacked_worker", request)
    assert len(found) == len(queries), queries[len(found)]
    return found


def _telling(queries: Sequence[Any], found: Sequence[tuple[bool, str]]) -> list[Any]:
    """Returns the queries whose answers or messages hold what they may not, with these."""
    return [
        (query, text)
        for query, (_, text) in zip(queries, found, strict=True)
        if any(word in text for word in _TOLD)
    ]


def test_what_the_rules_let_pass_tells_and_changes_nothing(
    scene: Scene, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = scene.attacks.calls(engine.connect())
    known = [call for call in calls if call.name.lower() in FUNCTIONS | TABLE_FUNCTIONS]
    texts = [call.text for call in known]
    if not IS_LONG:
        texts = list({call.name: call.text for call in known}.values())[::3]
    places = EXPRESSION_PLACES[::5] if IS_LONG else ("SELECT {e}",)
    asked = [place.format(e=text) for text, place in product(texts, places)]
    asked += [f"FROM {call.text}" for call in known if call.name in TABLE_FUNCTIONS]
    queries = [(text, "sql") for text in [*_passing(engine, asked), *scene.attacks.headers()]]
    queries += [(text, "sql") for text in scene.attacks.statements()]
    before = scene.state()

    found = _put(scene, monkeypatch, queries)

    assert sum(is_answered for is_answered, _ in found) > len(asked) / 4
    assert _telling(queries, found) == []
    assert scene.state() == before


def test_functions_of_xquery_tell_and_change_nothing(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = list(scene.attacks.xquery_calls())[:: 1 if IS_LONG else 3]
    asked = [place.format(e=text) for text, place in _shared_out(calls, XQUERY_PLACES, 1)]
    queries = [(text, "xquery") for text in [*scene.attacks.xqueries(), *asked]]
    queries += [(text, "xpath") for text in calls[:: 1 if IS_LONG else 5]]
    before = scene.state()

    found = _put(scene, monkeypatch, queries)

    assert sum(is_answered for is_answered, _ in found) > 50
    assert _telling(queries, found) == []
    assert scene.state() == before


_BARRIERS = [("landlock",), ("seccomp",), *([("landlock", "seccomp")] if IS_LONG else [])]


@pytest.mark.parametrize("barriers", _BARRIERS, ids="+".join)
def test_without_any_rule_the_operating_system_holds(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, barriers: Sequence[str]
) -> None:
    has = available_barriers()
    if ("seccomp" in barriers and not has.seccomp) or ("landlock" in barriers and has.landlock < 4):
        pytest.skip(f"this kernel has not {' and '.join(barriers)}")
    before = scene.state()

    found = _unruled(scene, monkeypatch, barriers)

    if "landlock" in barriers:
        assert [text for _, text in found if _CONTENT in text] == []
    assert scene.state() == before


def test_without_rules_and_barriers_the_attacks_succeed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = _scene(tmp_path)
    before = scene.state()

    found = _unruled(scene, monkeypatch, ())

    after = scene.state()
    both = before.keys() | after.keys()
    changed = {Path(path).name for path in both if after.get(path) != before.get(path)}
    assert changed >= {"class.parquet", "run.json", "new.json", "new.db", "exported"}
    assert any(_CONTENT in text for _, text in found)


def _unruled(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, barriers: Sequence[str]
) -> list[tuple[bool, str]]:
    """Returns what a database without rules said of the statements, alone and at some places."""
    local = [
        s for s in scene.attacks.statements() if not s.startswith(("FORCE INSTALL", "UPDATE E"))
    ]
    places = QUERY_PLACES if IS_LONG else ("WITH t AS ({q}) SELECT 1", "EXPLAIN ANALYZE {q}")
    statements = local + [scene.attacks.at(place, s) for s, place in product(local, places)]
    names = ("thread", "context")
    alias = scene.attacks.run
    request = {
        "tables": {name: os.fspath(alias / "tables" / f"{name}.parquet") for name in names},
        "home": os.fspath(scene.attacks.canary),
    }
    worker = "support.unruled_worker"
    endings = (0, -signal.SIGABRT)  # DuckDB's own end where it closes logs that it cannot write
    found: list[tuple[bool, str]] = []
    while len(found) < len(statements):
        rest = {**request, "statements": statements[len(found) :]}
        more = _many(scene, monkeypatch, worker, rest, barriers=barriers, endings=endings)
        assert more, statements[len(found)]
        found += more
    return found


@pytest.mark.parametrize(
    "text",
    [
        "WITH t AS (COPY (SELECT 1 a) TO '{table}' (FORMAT csv, USE_TMP_FILE false)) SELECT 1",
        "unparsed-text('{secret}')",
    ],
)
def test_from_end_to_end(scene: Scene, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("JVMSCOPE_SECRET", _PLACE)
    paths = {"table": scene.attacks.run / "tables/class.parquet", "secret": scene.attacks.canary}
    before = scene.state()

    with Engine(scene.run) as engine:
        try:
            told = str(engine.answer(Question(text.format(**paths), limits=Limits())))
        except JvmscopeError as error:
            told = str(error)

    assert [word for word in _TOLD if word in told] == []
    assert scene.state() == before
