"""Paths, steps and predicates (XQuery 3.1, sections 3.2 and 3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.records import keyword_record
from jvmscope.queries.xquery.syntax.ast.base import Expression

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.types import NodeTest

__all__ = [
    "AxisStep",
    "Path",
    "Predicate",
    "RootStep",
    "SimpleMap",
]


@keyword_record
class RootStep(Expression):
    """The leading ``/`` of a path: the root of the context node's tree, a document node."""


@keyword_record
class AxisStep(Expression):
    """An axis, a node test and predicates, whose positions count along the axis.

    ``is_abbreviated`` tells ``name``, ``@name``, ``..`` from the written-out axis.
    """

    axis: str
    test: NodeTest
    predicates: tuple[Expression, ...] = ()
    is_abbreviated: bool = False


@keyword_record
class Predicate(Expression):
    """``base[predicate]`` for a base that is not an axis step: positions count in base's order."""

    base: Expression
    predicate: Expression


@keyword_record
class Path(Expression):
    """``steps[0]/steps[1]/…``; ``//`` stands as a step ``descendant-or-self::node()``.

    A lone ``/`` is a :class:`RootStep` without a path. Two steps or more.
    """

    steps: tuple[Expression, ...]


@keyword_record
class SimpleMap(Expression):
    """``left ! right``."""

    left: Expression
    right: Expression
