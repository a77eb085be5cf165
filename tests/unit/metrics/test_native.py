"""Metrics of native code, of a run written by hand."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from support.runs import RunBuilder

from jvmscope.metrics import measure
from jvmscope.metrics.catalogue import implementations
from jvmscope.queries import Engine, Question, parse_scope
from jvmscope.queries.language import language_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_NATIVE = ("native_method", "native_time", "context_native")
_LANGUAGES = ("sql", "xquery")


def _write(run: Path) -> Path:
    """Writes a run whose main calls a native method of the JDK, which calls back 7 times by JNI.

    Native methods of which nothing is known were called three times more.
    """
    builder = RunBuilder()
    native = builder.method("jdk/N", "n", loader="boot", is_native=True, coverage="leaf")
    main = builder.method("app/A", "main", blocks=[["invokestatic jdk/N.n:()V", "return"]])
    back = builder.method("app/A", "cb", blocks=[["return"]])
    builder.thread("main").call(main).call(native, site=0).call(back, calls=7)

    def of(table: str, known: dict[str, int], unknown: dict[str, int] | None = None) -> None:
        def rows(tables: Mapping[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
            (n,) = (row["method_id"] for row in tables["method"] if row["name"] == "n")
            (node,) = (row["context_id"] for row in tables["context"] if row["method_id"] == n)
            owner = {"context_id": node} if table == "context_native" else {"thread_id": 0}
            found = [{**owner, "method_id": n, **known}]
            return [*found, {**owner, **unknown}] if unknown else found

        builder.derive(table, rows)

    called = {"n_calls": 1, "n_exceptions": 0, "n_jni_calls": 7}
    of("native_method", called, {"n_calls": 3, "n_exceptions": 0, "n_jni_calls": 0})
    of("native_time", {"self_ns": 100}, {"self_ns": 300})
    of("context_native", called)
    return builder.write(run, probes=_NATIVE)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _write(tmp_path_factory.mktemp("native") / "a.run")


def _rows(run: Path, id_: str, language: str, scope: str = "run") -> list[dict[str, Any]]:
    (query,) = (each for each in implementations()[id_] if language_of(each) == language)
    with Engine(run) as engine:
        return engine.query(Question(query, scope=parse_scope(scope))).arrow().to_pylist()


@pytest.mark.parametrize("language", _LANGUAGES)
def test_shares_are_of_unknown_methods_too(run: Path, language: str) -> None:
    """1 of 4 calls, and 100 of 400 ns."""
    (called,) = _rows(run, "native.methods", language)
    (spent,) = _rows(run, "native.times", language)

    assert (called["n_calls"], called["calls_share"]) == (1, 0.25)
    assert (spent["self_ns"], spent["time_share"]) == (100, 0.25)


@pytest.mark.parametrize("scope", ["run", "application"])
def test_calls_by_jni_of_a_native_outside_the_scope(run: Path, scope: str) -> None:
    """The caller is of the JDK, what it calls of the application; main is called by the VM."""
    assert _rows(run, "native.entries", "sql", scope) == [
        {
            "n_calls": 8,
            "n_first": 1,
            "n_jni_calls": 7,
            "n_initialisers": 0,
            "n_loads": 0,
            "n_others": 0,
            "reason": None,
        }
    ]


@pytest.mark.parametrize(("inside", "outside", "by_jni"), [*product(range(3), repeat=3)])
def test_calls_by_jni_and_of_the_vm_from_one_context(
    tmp_path: Path, inside: int, outside: int, by_jni: int
) -> None:
    """The context knows how many calls it made by JNI, and not which: every split is tried."""
    builder = RunBuilder()
    native = builder.method("jdk/N", "n", loader="boot", is_native=True, coverage="leaf")
    main = builder.method("app/A", "main", blocks=[["invokestatic jdk/N.n:()V", "return"]])
    back = builder.method("app/A", "cb", blocks=[["return"]])
    other = builder.method("jdk/N", "other", loader="boot", blocks=[["return"]])
    caller = builder.thread("main").call(main).call(native, site=0)
    for called, n in ((back, inside), (other, outside)):
        if n:
            caller.call(called, calls=n)

    def counted(tables: Mapping[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
        (n,) = (row["method_id"] for row in tables["method"] if row["name"] == "n")
        (node,) = (row["context_id"] for row in tables["context"] if row["method_id"] == n)
        counts = {"n_calls": 1, "n_exceptions": 0, "n_jni_calls": by_jni}
        return [{"context_id": node, "method_id": n, **counts}]

    builder.derive("context_native", counted)
    run = builder.write(tmp_path / "a.run", probes=("context_native",))
    n_known = min(by_jni, inside + outside)
    possible = [n for n in range(inside + 1) if 0 <= n_known - n <= outside]

    (row,) = _rows(run, "native.entries", "sql", "application")

    assert row["n_calls"] == 1 + inside
    if len(possible) == 1:
        assert (row["n_jni_calls"], row["n_others"]) == (possible[0], inside - possible[0])
    else:
        assert (row["n_jni_calls"], row["n_others"]) == (None, None)
        assert "only some of them are in the scope" in row["reason"]


def test_calls_of_classes_that_were_left_out_are_not_those_of_the_vm(tmp_path: Path) -> None:
    """What bytecode that is not counted calls has no instruction, as what the VM calls."""
    found = {}
    for left_out in (None, "lib/L"):
        builder = RunBuilder()
        main = builder.method("app/A", "main", blocks=[["return"]])
        called = builder.method("app/A", "called", blocks=[["return"]])
        builder.thread("main").call(main).call(called, calls=5)
        reason = {"method_name": None, "descriptor": None, "reason": "left out"}
        rows = [{"class_name": left_out, **reason}] if left_out else []
        builder.derive("exclusion", lambda _, rows=rows: rows)
        run = builder.write(tmp_path / f"{left_out is None}.run", probes=_NATIVE)
        values = measure([run], metrics=["native.entries"], is_cached=False).arrow().to_pylist()
        found[left_out] = {row["measure"]: (row["value"], row["reason"]) for row in values}

    assert found[None]["n_others"] == (5, None)
    assert len(found["lib/L"]) == 6
    for value, why in found["lib/L"].values():
        assert value is None
        assert "calls by classes that were left out, such as lib/L, cannot be told from" in why
