"""run.json: written whole, read with care."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.samples import write_shapes

from jvmscope.errors import RunError
from jvmscope.schema import (
    MANIFEST_NAME,
    ExitFacts,
    FileFacts,
    MainFacts,
    Manifest,
    TableFacts,
    read_manifest,
    write_manifest,
)
from jvmscope.schema.folding import why_folded
from jvmscope.schema.limits import LIMITS

_MANIFEST = Manifest(
    status="complete",
    tables={"class": TableFacts(3, 100, "ab", ("class_id", "name"))},
    files={"classes.zip": FileFacts(10, "cd")},
    exit=ExitFacts("exited", 3),
    command_exit=ExitFacts("killed", None, 9),
    main=MainFacts("app/Main", 7),
    command=["java", "Main"],
    tags={"suite": "small"},
    n_exclusions=4,
    duration_s=1.5,
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_manifest(tmp_path, _MANIFEST)

    assert read_manifest(tmp_path) == _MANIFEST
    assert [path.name for path in tmp_path.iterdir()] == [MANIFEST_NAME]


def test_text_that_is_not_utf_8_is_written_and_read_without_loss(tmp_path: Path) -> None:
    odd = b"caf\xe9 \xff\xf0 \xc3\xa9 \\udcff".decode("utf-8", "surrogateescape")
    manifest = Manifest("complete", {}, command=["java", odd], tags={odd: odd}, directory=odd)

    write_manifest(tmp_path, manifest)

    assert read_manifest(tmp_path) == manifest
    text = (tmp_path / MANIFEST_NAME).read_text(encoding="utf-8")
    assert '"caf\\udce9 \\udcff\\udcf0 \u00e9 \\\\udcff"' in text


def test_names_on_disk_are_those_of_the_documented_format(tmp_path: Path) -> None:
    write_manifest(tmp_path, _MANIFEST)

    document = json.loads((tmp_path / MANIFEST_NAME).read_text())

    assert next(iter(document)) == "schema"
    assert document["exclusions"] == 4
    assert document["main"] == {"class": "app/Main", "context_id": 7}
    assert document["exit"] == {"state": "exited", "status": 3, "signal": None}
    assert document["command_exit"] == {"state": "killed", "status": None, "signal": 9}


def test_a_directory_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="there is no such run"):
        read_manifest(tmp_path / "absent.run")


def test_a_path_that_is_not_utf_8_is_refused_in_one_line_of_utf_8(tmp_path: Path) -> None:
    run = tmp_path / b"caf\xe9.run".decode("utf-8", "surrogateescape")
    run.mkdir()
    write_manifest(run, _MANIFEST)

    with pytest.raises(RunError, match=r"caf\\xe9.run: a path that is not UTF-8") as caught:
        read_manifest(run)
    assert str(caught.value).encode()


def test_a_partial_recording_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "x.run.partial").mkdir()

    with pytest.raises(RunError, match="the recording did not finish"):
        read_manifest(tmp_path / "x.run.partial")


def test_a_directory_without_manifest_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"not a run: it has no run.json"):
        read_manifest(tmp_path)


def test_a_study_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "study.json").write_text("{}")

    with pytest.raises(RunError, match="a study of overhead, not a run; jvmscope report takes"):
        read_manifest(tmp_path)


@pytest.mark.parametrize(
    ("version", "message"),
    [
        (2, "the run has schema version 2, this jvmscope reads version 1; install a newer"),
        (0, "schema version 0.*record the program again"),
        ("1", "\"schema\" is '1', expected a whole number"),
        (None, '"schema" is None'),
    ],
)
def test_another_schema_version_is_refused_before_anything_else(
    tmp_path: Path, version: object, message: str
) -> None:
    (tmp_path / MANIFEST_NAME).write_text(json.dumps({"schema": version, "status": "odd"}))

    with pytest.raises(RunError, match=message):
        read_manifest(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"status": "half"}, "status is 'half', expected one of complete, truncated, failed"),
        ({"tables": []}, r"tables is \[\], expected an object"),
        ({"tables": {"class": {"rows": "3"}}}, "tables.class.rows is '3', expected a whole number"),
        ({"command": "java"}, "command is 'java', expected a list of strings"),
        ({"exit": {"state": "gone"}}, "exit.state is 'gone', expected one of ended"),
        ({"duration_s": True}, "duration_s is True, expected a number"),
        ({"duration_s": 10**400}, "duration_s is 1000.*, expected a number"),
        ({"tables": {"../../other.run/tables/class": {}}}, "tables is .*, expected names of small"),
        ({"tables": {"/etc/x": {}}}, "tables is '/etc/x', expected names of small letters"),
        ({"tables": {"Class": {}}}, "tables is 'Class', expected names of small letters"),
        ({"files": {"../secret": {}}}, "files is '../secret', expected paths in the run"),
        ({"files": {"/etc/passwd": {}}}, "files is '/etc/passwd', expected paths in the run"),
    ],
)
def test_a_wrong_value_is_told_with_its_place(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    write_manifest(tmp_path, _MANIFEST)
    document = json.loads((tmp_path / MANIFEST_NAME).read_text())
    (tmp_path / MANIFEST_NAME).write_text(json.dumps(document | change))

    with pytest.raises(RunError, match=message):
        read_manifest(tmp_path)


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff\xfe", b"null"])
def test_a_damaged_manifest_is_one_clear_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / MANIFEST_NAME).write_bytes(content)

    with pytest.raises(RunError, match=r"run.json: "):
        read_manifest(tmp_path)


@pytest.mark.parametrize(
    ("sentence", "code"),
    [
        *((text, code) for code, text in LIMITS.items() if text),
        ("the memory limit was reached", "memory"),
        ("the JVM was killed by SIGTERM", "killed"),
        ("3 nodes were left out: their classes were not logged", "other"),
    ],
)
def test_limits_of_runs_without_codes_get_theirs(sentence: str, code: str, tmp_path: Path) -> None:
    write_manifest(tmp_path, replace(_MANIFEST, limits=[sentence]))
    file = tmp_path / MANIFEST_NAME
    document = json.loads(file.read_text())
    del document["limit_codes"]
    file.write_text(json.dumps(document))

    manifest = read_manifest(tmp_path)

    assert (manifest.limits, manifest.limit_codes) == ([sentence], [code])


def test_why_calls_are_folded_is_a_code_and_no_sentence(tmp_path: Path) -> None:
    tables = {"back_edge": TableFacts(1, 100, "ab", ())}
    told = {
        code: why_folded(Manifest("complete", tables, limits=["x"], limit_codes=[code]))
        for code in LIMITS
    }

    assert [code for code, why in told.items() if "--max-memory" in why] == ["memory"]


def test_each_limit_has_a_code(tmp_path: Path) -> None:
    write_manifest(tmp_path, replace(_MANIFEST, limits=["a", "b"], limit_codes=["disk"]))

    with pytest.raises(RunError, match=r"limit_codes is \['disk'\], expected 2 codes"):
        read_manifest(tmp_path)


def test_the_codes_of_limits_are_documented() -> None:
    page = Path(__file__).parents[3] / "docs" / "run-format.md"
    (line,) = (row for row in page.read_text().splitlines() if row.startswith("| `limit_codes`"))

    assert re.findall(r"`(\w+)`", line)[2:] == list(LIMITS)


def test_a_suite_and_a_directory_of_runs_are_not_runs(tmp_path: Path) -> None:
    run = write_shapes(tmp_path / "runs" / "a.run")
    suite = tmp_path / "suite"
    suite.mkdir()
    (suite / "suite.lock.json").write_text("{}")

    with pytest.raises(RunError, match=rf"a directory of runs, not a run: .* such as {run}"):
        read_manifest(run.parent)
    with pytest.raises(RunError, match=r"suite: a suite, not a run: give its runs, .*\*\.run;"):
        read_manifest(suite)


def test_a_path_that_the_locale_lacks_is_not_blamed(tmp_path: Path) -> None:
    """GIVEN a path in UTF-8, in a locale of ASCII."""
    run = write_shapes(tmp_path / "\N{LATIN SMALL LETTER U WITH DIAERESIS}.run")
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ended = subprocess.run(
        [sys.executable, "-m", "jvmscope", "query", run, "SELECT 1"],
        env=os.environ | locale,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 2
    assert ended.stderr.endswith("the locale lacks characters of this path; set LC_ALL=C.UTF-8\n")
