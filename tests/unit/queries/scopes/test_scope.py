"""Scopes restrict what a metric sees, and keep the tree visible."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from support.runs import RunBuilder
from support.samples import write_folded

from jvmscope.errors import QueryError
from jvmscope.queries import Engine, Question, parse_scope
from jvmscope.schema.definitions import facts_of

if TYPE_CHECKING:
    from pathlib import Path

    from support.runs import Method, Node

_EXECUTIONS = """
    SELECT m.name, SUM(x.n_calls)::INTEGER FROM {relation} AS x JOIN method AS m USING (method_id)
    GROUP BY m.name ORDER BY m.name
"""


def _sums(engine: Engine, scope: str, relation: str) -> dict[str, int]:
    part = parse_scope(scope)
    rows = engine.query(Question(_EXECUTIONS.format(relation=relation), scope=part)).rows()
    return {str(name): int(n) for name, n in rows}


@pytest.mark.parametrize(
    ("scope", "executed", "called"),
    [
        (
            "run",
            {"add": 5, "area": 10, "grow": 5, "log": 1, "main": 1},
            {"add": 5, "area": 10, "grow": 5, "log": 1, "main": 1},
        ),
        ("application", {"area": 10, "log": 1, "main": 1}, {"area": 10, "log": 1}),
        ("application+", {"area": 10, "log": 1, "main": 1}, {"area": 10, "log": 1}),
        ("thread:worker", {"add": 5, "grow": 5}, {"add": 5, "grow": 5}),
        ("subtree:java/util/List.*", {"add": 5, "grow": 5}, {"grow": 5}),
        ("subtree:app/*.area", {"area": 10}, {}),
        ("subtree:app/Main.log()V", {"log": 1}, {}),
    ],
)
def test_an_execution_counts_where_it_runs_and_a_call_where_it_is_made(
    opened: Engine, scope: str, executed: dict[str, int], called: dict[str, int]
) -> None:
    assert _sums(opened, scope, "context") == executed
    assert _sums(opened, scope, "thread_method") == executed
    assert _sums(opened, scope, "call") == called


_ODD_NAMES = (
    "plain", "a[b]", "f?", "g%", "under_score", "underscore", "back\\slash", "fx", "{x}",
    "sum (all)", "sum", "((", ")",
)  # fmt: skip
"""Names that a pattern may have, of which none but an asterisk is special."""


@pytest.mark.parametrize("has_descriptor", [False, True])
@pytest.mark.parametrize("name", _ODD_NAMES)
def test_only_an_asterisk_is_special_in_a_pattern(
    tmp_path: Path, name: str, *, has_descriptor: bool
) -> None:
    descriptor = "([Ljava/lang/String;[[I)V"
    builder = RunBuilder()
    thread = builder.thread("main")
    for each in _ODD_NAMES:
        thread.call(builder.method("app/Main", each, descriptor, blocks=[["return"]]))

    with Engine(builder.write(tmp_path / "odd.run")) as engine:
        whole = f"subtree:app/Main.{name}{descriptor if has_descriptor else ''}"
        assert _sums(engine, whole, "context") == {name: 1}
        assert _sums(engine, f"subtree:*.{name[:2]}*", "context").keys() >= {name}


@pytest.mark.parametrize(
    "scope", ["run", "application", "application+", "thread:main", "subtree:app/Main.main"]
)
def test_the_aggregates_of_a_scope_are_the_sums_of_its_contexts(opened: Engine, scope: str) -> None:
    part = parse_scope(scope)
    by_context, by_thread = (
        list(
            opened.query(
                Question(
                    f"SELECT basic_block_id, SUM(n_executions)::INTEGER FROM {relation} "
                    f"GROUP BY basic_block_id ORDER BY basic_block_id",
                    scope=part,
                )
            ).rows()
        )
        for relation in ("context_block", "thread_block")
    )

    assert by_context == by_thread != []


def test_the_whole_tree_stays_visible(shapes: Path) -> None:
    with Engine(shapes) as engine:
        part = parse_scope("thread:worker")
        result = engine.query(Question("SELECT COUNT(*) FROM run.context", scope=part))
        assert list(result.rows()) == [(8,)]


def test_a_folded_call_is_told_by_its_own_edge(tmp_path: Path) -> None:
    with Engine(write_folded(tmp_path / "folded.run")) as engine:
        part = parse_scope("run")
        rows = engine.query(
            Question(
                "SELECT call_site_id, n_calls FROM call ORDER BY call_site_id NULLS FIRST",
                scope=part,
            )
        ).rows()
        # main is called by the VM, f by main once and by itself nine times
        assert list(rows) == [(None, 1), (0, 9), (1, 1)]


@pytest.mark.parametrize(
    ("scope", "message"),
    [
        ("application+:x", r"expected application\+, found"),
        ("aplication", "there is no scope 'aplication'\ndid you mean \"application\""),
        ("thread", "expected thread:NAME, found 'thread'"),
        ("subtree:", "expected subtree:PATTERN"),
        ("run:x", "expected run, found 'run:x'"),
    ],
)
def test_a_scope_that_is_none_is_refused(scope: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        parse_scope(scope)


@pytest.mark.parametrize(
    ("scope", "message"),
    [
        ("thread:workr", "no thread is named 'workr'\ndid you mean \"worker\""),
        ("subtree:app/Main.mian", "no executed method matches 'app/Main.mian'"),
        ("subtree:app.Main.main", 'did you mean "app/Main.main"\\? Names of packages'),
        ("subtree:app.Main", 'did you mean "app/Main.\\*"'),
        ("subtree:app.M*.main", 'did you mean "app/M\\*.main"'),
        ("subtree:app.Main.mian", "a pattern is CLASS.METHOD in JVM form"),
    ],
)
def test_a_scope_that_the_run_does_not_have_is_refused(
    shapes: Path, scope: str, message: str
) -> None:
    with Engine(shapes) as engine:
        for _ in range(2):
            with pytest.raises(QueryError, match=message):
                engine.scopes.bind(parse_scope(scope))
        assert engine.scopes.bind(parse_scope("application"))


_THREADS = ("main", "pool-1-thread-1", "", "pool-1-thread-2", "", "pool_1", "50%", "Main")


@pytest.mark.parametrize(
    ("scope", "which"),
    [
        ("thread:main", [0]),
        ("thread:pool-1-thread-*", [1, 3]),
        ("thread:*-2", [3]),
        ("thread:pool_*", [5]),
        ("thread:*%", [6]),
        ("thread:*", [*range(8)]),
        ("thread:", [2, 4]),
    ],
)
def test_a_pattern_selects_threads(tmp_path: Path, scope: str, which: list[int]) -> None:
    builder = RunBuilder()
    main = builder.method("app/Main", "main", blocks=[["return"]])
    for number, name in enumerate(_THREADS):
        builder.thread(name).call(main, calls=10**number)
    with Engine(builder.write(tmp_path / "x.run")) as engine:
        ((n_calls,),) = engine.query(
            Question("SELECT SUM(n_calls) FROM call", scope=parse_scope(scope))
        ).rows()

        assert n_calls == sum(10**number for number in which)


def test_the_hint_names_threads(tmp_path: Path) -> None:
    builder = RunBuilder()
    main = builder.method("app/Main", "main", blocks=[["return"]])
    for number in range(9):
        builder.thread(f"worker {number}").call(main)
    with Engine(builder.write(tmp_path / "x.run")) as engine:
        hint = "threads: worker 0, worker 1, worker 2, worker 3, worker 4, and 4 more"
        for scope, said in (("thread:x", "is named 'x'"), ("thread:", "is without a name")):
            with pytest.raises(QueryError, match=f"no thread {said}\\n{hint}"):
                engine.scopes.bind(parse_scope(scope))


@pytest.mark.parametrize(
    ("scope", "message"),
    [
        ("lib/L.f", "no counted method matches 'lib/L.f'\nlib/L.f was not counted: left out"),
        ("lib/*", "no counted method matches 'lib/\\*'\nlib/L.f was not counted: left out"),
        ("app/Main.big", "no counted method matches .*\napp/Main.big was not counted: too large"),
        ("app/Main.never", "no executed method matches 'app/Main.never'"),
        ("app/Main.part", "no executed method matches 'app/Main.part'"),
    ],
)
def test_a_method_that_was_not_counted_may_have_been_executed(
    tmp_path: Path, scope: str, message: str
) -> None:
    builder = RunBuilder()
    builder.thread("main").call(builder.method("app/Main", "main", blocks=[["return"]]))
    builder.method("app/Main", "never", blocks=[["return"]])
    builder.method("app/Main", "big", blocks=[["return"]], coverage="none")
    builder.method("app/Main", "part", blocks=[["return"]], coverage="calls")
    builder.method("lib/L", "f", blocks=[["return"]], coverage="none")
    rows = [
        {
            "class_name": "app/Main",
            "method_name": "big",
            "descriptor": "()V",
            "reason": "too large",
        },
        {"class_name": "app/Main", "method_name": "part", "descriptor": None, "reason": "large"},
        {"class_name": "lib/L", "method_name": None, "descriptor": None, "reason": "left out"},
    ]
    builder.derive("exclusion", lambda _: rows)
    with (
        Engine(builder.write(tmp_path / "x.run")) as engine,
        pytest.raises(QueryError, match=message),
    ):
        engine.scopes.bind(parse_scope(f"subtree:{scope}"))


@pytest.fixture
def probed(tmp_path: Path) -> Path:
    """Main.main calls List.add on one thread, and add calls itself at a virtual site on another."""
    builder = RunBuilder()
    code = ["invokevirtual java/util/List.add:()V", "ifeq"]
    add = builder.method("java/util/List", "add", loader="boot", blocks=[code])
    main = builder.method("app/Main", "main", blocks=[code])
    threads = {"main": main, "worker": add}
    for calls, (name, method) in enumerate(threads.items(), start=3):
        root = builder.thread(name)
        receivers = {"java/util/List": calls}
        root.call(method).call(add, site=0, calls=calls, receivers=receivers)
        builder.call_order(root, method, 0, calls=calls, receivers=1, targets=1)
        builder.branch_order(root, method, 0, executions=calls, changes=2)
    return builder.write(tmp_path / "x.run", probes=("receiver", "call_order", "branch_order"))


@pytest.mark.parametrize(
    ("scope", "n_calls"),
    [
        ("run", 7),
        ("application", 3),
        ("application+", 3),
        ("thread:worker", 4),
        ("subtree:app/Main.main", 3),
    ],
)
def test_what_probes_recorded_is_scoped_too(probed: Path, scope: str, n_calls: int) -> None:
    parsed = parse_scope(scope)
    tables = {"receiver": "n_calls", "call_order": "n_calls", "branch_order": "n_executions"}
    with Engine(probed) as engine:
        part = parsed
        for table, column in tables.items():
            if table not in parsed.absent:
                text = f"SELECT SUM({column})::INTEGER FROM {table}"
                assert list(engine.query(Question(text, scope=part)).rows()) == [(n_calls,)]

    assert ("call_order" in parsed.absent) == (parsed.kind in ("subtree", "application+"))


def test_loaded_classes_are_those_of_the_run_or_of_the_application(shapes: Path) -> None:
    text = "SELECT list(name ORDER BY name) FROM loaded_class"
    with Engine(shapes) as engine:
        part = parse_scope("application")
        assert list(engine.query(Question(text, scope=part)).rows()) == [
            (["app/Circle", "app/Main", "app/Square"],)
        ]
        part = parse_scope("run")
        assert list(engine.query(Question(text, scope=part)).rows()) == [
            (["app/Circle", "app/Main", "app/Square", "java/util/List"],)
        ]

    absent = set(parse_scope("thread:main").absent)
    assert absent - set(facts_of("classes")) == {"loaded_class"}


@pytest.fixture(scope="module")
def forest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two threads whose methods call each other at random."""
    chance = random.Random(5)  # noqa: S311 - a tree that is the same every time
    builder = RunBuilder()
    methods = [
        builder.method(f"p/C{i}", f"f{i}", blocks=[["nop"] * (i + 1)], max_locals=3**i)
        for i in range(5)
    ]

    def grow(node: Node, depth: int) -> None:
        for method in chance.sample(methods, chance.randint(1, 3)):
            child = node.call(method, calls=chance.randint(0, 9))
            if depth < 5:
                grow(child, depth + 1)

    for name in ("main", "worker"):
        grow(builder.thread(name), 0)
    return builder.write(tmp_path_factory.mktemp("runs") / "forest.run")


@pytest.mark.parametrize(
    "scope",
    ["application", "application+", "thread:worker", *(f"subtree:p/C{i}.*" for i in range(5))],
)
def test_the_stacks_of_a_scope_are_those_of_the_run(forest: Path, scope: str) -> None:
    text = """
        SELECT height.* FROM stack.heights() AS height JOIN context USING (context_id)
        ORDER BY context_id
    """
    with Engine(forest) as engine:
        whole = {row[0]: row for row in engine.query(text).rows()}
        part = parse_scope(scope)
        rows = list(engine.query(Question(text, scope=part)).rows())
        inside = list(engine.query(Question("FROM context", scope=part)).rows())

    assert rows == [whole[context_id] for context_id, *_ in sorted(inside)]
    assert len(rows) > 20


@pytest.mark.parametrize("name", ["f0", "f3"])
def test_the_lineage_of_subtrees_is_what_is_in_them_and_above(forest: Path, name: str) -> None:
    with Engine(forest) as engine:
        tree = list(
            engine.query(
                "SELECT context_id, size, m.name FROM context AS c "
                "LEFT JOIN method AS m USING (method_id)"
            ).rows()
        )
        part = parse_scope(f"subtree:*.{name}")
        found = dict(
            engine.query(Question("SELECT context_id, end_id FROM lineage", scope=part)).rows()
        )
        inside = {
            context_id
            for (context_id,) in engine.query(
                Question("SELECT context_id FROM context", scope=part)
            ).rows()
        }

    roots = [(first, first + size) for first, size, method in tree if method == name]
    assert inside == {c for c, *_ in tree if any(first <= c < end for first, end in roots)}
    ends = {c: c + size for c, size, _ in tree if inside & set(range(c, c + size))}
    assert found == {
        c: min((other for other in ends if other >= end), default=len(tree))
        for c, end in ends.items()
    }


def _write_called_back(run: Path, *, is_folded: bool) -> Path:
    """Writes a run in which the VM's start sorts, and the application sorts with a comparator.

    method             executions  bytecodes
    Launcher.start              1  2         before the application
    Sort.sort  by the launcher  1  2         before the application
    Main.main                   1  2
    Sort.sort  by main          3  6
    Main.compare  by sort       6  6
    Sort.sort  by compare       4  8         folded: counted where main called sort
    """
    call = "invokestatic java/util/Sort.sort:()V"
    builder = RunBuilder()
    start = builder.method("sun/Launcher", "start", loader="boot", blocks=[[call, "return"]])
    sort = builder.method(
        "java/util/Sort", "sort", loader="boot",
        blocks=[["invokeinterface java/util/Comparator.compare:()I", "return"]],
    )  # fmt: skip
    main = builder.method("app/Main", "main", blocks=[[call, "return"]])
    compare = builder.method("app/Main", "compare", "()I", blocks=[[call]])
    root = builder.thread("main")
    root.call(start).call(sort, site=0)
    of_main = root.call(main).call(sort, site=0, calls=3)
    of_sort = of_main.call(compare, site=0, calls=6)
    if is_folded:
        of_main.calls, of_main.blocks = 7, [7]
        of_sort.fold(of_main, site=0, calls=4)
    else:
        of_sort.call(sort, site=0, calls=4)
    return builder.write(run)


_TOTALS = {
    "context": "SELECT SUM(n_calls)::INTEGER, SUM(n_bytecodes)::INTEGER FROM context",
    "context_block": "SELECT SUM(n_executions)::INTEGER FROM context_block",
    "thread_block": "SELECT SUM(n_executions)::INTEGER FROM thread_block",
    "thread_method": "SELECT SUM(n_calls)::INTEGER, SUM(n_bytecodes)::INTEGER FROM thread_method",
    "call": "SELECT SUM(n_calls)::INTEGER FROM call",
}


@pytest.mark.parametrize("is_folded", [False, True])
@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        ("context", (1 + 3 + 6 + 4, 2 + 6 + 6 + 8)),
        ("context_block", (1 + 3 + 6 + 4,)),
        ("thread_block", (1 + 3 + 6 + 4,)),
        ("thread_method", (1 + 3 + 6 + 4, 2 + 6 + 6 + 8)),
        ("call", (3 + 6 + 4,)),
    ],
)
def test_the_application_with_all_it_calls_leaves_out_what_ran_before_it(
    tmp_path: Path, relation: str, expected: tuple[int, ...], *, is_folded: bool
) -> None:
    with Engine(_write_called_back(tmp_path / "x.run", is_folded=is_folded)) as engine:
        part = parse_scope("application+")
        assert list(engine.query(Question(_TOTALS[relation], scope=part)).rows()) == [expected]


def _write_folded_outside(run: Path) -> Path:
    """Writes a run where what the application calls was folded into a node that called it."""
    builder = RunBuilder()
    run_ = builder.method(
        "java/util/Pool", "run", loader="boot",
        blocks=[["invokeinterface java/lang/Runnable.run:()V", "return"]],
    )  # fmt: skip
    task = builder.method("app/Task", "run", blocks=[["invokestatic java/util/Pool.run:()V"]])
    outside = builder.thread("worker").call(run_, calls=5)
    outside.call(task, site=0, calls=5).fold(outside, site=0, calls=4)
    return builder.write(run)


def test_calls_that_were_folded_out_of_the_application_refuse_the_scope(tmp_path: Path) -> None:
    expected = (
        r"4 calls were folded across its border, such as that of java/util/Pool.run by "
        r"app/Task.run: recursive calls are folded \(--recursion fold\); "
        r"record again with --recursion keep"
    )
    run = _write_folded_outside(tmp_path / "x.run")
    with Engine(run) as engine, pytest.raises(QueryError, match=expected):
        engine.scopes.bind(parse_scope("application+"))


def test_a_run_without_an_application_has_an_empty_scope(tmp_path: Path) -> None:
    builder = RunBuilder()
    start = builder.method("sun/Launcher", "start", loader="boot", blocks=[["return"]])
    builder.thread("main").call(start)
    with Engine(builder.write(tmp_path / "x.run")) as engine:
        part = parse_scope("application+")
        for relation in (*_TOTALS, "lineage"):
            rows = engine.query(Question(f"FROM {relation}", scope=part)).rows()
            assert list(rows) == [], relation


_ANY = "invokeinterface java/lang/Runnable.run:()V"


def _application(run: Path) -> list[Any] | None:
    """Returns the sums over the scope; None: it is refused since calls were folded."""
    with Engine(run) as engine:
        part = parse_scope("application+")
        try:
            engine.scopes.bind(part)
        except QueryError as error:
            if "folded across" in error.message:
                return None
            raise
        return [list(engine.query(Question(text, scope=part)).rows()) for text in _TOTALS.values()]


def test_a_folded_tree_has_the_same_application_or_refuses(tmp_path: Path) -> None:
    n_folded = n_refused = 0
    for seed in range(10):
        chance = random.Random(seed)  # noqa: S311 - the same trees every time
        tree = _grow(chance, 0)
        found = []
        for is_folded in (False, True):
            builder = RunBuilder()
            methods = [
                builder.method(f"{loader}/C", name, loader=loader, blocks=[[_ANY, *["nop"] * i]])
                for i, (loader, name) in enumerate(_METHODS)
            ]
            _write_tree(builder.thread("main"), tree, methods, [], is_folded=is_folded)
            found.append(_application(builder.write(tmp_path / f"{seed}-{is_folded}.run")))
        assert found[0] is not None
        assert found[1] in (found[0], None)
        n_refused += found[1] is None
        n_folded += found[1] is not None

    assert n_refused >= 2
    assert n_folded >= 2


_METHODS = (("boot", "a"), ("boot", "b"), ("app", "c"), ("app", "d"))


def _grow(chance: random.Random, depth: int) -> list[tuple[int, list[Any]]]:
    """Returns the calls of an activation: the number of each method, and its own calls."""
    called = chance.sample(range(4), chance.randint(0 if depth else 1, 2))
    return [(method, _grow(chance, depth + 1) if depth < 6 else []) for method in called]


def _write_tree(
    parent: Node, calls: list[Any], methods: list[Method], above: list[Node], *, is_folded: bool
) -> None:
    for number, below in calls:
        method = methods[number]
        target = next((node for node in reversed(above) if node.method is method), None)
        if is_folded and target is not None:
            target.calls += 1
            target.blocks = [target.calls]
            edges = [edge for edge in parent.back_edges if edge[1] is target]
            if edges:
                parent.back_edges.remove(edges[0])
            parent.fold(target, site=0, calls=1 + sum(edge[2] for edge in edges))
            _write_tree(target, below, methods, above[: above.index(target) + 1], is_folded=True)
            continue
        node = next((child for child in parent.children if child.method is method), None)
        if node is None:
            node = parent.call(method, site=0 if above else None, calls=0)
        node.calls += 1
        node.blocks = [node.calls]
        _write_tree(node, below, methods, [*above, node], is_folded=is_folded)
