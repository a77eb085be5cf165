"""Compares states of fields in a run with those that JVMTI's watches of fields lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oracle.oracles import FLAGS, run_bare
from oracle.steps import canonical_class
from oracle.toolchain import agent_library

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from jvmscope.queries import RunDatabase
    from oracle.toolchain import Jdk

__all__ = ["FieldStates", "differing_fields", "recorded_fields", "watched_fields"]

# The serial collector has interpreted code allocate without the VM, which then tells of nothing.
_FLAGS = [*(flag for flag in FLAGS if "Serial" not in flag), "-XX:+UseG1GC", "-XX:-UseTLAB"]
_ALL_BORN = "0 objects that were not seen to be made"
_TIMEOUT_S = 600


class FieldStates(NamedTuple):
    """In how many objects a field was first read, was first written, is immutable and so on."""

    n_objects: int
    n_read_first: int
    n_written_first: int
    n_immutable: int
    n_mutable: int
    n_read_shared: int
    n_write_shared: int


_RECORDED = """
    SELECT class.name, field.name, z.n_objects, n_read_first, n_written_first,
           n_immutable, n_mutable, n_read_shared, n_write_shared
    FROM field_zeroing AS z JOIN field_immutability USING (field_id)
    JOIN field_sharing USING (field_id) JOIN field USING (field_id) JOIN class USING (class_id)
    WHERE class.loader NOT IN ('boot', 'platform')
"""


def recorded_fields(run: RunDatabase) -> dict[str, FieldStates]:
    """The fields of the application's classes that a run has, by class and name."""
    rows = run.query(_RECORDED).rows()
    return _summed((f"{canonical_class(row[0])}.{row[1]}", row[2:]) for row in rows)


def watched_fields(
    jdk: Jdk, words: list[str], main: str, *, build: Path, directory: Path
) -> dict[str, FieldStates]:
    """The fields of the application's classes that the oracle has seen, by class and name.

    Args:
        jdk: the JDK to run.
        words: what follows `java`.
        main: the main class, in JVM form.
        build: where what is compiled is kept.
        directory: where the program runs.
    """
    agent = f"-agentpath:{agent_library(jdk, 'field_oracle', build)}=out=fields.tsv,main={main}"
    outcome = run_bare([jdk.java, *_FLAGS, agent, *words], directory, timeout_s=_TIMEOUT_S)
    assert outcome.status == 0, outcome.stderr.decode()
    _, *lines, unborn, last = (directory / "fields.tsv").read_text("utf-8").splitlines()
    assert (unborn, last) == (_ALL_BORN, "end")
    return _summed(_watched(*line.split("\t")) for line in lines)


def _watched(name: str, *numbers: str) -> tuple[str, tuple[int, ...]]:
    owner, _, field = name.rpartition(".")
    return f"{canonical_class(owner)}.{field}", tuple(map(int, numbers))


def _summed(rows: Iterable[tuple[str, tuple[int, ...]]]) -> dict[str, FieldStates]:
    """The states by name, those of hidden classes of one name added up; without unused fields."""
    found: dict[str, FieldStates] = {}
    for name, numbers in rows:
        before = found.get(name, (0,) * len(numbers))
        found[name] = FieldStates(*(a + b for a, b in zip(before, numbers, strict=True)))
    return {name: states for name, states in found.items() if any(states)}


def differing_fields(
    recorded: dict[str, FieldStates], watched: dict[str, FieldStates]
) -> dict[str, tuple[FieldStates | None, FieldStates | None]]:
    """The fields that are not equal: what run and oracle say, None if they do not have it."""
    names = sorted(recorded.keys() | watched.keys())
    pairs = {name: (recorded.get(name), watched.get(name)) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
