"""docs/metrics-coverage.md has every metric of the literature, with ids and measures that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jvmscope.metrics import catalogue

_DOC = Path(__file__).parents[3] / "docs" / "metrics-coverage.md"

_PAPER = """
Argument passing: floating point arguments
Argument passing: reference arguments
Basic block hotness: top 20 % of blocks
Call-site polymorphism: target method count over calls
Call-site polymorphism: sites targeting a given number of methods
Call-site polymorphism: sites per invoke instruction
Call-site polymorphism: calls per invoke instruction
Instruction mix
Method hotness: top 20 % of methods
Stack usage and recursion depth
Use of boxed types: allocated
Use of boxed types: requested
Field sharing: objects partially read-shared
Field sharing: objects partially write-shared
Field sharing: objects fully read-shared
Field sharing: objects fully write-shared
Field synchronization: objects synchronized on
Field synchronization: average locking operations per object
Field synchronization: maximum nesting depth per lock
Field immutability: fields, per object
Field immutability: fields, per class
Field immutability: objects
Field immutability: classes
Implicit zeroing: primitive fields
Implicit zeroing: reference fields
Use of identity hashcodes: overridden hashCode
Use of identity hashcodes: System.identityHashCode
Use of identity hashcodes: default Object.hashCode
Object churn distance
Object lifetimes
Object sizes
"""

_STARJ = """
base.classes base.methods base.objects base.instructions base.bytes
size.loadedClasses size.loadedMethods size.load size.run size.hot.value size.hot.percentile
size.hotMethods.value size.hotMethods.percentile size.hotClasses.value size.hotClasses.percentile
size.deadCode size.codeCoverage
data.arrayDensity data.charArrayDensity data.numArrayDensity data.refArrayDensity
data.arrayDensity.continuous data.floatDensity
pointer.fieldAccessDensity pointer.refFieldAccessDensity pointer.nonrefFieldAccessDensity
polymorphism.calls polymorphism.callSites polymorphism.invokeDensity
polymorphism.receiverArity polymorphism.receiverArityCalls
polymorphism.receiverPolyDensity polymorphism.receiverPolyDensityCalls
polymorphism.targetArity polymorphism.targetArityCalls
polymorphism.targetPolyDensity polymorphism.targetPolyDensityCalls
polymorphism.receiverCacheMissRate polymorphism.targetCacheMissRate
memory.byteAllocationDensity memory.objectAllocationDensity memory.averageObjectSize
memory.objectSize memory.byteAllocationDensity.continuous memory.objectAllocationDensity.continuous
concurrency.lockDensity concurrency.contendedLockDensity concurrency.lock concurrency.contendedLock
structure.controlDensity structure.changingControlDensity structure.changingControlRate
aspects.tagMix aspects.executionOverhead aspects.adviceToOverheadRatio
aspects.adviceToApplicationRatio aspects.overheadToAdviceRatio aspects.adviceToTotalRatio
aspects.allocTagMix
"""

_RENAISSANCE = "synch wait notify atomic park cpu cachemiss object array method idynamic"

_DACAPO = """
AOA AOL AOM AOS ARA BAL BAS BEF BGF BPF BUB BUF GCA GCC GCM GCP GLK GMD GML GMS GMU GMV GSS GTO
PCC PCS PET PFS PIN PKP PLS PMS PPE PSD PWU UAA UAI UBC UBM UBP UBS UDC UDT UIP ULL USB USC USF
"""

_LISTS = {
    "The toolchain's paper": _PAPER.strip().splitlines(),
    "*J": [*_STARJ.split(), "(liveness metrics, names not recovered)"],
    "Renaissance": _RENAISSANCE.split(),
    "DaCapo": _DACAPO.split(),
}
_TAGS = {
    "The toolchain's paper": "paper",
    "*J": "starj",
    "Renaissance": "renaissance",
    "DaCapo": "dacapo",
}
_NONE = "-"
_ID = re.compile(r"`([a-z_]+\.[a-z_]+)`")


def _tables() -> dict[str, list[tuple[str, str, str]]]:
    """Returns the rows of each list, by the list's name: metric, id or a dash, note."""
    tables: dict[str, list[tuple[str, str, str]]] = {}
    for section in _DOC.read_text(encoding="utf-8").split("\n## ")[1:]:
        name = next((name for name in _LISTS if section.startswith(name)), None)
        if name is not None:
            lines = [line for line in section.splitlines() if line.startswith("| ")][2:]
            cells = ([cell.strip() for cell in line.strip("| ").split(" |")] for line in lines)
            tables[name] = [(row[0].strip("`"), row[1], " ".join(row[2:])) for row in cells]
    return tables


@pytest.mark.parametrize("name", _LISTS)
def test_every_metric_has_one_row(name: str) -> None:
    assert sorted(row[0] for row in _tables()[name]) == sorted(_LISTS[name])


@pytest.mark.parametrize("name", _LISTS)
def test_a_row_has_an_id_that_exists_or_a_reason(name: str) -> None:
    for metric, here, note in _tables()[name]:
        if here == _NONE:
            assert note, metric
        for id_ in _ID.findall(f"{here} {note}"):
            assert id_ in catalogue(), metric


@pytest.mark.parametrize("name", _LISTS)
def test_the_measures_that_notes_name_are_those_of_the_metric(name: str) -> None:
    for metric, here, note in _tables()[name]:
        if here == _NONE:
            continue
        columns = {column.name for column in catalogue()[here.strip("`")].columns}
        named = set(re.findall(r"`([a-z_]+)`", note))
        assert named <= columns, metric


@pytest.mark.parametrize("name", _TAGS)
def test_tags_select_what_the_table_names(name: str) -> None:
    named = {here.strip("`") for _, here, _ in _tables()[name] if here != _NONE}

    assert named <= {id_ for id_, query in catalogue().items() if _TAGS[name] in query.tags}
