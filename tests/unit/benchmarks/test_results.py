"""The tables of docs/results.md, from values made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.results import __main__ as results
from benchmarks.results.claims import claims, claims_table
from benchmarks.results.tables import by_algorithm, by_language, medians, of_programs
from jvmscope.schema.suite import Row

if TYPE_CHECKING:
    from benchmarks.results.values import Key, Values

_NAMES = (
    *("bytecodes", "calls", "bytecodes_per_call", "methods", "bytecodes_per_method"),
    *(
        "recursive_calls",
        "requested",
        "n_requested",
        "boxes",
        "floating_boxes",
        "floating_operations",
    ),
    *("monomorphic_sites", "monomorphic_calls", "megamorphic_calls", "interface_calls"),
    *("hot_methods", "hot_blocks"),
)


def _values(**known: float | None) -> Values:
    return dict.fromkeys(_NAMES) | known


def _suite() -> dict[Key, Values]:
    java = {"bytecodes": 100, "methods": 10, "bytecodes_per_method": 20, "hot_methods": 0.9}
    return {
        ("java", "nbody"): _values(**java, requested=0.5, recursive_calls=0.0),
        ("java", "queens"): _values(**java, requested=0.1, recursive_calls=0.2),
        ("scala", "nbody"): _values(
            bytecodes=250, methods=30, bytecodes_per_method=10, recursive_calls=0.05
        ),
        ("ruby", "nbody"): _values(
            bytecodes=700, requested=9, floating_boxes=30, floating_operations=30
        ),
    }


def test_languages_have_medians_in_the_suites_order() -> None:
    assert list(medians(_suite(), "requested").items()) == [
        ("java", 0.3),
        ("scala", None),
        ("ruby", 9.0),
    ]
    lines = by_language(_suite()).splitlines()
    assert [line.split(" | ")[:3] for line in lines[2:]] == [
        ["| Java", "2", "1"],
        ["| Scala", "1", "2.5"],
        ["| JRuby", "1", "7"],
    ]


def test_what_was_not_recorded_is_empty_and_never_zero() -> None:
    assert by_algorithm(_suite(), "times").splitlines()[2:] == [
        "| nbody | 1 | 2.5 | 7 |",
        "| queens | 1 |  |  |",
    ]
    assert by_algorithm(_suite(), "requested").splitlines()[2] == "| nbody | 0.5 | n/a | 9 |"


def test_claims_are_judged_by_their_rules() -> None:
    verdicts = [claim.holds for claim in claims(_suite())]
    # JRuby boxes each; 9 > 10 * 0.3; Scala's median .05 < Java's .1; more and smaller methods;
    # no language has megamorphic calls; Java's hottest methods are hot, of others nothing is known.
    assert verdicts == [True, True, False, True, False, None]
    text = claims_table(_suite())
    assert "3 times the methods, 0.5 times the bytecodes per method | **confirmed**" in text
    assert "above Java's in 0 of 0 algorithms in Clojure, 1 of 1 in Scala" in text


def test_one_double_that_is_not_boxed_refutes_that_all_are() -> None:
    suite = _suite()
    suite["ruby", "nbody"]["floating_boxes"] = 29
    assert claims(suite)[0].holds is False


def _row(name: str, **known: Any) -> Row:
    benchmark, value = name.split("-")
    tag = "program" if benchmark == "program" else "algorithm"
    known = {"status": "recorded", "run": Path(name), "is_validated": True} | known
    return Row(name=name, benchmark=benchmark, tags=(tag,), parameters={tag: value}, **known)


def test_what_there_is_is_counted() -> None:
    rows = [
        _row("java-nbody"),
        _row("java-queens", is_validated=False),
        _row("ruby-queens", status="timeout", run=None, is_validated=None),
        _row("program-h2"),
        *(_row(name, status="missing", run=None) for name in ("program-h2", "program-lucene")),
    ]
    text = results.recorded(rows)
    assert text.startswith(
        "2 algorithms in 2 languages, and 2 real programs: 3 of 6 runs recorded, 2 of them "
        "with validated output"
    )
    assert text.endswith(" Not recorded: 1 timeout, 2 missing.")


def test_programs_are_whole_runs() -> None:
    line = of_programs({"h2": _values(bytecodes=1234567, recursive_calls=0.125)}).splitlines()[2]
    assert line.startswith("| h2 | 1,230,000 | n/a |")
    assert " 12.5 % " in line


def test_the_page_has_a_place_for_each_section() -> None:
    text = results.PAGE.read_text(encoding="utf-8")
    sections = ("recorded", "claims", "languages", "times", "requested", "recursive")
    for name in (*sections, "components", "programs"):
        assert text.count(f"<!-- {name}: begin -->") == text.count(f"<!-- {name}: end -->") == 1
