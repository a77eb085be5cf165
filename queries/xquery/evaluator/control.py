"""Conditions, switches, quantifiers, and expressions about types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.evaluator.bindings import checked_item, treated
from jvmscope.queries.xquery.evaluator.closures import Compiler, compiles
from jvmscope.queries.xquery.evaluator.code import RUNTIME, Code, Frame, atomic_operand
from jvmscope.queries.xquery.evaluator.sequences import held
from jvmscope.queries.xquery.items.casts import cast, castable
from jvmscope.queries.xquery.items.collations import collation
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.keys import grouping_key
from jvmscope.queries.xquery.items.type_matching import instance_of
from jvmscope.queries.xquery.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jvmscope.queries.xquery.items.types import Atomic, Item
    from jvmscope.queries.xquery.trees.content import ContentBuilder

__all__: list[str] = []


@compiles(ast.If)
def _if(compiler: Compiler, expression: ast.If) -> Code:
    condition = compiler.compile(expression.condition).truth
    then = compiler.compile(expression.then)
    otherwise = compiler.compile(expression.otherwise)
    place = compiler.placer(expression.condition)

    def branch(frame: Frame, item: Item) -> Code:
        try:
            return then if condition(frame, item) else otherwise
        except DynamicError as error:
            place(error)
            raise

    return _one_of([then, otherwise], branch)


def _one_of(branches: list[Code], branch: Callable[[Frame, Item], Code]) -> Code:
    """Returns the code that is one of several, whichever ``branch`` chooses."""

    def one(frame: Frame, item: Item) -> Item:
        return branch(frame, item).one(frame, item)

    def emit(frame: Frame, item: Item, content: ContentBuilder) -> None:
        branch(frame, item).emit(frame, item, content)

    kinds = {code.kind for code in branches}
    return Code(
        lambda frame, item: branch(frame, item).items(frame, item),
        one=one if all(code.is_single for code in branches) else None,
        truth=lambda frame, item: branch(frame, item).truth(frame, item),
        emit=emit,
        kind=kinds.pop() if len(kinds) == 1 else "",
        is_ordered=all(code.is_ordered for code in branches),
        is_flat=all(code.is_flat for code in branches),
    )


@compiles(ast.Switch)
def _switch(compiler: Compiler, expression: ast.Switch) -> Code:
    """Compares as ``fn:deep-equal`` does: NaN equals itself, other types differ, no error."""
    operand = atomic_operand(compiler.compile(expression.operand))
    order = collation(compiler.static.default_collation)
    cases = [
        (
            [atomic_operand(compiler.compile(operand)) for operand in case.operands],
            compiler.compile(case.result),
        )
        for case in expression.cases
    ]
    default = compiler.compile(expression.default)
    place = compiler.placer(expression)
    text_key = None if order is None else order.key

    def key(value: Atomic, zone: int) -> Any:
        return None if value is None else (grouping_key(value, text_key, zone),)

    def branch(frame: Frame, item: Item) -> Code:
        zone = frame[RUNTIME].environment.timezone
        try:
            wanted = key(operand(frame, item), zone)
            for operands, result in cases:
                for candidate in operands:
                    if key(candidate(frame, item), zone) == wanted:
                        return result
        except DynamicError as error:
            place(error)
            raise
        return default

    return _one_of([*(result for _, result in cases), default], branch)


@compiles(ast.Typeswitch)
def _typeswitch(compiler: Compiler, expression: ast.Typeswitch) -> Code:
    operand = compiler.compile(expression.operand).items
    cases = [_case(compiler, case) for case in expression.cases]
    _, default_slot, default = _case(compiler, expression.default)

    def chosen(frame: Frame, item: Item) -> tuple[Frame, Code]:
        value = held(operand(frame, item))
        slot, result = default_slot, default
        for types, case_slot, case_result in cases:
            if any(instance_of(value, kind) for kind in types):
                slot, result = case_slot, case_result
                break
        if slot is None:
            return frame, result
        inner = frame.copy()
        inner[slot] = value
        return inner, result

    return _in_frame([*(result for _, _, result in cases), default], chosen)


def _case(compiler: Compiler, case: ast.Case) -> tuple[tuple[Any, ...], int | None, Code]:
    slot = None if case.variable is None else compiler.bind(case.variable)
    return case.types, slot, compiler.compile(case.result)


def _in_frame(branches: list[Code], chosen: Callable[[Frame, Item], tuple[Frame, Code]]) -> Code:
    def items(frame: Frame, item: Item) -> Iterable[Item]:
        inner, code = chosen(frame, item)
        return code.items(inner, item)

    def one(frame: Frame, item: Item) -> Item:
        inner, code = chosen(frame, item)
        return code.one(inner, item)

    def emit(frame: Frame, item: Item, content: ContentBuilder) -> None:
        inner, code = chosen(frame, item)
        code.emit(inner, item, content)

    is_single = all(code.is_single for code in branches)
    return Code(items, one=one if is_single else None, emit=emit)


@compiles(ast.Quantified)
def _quantified(compiler: Compiler, expression: ast.Quantified) -> Code:
    sources = []
    for binding in expression.bindings:
        source = compiler.compile(binding.expression).items
        check = checked_item(compiler, binding.type, binding)
        sources.append((source, check, compiler.bind(binding.variable, is_single=True)))
    with compiler.repeated():
        condition = compiler.compile(expression.condition).truth
    is_some = expression.quantifier == "some"
    place = compiler.placer(expression)

    def frames(frame: Frame, item: Item, level: int) -> Iterator[Frame]:
        if level == len(sources):
            yield frame
            return
        source, check, slot = sources[level]
        runtime = frame[RUNTIME]
        for value in source(frame, item):
            if runtime.is_expired:
                runtime.stop()
            inner = frame.copy()
            inner[slot] = value if check is None else check(value)
            yield from frames(inner, item, level + 1)

    def one(frame: Frame, item: Item) -> bool:
        try:
            return any(condition(inner, item) is is_some for inner in frames(frame, item, 0)) is (
                is_some
            )
        except DynamicError as error:
            place(error)
            raise

    return Code(one=one, truth=one, kind="boolean")


@compiles(ast.InstanceOf)
def _instance_of(compiler: Compiler, expression: ast.InstanceOf) -> Code:
    operand = compiler.compile(expression.operand).items
    kind = expression.type
    return Code(one=lambda frame, item: instance_of(operand(frame, item), kind), kind="boolean")


@compiles(ast.Treat)
def _treat(compiler: Compiler, expression: ast.Treat) -> Code:
    operand = compiler.compile(expression.operand)
    values = operand.items
    treat = treated(expression.type)
    place = compiler.placer(expression)

    def items(frame: Frame, item: Item) -> Iterator[Item]:
        try:
            yield from treat(values(frame, item))
        except DynamicError as error:
            place(error)
            raise

    return Code(items, kind=operand.kind, is_ordered=operand.is_ordered, is_flat=operand.is_flat)


@compiles(ast.Cast)
def _cast(compiler: Compiler, expression: ast.Cast) -> Code:
    operand = atomic_operand(compiler.compile(expression.operand))
    target, is_optional = expression.type.name, expression.type.is_optional
    namespaces = compiler.lexical_namespaces()
    place = compiler.placer(expression)

    def items(frame: Frame, item: Item) -> Iterable[Item]:
        try:
            value = operand(frame, item)
            if value is None:
                if is_optional:
                    return ()
                message = f"the empty sequence cannot be cast to {target}"
                raise DynamicError("XPTY0004", message)
            result = cast(value, target, namespaces)
        except DynamicError as error:
            place(error)
            raise
        return result if isinstance(result, (list, tuple)) else (result,)

    if target.local in {"NMTOKENS", "IDREFS", "ENTITIES"}:
        return Code(items)
    return Code(items, one=lambda frame, item: next(iter(items(frame, item)), None))


@compiles(ast.Castable)
def _castable(compiler: Compiler, expression: ast.Castable) -> Code:
    operand = compiler.compile(expression.operand)
    value_of = atomic_operand(operand)
    target, is_optional = expression.type.name, expression.type.is_optional
    namespaces = compiler.lexical_namespaces()

    def one(frame: Frame, item: Item) -> bool:
        try:
            value = value_of(frame, item)
        except DynamicError as error:
            if error.code == "XPTY0004":
                return False
            raise
        return is_optional if value is None else castable(value, target, namespaces)

    return Code(one=one, kind="boolean")
