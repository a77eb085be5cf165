"""Calls of named functions: the query's own and built-in ones."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.evaluator.arguments import argument, is_single_type
from jvmscope.queries.xquery.evaluator.closures import Compiler, compiles
from jvmscope.queries.xquery.evaluator.code import POSITION, RUNTIME, SIZE, Code, Frame
from jvmscope.queries.xquery.evaluator.context import DynamicContext
from jvmscope.queries.xquery.evaluator.partial import partial_application
from jvmscope.queries.xquery.evaluator.primaries import last_code, position_code
from jvmscope.queries.xquery.functions.registry import Builtin, as_sequence
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import FN
from jvmscope.queries.xquery.syntax.types import AtomicType, ItemSequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jvmscope.queries.xquery.evaluator.context import Runtime
    from jvmscope.queries.xquery.evaluator.functions import UserFunction
    from jvmscope.queries.xquery.items.functions import FunctionItem
    from jvmscope.queries.xquery.items.types import Item
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = ["call_code", "reference_code"]

_AT_ONCE = 1 << 16


@compiles(ast.FunctionCall)
def _function_call(compiler: Compiler, expression: ast.FunctionCall) -> Code:
    return call_code(compiler, expression, expression.name, expression.arguments)


def call_code(
    compiler: Compiler,
    expression: ast.Expression,
    name: Name,
    arguments: tuple[ast.Expression, ...],
) -> Code:
    """Returns the code of a call of a named function, or of its partial application."""
    if any(isinstance(part, ast.Placeholder) for part in arguments):
        function = reference_code(compiler, expression, name, len(arguments))
        return partial_application(compiler, expression, function.one, arguments)
    if name.uri == FN and name.local in _SPECIAL and len(arguments) in _SPECIAL[name.local]:
        return _SPECIAL[name.local][len(arguments)](compiler, expression, *arguments)
    own = compiler.linkage.function(name, len(arguments))
    if own is not None:
        return _own_call(compiler, expression, own, arguments)
    found = compiler.linkage.builtin(name, len(arguments))
    if found is None:
        place = compiler.placer(expression)
        message = f"there is no function {name} with {len(arguments)} arguments"
        raise place(DynamicError("XPST0017", message))
    return _builtin_call(compiler, expression, found, arguments)


def _own_call(
    compiler: Compiler,
    expression: ast.Expression,
    function: UserFunction,
    arguments: tuple[ast.Expression, ...],
) -> Code:
    values = [
        argument(compiler.compile(part), kind).value
        for part, kind in zip(arguments, function.parameters, strict=True)
    ]
    place = compiler.placer(expression)

    def call(frame: Frame, item: Item) -> Any:
        try:
            return function.run(frame[RUNTIME], [value(frame, item) for value in values])
        except DynamicError as error:
            place(error)
            raise

    return Code(one=call) if is_single_type(function.result) else Code(call)


def _builtin_call(
    compiler: Compiler,
    expression: ast.Expression,
    function: Builtin,
    arguments: tuple[ast.Expression, ...],
) -> Code:
    values = [
        argument(compiler.compile(part), kind, is_lazy=True).value
        for part, kind in zip(arguments, function.parameters, strict=True)
    ]
    if not function.is_lazy:
        values = [
            value if is_single_type(kind) else _listed(value)
            for value, kind in zip(values, function.parameters, strict=True)
        ]
    call = _caller(compiler, function, values)
    place = compiler.placer(expression)

    def one(frame: Frame, item: Item) -> Item:
        try:
            return call(frame, item)
        except DynamicError as error:
            place(error)
            raise

    if is_single_type(function.result):
        return Code(one=one, kind=_kind(function.result))

    def items(frame: Frame, item: Item) -> Iterable[Item]:
        result = as_sequence(one(frame, item))
        return result if isinstance(result, (list, tuple, range)) else _placed(result, place)

    return Code(items)


def _kind(result: SequenceType) -> str:
    """Returns what the result is known to be, see :class:`Code`."""
    if isinstance(result, ItemSequence) and isinstance(result.item, AtomicType):
        return _KINDS.get(result.item.name.local, "")
    return ""


def _placed(result: Iterable[Item], place: Callable[[Any], Any]) -> Iterable[Item]:
    try:
        yield from result
    except DynamicError as error:
        place(error)
        raise


def _listed(value: Callable[[Frame, Item], Any]) -> Callable[[Frame, Item], Any]:
    def listed(frame: Frame, item: Item) -> list[Item]:
        found = value(frame, item)
        return found if type(found) is list else _whole(iter(found), frame[RUNTIME])

    return listed


def _whole(rest: Iterator[Item], runtime: Runtime) -> list[Item]:
    """Returns items as a list, made bit by bit: a long one takes longer than a query may."""
    items: list[Item] = []
    while more := list(islice(rest, _AT_ONCE)):
        if runtime.is_expired:
            runtime.stop()
        items += more
    return items


def _caller(
    compiler: Compiler, function: Builtin, values: list[Callable[[Frame, Item], Any]]
) -> Callable[[Frame, Item], Any]:
    run = function.implementation
    static = compiler.static_here()
    if function.needs_context:
        if function.name.local in {"function-lookup", "load-xquery-module", "apply"}:
            compiler.use_position()
            compiler.use_size()

        def call_with_context(frame: Frame, item: Item) -> Any:
            context = DynamicContext(frame[RUNTIME], static, item, frame[POSITION], frame[SIZE])
            return run(context, *[value(frame, item) for value in values])

        return call_with_context
    if len(values) == 1:
        only = values[0]
        return lambda frame, item: run(only(frame, item))
    return lambda frame, item: run(*[value(frame, item) for value in values])


# -- functions that are part of the language, in effect


def _position(compiler: Compiler, expression: ast.Expression) -> Code:
    return position_code(compiler, expression)


def _last(compiler: Compiler, expression: ast.Expression) -> Code:
    return last_code(compiler, expression)


def _boolean(compiler: Compiler, expression: ast.Expression, operand: ast.Expression) -> Code:
    return _truth(compiler, expression, operand, is_negated=False)


def _not(compiler: Compiler, expression: ast.Expression, operand: ast.Expression) -> Code:
    return _truth(compiler, expression, operand, is_negated=True)


def _truth(
    compiler: Compiler, expression: ast.Expression, operand: ast.Expression, *, is_negated: bool
) -> Code:
    truth = compiler.compile(operand).truth
    place = compiler.placer(expression)

    def one(frame: Frame, item: Item) -> bool:
        try:
            return truth(frame, item) is not is_negated
        except DynamicError as error:
            place(error)
            raise

    return Code(one=one, truth=one, kind="boolean")


_SPECIAL: dict[str, dict[int, Callable[..., Code]]] = {
    "position": {0: _position},
    "last": {0: _last},
    "boolean": {1: _boolean},
    "not": {1: _not},
}
_KINDS = {"boolean": "boolean", "string": "string", "integer": "number", "double": "number"}


# -- references


@compiles(ast.FunctionReference)
def _reference(compiler: Compiler, expression: ast.FunctionReference) -> Code:
    return reference_code(compiler, expression, expression.name, expression.arity)


def reference_code(compiler: Compiler, expression: ast.Expression, name: Name, arity: int) -> Code:
    """Returns the code of ``name#arity``: a function that keeps the focus where it was made."""
    compiler.use_position()
    compiler.use_size()
    linkage, static = compiler.linkage, compiler.static_here()
    place = compiler.placer(expression)

    def one(frame: Frame, item: Item) -> FunctionItem:
        context = DynamicContext(frame[RUNTIME], static, item, frame[POSITION], frame[SIZE])
        found = linkage.function_item(name, arity, context)
        if found is None:
            message = f"there is no function {name} with {arity} arguments"
            raise place(DynamicError("XPST0017", message))
        return found

    return Code(one=one)
