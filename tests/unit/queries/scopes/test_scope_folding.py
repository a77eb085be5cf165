"""What folding takes from a scope, on generated trees that a model of the agent folds."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from support.long import IS_LONG
from support.runs import RunBuilder

from jvmscope.errors import QueryError
from jvmscope.queries import Engine, Question, parse_scope

if TYPE_CHECKING:
    from pathlib import Path

    from support.runs import Method, Node

_METHODS = "abcd"
_SITES = 2
_EXECUTED = "SELECT method_id, SUM(n_calls)::INTEGER FROM thread_method GROUP BY 1 ORDER BY 1"
_PATHS = "SELECT method_id, depth, n_calls FROM context ORDER BY ALL"


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


def _write(recorder: _Recorder, run: Path) -> Path:
    builder = RunBuilder()
    code = [[f"invokevirtual app/M.{_METHODS[i]}:()V" for i in range(_SITES)] + ["return"]]
    methods = {name: builder.method("app/M", name, blocks=code) for name in _METHODS}
    main = builder.method("app/M", "main", blocks=code, is_static=True)
    nodes: dict[int, Node] = {}
    top = builder.thread("main")
    nodes[id(recorder.root)] = top.call(main)
    _add(recorder.root, nodes, methods, top)
    for context in _walk(recorder.root):
        for (site, _), (target, n) in context.folded.items():
            nodes[id(context)].fold(nodes[id(target)], site=site, calls=n)
    return builder.write(run, options={"recursion": "fold"})


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


@pytest.mark.parametrize("seed", range(40 if IS_LONG else 3))
def test_a_scope_is_that_of_the_unfolded_run_or_says_what_it_lost(
    seed: int, tmp_path: Path
) -> None:
    policies = {"kept": (False, 999), "fold": (True, 999), "full": (False, 5), "both": (True, 4)}
    runs = {}
    for name, (folds, n_most) in policies.items():
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
