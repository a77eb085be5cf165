"""What a recorded VM has done before `main` and a bare one has not, done to the oracles' VM too.

Counts of the class library differ below `main` where its state differs at the start of `main`. All
that the recorder's start leaves behind is named here; `stand_in.c` does just this in its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle.salt import salted_class
from oracle.toolchain import agent_library

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

__all__ = ["stand_in"]

_ASKED = {
    "java.lang.InternalError": "the VM's own part of every agent written in Java",
    "sun.instrument.InstrumentationImpl": "the VM's own part of every agent written in Java",
}
"""Classes that the program's class loader is asked for: their names stay in its map of locks."""

_INITIALISED = {
    ("java.lang.Long", 17, None): "the recorder reads numbers in its options",
    ("java.lang.Long$LongCache", 17, None): "the recorder's tables box numbers",
    ("jdk.internal.misc.Blocker", 21, 21): "the recorder reads files; on 25, streams do without it",
}
"""Classes that the recorder's start initialises, which happens once: each with the first and the
last JDK, of those that are tested, on which it does."""


def stand_in(jdk: Jdk, build: Path, *, n_hashes: int) -> str:
    """The VM option for the agent that stands in for the recorder.

    Args:
        jdk: the JDK to run.
        build: where what is compiled is kept.
        n_hashes: how many identity hash codes the recorder's start takes from the VM's sequence:
            with another number, hash tables whose keys are classes have other chains.
    """
    words = [
        f"patch={salted_class(jdk, build)}",
        f"hashes={n_hashes}",
        *(f"asked={name}" for name in _ASKED),
        *(
            f"initialised={name}"
            for name, first, last in _INITIALISED
            if first <= jdk.version and (last is None or jdk.version <= last)
        ),
    ]
    return f"-agentpath:{agent_library(jdk, 'stand_in', build)}={','.join(words)}"
