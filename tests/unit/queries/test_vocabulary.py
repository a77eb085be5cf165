"""Every element and attribute of the vocabulary: SQL, SQL and trees, trees, and SaxonC agree.

The queries are made from the XML view's schema, so an element, an attribute or a probe that is
added to it is asked for here without being named. ``make test`` asks each place of the schema and
each form of query; ``make test-long`` asks each form at each place of each run.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.agreement import Agreement
from support.long import IS_LONG
from support.vocabulary_fuzz import random_query
from support.vocabulary_queries import FORMS, mixed, places, queries
from support.vocabulary_runs import PROBES, WRITERS

from jvmscope.errors import RunError
from jvmscope.queries import SCOPE_KINDS, Engine, Question, parse_scope
from jvmscope.schema import read_manifest, tables, write_manifest
from jvmscope.schema.definitions import ALWAYS
from jvmscope.schema.xml.vocabulary import elements, tables_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from support.vocabulary_queries import Place

    Row = tuple[str | None, ...]

_N_RANDOM = int(os.environ.get("JVMSCOPE_EXAMPLES", "20000")) if IS_LONG else 40
_FEW_RUNS = ("nulls", "no probe", "all probes", "empty")
_WITHOUT_KEY = frozenset(e.name for e in elements().values() if not e.has_key) | {"interface"}


@cache
def _few() -> Mapping[str, list[str]]:
    """Returns some queries for some of the runs.

    Each place is asked once, and each form once of an element whose table has no key.
    """
    chance = random.Random(13)  # noqa: S311
    found: dict[str, list[str]] = {run: [] for run in _FEW_RUNS}

    def ask(place: Place, form: str) -> None:
        has_key = place.name not in _WITHOUT_KEY
        run = chance.choice(_FEW_RUNS) if has_key else chance.choice(_FEW_RUNS[:3])
        found[run].append(place.query(form))

    for place in places():
        ask(place, chance.choice(FORMS[place.kind]))
    for kind, forms in FORMS.items():
        without_key = [p for p in places() if p.kind == kind and p.name in _WITHOUT_KEY]
        for form in forms:
            ask(chance.choice(without_key), form)
    return found


@pytest.mark.parametrize("name", WRITERS if IS_LONG else _FEW_RUNS)
def test_all_ways_to_an_answer_agree(tmp_path: Path, name: str) -> None:
    WRITERS[name](tmp_path / "a.run")
    texts = list(queries()) if IS_LONG else _few()[name]
    with Agreement(tmp_path / "a.run", tmp_path) as asked:
        found = [
            asked.difference(text, *([mixed(text)] if IS_LONG or n % 2 else []))
            for n, text in enumerate(texts)
        ]
    differences = [difference for difference in found if difference]
    assert not differences, "\n\n".join(differences[:20])
    assert len(texts) > 20
    assert asked.n_compiled > asked.n_queries / 4


def test_any_query_over_the_vocabulary(tmp_path: Path) -> None:
    """In ``make test`` the same queries each time; ``make test-long`` finds others."""
    runs = {}
    with ExitStack() as stack:
        for name in ("nulls", "no probe"):
            folder = tmp_path / name
            WRITERS[name](folder / "a.run")
            runs[name] = stack.enter_context(Agreement(folder / "a.run", folder))

        def ask(name: str, chance: random.Random) -> None:
            text = random_query(chance)
            others = [] if text.startswith("declare") else [mixed(text)]
            difference = runs[name].difference(text, *others, may_fail=True)
            assert difference is None, difference

        if IS_LONG:
            _for_all(ask, runs)
        else:  # Hypothesis would ask others whenever a constant in the code changes
            for seed in range(_N_RANDOM):
                ask(("nulls", "no probe")[seed % 2], random.Random(seed))  # noqa: S311
    assert sum(r.n_compiled for r in runs.values()) > _N_RANDOM / 10


def _for_all(ask: Callable[[str, random.Random], None], runs: Iterable[str]) -> None:
    checks = settings(
        max_examples=_N_RANDOM,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    names, chances = st.sampled_from(tuple(runs)), st.randoms(use_true_random=False)
    checks(given(names, chances)(ask))()


def test_the_runs_are_with_and_without_each_probe() -> None:
    probed = {name for name in elements() if tables()[name].recorded != ALWAYS}
    assert {name for names in PROBES.values() for name in names} == probed


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    run = tmp_path_factory.mktemp("vocabulary") / "a.run"
    WRITERS["all probes"](run)
    with Engine(run) as opened:
        yield opened


@pytest.fixture(scope="module")
def whole(engine: Engine) -> dict[str, tuple[list[Row], list[Row]]]:
    return _rows(engine, "run")


@pytest.mark.parametrize("kind", SCOPE_KINDS)
def test_a_scope_has_the_rows_of_its_tables(
    engine: Engine, whole: dict[str, tuple[list[Row], list[Row]]], kind: str
) -> None:
    """The order is that of the whole run, in which a scope leaves out rows."""
    part = _rows(engine, _scope(engine, kind))
    for table, (by_sql, by_xquery) in part.items():
        assert Counter(by_sql) == Counter(by_xquery), table
        rest = iter(whole[table][1])
        assert all(row in rest for row in by_xquery), table
    assert sum(len(rows) for rows, _ in part.values()) > 50


def _scope(engine: Engine, kind: str) -> str:
    if kind == "thread":
        return f"thread:{next(iter(engine.query('SELECT name FROM thread').rows()))[0]}"
    return "subtree:p/C000002*" if kind == "subtree" else kind


def _rows(engine: Engine, scope: str) -> dict[str, tuple[list[Row], list[Row]]]:
    """Returns the rows of each table that a scope has as texts, by SQL and by XQuery."""
    part = parse_scope(scope)
    found = {}
    for table, element in elements().items():
        if table in part.absent:
            continue  # it is refused
        columns = {a.name: (f"@{a.name}", a.column) for a in element.attributes}
        columns |= {name: (f"dcg:{name}", column) for name, column in element.counts}
        columns.pop("parent", None)  # of contexts, in the flat form
        names = ", ".join(f'"{column}"' for _, column in columns.values())
        entries = ", ".join(f'"{name}": $x/{path}' for name, (path, _) in columns.items())
        document = "classes" if table in tables_in("classes") else "cct"
        text = f"for $x in ${document}//dcg:{element.name} return map {{ {entries} }}"
        asked = (f'SELECT {names} FROM "{table}"', "sql"), (text, "xquery")
        by_sql, by_xquery = (
            [
                tuple(_text(value) for value in row)
                for row in engine.query(Question(query, scope=part, language=language)).rows()
            ]
            for query, language in asked
        )
        found[table] = by_sql, by_xquery
    return found


def _text(value: object) -> str | None:
    return None if value is None or value is False else str(value).lower()


@pytest.mark.parametrize("kept", [(), ("class", "thread")])
@pytest.mark.parametrize("text", ["count($methods)", "$cct//dcg:receiver", "<a>{$classes}</a>"])
def test_what_failed_to_be_recorded_is_not_empty(
    tmp_path: Path, text: str, kept: tuple[str, ...]
) -> None:
    WRITERS["no probe"](tmp_path / "a.run")
    manifest = read_manifest(tmp_path / "a.run")
    recorded = {name: manifest.tables[name] for name in kept}
    write_manifest(tmp_path / "a.run", replace(manifest, status="failed", tables=recorded))

    with (
        Engine(tmp_path / "a.run") as engine,
        pytest.raises(RunError, match=r"a\.run: there is no table \w+: the recording failed"),
    ):
        list(engine.xquery(text).items())
