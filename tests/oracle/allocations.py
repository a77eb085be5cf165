"""Compares the objects of a run with those that the VM reports, and says by which rule some differ.

The agent `allocation_oracle.c` says for each object which instruction its thread executed. That is
the one that makes it, or one at which the VM makes objects for itself: it loads and links classes,
makes literals, links call sites. A run counts the former, and by `rule_of` each of the latter has
a name and a reason; an object that none of the rules knows is counted, and so would differ.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from oracle.steps import canonical_class

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from jvmscope.queries import RunDatabase

__all__ = [
    "UNSEEN",
    "Compared",
    "Objects",
    "Reported",
    "canonical_type",
    "compare",
    "read_reported",
    "recorded_objects",
]

_ARRAYS = {188, 189, 197}  # newarray, anewarray, multianewarray
_NEW, _MULTIANEWARRAY = 187, 197
_LDC = {18, 19, 20}
_CALLS = {182, 183, 184, 185, 186}
_COPIES = {
    "java/lang/Object.clone()Ljava/lang/Object;",
    "java/lang/reflect/Array.get(Ljava/lang/Object;I)Ljava/lang/Object;",
    "java/lang/reflect/Array.multiNewArray(Ljava/lang/Class;[I)Ljava/lang/Object;",
    "java/lang/reflect/Array.newArray(Ljava/lang/Class;I)Ljava/lang/Object;",
    "jdk/internal/misc/Unsafe.allocateInstance(Ljava/lang/Class;)Ljava/lang/Object;",
}
_CONSTRUCTING = {  # natives that call a constructor
    "newInstance0": None,  # of reflection: what it makes is of any class
    "createLong": "java/nio/DirectByteBuffer",
}
_TEXTS = frozenset({"java/lang/String", "[B"})
_OF_CLASSES = _TEXTS | {"java/lang/Class", "[I", "[Ljava/lang/Object;"}

UNSEEN = {
    "classes": "the VM loads and links a class: its Class, lock, resolved references, names",
    "literals": "the VM makes what a constant of the class stands for",
    "call sites": "the VM links a call, and passes what it knows to the class library",
    "natives": "a native method makes more than its result, or text",
}
"""The rules by which the VM makes objects that no run counts, each with its reason."""

Objects = Counter[tuple[str, int]]
"""How many objects there are of each type and size in bytes."""


class Reported(NamedTuple):
    """Objects of one type, size and place that the VM reports."""

    type: str
    size_bytes: int
    n_objects: int
    is_throwable: bool
    is_in_part: bool
    opcode: int
    named: str
    method: str

    @property
    def is_made(self) -> bool:
        """Whether the instruction, or the native method, is the one that makes the object."""
        if self.opcode == -1:
            return self.method in _COPIES or self._is_array_result or self._is_constructed
        if self.opcode == _MULTIANEWARRAY:
            return self.named.endswith(self.type)
        is_of_instruction = self.opcode in {_NEW, *_ARRAYS} and self.type == self.named
        return is_of_instruction or self.is_throwable

    @property
    def _is_array_result(self) -> bool:
        return self.type.startswith("[") and self.method.endswith(f"){self.type}")

    @property
    def _is_constructed(self) -> bool:
        name = self.method.partition("(")[0].rpartition(".")[2]
        made = _CONSTRUCTING.get(name, "")
        return self.is_throwable or made is None or made == self.type


def canonical_type(name: str) -> str:
    """A type without what tells hidden classes apart.

    >>> canonical_type("[Lp/A$$Lambda$14.0x0000000800c03000;"), canonical_type("[I")
    ('[Lp/A$$Lambda;', '[I')
    """
    match = re.fullmatch(r"(\[+L)(.*);", name)
    return f"{match[1]}{canonical_class(match[2])};" if match else canonical_class(name)


def rule_of(row: Reported) -> str | None:
    """The rule by which a run does not count these objects; None: it does."""
    if row.is_made:
        return None
    if row.opcode == -1:
        return "natives"
    if row.opcode in _LDC:
        return "literals"
    if row.type in _OF_CLASSES:
        return "classes"
    return "call sites" if row.opcode in _CALLS else None


@dataclass(frozen=True)
class Compared:
    """Objects of a run and of the VM.

    Attributes:
        n_recorded: objects of the run.
        differences: by type and size, where run and oracle differ: what each says.
        unseen: by rule, the objects that the VM makes for itself.
    """

    n_recorded: int
    differences: dict[tuple[str, int], tuple[int, int]]
    unseen: dict[str, Objects]

    @property
    def n_different(self) -> int:
        """Objects that only the run or only the VM has."""
        return sum(abs(here - there) for here, there in self.differences.values())


def compare(recorded: Objects, reported: Iterable[Reported]) -> Compared:
    """Compares the objects by type and size."""
    counted: Objects = Counter()
    unseen: dict[str, Objects] = defaultdict(Counter)
    for row in reported:
        rule = rule_of(row)
        objects = counted if rule is None else unseen[rule]
        objects[row.type, row.size_bytes] += row.n_objects
    differences = {
        key: (recorded[key], counted[key])
        for key in sorted(recorded.keys() | counted.keys())
        if recorded[key] != counted[key]
    }
    return Compared(recorded.total(), differences, dict(unseen))


def read_reported(path: Path) -> list[Reported]:
    """What the oracle wrote."""
    first, *lines, last = path.read_text(encoding="utf-8").splitlines()
    assert first.startswith("type\tsize\tcount\t")
    assert last == "end"
    return [_reported(*line.split("\t")) for line in lines]


def _reported(*words: str) -> Reported:
    kind, *numbers, named, method = words
    size, n, throwable, part, opcode = map(int, numbers)
    made, named = canonical_type(kind), canonical_type(named)
    return Reported(made, size, n, bool(throwable), bool(part), opcode, named, method)


_BELOW = """
    WITH top AS (
        SELECT context_id, context_id + size AS behind
        FROM context JOIN method USING (method_id) JOIN class USING (class_id)
        WHERE class.name = $owner AND method.name = $name
            AND ($name <> 'main' OR method.descriptor = '([Ljava/lang/String;)V')
    )
    SELECT type, size_bytes, CAST(SUM(n_objects) AS BIGINT)
    FROM allocation AS a JOIN top ON a.context_id >= top.context_id AND a.context_id < top.behind
    GROUP BY ALL
"""


def recorded_objects(run: RunDatabase, method: str) -> Objects:
    """The objects that a run has below a method, given as `p/A.m`."""
    owner, _, name = method.rpartition(".")
    objects: Objects = Counter()
    query = _BELOW.replace("$owner", f"'{owner}'").replace("$name", f"'{name}'")
    for kind, size, n in run.query(query).rows():
        objects[canonical_type(kind), size] += n
    return objects
