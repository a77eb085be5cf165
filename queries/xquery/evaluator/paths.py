"""Paths: steps from nodes to nodes, in document order, sorted only where the axes do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.evaluator.axes import REVERSE, Select, select
from jvmscope.queries.xquery.evaluator.closures import Compiler, compiles
from jvmscope.queries.xquery.evaluator.code import RUNTIME, Code, Frame
from jvmscope.queries.xquery.evaluator.covering import COVERING
from jvmscope.queries.xquery.evaluator.mapping import no_node, path_through
from jvmscope.queries.xquery.evaluator.predicates import is_positional, keeper
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.types import KindTest
from jvmscope.queries.xquery.trees.node import Kind, Node
from jvmscope.queries.xquery.trees.order import sort_distinct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jvmscope.errors import QueryError
    from jvmscope.queries.xquery.items.types import Item

__all__: list[str] = []

_FLAT_FROM_ONE = {"child", "attribute", "self", "parent", "following-sibling", "preceding-sibling"}
_ORDERED_FROM_FLAT = {"child", "attribute", "self", "descendant", "descendant-or-self"}
_FLAT_FROM_FLAT = {"child", "attribute", "self"}
_ORDERED_FROM_ORDERED = {"attribute", "self"}


class _Step:
    """An axis step: ``walk`` takes a frame and a node, and returns nodes in document order."""

    def __init__(self, compiler: Compiler, step: ast.AxisStep) -> None:
        self.axis = step.axis
        self._select = select(step.axis, step.test)
        self._keepers = [keeper(compiler, predicate) for predicate in step.predicates]
        is_reverse = step.axis in REVERSE and step.axis != "parent"
        self.walk = self._walker(is_reverse=is_reverse)

    @property
    def simple(self) -> Select | None:
        """The selection alone where nothing else is to be done."""
        is_reverse = self.axis in REVERSE and self.axis != "parent"
        return None if self._keepers or is_reverse else self._select

    def _walker(self, *, is_reverse: bool) -> Callable[[Frame, Node], Iterable[Node]]:
        chosen, keepers = self._select, self._keepers

        def walk(frame: Frame, node: Node) -> Iterable[Node]:
            nodes = chosen(node)
            for keep in keepers:
                nodes = keep(frame, nodes)
            return list(nodes)[::-1] if is_reverse else nodes

        return walk


@compiles(ast.AxisStep)
def _axis_step(compiler: Compiler, expression: ast.AxisStep) -> Code:
    """A step from the context item alone: what a path's first step is, too."""
    step = _Step(compiler, expression)
    walk, simple = step.walk, step.simple
    place = compiler.placer(expression)

    def items(frame: Frame, item: Item) -> Iterable[Item]:
        if isinstance(item, Node):
            return walk(frame, item) if simple is None else simple(item)
        raise place(no_node(item, "XPTY0020"))

    is_flat = step.axis in _FLAT_FROM_ONE
    if step.axis in {"self", "parent"} or (step.axis == "attribute" and _is_named(expression)):
        return Code(items, one=_first_of(items), kind="node", truth=_exists(items))
    return Code(items, kind="node", is_ordered=True, is_flat=is_flat, truth=_exists(items))


def _is_named(step: ast.AxisStep) -> bool:
    name = getattr(step.test, "name", None)
    return name is not None and name.local != "*" and name.prefix != "*"


def _first_of(items: Callable[[Frame, Item], Iterable[Item]]) -> Callable[[Frame, Item], Item]:
    def one(frame: Frame, item: Item) -> Item:
        for node in items(frame, item):
            return node
        return None

    return one


def _exists(items: Callable[[Frame, Item], Iterable[Item]]) -> Callable[[Frame, Item], bool]:
    def truth(frame: Frame, item: Item) -> bool:
        return any(True for _ in items(frame, item))

    return truth


@compiles(ast.RootStep)
def _root(compiler: Compiler, expression: ast.RootStep) -> Code:
    place = compiler.placer(expression)

    def one(_frame: Frame, item: Item) -> Item:
        if not isinstance(item, Node):
            raise place(no_node(item, "XPTY0020"))
        root = item.root
        if root.kind is not Kind.DOCUMENT:
            raise place(DynamicError("XPDY0050", "the tree's top is not a document"))
        return root

    return Code(one=one, kind="node")


@compiles(ast.Path)
def _path(compiler: Compiler, expression: ast.Path) -> Code:
    steps = _shortened(expression.steps)
    code = compiler.compile(steps[0])
    for step in steps[1:]:
        if isinstance(step, ast.AxisStep):
            code = _through_axis(compiler, code, step)
        else:
            code = path_through(compiler, code, step, is_last=step is steps[-1])
    return code


def _shortened(steps: tuple[ast.Expression, ...]) -> list[ast.Expression]:
    """Returns the steps with ``descendant-or-self::node()/child::x`` as ``descendant::x``."""
    result: list[ast.Expression] = []
    for step in steps:
        if (
            result
            and isinstance(step, ast.AxisStep)
            and step.axis in {"child", "descendant"}
            and _is_any_descendant(result[-1])
            and not any(is_positional(predicate) for predicate in step.predicates)
        ):
            result[-1] = ast.AxisStep(
                at=step.at,
                end=step.end,
                axis="descendant",
                test=step.test,
                predicates=step.predicates,
            )
        else:
            result.append(step)
    return result


def _is_any_descendant(step: ast.Expression) -> bool:
    return (
        isinstance(step, ast.AxisStep)
        and step.axis == "descendant-or-self"
        and isinstance(step.test, KindTest)
        and step.test.kind == "node"
        and not step.predicates
    )


def _through_axis(compiler: Compiler, left: Code, expression: ast.AxisStep) -> Code:
    step = _Step(compiler, expression)
    walk, simple, axis = step.walk, step.simple, step.axis
    place = compiler.placer(expression)
    if left.is_single:
        return _from_one(left, step, place)
    firsts = left.items

    def starts(frame: Frame, item: Item) -> Iterator[Node]:
        runtime = frame[RUNTIME]
        for node in firsts(frame, item):
            if runtime.is_expired:
                runtime.stop()
            if not isinstance(node, Node):
                raise place(no_node(node, "XPTY0019"))
            yield node

    covering = COVERING.get(axis)
    if any(map(is_positional, expression.predicates)):
        covering = None

    def items(frame: Frame, item: Item) -> Iterator[Item]:
        nodes: Iterable[Node] = starts(frame, item)
        for node in nodes if covering is None else covering(nodes):
            yield from walk(frame, node) if simple is None else simple(node)

    is_flat = left.is_flat and axis in _FLAT_FROM_FLAT
    if left.is_ordered and (
        axis in _ORDERED_FROM_ORDERED or (left.is_flat and axis in _ORDERED_FROM_FLAT)
    ):
        is_flat = is_flat or axis == "attribute"
        return Code(items, kind="node", is_ordered=True, is_flat=is_flat, truth=_exists(items))
    return Code(
        lambda frame, item: sort_distinct(items(frame, item)),
        kind="node",
        is_ordered=True,
        is_flat=is_flat,
        truth=_exists(items),
    )


def _from_one(left: Code, step: _Step, place: Callable[[QueryError], QueryError]) -> Code:
    walk, simple, axis = step.walk, step.simple, step.axis
    first = left.one

    def items(frame: Frame, item: Item) -> Iterable[Item]:
        node = first(frame, item)
        if isinstance(node, Node):
            return walk(frame, node) if simple is None else simple(node)
        if node is None:
            return ()
        raise place(no_node(node, "XPTY0019"))

    is_flat = axis in _FLAT_FROM_ONE
    return Code(items, kind="node", is_ordered=True, is_flat=is_flat, truth=_exists(items))
