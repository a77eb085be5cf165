"""Recordings are exact: every count equals that of an independent oracle.

The oracles are JVMTI agents (tests/oracle): one steps through every bytecode, one keeps a shadow
stack; both can leave out the class library. docs/oracles.md says what they get wrong by themselves.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import pytest
from oracle.compare import compare_blocks, compare_segments, render
from oracle.compare_trees import compare_trees
from oracle.facts import check_facts, exit_status, read_facts, unstable_methods
from oracle.handmade import expected_counts
from oracle.laboratory import CORE, cases, recording_of, witnessed_by
from oracle.library import unseen
from oracle.recorded import Recorded, read_recorded
from oracle.steps import MethodKey, canonical_class

from jvmscope.metrics import measure
from jvmscope.queries import Engine, Question, parse_scope

if TYPE_CHECKING:
    from oracle.laboratory import Case
    from oracle.oracles import Witnessed
    from oracle.steps import Steps

EXACT = "--exact-exceptions"

# Programs that link no lambda: tables of method types are ordered by identity hash codes of
# classes, some of which the recorder's start takes before the program does.
PLAIN = ("Megamorphic", "Recursion", "Sealed", "Switches", "Uncaught")


def _unstable(case: Case, witnessed: Witnessed) -> frozenset[MethodKey]:
    facts = read_facts(case.program.source)
    return unstable_methods(facts, case.program.main_class, witnessed.steps)


def _of_application(steps: Steps) -> dict[MethodKey, dict[int, int]]:
    return {key: method.all for key, method in steps.items() if method.is_application}


def _assert_metrics_count_steps(case: Case, witnessed: Witnessed) -> None:
    """Metrics count a bytecode as often as the oracle stepped on it, and none behind a throw."""
    instructions: dict[MethodKey, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    bytecodes: dict[MethodKey, int] = defaultdict(int)
    with Engine(recording_of(case, EXACT, is_brief=True).run) as engine:
        part = parse_scope("application")
        for *key, is_full, offset, n in engine.query(Question(_INSTRUCTIONS, scope=part)).rows():
            assert is_full
            instructions[_key(*key)][offset] += n
        measured = measure(
            [engine], metrics=["execution.methods"], scope=parse_scope("application")
        ).arrow()
        names = {row[0]: row[1:] for row in engine.query(_METHODS).rows()}
        for row in measured.to_pylist():
            if row["measure"] == "n_bytecodes" and row["value"]:
                bytecodes[_key(*names[row["method_id"]])] += int(row["value"])
        (total,) = engine.query(
            Question("SELECT SUM(n_bytecodes)::BIGINT FROM blocks.parts()", scope=part)
        ).rows()
    stepped = {
        key: {at: n for at, n in steps.items() if n}
        for key, steps in _of_application(witnessed.steps).items()
        if any(steps.values())
    }
    for key in _unstable(case, witnessed):
        stepped.pop(key, None)
        instructions.pop(key, None)
        bytecodes.pop(key, None)
    assert {key: dict(counts) for key, counts in instructions.items()} == stepped
    assert bytecodes == {key: sum(counts.values()) for key, counts in stepped.items()}
    assert total[0] >= sum(bytecodes.values())


_NAMED = "c.name, m.name, m.descriptor, m.size_bytes"
_METHODS = f"SELECT m.method_id, {_NAMED} FROM method AS m JOIN class AS c USING (class_id)"
_INSTRUCTIONS = f"""
    SELECT {_NAMED}, m.coverage = 'full', i."offset", x.n_executions
    FROM blocks.instructions() AS x
    JOIN run.instruction AS i USING (instruction_id)
    JOIN run.method AS m ON m.method_id = x.method_id
    JOIN run.class AS c USING (class_id)
"""


def _key(class_name: str, name: str, descriptor: str, size_bytes: int) -> MethodKey:
    return MethodKey(canonical_class(class_name), name, descriptor, size_bytes)


def _assert_oracles_count_what_is_stated(case: Case, witnessed: Witnessed) -> None:
    facts = read_facts(case.program.source)
    main_class = case.program.main_class
    assert witnessed.outcome.status == exit_status(facts)
    assert check_facts(facts, main_class, witnessed.steps, witnessed.tree) == []
    assert witnessed.tree.anomalies == []
    counted = {(key.class_name, key.name): m for key, m in witnessed.steps.items()}
    for of, expected in expected_counts().items():
        if of in counted:
            assert {at: counted[of].all.get(at, 0) for at in expected} == expected


def _assert_application_exact(case: Case, recorded: Recorded, witnessed: Witnessed) -> None:
    skip = _unstable(case, witnessed)
    blocks = compare_blocks(recorded, witnessed.steps, application=True, skip=skip)
    assert not blocks.differences, render(blocks.differences)
    assert blocks.n_compared > 0
    _, differences = compare_trees(
        recorded, witnessed.tree, case.program.main_class, application=True, prune=skip
    )
    assert not differences, render(differences)


@pytest.mark.parametrize("case", cases("", "exits"))
def test_blocks_and_tree_of_the_application(case: Case) -> None:
    witnessed = witnessed_by(case)
    _assert_oracles_count_what_is_stated(case, witnessed)
    _assert_application_exact(case, read_recorded(recording_of(case).run), witnessed)


@pytest.mark.parametrize("case", cases("", "exits", only=PLAIN))
def test_oracles_agree_on_the_application(case: Case) -> None:
    whole, alone = witnessed_by(case, library=True), witnessed_by(case)
    stepped = _of_application(whole.steps)
    assert stepped
    assert stepped == _of_application(alone.steps)
    main_class = case.program.main_class
    counted = Recorded([], whole.tree, {}, set(), has_segments=False)
    n, differences = compare_trees(counted, alone.tree, main_class, application=True)
    assert not differences, render(differences)
    assert n > 0


@pytest.mark.parametrize("case", cases("", only=CORE))
def test_bytecodes_with_exact_exceptions(case: Case) -> None:
    witnessed = witnessed_by(case)
    recorded = read_recorded(recording_of(case, EXACT, is_brief=True).run)
    assert recorded.has_segments
    _assert_application_exact(case, recorded, witnessed)
    segments = compare_segments(recorded, witnessed.steps, skip=_unstable(case, witnessed))
    assert not segments.differences, render(segments.differences)
    assert segments.n_compared > 0
    _assert_metrics_count_steps(case, witnessed)


@pytest.mark.parametrize("case", cases("", "exits", only=PLAIN))
def test_class_library_below_main(case: Case) -> None:
    witnessed = witnessed_by(case, library=True)
    _assert_oracles_count_what_is_stated(case, witnessed)
    recorded = read_recorded(recording_of(case).run, library=True)
    skip = unseen(witnessed.tree.methods)
    n, differences = compare_trees(
        recorded, witnessed.tree, case.program.main_class, application=False, prune=skip
    )
    assert not differences, render(differences)
    blocks = compare_blocks(recorded, witnessed.steps, application=False, skip=skip)
    assert not blocks.differences, render(blocks.differences)
    assert min(n, blocks.n_compared) > 0
    assert [name for name in blocks.not_counted if name not in recorded.exclusions] == []
