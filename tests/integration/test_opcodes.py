"""The instruction mix is that of the single-step oracle, opcode by opcode.

The oracle counts executions of bytecode offsets; the JDK's disassembler says which opcode is there.
A block counts whole, as often as its first bytecode ran, so the mix differs from the oracle's plain
counts where an instruction in the middle of a block throws; with no such block they are equal, too.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from oracle.laboratory import cases, classes_of, recording_of, witnessed_by
from oracle.listing import list_opcodes
from oracle.recorded import read_recorded

from jvmscope.metrics import measure
from jvmscope.queries import Engine, parse_scope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.laboratory import Case

# Programs without hidden classes, whose bytecodes are in no file, and each class loaded once.
THROWING = ("Concat", "NestedFinally", "Numbers", "Records", "Switches")
THROWLESS = ("EntryLoops", "InitOrder", "Megamorphic", "Recursion", "Sealed")


def _stepped(case: Case) -> tuple[dict[str, int], dict[str, int]]:
    """Returns the oracle's executions of each opcode of the application: in whole blocks, plain."""
    steps = witnessed_by(case).steps
    recorded = read_recorded(recording_of(case).run)
    methods = [m for m in recorded.methods if m.is_application and m.key in steps]
    names = [method.key.class_name for method in methods]
    listing = list_opcodes(case.found_jdk, classes_of(case), names)
    in_whole_blocks: Counter[str] = Counter()
    plain: Counter[str] = Counter()
    for method in methods:
        counts, key = steps[method.key].all, method.key
        for block in method.blocks:
            for offset in block.offsets:
                opcode = listing[key.class_name, key.name, key.descriptor][offset]
                in_whole_blocks[opcode] += counts.get(block.offsets[0], 0)
                plain[opcode] += counts.get(offset, 0)
    return dict(+in_whole_blocks), dict(+plain)


def _measured(run: Path) -> dict[str, int]:
    with Engine(run) as engine:
        values = measure([engine], metrics=["instructions.mix"], scope=parse_scope("application"))
        rows = values.arrow().to_pylist()
    counts = {row["opcode"]: row["value"] for row in rows if row["measure"] == "n_executions"}
    return {opcode: int(n) for opcode, n in counts.items() if n}


@pytest.mark.parametrize("case", cases("", only=(*THROWING, *THROWLESS)))
def test_opcodes_of_the_application(case: Case) -> None:
    measured = _measured(recording_of(case).run)
    in_whole_blocks, plain = _stepped(case)

    assert measured == in_whole_blocks
    assert measured
    assert (measured == plain) is (case.program.name in THROWLESS)
