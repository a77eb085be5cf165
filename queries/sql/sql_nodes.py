"""Nodes of SQL: their parts by name, and how they are found, copied and changed.

A node knows the node that it is part of, so it may be part of one only: what is used in two places
is copied. Nodes are equal if they are written alike.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Expr"]

_E = TypeVar("_E", bound="Expr")


class Expr:
    """A node of SQL.

    Attributes:
        args: its parts by name: nodes, lists of nodes, texts and truth values.
        parent: the node that it is part of.
        key: the name of the part that it is, or is one of.
    """

    __slots__ = ("args", "key", "parent")

    def __init__(self, **args: Any) -> None:
        self.args = args
        self.parent: Expr | None = None
        self.key = ""
        for key, value in args.items():
            self._adopt(key, value)

    def _adopt(self, key: str, value: Any) -> None:
        for part in value if type(value) is list else (value,):
            if isinstance(part, Expr):
                part.parent, part.key = self, key

    # -- parts

    @property
    def this(self) -> Any:
        """The part that most nodes have."""
        return self.args.get("this")

    @property
    def expression(self) -> Any:
        """The right side of an operator."""
        return self.args.get("expression")

    @property
    def expressions(self) -> list[Any]:
        """What a node lists."""
        return self.args.get("expressions") or []

    @property
    def name(self) -> str:
        """The name of a column, table, output or function, and the text of a constant."""
        return self.this if isinstance(self.this, str) else ""

    @property
    def alias(self) -> str:
        """The name that a table or an output is given; empty: none."""
        return self.args.get("alias") or ""

    @property
    def alias_or_name(self) -> str:
        """The name by which a table or an output is known."""
        return self.alias or self.name

    def unalias(self) -> Expr:
        """Returns what an output is without its name."""
        return self

    def set(self, key: str, value: Any) -> None:
        """Changes a part."""
        self.args[key] = value
        self._adopt(key, value)

    def iter_expressions(self) -> Iterator[Expr]:
        """Yields the nodes that are parts, in the order in which they were given."""
        for value in self.args.values():
            if isinstance(value, Expr):
                yield value
            elif type(value) is list:
                yield from value

    # -- search

    @property
    def depth(self) -> int:
        """How many nodes are around it."""
        depth, node = 0, self.parent
        while node is not None:
            depth, node = depth + 1, node.parent
        return depth

    def find_all(self, *kinds: type[_E]) -> Iterator[_E]:
        """Yields the nodes of some kinds in it, itself included, the outermost first."""
        pending: deque[Expr] = deque((self,))
        while pending:
            node = pending.popleft()
            if isinstance(node, kinds):
                yield node
            pending.extend(node.iter_expressions())

    def find(self, *kinds: type[_E]) -> _E | None:
        """Returns the outermost node of some kinds."""
        return next(self.find_all(*kinds), None)

    def find_ancestor(self, kind: type[_E]) -> _E | None:
        """Returns the innermost node of a kind that is around it."""
        node = self.parent
        while node is not None and not isinstance(node, kind):
            node = node.parent
        return node

    # -- change

    def copy(self) -> Self:
        """Returns the same in nodes of its own, part of nothing."""
        copy = type(self).__new__(type(self))
        args: dict[str, Any] = {}
        copy.args = args
        copy.parent, copy.key = None, ""
        for key, value in self.args.items():
            if isinstance(value, Expr):
                part = args[key] = value.copy()
                part.parent, part.key = copy, key
            elif type(value) is list:
                parts = args[key] = [part.copy() for part in value]
                for part in parts:
                    part.parent, part.key = copy, key
            else:
                args[key] = value
        return copy

    def replace(self, other: Expr) -> None:
        """Puts another node in its place."""
        parent = self.parent
        assert parent is not None  # noqa: S101 - a root has no place
        value = parent.args[self.key]
        if type(value) is list:
            value[next(n for n, part in enumerate(value) if part is self)] = other
        else:
            parent.args[self.key] = other
        other.parent, other.key = parent, self.key
        self.parent = None

    def transform(self, change: Callable[[Expr], Expr]) -> Expr:
        """Returns a copy in which each node is what ``change`` makes of it.

        What it is made of is not changed again.
        """
        root = self.copy()
        changed = change(root)
        if changed is not root:
            return changed
        pending = list(root.iter_expressions())[::-1]
        while pending:
            node = pending.pop()
            changed = change(node)
            if changed is node:
                pending += list(node.iter_expressions())[::-1]
            else:
                node.replace(changed)
        return root

    # -- equality

    def _content(self) -> tuple[Any, ...]:
        return (
            type(self),
            *(
                (key, tuple(value) if type(value) is list else value)
                for key, value in self.args.items()
                if value not in (None, False, [])
            ),
        )

    def __eq__(self, other: object) -> bool:
        """Tells whether two nodes are written alike."""
        return self is other or (isinstance(other, Expr) and self._content() == other._content())

    def __hash__(self) -> int:
        """Returns a number that nodes which are written alike share."""
        return hash(self._content())

    def __str__(self) -> str:
        """Returns the SQL, in one line."""
        from jvmscope.queries.sql.writing import in_one_line

        return in_one_line(self)

    __repr__ = __str__
