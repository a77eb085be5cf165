"""Tables about objects and classes: whole, or with a reason in the run for what they lack."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest
from integration.recording import Recorder, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS
from support.class_log import forget_numbers
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

from jvmscope.collector import agent_jar
from jvmscope.collector.ingest import IngestOptions, IngestResult, ingest
from jvmscope.queries import Engine, broken_invariants
from jvmscope.queries.object_invariants import object_invariants
from jvmscope.schema import read_manifest, tables

if TYPE_CHECKING:
    from oracle.toolchain import Jdk

_PROBES = "objects,receivers,handlers,lifetimes"

# What each table counts; of tables without an entry, the rows.
_COUNTS = {
    "allocation": "n_objects",
    "unseen_allocation": "CASE WHEN maker <> 'class' THEN n_objects END",
    "watched_class": "n_objects + n_unseen_objects",
    "early_object": "n_objects",
    "field_immutability": "n_immutable + n_mutable",
    "field_zeroing": "n_read_first + n_written_first",
    "field_sharing": "n_read_shared + n_write_shared",
    "object_lock": "n_objects",
    "object_hash": "n_objects",
    "context_handler": "n_executions",
    "contended_entry": "CASE WHEN class_id IS NOT NULL THEN n_entries END",
    "receiver": "CASE WHEN class_id IS NOT NULL THEN n_calls END",
    "object_lifetime": "CASE WHEN type <> '' THEN n_objects END",
    "object_churn": "CASE WHEN type <> '' THEN n_objects END",
    "unfollowed_object": "CASE WHEN type <> '' THEN n_found + n_unconstructed END",
}
# These count more than what is lost: arrays have no class, not all that is accessed is shared, and
# which numbers are those of hidden classes from before the recording is lost with them (JDK 21).
_AT_MOST = ("contended_entry", "receiver", "field_sharing", "early_object")
# Tables that are made of what is read for another one.
_MADE_OF = {
    "object_immutability": "watched_class",
    "object_sharing": "watched_class",
    "needless_lock": "watched_class",
    "state_place": "watched_class",
    "lock_operations": "object_lock",
    "lock_depth": "object_lock",
    "hash_calls": "object_hash",
    "object_presence": "object_lifetime",
}


@dataclass(frozen=True)
class _Recorded:
    """A recording whose raw files were kept, and where they are."""

    jdk: Jdk
    run: Path

    @property
    def raw(self) -> Path:
        return self.run / "raw"


@pytest.fixture(scope="module")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk = brief_jdk(jdks()[0], BUILD)
    source = (PROGRAMS / "objects" / "Everything.java").read_text("utf-8")
    recorder = Recorder.of(jdk, tmp_path_factory.mktemp("losses"), Everything=source)
    recorder.dump = warm_dump(jdk)
    recorder.environment["JVMSCOPE_KEEP_RAW"] = "1"
    return recorder


def _record(recorder: Recorder, *options: str) -> Path:
    words = ("java", "-cp", "classes", "Everything", "return")
    outcome = recorder.record(*words, options=("--probes", _PROBES, *options))
    assert (outcome.status, outcome.stdout) == (0, "worked 1600\n"), outcome.stderr
    assert outcome.manifest.status == "complete"
    return recorder.directory / outcome.run


@pytest.fixture(scope="module")
def recorded(recorder: Recorder) -> _Recorded:
    run = _record(recorder)
    assert read_manifest(run).limits == []
    return _Recorded(recorder.jdk, run)


def _ingested(recorded: _Recorded, folder: Path, *, keeps: int) -> tuple[IngestResult, Path]:
    """Reads the raw files again, of whose class numbers only the multiples of one are known."""
    raw = folder / "raw"
    raw.mkdir(parents=True)
    for file in recorded.raw.iterdir():
        if file.name == "classes.log":
            shutil.copy(file, raw)
        else:  # copies of sparse files would fill a disk
            (raw / file.name).symlink_to(file)
    forgotten = forget_numbers(raw / "classes.log", lambda number: number % keeps == 0)
    assert (forgotten > 100) == (keeps > 1)
    result = ingest(
        raw,
        folder / "tables",
        folder / "classes.zip",
        java=Path(recorded.jdk.java),
        jar=agent_jar(),
        options=IngestOptions(),
        progress=lambda _done, _total: None,
    )
    return result, folder / "tables"


def _count(folder: Path, table: str) -> int:
    column = _COUNTS.get(table, "1")
    query = f"SELECT COALESCE(SUM({column}), 0)::BIGINT FROM '{folder / table}.parquet'"
    ((count,),) = duckdb.connect().sql(query).fetchall()
    return int(count)


@pytest.mark.parametrize("keeps", [1, 2, 1 << 30], ids=["all", "half", "none"])
def test_what_classes_that_were_not_logged_take_is_said(
    recorded: _Recorded, keeps: int, tmp_path: Path
) -> None:
    """GIVEN class numbers that nobody can explain, THEN each table says exactly what it lacks."""
    whole, before = _ingested(recorded, tmp_path / "whole", keeps=1)
    result, after = _ingested(recorded, tmp_path / "cut", keeps=keeps)
    assert whole.unlogged == {}
    wrong = []
    for name in result.tables:
        lost = _count(before, name) - _count(after, name)
        said = result.unlogged.get(_MADE_OF.get(name, name), 0)
        if name in _MADE_OF or name in _AT_MOST:
            is_right = said >= lost if name in _AT_MOST else (said > 0) or lost == 0
        else:
            is_right = said == lost
        if not is_right:
            wrong.append((name, lost, said))
    assert wrong == []
    assert (len(result.unlogged) >= 10) == (keeps > 1)
    assert set(result.unlogged) <= {name for name in tables() if name in _COUNTS}


def test_the_tables_about_objects_agree(recorded: _Recorded) -> None:
    with Engine(recorded.run) as engine:
        assert broken_invariants(engine) == []


@pytest.mark.parametrize(
    "options",
    [
        ("--recursion", "fold"),
        ("--max-memory", "1MB"),
        ("--from", "Everything.work"),
        ("--exclude", "java.util.**"),
        ("--inject", "env"),
    ],
    ids=" ".join,
)
def test_they_agree_however_they_are_recorded(recorder: Recorder, options: tuple[str, ...]) -> None:
    with Engine(_record(recorder, *options)) as engine:
        assert len(object_invariants(engine.manifest)) >= 12
        assert broken_invariants(engine) == []


def test_each_claim_about_objects_is_broken_by_some_count(recorded: _Recorded) -> None:
    """GIVEN a million more in one column, THEN some claim does not hold, and so with each claim."""
    manifest = read_manifest(recorded.run)
    claims = object_invariants(manifest)
    assert len(claims) >= 12
    told: dict[str, set[str]] = {}
    for name in manifest.tables:
        if any(re.search(rf"\b{name}\b", query) for query in claims.values()):
            counts = [c.name for c in tables()[name].columns if c.sql_type == "BIGINT"]
            changed = {column: _broken(recorded.run, claims, name, column) for column in counts}
            told[name] = set().union(*changed.values())
    assert len(told) >= 15
    assert {"object_lifetime", "object_churn", "object_presence"} <= told.keys()
    # objects that were allocated may lack a constructor, so more of them break nothing
    assert [name for name, broken in told.items() if not broken] == ["allocation"]
    assert set().union(*told.values()) == set(claims)


def _broken(run: Path, claims: dict[str, str], name: str, column: str) -> set[str]:
    """Returns the claims that do not hold if a column of a table had larger numbers."""
    with duckdb.connect() as connection:
        for table in read_manifest(run).tables:
            more = f"* REPLACE ({column} + 1000000 AS {column})" if table == name else "*"
            file = run / "tables" / f"{table}.parquet"
            connection.execute(f"CREATE VIEW {table} AS SELECT {more} FROM '{file}'")
        return {
            claim for claim, query in claims.items() if connection.execute(query).fetchall()[0][0]
        }
