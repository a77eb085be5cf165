"""Queries that walk the trees of a large run, of which whoever asks is told: it takes long.

SQL reads a million contexts in a moment, trees make a node of each of them. On a small run the
difference is nobody's concern.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jvmscope.queries.first_rows import first_row
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import FN
from jvmscope.queries.xquery.syntax.walk import children
from jvmscope.queries.xquery.trees.node import Node
from jvmscope.queries.xquery.variables import PREDEFINED, referenced

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jvmscope.queries.engine import Engine
    from jvmscope.queries.xquery.analysis import Program
    from jvmscope.queries.xquery.compiler.plan import Left

__all__ = ["LARGE", "n_contexts", "reads_documents", "rewrite_of", "walks_from"]

LARGE = 1_000_000
"""So many contexts, or items from SQL, are worth a warning."""

_FAR = {"descendant", "descendant-or-self", "following", "preceding"}
_REWRITES = (
    (
        "a sequence of items that are not constants",
        'return a map instead of a sequence: map { "a": ..., "b": ... }',
    ),
    ("groups by decimals or doubles", "group by an xs:integer or a string, as by (...) idiv 2"),
    ("fn:(min|max) of doubles", "convert the values: max(... ! xs:long(.))"),
    ("a step to nodes of any name", "name the element or attribute that the step selects"),
    ("an element without the one that it is in", "name both, one step after the other"),
    (
        "the contents of a group, read in several places",
        "read the variable of a group once in each aggregate",
    ),
    ("a declared (type|number)", "leave out the declared type"),
    (
        "called in more than",
        "use the axes descendant and ancestor instead of a recursive function",
    ),
    ("an exact quotient", "divide after summing"),
)


def rewrite_of(left: Iterable[Left]) -> str | None:
    """Returns how a query can be written so that it need not run on trees, if one way is known.

    Args:
        left: why it does, the reason of the whole query first.
    """
    for why in left:
        for reason, rewrite in _REWRITES:
            if re.search(reason, why.reason):
                return rewrite
    return None


def n_contexts(engine: Engine) -> int:
    """Returns how many contexts a run has; the tables' footers know it."""
    if "context" not in engine.recorded:
        return 0
    found = first_row(engine.connect(), "SELECT COUNT(*) FROM context")
    assert found is not None  # noqa: S101 - a count is one row
    return int(found[0])


def reads_documents(program: Program) -> bool:
    """Tells whether what is left to trees begins at a document of the run itself."""
    names = {v.name.local for v in referenced(program) if v.is_global and not v.name.uri}
    return not names.isdisjoint(PREDEFINED) or any(
        isinstance(node, ast.FunctionCall) and node.name.uri == FN and node.name.local == "doc"
        for node in _nodes(program)
    )


def walks_from(program: Program, values: Iterable[Sequence[Any]]) -> bool:
    """Tells whether what is left to trees may walk far from nodes that SQL found.

    Args:
        program: what is left.
        values: what SQL found, by variable.
    """
    has_nodes = any(isinstance(found[0], Node) for found in values if found)
    return has_nodes and any(
        isinstance(node, ast.AxisStep) and node.axis in _FAR for node in _nodes(program)
    )


def _nodes(program: Program) -> Iterator[Any]:
    pending: list[Any] = [program.main.body]
    pending += [function.declaration.body for function in program.functions.values()]
    pending += [declaration.expression for declaration, _ in program.variables]
    while pending:
        node = pending.pop()
        if node is not None:
            yield node
            pending += children(node)
