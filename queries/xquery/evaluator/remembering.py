"""What a loop would evaluate again for each item, although its value cannot change.

``$cct//dcg:context[@depth = $cct//dcg:context[1]/@depth]`` has an operand that depends on ``$cct``
alone, and so does ``where $call/@to = $cct//dcg:context/@id``. The value of such an expression is
kept from its second evaluation on, until one of the variables that it names has another value. What
begins with ``/`` depends on the tree that the context item is in, too.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from jvmscope.queries.xquery.evaluator.code import RUNTIME, Code, Frame
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import FN
from jvmscope.queries.xquery.syntax.walk import children
from jvmscope.queries.xquery.trees.node import Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmscope.queries.xquery.items.types import Item

__all__ = ["Inputs", "inputs_of", "remembering"]

_LONGEST = 65_536
"""Items of a value that is kept; a longer one is evaluated again."""

_WORTH_IT = (ast.Path, ast.Predicate, ast.FunctionCall)
_OPERATORS = (
    ast.Arithmetic, ast.Binary, ast.Comparison, ast.If, ast.Literal, ast.Logical,
    ast.Parenthesized, ast.Range, ast.Sequence, ast.StringConcatenation, ast.Unary,
)  # fmt: skip
_FUNCTIONS = {
    "abs", "avg", "boolean", "ceiling", "concat", "contains", "count", "data", "deep-equal",
    "distinct-values", "empty", "ends-with", "exactly-one", "exists", "floor", "head", "index-of",
    "insert-before", "local-name", "lower-case", "matches", "max", "min", "name", "not", "number",
    "one-or-more", "remove", "replace", "reverse", "round", "starts-with", "string", "string-join",
    "string-length", "subsequence", "substring", "substring-after", "substring-before", "sum",
    "tail", "tokenize", "translate", "upper-case", "zero-or-one",
}  # fmt: skip
_AXES_OF_ONE = {"attribute", "parent", "self"}
_OF_THE_FOCUS = {"last", "position"}


class Inputs(NamedTuple):
    """What decides the value of an expression: variables, and perhaps the tree it is asked in."""

    variables: list[ast.VariableReference]
    has_tree: bool


def inputs_of(expression: ast.Expression) -> Inputs | None:
    """Returns the inputs of an expression, if nothing else decides its value.

    None: it asks for the focus that it is in, makes nodes, or calls what may do either. What walks
    no further than to attributes and parents is None, too: it is as fast as a memory.
    """
    if not isinstance(expression, _WORTH_IT):
        return None
    variables: list[ast.VariableReference] = []
    has_tree = is_long = False
    pending: list[tuple[Any, bool]] = [(expression, True)]
    while pending:
        node, is_outside = pending.pop()
        inner: Iterable[Any] = ()
        match node:
            case ast.VariableReference():
                variables.append(node)
            case ast.RootStep():
                has_tree = has_tree or is_outside
            case ast.Path(steps=(first, *inner)):
                pending.append((first, is_outside))
            case ast.SimpleMap(left=first, right=then) | ast.Predicate(base=first, predicate=then):
                pending.append((first, is_outside))
                inner = (then,)
            case ast.AxisStep(axis=axis, predicates=predicates) if not is_outside:
                is_long = is_long or axis not in _AXES_OF_ONE
                inner = predicates
            case ast.ContextItem() if not is_outside:
                pass
            case ast.FunctionCall() if _is_known(node, is_outside=is_outside):
                pending += [(argument, is_outside) for argument in node.arguments]
            case _ if isinstance(node, _OPERATORS):
                pending += [(child, is_outside) for child in children(node)]
            case _:
                return None
        pending += [(each, False) for each in inner]
    return Inputs(variables, has_tree) if is_long else None


def _is_known(call: ast.FunctionCall, *, is_outside: bool) -> bool:
    """Tells whether a function has one value for its arguments; without any, it asks the focus."""
    if call.name.uri != FN:
        return False
    if call.name.local in _OF_THE_FOCUS:
        return not is_outside
    return call.name.local in _FUNCTIONS and (bool(call.arguments) or not is_outside)


class _Memory:
    """The values of the variables at the last evaluation, kept so that no others take their place.

    ``value`` is None until there was a second evaluation with the same variables.
    """

    __slots__ = ("inputs", "is_given_up", "value")

    def __init__(self, inputs: list[Any]) -> None:
        self.inputs = inputs
        self.value: list[Item] | None = None
        self.is_given_up = False

    def is_of(self, inputs: list[Any]) -> bool:
        """Tells whether the variables have these values, by identity: nothing changes a value."""
        return all(map(_is, self.inputs, inputs))


def _is(one: Any, other: Any) -> bool:
    return one is other


def remembering(code: Code, slots: list[int], *, has_tree: bool) -> Code:
    """Returns code that keeps the value of an expression while its inputs stay the same.

    Args:
        code: of the expression.
        slots: of the variables in frames, without the global ones: these have one value.
        has_tree: whether the tree that the context item is in is an input.
    """
    key = object()
    values = code.items

    def items(frame: Frame, item: Item) -> Iterable[Item]:
        remembered = frame[RUNTIME].remembered
        inputs = [frame[slot] for slot in slots]
        if has_tree:
            inputs.append(item.root if isinstance(item, Node) else item)
        memory = remembered.get(key)
        if memory is None or not memory.is_of(inputs):
            remembered[key] = _Memory(inputs)
            return values(frame, item)
        if memory.value is None and not memory.is_given_up:
            return _kept(memory, lambda: values(frame, item))
        return values(frame, item) if memory.value is None else memory.value

    if code.is_single:
        return Code(one=_only(items), kind=code.kind)
    return Code(items, kind=code.kind, is_ordered=code.is_ordered, is_flat=code.is_flat)


def _kept(memory: _Memory, evaluate: Callable[[], Iterable[Item]]) -> Iterable[Item]:
    """Keeps a value that is not too long and has no error, which might lie beyond what is read."""
    try:
        rest = iter(evaluate())
        known = list(islice(rest, _LONGEST + 1))
    except DynamicError:
        memory.is_given_up = True
        return evaluate()
    if len(known) > _LONGEST:
        memory.is_given_up = True
        return chain(known, rest)
    memory.value = known
    return known


def _only(items: Callable[[Frame, Item], Iterable[Item]]) -> Callable[[Frame, Item], Item]:
    def one(frame: Frame, item: Item) -> Item:
        for value in items(frame, item):
            return value
        return None

    return one
