"""Query tests of users: where they lie, what they compare, what --accept writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.samples import write_shapes

from jvmscope.cli import DONE, NO, WRONG, run
from jvmscope.errors import QueryError
from jvmscope.queries import Engine
from jvmscope.testing import QueryTester, find_tests
from jvmscope.testing.empty import write_empty_run
from jvmscope.testing.expected import accepted, differences, read_expected
from jvmscope.testing.programs import Programs
from jvmscope.testing.settings import read_settings

_QUERY = "SELECT name, kind FROM thread ORDER BY thread_id"
_ANSWER = "name,kind\nmain,platform\nworker,platform\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a query, a frozen run, and no expected answer."""
    (tmp_path / "threads").mkdir()
    (tmp_path / "threads" / "threads.sql").write_text(_QUERY)
    write_shapes(tmp_path / "threads" / "shapes.run")
    return tmp_path / "threads"


def _statuses(*paths: Path, accepts: bool = False) -> dict[str, str]:
    with QueryTester(accepts=accepts) as tester:
        return {o.test.name: o.status for o in tester.outcomes(find_tests(paths))}


def test_an_answer_that_nobody_expected_yet_fails_until_it_is_accepted(folder: Path) -> None:
    assert _statuses(folder) == {"shapes": "failed"}
    assert _statuses(folder, accepts=True) == {"shapes": "accepted"}
    assert _statuses(folder, accepts=True) == {"shapes": "passed"}
    assert (folder / "shapes.expected.csv").read_text() == _ANSWER


def test_a_wrong_answer_is_shown_line_by_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = folder / "shapes.expected.csv"
    expected.write_text("name,kind\nfirst,platform\nmain,virtual\n")

    assert run(["test", str(folder)]) == NO
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == f"failed: {folder / 'shapes'}"
    assert "  line 2: name: expected first, found main" in out
    assert "  line 3: name: expected main, found worker; kind: expected virtual, found" in out
    assert err == "1 failed\n"
    assert expected.read_text().startswith("name,kind\nfirst")


def test_the_command_accepts_and_then_is_content(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["test", str(folder), "--accept"]) == DONE
    assert run(["test", str(folder)]) == DONE
    assert capsys.readouterr().err == "1 accepted\n1 passed\n"


def test_a_query_that_fails_is_never_accepted(folder: Path) -> None:
    (folder / "threads.sql").write_text("SELECT nam FROM thread")

    assert _statuses(folder, accepts=True) == {"shapes": "error"}
    assert not (folder / "shapes.expected.csv").exists()
    assert run(["test", str(folder), "--accept"]) == NO


def test_two_languages_that_disagree_are_never_accepted(folder: Path) -> None:
    (folder / "threads.xq").write_text("$threads ! map { 'name': @name, 'kind': 'platform' }")
    assert _statuses(folder, accepts=True) == {"shapes": "accepted"}

    (folder / "threads.xq").write_text("$threads[1] ! map { 'name': @name, 'kind': 'platform' }")
    assert _statuses(folder, accepts=True) == {"shapes": "failed"}
    assert (folder / "shapes.expected.csv").read_text() == _ANSWER


def test_a_folder_may_be_named_like_a_metric(tmp_path: Path) -> None:
    for place in ("hotness/methods", "hotness.methods"):
        folder = tmp_path / place
        folder.mkdir(parents=True)
        (folder / "empty.expected.csv").write_text("n_methods\n0\n")
    (tmp_path / "jvmscope-test.toml").write_text('default.columns = ["n_methods"]')

    tests = list(find_tests([tmp_path]))
    asked = [{query.id for query in test.queries} for test in tests]
    assert asked == [{"hotness.methods"}] * 2
    assert _statuses(tmp_path) == {"empty": "passed"}


def test_variants_have_scopes_parameters_and_rows_of_their_own(tmp_path: Path) -> None:
    folder = tmp_path / "instructions.mix"
    folder.mkdir()
    write_shapes(tmp_path / "programs" / "shapes.run")
    (tmp_path / "jvmscope-test.toml").write_text(
        '[default]\nscope = "application"\n'
        '[variant.worker]\nscope = "run"\nwhere = "n_executions > 0"\n'
    )
    (folder / "jvmscope-test.toml").write_text(
        '[variant.worker]\nscope = "thread:worker"\ncolumns = ["n_executions", "opcode"]\n'
    )
    (folder / "shapes@worker.expected.csv").write_text(
        "n_executions,opcode\n5,invokevirtual\n10,return\n"
    )

    (test,) = find_tests([folder / "shapes@worker.expected.csv"])
    assert test.variant.scope == "thread:worker"
    assert _statuses(tmp_path) == {"shapes@worker": "failed"}
    (folder / "shapes@worker.expected.csv").write_text(
        "n_executions,opcode\n10,return\n5,invokevirtual\n"
    )
    assert _statuses(tmp_path) == {"shapes@worker": "passed"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[default]\nscop = 'run'", "unknown key 'scop'\ndid you mean \"scope\""),
        ("[defaults]", 'did you mean "default"'),
        (
            "[program.A]\nprobes = 'receivers'",
            "probes: expected a list of strings, found 'receivers'",
        ),
        ("[default]\nscope = 1", "scope: expected str, found 1"),
        ("variant = 1", r"variant: expected tables \[variant.NAME\]"),
        ("= 1", "cannot be read: "),
    ],
)
def test_wrong_settings_are_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "jvmscope-test.toml").write_text(text)

    with pytest.raises(QueryError, match=message):
        read_settings(tmp_path)


def test_what_is_missing_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "shapes@hot.expected.csv").write_text("")
    assert run(["test", str(folder)]) == WRONG
    assert "there is no variant 'hot'" in capsys.readouterr().err

    (folder / "shapes@hot.expected.csv").rename(folder / "circles.expected.csv")
    assert run(["test", str(folder)]) == WRONG
    assert "there is no circles.run or circles.java" in capsys.readouterr().err

    (folder / "threads.sql").unlink()
    assert run(["test", str(folder)]) == WRONG
    assert "no metric has the folder's name" in capsys.readouterr().err

    assert run(["test", str(folder / "shapes.run")]) == WRONG
    assert "there are no query tests" in capsys.readouterr().err


def test_a_wrong_condition_is_an_error_of_the_test(folder: Path) -> None:
    (folder / "jvmscope-test.toml").write_text('[default]\nwhere = "nam = 1"')

    with QueryTester() as tester:
        (outcome,) = tester.outcomes(find_tests([folder]))

    assert outcome.status == "error"
    assert "  columns: name, kind" in outcome.lines


def test_rows_are_aligned_before_they_are_compared() -> None:
    rows = [["k", "n"], ["a", "1"], ["b", "2/4"], ["d", ""]]

    assert differences(rows, [["k", "n"], ["a", "1"], ["b", "0.5"], ["d", ""]]) == []
    assert differences(rows, [["k", "n"], ["b", "0.5"], ["c", "3"], ["d", ""]]) == [
        "  line 2: missing: k a, n 1",
        "  unexpected: k c, n 3",
    ]
    assert differences([["n"]], [["m"]])[0] == "  the columns differ:"
    assert differences([["n"], ["1/3"]], [["n"], ["0.33333"]]) == [
        "  line 2: n: expected 1/3, found 0.33333"
    ]


@pytest.mark.parametrize(
    ("expected", "found", "is_same"),
    [
        ("1.10", "1.1", True),
        ("1e3", "1000", True),
        ("9007199254740993", "9007199254740992", False),
        ("123456789012345678901", "123456789012345678902", False),
        ("0.123456789012", "0.123456789018", False),
        ("0.1234567890123456", "0.1234567890123457", True),
        ("1/3", "0.3333333333333333", True),
        ("1e400", "1e999", False),
        ("1e999", "1e999", True),
        (f"{10**400}/3", f"{10**401}/30", True),
        ("1/0", "1", False),
        ("1_000", "1000", False),
        ("1e9999999999", "1", False),
        ("nan", "NaN", False),
        ("", "0", False),
    ],
)
def test_cells_are_compared_as_numbers_where_they_are_some(
    expected: str, found: str, is_same: bool
) -> None:
    rows = [["n"], ["1"], [expected], ["7"]], [["n"], ["1"], [found], ["7"]]

    assert (differences(*rows) == []) == is_same
    assert (differences(*rows, texts=["n"]) == []) == (expected == found)
    kept = accepted(*rows).splitlines()[2]
    assert kept == (expected if is_same else found) or not found


def test_characters_that_end_lines_may_be_in_texts(folder: Path) -> None:
    (folder / "threads.sql").write_text("SELECT 'a' || chr(13) || 'b' || chr(10) AS a, 1 AS n")

    assert _statuses(folder, accepts=True) == {"shapes": "accepted"}
    assert _statuses(folder) == {"shapes": "passed"}
    (folder / "threads.sql").write_text("SELECT 'a' || chr(10) || 'b' || chr(10) AS a, 1 AS n")
    assert _statuses(folder) == {"shapes": "failed"}


def test_texts_that_look_like_numbers_are_texts(folder: Path) -> None:
    (folder / "threads.sql").write_text("SELECT '1.10' AS version, 0.5 AS n")
    file = folder / "shapes.expected.csv"

    for text, status in {"1.1,1/2": "failed", "1.10,1/2": "passed", "1.10,2/3": "failed"}.items():
        file.write_text(f"version,n\n{text}\n")
        assert _statuses(folder) == {"shapes": status}


def test_a_query_that_cannot_be_read_is_one_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "threads.sql").write_bytes(b"SELECT '\xff'")

    assert run(["test", str(folder)]) == WRONG
    assert "threads.sql: error: cannot be read: 'utf-8' codec" in capsys.readouterr().err


def test_what_holds_is_kept_as_it_was_written() -> None:
    found = [["k", "n"], ["a", "0.5"], ["b", "7"]]

    assert accepted([["k", "n"], ["a", "1/2"], ["b", "6"]], found) == "k,n\na,1/2\nb,7\n"
    assert accepted(None, found) == "k,n\na,0.5\nb,7\n"


def test_expected_rows_have_one_length(tmp_path: Path) -> None:
    path = tmp_path / "x.expected.csv"
    path.write_text("a,b\n1\n")

    with pytest.raises(QueryError, match=r"x.expected.csv:2: error: expected 2 cells"):
        read_expected(path)


def test_an_empty_run_has_every_table(tmp_path: Path) -> None:
    with Engine(write_empty_run(tmp_path / "empty.run")) as engine:
        assert {"context", "receiver"} <= set(engine.recorded)
        assert list(engine.query("SELECT COUNT(*) FROM context").rows()) == [(0,)]


def test_a_program_beside_the_query_is_found_from_the_working_directory(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JVMSCOPE_CACHE", str(folder.parent / "cache"))
    monkeypatch.chdir(folder.parent)
    (folder / "Broken.java").write_text("class Broken {")
    (folder / "Broken.expected.csv").write_text(_ANSWER)

    assert run(["test", "threads"]) == NO
    told = capsys.readouterr().out
    assert "Broken.java:1: error: reached end of file while parsing" in told


class _Jdk:
    """Stands for a JDK, which decides where a run is kept."""

    def identity(self) -> bytes:
        return b"17"


def test_a_program_is_recorded_again_when_its_probe_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIVEN a probe of one's own, THEN its folder is found from the settings, and decides."""
    recorded: list[str] = []

    def record(_self: Any, _source: Any, settings: Any, _jdk: Any, entry: Path) -> None:
        recorded.append(settings.record["probe"])
        write_shapes(entry / "Main.run")

    monkeypatch.setattr("jvmscope.testing.programs.default_jdk", lambda _environment: _Jdk())
    monkeypatch.setattr(Programs, "_record", record)
    monkeypatch.setenv("JVMSCOPE_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "Main.java").write_text("class Main {}")
    (folder / "jvmscope-test.toml").write_text('[program.Main]\nprobe = "../probe"\n')
    snippets = tmp_path / "probe" / "Snippets.java"
    snippets.parent.mkdir()
    settings = read_settings(folder).program("Main")

    runs = []
    for text in ("counts 1", "counts 1", "counts 2"):
        snippets.write_text(text)
        runs.append(Programs().run_of(folder / "Main.java", settings))
    assert runs[0] == runs[1] != runs[2]
    assert [Path(probe).resolve() for probe in recorded] == [tmp_path / "probe"] * 2
