"""Types of steps, paths, predicates and the simple map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.analysis.bounds import (
    allows_many,
    item_of,
    one_of_many,
    repeated,
    with_bounds,
)
from jvmscope.queries.xquery.analysis.typing.found import types
from jvmscope.queries.xquery.items.hierarchy import ancestors
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.types import (
    AtomicType,
    ItemSequence,
    KindTest,
    NameTest,
)

if TYPE_CHECKING:
    from jvmscope.queries.xquery.analysis.typing.found import Types
    from jvmscope.queries.xquery.syntax.types import ItemType, SequenceType

    _Focus = SequenceType | None

__all__: list[str] = []


@types(ast.RootStep)
def _root(_: Types, __: ast.RootStep, ___: _Focus) -> SequenceType:
    return ItemSequence(KindTest("document-node"))


@types(ast.AxisStep)
def _step(found: Types, node: ast.AxisStep, _: _Focus) -> SequenceType:
    item = _node_type(node)
    is_named = isinstance(node.test, NameTest) and "*" not in (
        node.test.name.local,
        node.test.name.prefix,
    )
    is_single = node.axis in ("self", "parent") or (node.axis == "attribute" and is_named)
    result: SequenceType = with_bounds(item, empty=True, many=not is_single)
    for predicate in node.predicates:
        result = _filtered(found, result, predicate)
    return result


def _node_type(node: ast.AxisStep) -> ItemType:
    principal = node.axis if node.axis == "attribute" else "element"
    if isinstance(node.test, NameTest):
        name = node.test.name
        return KindTest(principal, None if "*" in (name.local, name.prefix) else name)
    if node.test.kind == "node" and node.axis == "attribute":
        return KindTest("attribute")
    return node.test


def _filtered(found: Types, base: SequenceType, predicate: ast.Expression) -> SequenceType:
    condition = item_of(found.find(predicate, one_of_many(base)))
    is_number = isinstance(condition, AtomicType) and "numeric" in ancestors(condition.name.local)
    # A number that is the same for all items picks one of them; another may pick several.
    is_position = is_number and isinstance(predicate, (ast.Literal, ast.VariableReference))
    return with_bounds(item_of(base), empty=True, many=allows_many(base) and not is_position)


@types(ast.Predicate)
def _predicate(found: Types, node: ast.Predicate, focus: _Focus) -> SequenceType:
    return _filtered(found, found.find(node.base, focus), node.predicate)


@types(ast.Path)
def _path(found: Types, node: ast.Path, focus: _Focus) -> SequenceType:
    result = found.find(node.steps[0], focus)
    for step in node.steps[1:]:
        result = repeated(found.find(step, one_of_many(result)), result)
    return result


@types(ast.SimpleMap)
def _simple_map(found: Types, node: ast.SimpleMap, focus: _Focus) -> SequenceType:
    left = found.find(node.left, focus)
    return repeated(found.find(node.right, one_of_many(left)), left)
