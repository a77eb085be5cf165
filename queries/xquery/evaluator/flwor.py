"""FLWOR expressions: clauses are stages that turn a stream of frames into another.

A stage is a function from frames and the context item to frames. ``for``, ``let``, ``where`` and
``count`` work tuple by tuple, so an unbounded stream may be cut short; ``order by`` and ``group
by`` need it whole.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.evaluator.bindings import checked_binding, checked_item
from jvmscope.queries.xquery.evaluator.closures import Compiler, compiles
from jvmscope.queries.xquery.evaluator.code import RUNTIME, Code, Frame
from jvmscope.queries.xquery.evaluator.sequences import held
from jvmscope.queries.xquery.evaluator.stages import STAGES
from jvmscope.queries.xquery.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jvmscope.queries.xquery.evaluator.stages import Stage
    from jvmscope.queries.xquery.items.types import Item
    from jvmscope.queries.xquery.trees.content import ContentBuilder


@compiles(ast.Flwor)
def _flwor(compiler: Compiler, expression: ast.Flwor) -> Code:
    first, *others = expression.clauses
    stages = [STAGES[type(first)](compiler, first)]
    is_one_tuple = all(isinstance(clause, ast.LetClause) for clause in expression.clauses)
    with nullcontext() if is_one_tuple else compiler.repeated():
        stages += [STAGES[type(clause)](compiler, clause) for clause in others]
        result = compiler.compile(expression.result)
    if is_one_tuple:
        return _lets(expression, compiler, stages, result)
    values, one, is_single, emit_one = result.items, result.one, result.is_single, result.emit

    def tuples(frame: Frame, item: Item) -> Iterable[Frame]:
        stream: Iterable[Frame] = (frame,)
        for stage in stages:
            stream = stage(stream, item)
        return stream

    def items(frame: Frame, item: Item) -> Iterator[Item]:
        if is_single:
            for inner in tuples(frame, item):
                value = one(inner, item)
                if value is not None:
                    yield value
        else:
            for inner in tuples(frame, item):
                yield from values(inner, item)

    def emit(frame: Frame, item: Item, content: ContentBuilder) -> None:
        for inner in tuples(frame, item):
            emit_one(inner, item, content)

    return Code(items, emit=emit, kind=result.kind)


def _lets(_expression: ast.Flwor, _compiler: Compiler, stages: list[Stage], result: Code) -> Code:
    """Only ``let``: one tuple, so that the result's own forms can be kept."""
    values, one, truth, emit_one = result.items, result.one, result.truth, result.emit

    def bound(frame: Frame, item: Item) -> Frame:
        stream: Iterable[Frame] = (frame,)
        for stage in stages:
            stream = stage(stream, item)
        for inner in stream:
            return inner
        raise AssertionError

    def emit(frame: Frame, item: Item, content: ContentBuilder) -> None:
        emit_one(bound(frame, item), item, content)

    return Code(
        lambda frame, item: values(bound(frame, item), item),
        one=(lambda frame, item: one(bound(frame, item), item)) if result.is_single else None,
        truth=lambda frame, item: truth(bound(frame, item), item),
        emit=emit,
        kind=result.kind,
        is_ordered=result.is_ordered,
        is_flat=result.is_flat,
    )


def _for(compiler: Compiler, clause: ast.ForClause) -> Stage:
    binding = clause.binding
    source = compiler.compile(binding.expression).items
    check = checked_item(compiler, binding.type, binding)
    slot = compiler.bind(binding.variable, is_single=True)
    counter = None
    if binding.position_variable is not None:
        counter = compiler.bind(binding.position_variable, is_single=True)
    if binding.allows_empty:
        return _outer_for(source, checked_binding(compiler, binding.type, binding), slot, counter)

    def stage(frames: Iterable[Frame], item: Item) -> Iterator[Frame]:
        for frame in frames:
            runtime = frame[RUNTIME]
            position = 0
            for value in source(frame, item):
                if runtime.is_expired:
                    runtime.stop()
                inner = frame.copy()
                inner[slot] = value if check is None else check(value)
                if counter is not None:
                    position += 1
                    inner[counter] = position
                yield inner

    return stage


def _outer_for(
    source: Callable[[Frame, Item], Iterable[Item]],
    check: Callable[[Iterable[Item]], Iterable[Item]],
    slot: int,
    counter: int | None,
) -> Stage:
    """``allowing empty``: an empty sequence gives one tuple, at position 0."""

    def stage(frames: Iterable[Frame], item: Item) -> Iterator[Frame]:
        for frame in frames:
            runtime = frame[RUNTIME]
            position = 0
            for position, value in enumerate(source(frame, item), 1):
                if runtime.is_expired:
                    runtime.stop()
                inner = frame.copy()
                for inner[slot] in check((value,)):
                    pass
                if counter is not None:
                    inner[counter] = position
                yield inner
            if not position:
                for _ in check(()):
                    pass
                inner = frame.copy()
                inner[slot] = None
                if counter is not None:
                    inner[counter] = 0
                yield inner

    return stage


def _let(compiler: Compiler, clause: ast.LetClause) -> Stage:
    assignment = clause.assignment
    source = compiler.compile(assignment.expression)
    check = checked_binding(compiler, assignment.type, assignment)
    is_single = source.is_single and assignment.type is None
    slot = compiler.bind(assignment.variable, is_single=is_single)
    values = source.items
    one = source.one

    def stage(frames: Iterable[Frame], item: Item) -> Iterator[Frame]:
        for frame in frames:
            inner = frame.copy()
            inner[slot] = one(frame, item) if is_single else held(check(values(frame, item)))
            yield inner

    return stage


def _where(compiler: Compiler, clause: ast.WhereClause) -> Stage:
    truth = compiler.compile(clause.condition).truth

    def stage(frames: Iterable[Frame], item: Item) -> Iterator[Frame]:
        for frame in frames:
            if truth(frame, item):
                yield frame

    return stage


def _count(compiler: Compiler, clause: ast.CountClause) -> Stage:
    slot = compiler.bind(clause.variable, is_single=True)

    def stage(frames: Iterable[Frame], _item: Item) -> Iterator[Frame]:
        for position, frame in enumerate(frames, 1):
            inner = frame.copy()
            inner[slot] = position
            yield inner

    return stage


STAGES[ast.ForClause] = _for
STAGES[ast.LetClause] = _let
STAGES[ast.WhereClause] = _where
STAGES[ast.CountClause] = _count
