"""The Python API."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import jvmscope
from jvmscope.errors import JvmscopeError, QueryError

if TYPE_CHECKING:
    from collections.abc import Callable


def test_the_public_names() -> None:
    assert sorted(jvmscope.__all__) == [
        "AgentError",
        "JvmscopeError",
        "LimitReached",
        "QueryError",
        "RunError",
        "RunWarning",
        "SuiteError",
        "__version__",
        "compare",
        "compare_trees",
        "explain",
        "measure",
        "open",
        "record",
        "recover",
        "report",
        "report_study",
        "report_watch",
        "write",
    ]
    assert all(hasattr(jvmscope, name) for name in jvmscope.__all__)


def test_every_error_is_a_jvmscope_error_and_drawn_in_the_tree() -> None:
    errors = importlib.import_module("jvmscope.errors")
    found = [
        value
        for name in errors.__all__
        if isinstance(value := getattr(errors, name), type) and issubclass(value, Exception)
    ]

    assert all(issubclass(error, JvmscopeError) for error in found)
    assert all(error.__name__ in str(errors.__doc__) for error in found)


def test_a_run_answers(shapes: Path) -> None:
    with jvmscope.open(shapes) as run:
        assert run.id == "shapes"
        assert run.manifest.status == "complete"
        assert "context" in run.tables
        assert "receiver" not in run.tables
        assert list(run.query("SELECT $n + 1", params={"n": 1}).rows()) == [(2,)]
        assert run.table("thread").arrow()["name"].to_pylist() == ["main", "worker"]
        assert run.measure("hotness.methods", scope="thread:main").arrow().num_rows == 8


def test_a_limit_is_a_number_of_rows(shapes: Path) -> None:
    with jvmscope.open(shapes) as run:
        assert run.query("FROM thread", limit=0).arrow().num_rows == 0
        with pytest.raises(ValueError, match="not -1"):
            run.query("FROM thread", limit=-1)


@pytest.mark.parametrize("timeout", [-1, float("nan")])
def test_a_timeout_is_a_number_of_seconds(shapes: Path, timeout: float) -> None:
    expected = f"a timeout is a number of seconds, not {timeout:g}"
    with jvmscope.open(shapes) as run:
        run.measure("execution.totals").arrow()  # whose values are kept
        for ask in (
            lambda: run.query("FROM thread", timeout=timeout),
            lambda: run.query("count($methods)", timeout=timeout),
            lambda: run.measure("execution.totals", timeout=timeout),
            lambda: jvmscope.measure(shapes, "execution.totals", timeout=timeout),
            lambda: jvmscope.compare(shapes, shapes, "execution.totals", timeout=timeout),
            lambda: jvmscope.compare_trees(shapes, shapes, timeout=timeout),
        ):
            with pytest.raises(ValueError, match=expected):
                ask()


@pytest.mark.parametrize("given", [["execution.totals"], None, b"execution.totals"])
def test_metrics_are_texts(shapes: Path, given: Any) -> None:
    with jvmscope.open(shapes) as run:
        for ask in (
            lambda: run.measure(given),
            lambda: jvmscope.measure(shapes, given),
            lambda: jvmscope.compare(shapes, shapes, given),
            lambda: jvmscope.report(shapes, given),
        ):
            with pytest.raises(TypeError, match="each metric is a text of its own") as raised:
                ask()
            assert repr(given) in str(raised.value)


@pytest.mark.parametrize("ask", ["query", "serialize", "items"])
def test_a_language_has_its_name(shapes: Path, ask: str) -> None:
    """Another word does not make an XQuery of what is SQL."""
    with (
        jvmscope.open(shapes) as run,
        pytest.raises(ValueError, match="a language is sql, xquery or xpath, not 'SQL'"),
    ):
        getattr(run, ask)("1", language="SQL")


def _told(ask: Callable[[], object]) -> str:
    """Returns what an answer or an error of the user's says."""
    try:
        return str(ask())
    except JvmscopeError as error:
        return str(error)


@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_alone_is_that_of_one(shapes: Path, tmp_path: Path, kind: type) -> None:
    """It is not taken for the paths that its characters are, of which one is the root."""
    (tmp_path / "a.xml").write_text("<a/>")

    def read(allowed: Any) -> str:
        with jvmscope.open(shapes, allow_read=allowed) as run:
            return run.serialize(f"doc('{tmp_path}/a.xml'), doc-available('{shapes}/../x')")

    asked: list[tuple[Callable[[Any], object], Path]] = [
        (read, tmp_path),
        (lambda runs: jvmscope.measure(runs, "execution.totals").arrow(), shapes),
        (lambda runs: jvmscope.report(runs, "execution.totals"), shapes),
        (lambda runs: jvmscope.explain("boxed", runs), shapes),
    ]
    for ask, path in asked:
        assert _told(partial(ask, kind(path))) == _told(partial(ask, [path]))


def test_a_text_allows_no_more_to_be_read_than_it_names(
    shapes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").mkdir()
    (tmp_path / "outside").touch()

    with jvmscope.open(shapes, allow_read="./a") as run:
        assert run.serialize(f"unparsed-text-available('{tmp_path}/outside')") == "false()"


def test_a_form_of_xml_has_its_name(shapes: Path, tmp_path: Path) -> None:
    with (
        jvmscope.open(shapes) as run,
        pytest.raises(
            QueryError, match=r"^form: error: there is no form 'bad'\nforms: nested, flat$"
        ),
    ):
        run.export("xml", tmp_path / "xml", form="bad")
    assert list(tmp_path.iterdir()) == []


def test_a_notice_warns_at_the_line_that_asked(shapes: Path) -> None:
    with jvmscope.open(shapes) as run, pytest.warns(UserWarning, match="no @nmae") as warned:
        run.query("$methods/@nmae")
    assert [warning.filename for warning in warned] == [__file__]


def test_a_table_that_is_not_there_is_told(shapes: Path) -> None:
    with (
        jvmscope.open(shapes) as run,
        pytest.raises(jvmscope.RunError, match='no table "thred"; did you mean "thread"'),
    ):
        run.table("thred")


def test_a_path_that_is_no_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(jvmscope.RunError, match="not a run"):
        jvmscope.open(tmp_path)


@pytest.mark.parametrize(
    "module",
    [
        module.name
        for module in pkgutil.walk_packages(jvmscope.__path__, "jvmscope.")
        if not module.name.endswith(("__main__", "libjvmscope-native"))  # of C, for the JVM
    ],
)
def test_every_module_says_what_is_public(module: str) -> None:
    namespace = importlib.import_module(module)

    missing = [name for name in getattr(namespace, "__all__", ()) if not hasattr(namespace, name)]

    assert missing == []
    assert namespace.__doc__


def test_importing_the_package_is_cheap() -> None:
    code = "import jvmscope, sys; sys.exit(bool({'duckdb', 'pyarrow', 'numpy'} & set(sys.modules)))"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("text", ["SELECT 1", "count($methods)"])
def test_a_closed_run_says_so(shapes: Path, text: str) -> None:
    run = jvmscope.open(shapes)
    run.close()

    with pytest.raises(jvmscope.RunError, match="the run is closed"):
        run.query(text)


@pytest.mark.parametrize("text", ["SELECT 1", "count($methods)", "FROM method"])
def test_a_run_may_be_closed_twice(shapes: Path, text: str) -> None:
    with jvmscope.open(shapes) as run:
        answer = run.query(text)  # is still there: its cursor is closed, too
        run.close()

    assert answer.columns


@pytest.mark.parametrize("text", ["FROM range(9)", "FROM method"])
def test_an_answer_that_is_read_too_late_says_so(shapes: Path, text: str) -> None:
    with jvmscope.open(shapes) as run:
        answer = run.query(text)

    with pytest.raises(jvmscope.RunError, match="the run was closed before"):
        answer.arrow()
