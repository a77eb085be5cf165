"""Every metric: a case that can be computed on paper, an empty run, and its scopes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.runs import RunBuilder
from support.samples import write_empty, write_folded

from jvmscope.metrics import measure
from jvmscope.queries import parse_scope

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.queries import Engine


def _rows(run: Engine | Path, metric: str, **options: Any) -> list[dict[str, Any]]:
    return measure([run], metrics=[metric], is_cached=False, **options).arrow().to_pylist()


def _values(run: Engine | Path, metric: str, **options: Any) -> dict[str, float | None]:
    return {row["measure"]: row["value"] for row in _rows(run, metric, **options)}


def _by_key(run: Engine | Path, metric: str, key: str, **options: Any) -> dict[Any, dict[str, Any]]:
    values: dict[Any, dict[str, Any]] = {}
    for row in _rows(run, metric, **options):
        values.setdefault(row[key], {})[row["measure"]] = row["value"]
    return values


class TestHotnessOfMethods:
    def test_shares_and_gini(self, opened: Engine) -> None:
        # executions 6 5 5 4 1 1, bytecodes 22 12 10 5 4 1; the hottest are ceil(0.2 * 6) = 2
        assert _values(opened, "hotness.methods") == {
            "n_methods": 6,
            "n_hot_methods": 2,
            "n_executions": 22,
            "n_bytecodes": 54,
            "executions_share": 11 / 22,
            "bytecodes_share": 34 / 54,
            "executions_gini": (5 * 6 + 3 * 5 + 1 * 5 - 1 * 4 - 3 * 1 - 5 * 1) / (6 * 22),
            "bytecodes_gini": (5 * 22 + 3 * 12 + 1 * 10 - 1 * 5 - 3 * 4 - 5 * 1) / (6 * 54),
        }

    def test_another_cutoff(self, opened: Engine) -> None:
        values = _values(opened, "hotness.methods", params={"cutoff": "0.5"})

        assert (values["n_hot_methods"], values["executions_share"]) == (3, 16 / 22)

    def test_the_cutoff_is_exact_where_binary_fractions_are_not(self, tmp_path: Path) -> None:
        # 0.2 * 35 is 7.000000000000001 in binary, and would round up to 8
        builder = RunBuilder()
        root = builder.thread("main")
        for number in range(35):
            root.call(builder.method("p/C", f"m{number}", blocks=[["return"]]))

        values = _values(builder.write(tmp_path / "x.run"), "hotness.methods")

        assert values["n_hot_methods"] == 7

    def test_application_only(self, opened: Engine) -> None:
        values = _values(opened, "hotness.methods", scope=parse_scope("application"))

        assert values["n_methods"] == 4
        assert values["n_executions"] == 12
        assert values["bytecodes_share"] == 22 / 39

    def test_natives_are_methods_without_bytecodes(self, tmp_path: Path) -> None:
        builder = RunBuilder()
        native = builder.method("p/C", "n", is_native=True, coverage="leaf")
        builder.thread("main").call(native, calls=3)

        values = _values(builder.write(tmp_path / "x.run"), "hotness.methods")

        assert (values["n_methods"], values["executions_share"]) == (1, 1)
        assert values["bytecodes_share"] is None

    def test_an_empty_run_has_no_shares_and_says_why(self, tmp_path: Path) -> None:
        rows = _rows(write_empty(tmp_path / "empty.run"), "hotness.methods")

        by_measure = {row["measure"]: row for row in rows}
        assert by_measure["n_methods"]["value"] == 0
        assert by_measure["executions_share"]["value"] is None
        assert by_measure["executions_share"]["reason"].startswith("undefined: ")
        assert by_measure["n_methods"]["reason"] is None


class TestPolymorphismOfTargets:
    def test_sites_and_calls_for_each_number_of_targets(self, opened: Engine) -> None:
        assert _by_key(opened, "polymorphism.targets", "n_targets") == {
            1: {
                "n_call_sites": 2,
                "call_sites_share": 2 / 3,
                "n_calls": 6,
                "calls_share": 6 / 16,
            },
            2: {
                "n_call_sites": 1,
                "call_sites_share": 1 / 3,
                "n_calls": 10,
                "calls_share": 10 / 16,
            },
        }

    def test_a_call_belongs_to_the_scope_of_its_caller(self, opened: Engine) -> None:
        values = _by_key(
            opened, "polymorphism.targets", "n_targets", scope=parse_scope("application")
        )

        assert {key: value["n_calls"] for key, value in values.items()} == {1: 1, 2: 10}

    def test_one_thread(self, opened: Engine) -> None:
        values = _by_key(
            opened, "polymorphism.targets", "n_targets", scope=parse_scope("thread:worker")
        )

        assert {key: value["n_calls"] for key, value in values.items()} == {1: 5}

    def test_static_and_special_calls_are_not_dispatched(self, tmp_path: Path) -> None:
        builder = RunBuilder()
        callee = builder.method("p/C", "f", blocks=[["return"]])
        code = ["invokestatic p/C.f:()V", "invokespecial p/C.f:()V", "return"]
        main = builder.method("p/C", "main", blocks=[code])
        node = builder.thread("main").call(main)
        node.call(callee, site=0)
        node.call(callee, site=1)

        (row, *_) = _rows(builder.write(tmp_path / "x.run"), "polymorphism.targets")

        assert (row["n_targets"], row["value"]) == (None, None)
        assert row["reason"] == "nothing to measure: nothing counts in the scope run"

    def test_folded_calls_count_at_the_site_that_made_them(self, tmp_path: Path) -> None:
        values = _by_key(write_folded(tmp_path / "folded.run"), "polymorphism.targets", "n_targets")

        assert values[1]["n_call_sites"] == 2
        assert values[1]["n_calls"] == 10

    def test_the_same_target_in_many_contexts_is_one(self, tmp_path: Path) -> None:
        builder = RunBuilder()
        callee = builder.method("p/C", "g", blocks=[["return"]])
        caller = builder.method("p/C", "f", blocks=[["invokevirtual p/C.g:()V", "return"]])
        for thread in ("one", "two"):
            builder.thread(thread).call(caller).call(callee, site=0)

        values = _by_key(builder.write(tmp_path / "x.run"), "polymorphism.targets", "n_targets")

        assert {key: value["n_calls"] for key, value in values.items()} == {1: 2}

    def test_each_site_by_itself(self, opened: Engine) -> None:
        values = _by_key(opened, "polymorphism.sites", "call_site_id")
        hot = _by_key(opened, "polymorphism.sites", "call_site_id", params={"min_targets": "2"})

        assert sorted((v["n_targets"], v["n_calls"]) for v in values.values()) == [
            (1, 1),
            (1, 5),
            (2, 10),
        ]
        assert [value["n_targets"] for value in hot.values()] == [2]


class TestInstructionMix:
    def test_all_opcodes_in_their_order(self, opened: Engine) -> None:
        rows = _rows(opened, "instructions.mix")

        opcodes = [row["opcode"] for row in rows if row["measure"] == "n_executions"]
        assert len(opcodes) == 202
        assert (opcodes[0], opcodes[-1]) == ("nop", "jsr_w")

    def test_counts_are_blocks_times_occurrences(self, opened: Engine) -> None:
        mix = _by_key(opened, "instructions.mix", "opcode")

        executed = {name: v["n_executions"] for name, v in mix.items() if v["n_executions"]}
        assert executed == {
            "invokeinterface": 10,
            "ifeq": 10,
            "invokevirtual": 6,
            "return": 12,
            "dmul": 6,
            "dreturn": 10,
        }
        assert mix["ifeq"]["share"] == 10 / 54
        assert mix["nop"] == {"n_executions": 0, "share": 0}

    def test_a_subtree(self, opened: Engine) -> None:
        mix = _by_key(
            opened, "instructions.mix", "opcode", scope=parse_scope("subtree:app/Circle.area")
        )

        assert mix["dmul"]["share"] == 0.5
        assert mix["return"]["n_executions"] == 0

    def test_an_empty_run_executed_nothing_and_has_no_shares(self, tmp_path: Path) -> None:
        mix = _by_key(write_empty(tmp_path / "empty.run"), "instructions.mix", "opcode")

        assert mix["nop"] == {"n_executions": 0, "share": None}


@pytest.mark.parametrize("metric", ["hotness.methods", "instructions.mix"])
def test_the_whole_run_is_the_sum_of_its_threads(opened: Engine, metric: str) -> None:
    def total(scope: str) -> float:
        rows = _rows(opened, metric, scope=parse_scope(scope))
        return sum(row["value"] for row in rows if row["measure"] == "n_executions")

    assert total("run") == total("thread:main") + total("thread:worker")
