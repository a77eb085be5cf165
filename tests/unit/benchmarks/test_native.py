"""The tables of what native code costs, from samples that are worked out by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from benchmarks import languages, native
from benchmarks.native import Program

if TYPE_CHECKING:
    from pathlib import Path

_PLAN = {"java": "17.0.1", "size": "default"}


def _program(name: str, counts: float) -> Program:
    """Returns a program that takes a second bare, and `counts` ms with counts."""
    samples = {
        "bare": [1000.0, 1200.0],
        "counts": [counts + 500, counts],
        "timed": [1100.0],
        "bare small": [10.0],
        "spa": [300.0],
    }
    return Program(name, wall_ms=samples, cpu_ms=samples, facts=(0.125, 3, 2000))


def test_overhead_is_that_of_the_least_samples() -> None:
    program = _program("a", 1020)
    assert program.overhead("counts") == 2.0000000000000018
    assert program.overhead("spa") == 2900
    assert Program("b").overhead("spa") is None


def test_tables_have_a_row_for_each_program_and_the_geometric_mean() -> None:
    programs = [_program("a", 1210), _program("b", 1000)]
    first = native.table_of_overhead(programs).splitlines()
    assert (
        first[2]
        == "| a | 1.00 | 21.0 % | 10.0 % | 2,900.0 % | 1.00 | 21.0 % | 10.0 % | 2,900.0 % |"
    )
    assert first[-1].startswith(
        "| **geometric mean** |  | **10.0 %** | **10.0 %** | **2,900.0 %** |"
    )
    second = native.table_of_natives(programs).splitlines()
    assert second[-1] == "| b | 12.50 % | 3 | 2,000 | 1,818 |"


def test_a_run_that_was_stopped_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "native.json"
    native._write(path, _PLAN, [_program("a", 1020)])
    assert native._known(path, _PLAN) == {"a": _read_again(_program("a", 1020))}
    assert native._known(path, {**_PLAN, "java": "25"}) == {}
    assert [file.name for file in tmp_path.iterdir()] == ["native.old.json"]


def _read_again(program: Program) -> Program:
    program.facts = json.loads(json.dumps(program.facts))
    return program


def test_only_samples_that_are_missing_are_taken() -> None:
    taken: list[str] = []

    class Counting:
        def run(self, program: Program, variant: str) -> None:
            taken.append(variant)
            program.cpu_ms.setdefault(variant, []).append(1.0)

    program = Program("a", cpu_ms={"bare": [1.0], "spa": [1.0]})
    native.measure_program(Counting(), program, 2, lambda: None)  # type: ignore[arg-type]
    assert taken == ["counts", "timed", "bare", "counts", "timed", "bare small"]


def test_the_page_has_the_places_of_the_tables(tmp_path: Path) -> None:
    path = tmp_path / "native.json"
    native._write(path, _PLAN, [_program("a", 1020)])
    page = native.PAGE.read_text(encoding="utf-8")
    for name, content in native._pages(path).items():
        assert content in native.publish.replace_section(page, name, content)


def test_all_programs_are_those_of_both_collections() -> None:
    names = native._names(["all"])
    assert set(native.SUBSET) < set(names)
    assert {f"{each.name}/{name}" for each in languages.LANGUAGES for name in languages.sizes()} < {
        *names
    }
