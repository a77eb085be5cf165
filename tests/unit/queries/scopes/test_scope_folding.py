"""What folding takes from a scope, on generated trees that a model of the agent folds."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from support.long import IS_LONG
from support.runs import RunBuilder

from jvmscope.errors import QueryError
from jvmscope.queries import Engine, Question, parse_scope

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from support.runs import Method, Node

    Rows = list[dict[str, Any]]

_METHODS = "abcd"
_SITES = 2
_EXECUTED = "SELECT method_id, SUM(n_calls)::INTEGER FROM thread_method GROUP BY 1 ORDER BY 1"
_PATHS = "SELECT method_id, depth, n_calls FROM context ORDER BY ALL"
_PASSED = """
    SELECT method_id, SUM(n_passes)::INTEGER
    FROM passed JOIN run.context USING (context_id) GROUP BY 1 ORDER BY 1
"""
_PASSES = """/**
 * @table        passed
 * @description  Calls, as a snippet counts them.
 * @order        context_id
 * @within       context
 * @counted_at   caller
 */
CREATE TABLE passed (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node of the called method
    n_passes    BIGINT NOT NULL                                    -- calls [call]
);
"""


@dataclass(eq=False)
class _Context:
    """A context of the model: its method, callees by site and method, calls, folded edges."""

    method: str
    above: _Context | None
    site: int | None = None
    calls: int = 0
    callees: dict[tuple[int | None, str], _Context] = field(default_factory=dict)
    folded: dict[tuple[int, str], tuple[_Context, int]] = field(default_factory=dict)

    def nearest(self, method: str) -> _Context | None:
        """The nearest context of a method, from this one upwards."""
        if self.method == method:
            return self
        return None if self.above is None else self.above.nearest(method)


class _Recorder:
    """Keeps contexts as the agent does: with a policy for recursion, and for so many contexts."""

    def __init__(self, *, folds_recursion: bool, n_most: int) -> None:
        self.root = _Context("", None)
        self._folds_recursion = folds_recursion
        self._n_left = n_most

    def call(self, caller: _Context, site: int, method: str) -> _Context:
        """The context that counts a call."""
        if (site, method) in caller.callees:
            found = caller.callees[site, method]
        elif (site, method) in caller.folded:
            found, n = caller.folded[site, method]
            caller.folded[site, method] = found, n + 1
        else:
            found = self._new(caller, site, method)
        found.calls += 1
        return found

    def _new(self, caller: _Context, site: int, method: str) -> _Context:
        above = caller.nearest(method) if caller.method else None
        into = above if self._folds_recursion else None
        if into is None and self._n_left > 0:
            self._n_left -= 1
            into = caller.callees[site, method] = _Context(method, caller, site)
            return into
        into = into or above
        if into is None:
            spare = _Context(method, self.root)
            into = self.root.callees.setdefault((None, method), spare)
        caller.folded[site, method] = into, 1
        return into


def _run(recorder: _Recorder, at: _Context, seed: random.Random, depth: int) -> None:
    """Executes a program at random, the same for each recorder."""
    for _ in range(seed.randint(0, 3) if depth else 0):
        callee = recorder.call(at, seed.randrange(_SITES), seed.choice(_METHODS))
        _run(recorder, callee, seed, depth - 1)


def _write(
    recorder: _Recorder, run: Path, *, of_library: str = "", probes: Sequence[str] = ()
) -> Path:
    builder = RunBuilder()
    code = [[f"invokevirtual app/M.{_METHODS[i]}:()V" for i in range(_SITES)] + ["return"]]
    methods = {
        name: builder.method("lib/M", name, blocks=code, loader="boot")
        if name in of_library
        else builder.method("app/M", name, blocks=code)
        for name in _METHODS
    }
    main = builder.method("app/M", "main", blocks=code, is_static=True)
    nodes: dict[int, Node] = {}
    top = builder.thread("main")
    nodes[id(recorder.root)] = top.call(main)
    _add(recorder.root, nodes, methods, top)
    for context in _walk(recorder.root):
        for (site, _), (target, n) in context.folded.items():
            nodes[id(context)].fold(nodes[id(target)], site=site, calls=n)
    builder.derive("probe_table", lambda _rows: [{"name": "passed", "ddl": _PASSES}])
    builder.derive("probe_count", lambda rows: list(map(_passes, _of_methods(rows["context"]))))
    return builder.write(run, probes=probes, options={"recursion": "fold"})


def _of_methods(contexts: Rows) -> Rows:
    return [context for context in contexts if context["method_id"] is not None]


def _passes(context: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what a snippet before each method body has counted in a context."""
    absent = ("instruction_id", "class_id", "key_a", "key_b", "key_c", "key_d")
    counted = {"table_name": "passed", "counter": "n_passes", "n_events": context["n_calls"]}
    return {"context_id": context["context_id"], **counted, **dict.fromkeys(absent)}


def _add(at: _Context, nodes: dict[int, Node], methods: dict[str, Method], top: Node) -> None:
    """Adds what a context called; what stands for many contexts is the thread's, not main's."""
    for callee in at.callees.values():
        parent = top if callee.site is None else nodes[id(at)]
        node = parent.call(methods[callee.method], site=callee.site, calls=callee.calls)
        nodes[id(callee)] = node
        _add(callee, nodes, methods, top)


def _walk(context: _Context) -> list[_Context]:
    return [context, *(below for each in context.callees.values() for below in _walk(each))]


def _answers(engine: Engine, scope: str, sql: str) -> list[tuple[object, ...]]:
    return list(engine.query(Question(sql, scope=parse_scope(scope))).rows())


_POLICIES = {"kept": (False, 999), "fold": (True, 999), "full": (False, 5), "both": (True, 4)}
"""Whether recursion is folded, and how many contexts there may be."""


@pytest.mark.parametrize("seed", range(40 if IS_LONG else 3))
def test_a_scope_is_that_of_the_unfolded_run_or_says_what_it_lost(
    seed: int, tmp_path: Path
) -> None:
    runs = {}
    for name, (folds, n_most) in _POLICIES.items():
        recorder = _Recorder(folds_recursion=folds, n_most=n_most)
        _run(recorder, recorder.root, random.Random(seed), 5)  # noqa: S311 - not a secret
        runs[name] = _write(recorder, tmp_path / f"{name}.run")
    with Engine(runs.pop("kept")) as kept:
        for run in runs.values():
            with Engine(run) as folded:
                for scope in ("run", "application", *(f"subtree:app/M.{m}" for m in _METHODS)):
                    _compare(kept, folded, scope)


def _compare(kept: Engine, folded: Engine, scope: str) -> None:
    try:
        whole = _answers(kept, scope, _EXECUTED)
    except QueryError:
        return  # the method never ran
    folding = folded.scopes.folding(parse_scope(scope))
    if folding.n_lost_calls:
        with pytest.raises(QueryError, match="is incomplete"):
            folded.scopes.bind(parse_scope(scope))
        schemas = (folded.scopes._schema(parse_scope(scope)), "run", "main")
        left = dict(folded.connect(schemas).execute(_EXECUTED).fetchall())
        assert sum(left.values()) < sum(n for _, n in whole)
    else:
        assert _answers(folded, scope, _EXECUTED) == whole
    if folding.has_whole_paths:
        assert _answers(folded, scope, _PATHS) == _answers(kept, scope, _PATHS)


@pytest.mark.parametrize("seed", range(40 if IS_LONG else 6))
def test_a_table_counted_at_callers_is_that_of_the_unfolded_run_or_refused(
    seed: int, tmp_path: Path
) -> None:
    """A context that folded calls count in counts what callers in a scope and others did."""
    runs = {}
    for name, (folds, n_most) in _POLICIES.items():
        recorder = _Recorder(folds_recursion=folds, n_most=n_most)
        _run(recorder, recorder.root, random.Random(seed), 5)  # noqa: S311 - not a secret
        probes = ("probe_table", "probe_count")
        runs[name] = _write(recorder, tmp_path / f"{name}.run", of_library="bd", probes=probes)
    scopes = ("run", "application", "application+", "thread:main")
    scopes += tuple(f"subtree:{'lib' if m in 'bd' else 'app'}/M.{m}" for m in _METHODS)
    with Engine(runs.pop("kept")) as kept:
        for run in runs.values():
            with Engine(run) as folded:
                for scope in scopes:
                    _compare_passes(kept, folded, scope)


def _compare_passes(kept: Engine, folded: Engine, scope: str) -> None:
    try:
        whole = _answers(kept, scope, _PASSED)
    except QueryError:
        return  # the method never ran
    try:
        found = _answers(folded, scope, _PASSED)
    except QueryError as error:
        reason = f"is incomplete|undefined in the scope {re.escape(scope)}: calls were folded"
        if scope not in ("run", "thread:main") and re.search(reason, error.message):
            return
        raise
    assert found == whole


def test_a_folded_call_by_the_library_does_not_count_for_the_application(tmp_path: Path) -> None:
    """The application calls b, whose calls of a are folded into a: these are not its own."""
    recorder = _Recorder(folds_recursion=True, n_most=99)
    a = recorder.call(recorder.root, 0, "a")
    recorder.call(recorder.call(a, 0, "b"), 0, "a")
    probes = ("probe_table", "probe_count")
    run = _write(recorder, tmp_path / "folded.run", of_library="b", probes=probes)
    with Engine(run) as engine:
        for sql in ("FROM passed", 'SELECT EXISTS (FROM "passed")', "SELECT COUNT(*) FROM passed"):
            with pytest.raises(QueryError, match="calls were folded") as caught:
                _answers(engine, "application", sql)
            assert sql[(caught.value.column or 0) - 1 :].lstrip('"').startswith("passed")
        assert _answers(engine, "application", "SELECT SUM(n_passes) FROM run.passed") == [(4,)]
        assert _answers(engine, "thread:main", "SELECT SUM(n_passes) FROM passed") == [(4,)]
