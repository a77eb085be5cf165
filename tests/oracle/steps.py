"""Reads what the single-step oracle wrote: executions of every bytecode of every method."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["MethodKey", "SteppedMethod", "Steps", "canonical_class", "read_steps"]

_ADDRESS = re.compile(r"[./+]0x[0-9a-f]+$")
_CONTENT = re.compile(r"/[0-9a-f]{8}(?:~\d+)?$")  # no class of the programs is named so
_LAMBDA = re.compile(r"(\$\$Lambda|\$\$InjectedInvoker|\$\$StringConcat)\$\d+$")


@functools.cache
def canonical_class(name: str) -> str:
    """A class name without what the VM or we append to tell hidden classes apart.

    >>> canonical_class("p/A$$Lambda$14.0x0000000800c03000")
    'p/A$$Lambda'
    >>> canonical_class("p/A$$Lambda/1b2c3d4e"), canonical_class("p/A$1")
    ('p/A$$Lambda', 'p/A$1')
    """
    return _LAMBDA.sub(r"\1", _CONTENT.sub("", _ADDRESS.sub("", name)))


@dataclass(frozen=True, order=True)
class MethodKey:
    """A method by canonical class name, name, descriptor and size of its code in bytes.

    The size tells hidden classes of one name apart; classes of several loaders are added up.
    """

    class_name: str
    name: str
    descriptor: str
    size_bytes: int

    def __str__(self) -> str:
        return f"{self.class_name}.{self.name}{self.descriptor}"


@dataclass
class SteppedMethod:
    """Executions by bytecode offset, over all threads and in the program's own scope."""

    key: MethodKey
    is_application: bool
    lines: dict[int, int]
    all: dict[int, int] = field(default_factory=dict)
    own: dict[int, int] = field(default_factory=dict)


Steps = dict[MethodKey, SteppedMethod]


def _numbers(text: str) -> list[tuple[int, ...]]:
    """The numbers in "1:2,3:4"; none in "-"."""
    parts = [] if text == "-" else text.split(",")
    return [tuple(map(int, part.split(":"))) for part in parts]


def read_steps(path: Path) -> Steps:
    """The methods in the oracle's output, those of equal keys added up.

    Raises:
        ValueError: the file is not complete: the VM did not reach its death event.
    """
    lines = path.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
    if lines[0] != "step oracle 1" or lines[-2:] != ["end", ""]:
        msg = f"{path}: not a complete output of the step oracle"
        raise ValueError(msg)
    steps: Steps = {}
    for line in lines[1:-2]:
        loader, class_name, name, descriptor, size, line_table, counts = line.split("\t")
        key = MethodKey(canonical_class(class_name), name, descriptor, int(size))
        known = SteppedMethod(key, loader == "a", {at: n for at, n, *_ in _numbers(line_table)})
        method = steps.setdefault(key, known)
        for offset, outside, own in _numbers(counts):
            method.all[offset] = method.all.get(offset, 0) + outside + own
            method.own[offset] = method.own.get(offset, 0) + own
    return steps
