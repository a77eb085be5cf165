"""Which children and attributes an element may have, and the errors for others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmscope.schema.xml.vocabulary import NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MAX_SHOWN", "Node", "Rejected", "children", "shown"]

MAX_SHOWN = 60
"""The longest excerpt of a document in a message."""


class Rejected(Exception):
    """The document is not what it should be."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


@dataclass
class Node:
    """One kind of element: what it may hold, and what is done at its start and end.

    ``end`` gets the text of the element if ``has_text``, else "". ``required`` is the
    name of the last child that must be there, if any.
    """

    name: str
    start: Callable[[dict[str, str]], None] | None = None
    end: Callable[[str], None] | None = None
    has_text: bool = False
    steps: dict[str, _Step] = field(default_factory=dict)
    least: int = 0
    required: str = ""


@dataclass(frozen=True)
class _Step:
    """One child in a parent's order: its place, and the place that must be reached before."""

    node: Node
    place: int
    is_single: bool
    least: int
    required: str


def children(parent: Node, *steps: tuple[Node, str], any_order: bool = False) -> None:
    """Sets what a parent holds, in order; each child with ``"1"``, ``"?"`` or ``"*"``.

    >>> parent, child = Node("context"), Node("callCount")
    >>> children(parent, (child, "1"))
    >>> parent.required
    'callCount'
    """
    for place, (node, occurs) in enumerate(steps, 1):
        name = f"{NAMESPACE} {node.name}"
        at = 1 if any_order else place
        parent.steps[name] = _Step(node, at, occurs != "*", parent.least, parent.required)
        if occurs == "1":
            parent.least, parent.required = place, node.name


def shown(text: str) -> str:
    """Returns the text as it is shown in a message: quoted, on one line, and not too long.

    >>> shown("a" * 100)[-5:]
    'aaa…"'
    """
    cut = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
    printable = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in cut)
    return f'"{printable}"'
