"""Explanations: planted rules are found, chance is not, and the SQL selects what the tree does."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from support.planted_runs import write_program, write_programs
from support.runs import RunBuilder

import jvmscope
from jvmscope.errors import JvmscopeError, QueryError
from jvmscope.queries import Engine
from jvmscope.reports.explaining.browser import to_html
from jvmscope.reports.explaining.coding import Coding, Condition
from jvmscope.reports.explaining.data import to_json
from jvmscope.reports.explaining.drawing import to_svg
from jvmscope.reports.explaining.growing import grow
from jvmscope.reports.explaining.model import Node
from jvmscope.reports.explaining.observations import Observations
from jvmscope.reports.explaining.outcomes import OUTCOMES, outcome_of
from jvmscope.reports.explaining.page import explanation_page
from jvmscope.reports.explaining.programs import programs_of
from jvmscope.reports.faces import to_markdown
from jvmscope.schema import read_manifest, write_manifest
from jvmscope.suite import Row, Suite, write_suite

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from jvmscope.reports.explaining.model import Explanation

PLANTED = {
    "short-lived": {"type = [I", "size_bytes ≤ 32", "package = app/cache"},
    "immutable": {"n_final_fields > 0"},
    "zeroed": {"field_type = int"},
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_programs(tmp_path_factory.mktemp("planted"), 6)


@pytest.fixture(scope="module")
def found(runs: list[Path]) -> dict[str, Explanation]:
    return {name: jvmscope.explain(name, runs) for name in OUTCOMES if name != "boxed"}


@pytest.mark.parametrize("outcome", PLANTED)
def test_a_planted_rule_is_recovered(outcome: str, found: Mapping[str, Explanation]) -> None:
    explanation = found[outcome]

    (part,) = explanation.rule
    assert {condition.text for condition in part.conditions} == PLANTED[outcome]
    assert (explanation.precision, explanation.coverage) == (1, 1)
    total = explanation.all_left_out
    assert (total.precision, total.coverage) == (1, 1)
    assert explanation.is_better


def test_what_is_not_known_is_left_out(found: Mapping[str, Explanation]) -> None:
    explanation = found["unshared"]

    n_each = 16  # objects of app/view/Value in a program
    assert explanation.n_unknown == 6 * n_each
    assert "Left out: 96 objects" in "".join(to_markdown(explanation_page(explanation)).split("*"))
    assert (explanation.precision, explanation.coverage) == (1, 1)


def test_objects_are_the_weight(runs: list[Path], found: Mapping[str, Explanation]) -> None:
    sql = "SELECT SUM(n_objects), SUM(n_short_lived) FROM features.short_lived(4194304)"
    sums = [0, 0]
    for run in runs:
        with Engine(run) as engine:
            (row,) = engine.query(sql).rows()
        sums = [a + int(b) for a, b in zip(sums, row, strict=True)]

    assert [found["short-lived"].tree.n_objects, found["short-lived"].tree.n_with] == sums


@pytest.mark.parametrize("outcome", ["short-lived", "immutable", "zeroed", "unshared"])
def test_the_sql_selects_what_the_tree_selects(
    outcome: str, runs: list[Path], found: Mapping[str, Explanation]
) -> None:
    _compare_with_sql(found[outcome], runs)


@pytest.mark.parametrize("seed", range(2))
def test_the_sql_of_rules_with_several_parts(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)  # noqa: S311
    odd = {(package, size) for package in "cmv" for size in (16, 24, 32, 40, 48, 64)}
    chosen = set(chance.sample(sorted(odd), 9))

    def is_short(package: str, type_name: str, size: int, noise: random.Random) -> bool:
        return ((package[4], size) in chosen) != (noise.random() < 0.1) or type_name == "[B"

    runs = write_programs(tmp_path, 6, is_short)
    explanation = jvmscope.explain("short-lived", runs, depth=5)

    assert len(explanation.rule) > 1
    # a line for each condition, so that a terminal of 80 columns shows all of them
    assert max(map(len, explanation.sql.split("\n"))) <= 80
    assert not re.search(r" AND .* AND ", explanation.sql)
    _compare_with_sql(explanation, runs)


def _compare_with_sql(explanation: Explanation, runs: list[Path]) -> None:
    n_selected = n_with = 0
    for run in runs:
        with Engine(run) as engine:
            every = engine.query(f"SELECT * FROM {explanation.table}").arrow().to_pylist()
            by_sql = engine.query(explanation.sql).arrow().to_pylist()
        known = [row for row in every if row[explanation.count] is not None]
        by_tree = [row for row in known if _is_selected(explanation.tree, row)]
        assert _counted(by_sql) == _counted(by_tree)
        n_selected += sum(row["n_objects"] for row in by_sql)
        n_with += sum(row[explanation.count] for row in by_sql)
    assert (n_selected, n_with) == (explanation.n_selected, explanation.n_selected_with)


def _is_selected(node: Node, row: Mapping[str, Any]) -> bool:
    if node.condition is None or node.yes is None or node.no is None:
        return node.is_selected
    holds = node.condition.holds(row[node.condition.feature])
    return _is_selected(node.yes if holds else node.no, row)


def _counted(rows: list[dict[str, Any]]) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(row.values()) for row in rows)


def test_the_order_of_runs_makes_no_difference(
    runs: list[Path], found: Mapping[str, Explanation]
) -> None:
    shuffled = random.Random(1).sample(runs, len(runs))  # noqa: S311

    assert to_json(jvmscope.explain("short-lived", shuffled)) == to_json(found["short-lived"])


def test_boxes_are_not_explained_by_what_they_are(runs: list[Path]) -> None:
    explanation = jvmscope.explain("boxed", runs)

    assert not explanation.rule  # none was allocated
    assert "none of" in to_markdown(explanation_page(explanation))
    assert explanation.sql == ""
    assert not {"type", "size_bytes", "package"} & {*OUTCOMES["boxed"].features}


def test_boxes_are_made_for_callers_outside_of_the_wrappers(tmp_path: Path) -> None:
    """GIVEN valueOf, which another one calls, and the cache's initialiser, THEN who called them."""
    builder = RunBuilder()
    wrapper, code = "java/lang/Integer", [["return"]]
    value_of = builder.method(wrapper, "valueOf", "(I)Ljava/lang/Integer;", blocks=code)
    parse = builder.method(wrapper, "valueOf", "(Ljava/lang/String;)V", blocks=code)
    cache = builder.method(f"{wrapper}$IntegerCache", "<clinit>", blocks=code)
    main, read, add = (
        builder.method("app/A", name, blocks=[["invokestatic app/A.x:()V", "return"]])
        for name in ("main", "read", "add")
    )
    top = builder.thread("main").call(main)
    reading, adding = top.call(read, site=0), top.call(add, site=0)
    boxing = adding.call(value_of)
    boxing.allocates(wrapper, 2, size=16)
    boxing.call(cache).allocates(wrapper, 256, size=16)
    parsing = reading.call(parse)
    parsing.allocates("java/lang/NumberFormatException", 1, size=40)
    parsing.call(value_of).allocates(wrapper, 5, size=16)
    adding.allocates("app/B", 7, size=16)
    run = builder.write(tmp_path / "a.run", probes=["allocation"])

    sql = """
        SELECT caller, second_caller, SUM(n_objects)::INT, SUM(n_boxed)::INT
        FROM features.boxed() GROUP BY ALL ORDER BY ALL
    """
    with Engine(run) as engine:
        rows = [*engine.query(sql).rows()]
    assert rows == [("add", "main", 258, 258), ("main", None, 7, 0), ("read", "main", 6, 5)]


def test_chance_is_no_rule(tmp_path: Path) -> None:
    def is_short(_package: str, _type: str, _size: int, noise: random.Random) -> bool:
        return noise.random() < 0.4

    explanation = jvmscope.explain("short-lived", write_programs(tmp_path, 6, is_short))
    text = to_markdown(explanation_page(explanation))

    assert not explanation.is_better
    assert re.search("no better than|not shown to be better|There is no rule", text)


@pytest.mark.parametrize(
    ("table", "outcome", "probe"),
    [
        ("object_lifetime", "short-lived", "lifetimes"),
        ("object_immutability", "immutable", "immutability"),
        ("watched_class", "immutable", "immutability"),
        ("watched_class", "unshared", "sharing"),
        ("object_sharing", "unshared", "sharing"),
        ("field_zeroing", "zeroed", "zeroing"),
        ("allocation", "boxed", "allocations"),
    ],
)
def test_a_missing_probe_is_named(table: str, outcome: str, probe: str, tmp_path: Path) -> None:
    runs = write_programs(tmp_path, 4)
    runs.append(write_program(tmp_path / "other.run", 9, without=table))

    with pytest.raises(JvmscopeError, match=rf"other\.run: .*{table}.*--probes {probe}$"):
        jvmscope.explain(outcome, runs)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_runs_that_have_lost_callers_are_refused(outcome: str, tmp_path: Path) -> None:
    runs = write_programs(tmp_path, 4)
    run = write_program(tmp_path / "folded.run", 9)
    manifest = read_manifest(run)
    back_edges = replace(manifest.tables["back_edge"], rows=1)
    write_manifest(run, replace(manifest, tables={**manifest.tables, "back_edge": back_edges}))

    told = rf"folded\.run: {outcome} is explained by callers and depths, .*: .*folded.*--recursion"
    with pytest.raises(JvmscopeError, match=told):
        jvmscope.explain(outcome, [*runs, run])


def test_few_programs_are_refused(runs: list[Path], tmp_path: Path) -> None:
    with pytest.raises(JvmscopeError, match=r"at least 5 programs, found 4: program-0, .*chance"):
        jvmscope.explain("immutable", runs[:4])

    again = write_program(tmp_path / "again.run", 30, command="app.Program0")
    with pytest.raises(JvmscopeError, match="found 4: again, program-1"):
        jvmscope.explain("immutable", [*runs[:4], again])


def test_a_rule_knows_no_text_that_one_of_its_programs_has() -> None:
    """Of three programs two have a package; without one of these it is a single program's."""
    rows = Observations(
        programs=("a", "b", "c"),
        codings=(
            Coding("package", is_number=False, values=("app/x",), has_unknown=False),
            Coding("is_array", is_number=False, values=(True,), has_unknown=False),
        ),
        program=np.array([0, 0, 1, 1, 2]),
        codes=np.array([[1, 0], [0, 0], [1, 0], [0, 0], [0, 0]]),
        n_objects=np.full(5, 100),
        n_with=np.array([100, 0, 100, 0, 0]),
        n_unknown=0,
    )
    texts = [grow(rows.of(kept), 3).condition for kept in ([0, 1, 2], [0, 1], [1, 2])]

    assert [text and text.text for text in texts] == ["package = app/x", "package = app/x", None]


def _recorded(folder: Path, seed: int) -> Path:
    """Returns a suite of three benchmarks, one with two sizes, recorded into a folder."""
    rows = []
    for number, (benchmark, size) in enumerate([("a", 1), ("a", 2), ("b", 1), ("c", 1)]):
        name = f"{benchmark}-{size}-1"  # of the first invocation
        run = write_program(folder / f"{name}.run", seed + number, command=f"app.{benchmark}{size}")
        parameters = {"size": size}
        row = Row(name, benchmark, "recorded", run=run, runs=(run,), parameters=parameters)
        rows.append(row)
    write_suite(Suite("small", folder, tuple(rows)))
    return folder


@pytest.mark.parametrize(
    ("unit", "runs"),
    [
        ("program", [["a-1", "a-1"], ["a-2", "a-2"], ["b-1", "b-1"], ["c-1", "c-1"]]),
        ("benchmark", [["a-1", "a-1", "a-2", "a-2"], ["b-1", "b-1"], ["c-1", "c-1"]]),
    ],
)
def test_a_program_is_one_wherever_its_runs_lie(
    unit: str, runs: list[list[str]], tmp_path: Path
) -> None:
    """A suite recorded twice; two programs whose runs have one name, and one of them once more."""
    suites = [_recorded(tmp_path / place / "small", seed) for place, seed in (("x", 1), ("y", 5))]
    apps = [
        write_program(tmp_path / folder / f"{name}.run", seed, command=command)
        for seed, (folder, name, command) in enumerate(
            [("x", "app", "app.X"), ("y", "app", "app.Y"), ("z", "again", "app.Y")]
        )
    ]
    programs = programs_of([*suites, *apps], outcome_of("immutable"), unit)

    found = sorted(
        sorted(run.name.removesuffix(".run").removesuffix("-1") for run in program.runs)
        for program in programs
    )
    assert found == sorted([*runs, ["app"], ["again", "app"]])
    assert len({program.name for program in programs}) == len(programs)


def test_bad_arguments_have_one_error(runs: list[Path]) -> None:
    with pytest.raises(QueryError, match="there is no outcome 'mutable'"):
        jvmscope.explain("mutable", runs)
    with pytest.raises(QueryError, match="immutable has no parameter 'nursery'"):
        jvmscope.explain("immutable", runs, params={"nursery": 1})
    with pytest.raises(QueryError, match="nursery: expected a whole number of at least 1"):
        jvmscope.explain("short-lived", runs, params={"nursery": "4 MiB"})
    with pytest.raises(ValueError, match="depth of at least 1"):
        jvmscope.explain("immutable", runs, depth=0)
    with pytest.raises(ValueError, match="program, benchmark"):
        jvmscope.explain("immutable", runs, leave_out="row")


def test_a_parameter_changes_the_outcome(runs: list[Path]) -> None:
    explanation = jvmscope.explain("short-lived", runs, params={"nursery": 1024})

    assert explanation.table == "features.short_lived(1024)"
    assert explanation.tree.n_with == 0


def test_every_form_says_the_same(found: Mapping[str, Explanation]) -> None:
    explanation = found["short-lived"]
    document = json.loads(to_json(explanation))
    svg = ET.fromstring(to_svg(explanation))  # noqa: S314
    rows = explanation.rows().arrow().to_pylist()

    assert document["sql"] == explanation.sql
    assert document["sql"] in to_html(explanation).replace("&#x27;", "'").replace("&lt;", "<")
    assert document["base_rate"] == explanation.base_rate
    assert sum(row["n_objects"] for row in rows) == explanation.tree.n_objects
    assert [row["condition"] for row in rows if row["is_selected"]] == [
        part.sql for part in explanation.rule
    ]
    assert len(svg.findall(".//{*}rect[@class='rule']")) == len(explanation.rule)
    page = to_markdown(explanation_page(explanation))
    assert explanation.sql.strip() in page
    assert explanation.text in page


def test_a_drawing_is_well_formed_whatever_names_are(found: Mapping[str, Explanation]) -> None:
    """Characters that XML may not have, that control a terminal, and that are markup."""
    name = "<b>&'\"" + "".join(map(chr, (*range(32), 0x7F, 0x9B, 0xD800, 0x2028, 0xFFFE, 0xFFFF)))
    leaves = [Node(50, n_with, is_selected=n_with > 0) for n_with in (50, 0)]
    tree = Node(
        100,
        50,
        is_selected=False,
        condition=Condition("package", "is", name),
        yes=leaves[0],
        no=leaves[1],
    )
    explanation = replace(
        found["short-lived"],
        tree=tree,
        scope=name,
        left_out=[replace(each, program=name) for each in found["short-lived"].left_out],
    )
    svg, page = to_svg(explanation), to_html(explanation)

    titles = [each.text or "" for each in ET.fromstring(svg).findall(".//{*}title")]  # noqa: S314
    assert [title for title in titles if title.startswith("package = <b>&'\"")]
    assert not re.search("[^\n -~\xa0-\ud7ff\ue000-\ufffd]|\u2028", svg + page)
    assert "<b>" not in svg + page


def test_features_by_hand(runs: list[Path]) -> None:
    sql = "SELECT * FROM features.allocations() WHERE type = 'app/view/Cell' ORDER BY context_id"
    with Engine(runs[0]) as engine:
        deep, shallow = engine.query(sql).arrow().to_pylist()
        (cell,) = (
            row
            for row in engine.query("SELECT * FROM features.classes()").arrow().to_pylist()
            if row["type"] == "app/view/Cell"
        )

    assert (deep["depth"], deep["caller"], deep["second_caller"]) == (3, "deeper", "main")
    assert (shallow["depth"], shallow["caller"], shallow["second_caller"]) == (2, "main", None)
    assert (deep["package"], deep["caller_package"]) == ("app/view", "app")
    assert (deep["opcode"], deep["method"], deep["loader"]) == ("new", "make", "app")
    assert (deep["calls_pct"], deep["code_bytes"]) == (0, 5)  # new, newarray, return
    assert deep["caller_calls_pct"] == 85  # six calls and a return
    assert shallow["caller_calls_pct"] == 87  # seven calls and a return
    assert (deep["n_fields"], deep["n_reference_fields"], deep["n_final_fields"]) == (2, 1, 0)
    assert (cell["n_sites"], cell["package"]) == (1, "app/view")
    weighed = sum(row["depth"] * row["n_objects"] for row in (deep, shallow))
    assert cell["mean_depth"] == round(weighed / (deep["n_objects"] + shallow["n_objects"]))


def test_a_missing_package_is_named(runs: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jvmscope.extras._is_there", lambda module: module != "sklearn")

    with pytest.raises(JvmscopeError, match=r"explain needs scikit-learn: .* its extra statistics"):
        jvmscope.explain("immutable", runs)
