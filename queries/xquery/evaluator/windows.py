"""Tumbling and sliding windows (XQuery 3.1, section 3.12.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.evaluator.bindings import checked_binding
from jvmscope.queries.xquery.evaluator.code import RUNTIME, Frame
from jvmscope.queries.xquery.evaluator.stages import STAGES, Stage
from jvmscope.queries.xquery.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jvmscope.queries.xquery.evaluator.closures import Compiler
    from jvmscope.queries.xquery.items.types import Item

__all__: list[str] = []


class _Condition:
    """A start or end condition: the slots it binds and when it holds."""

    def __init__(self, compiler: Compiler, condition: ast.WindowCondition) -> None:
        variables = (
            condition.item_variable,
            condition.position_variable,
            condition.previous_variable,
            condition.next_variable,
        )
        self._slots = [
            None if variable is None else compiler.bind(variable, is_single=True)
            for variable in variables
        ]
        self._truth = compiler.compile(condition.when).truth

    def bind(self, frame: Frame, items: list[Item], at: int) -> Frame:
        """Returns a frame with the variables of the condition at an index."""
        inner = frame.copy()
        item, position, before, after = self._slots
        if item is not None:
            inner[item] = items[at]
        if position is not None:
            inner[position] = at + 1
        if before is not None:
            inner[before] = items[at - 1] if at > 0 else None
        if after is not None:
            inner[after] = items[at + 1] if at + 1 < len(items) else None
        return inner

    def holds(self, frame: Frame, item: Item) -> bool:
        """Tells whether it holds, its variables being bound."""
        return self._truth(frame, item)


def _window(compiler: Compiler, clause: ast.WindowClause) -> Stage:
    source = compiler.compile(clause.expression).items
    check = checked_binding(compiler, clause.type, clause)
    start = _Condition(compiler, clause.start)
    end = None if clause.window_end is None else _Condition(compiler, clause.window_end)
    slot = compiler.bind(clause.variable)
    windows = _sliding if clause.is_sliding else _tumbling

    def stage(frames: Iterable[Frame], item: Item) -> Iterator[Frame]:
        for frame in frames:
            items = list(source(frame, item))
            found = windows(frame, item, items, start, end, clause.only_end)
            for inner, window in found:
                inner[slot] = list(check(window))
                yield inner

    return stage


def _end_of(
    frame: Frame, item: Item, items: list[Item], first: int, end: _Condition
) -> tuple[Frame, int | None]:
    """Returns the frame and index at which a window ends, the index None where none does."""
    runtime = frame[RUNTIME]
    bound = frame
    for at in range(first, len(items)):
        if runtime.is_expired:
            runtime.stop()
        bound = end.bind(frame, items, at)
        if end.holds(bound, item):
            return bound, at
    return bound, None


def _tumbling(  # noqa: PLR0917 - called in one place
    frame: Frame,
    item: Item,
    items: list[Item],
    start: _Condition,
    end: _Condition | None,
    only_end: bool,
) -> Iterator[tuple[Frame, list[Item]]]:
    runtime = frame[RUNTIME]
    at = 0
    while at < len(items):
        if runtime.is_expired:
            runtime.stop()
        bound = start.bind(frame, items, at)
        if not start.holds(bound, item):
            at += 1
            continue
        if end is None:
            last = _until_next_start(frame, item, items, at, start)
            yield bound, items[at : last + 1]
        else:
            bound, found = _end_of(bound, item, items, at, end)
            last = len(items) - 1 if found is None else found
            if found is not None or not only_end:
                yield bound, items[at : last + 1]
        at = last + 1


def _until_next_start(
    frame: Frame, item: Item, items: list[Item], first: int, start: _Condition
) -> int:
    for at in range(first + 1, len(items)):
        if start.holds(start.bind(frame, items, at), item):
            return at - 1
    return len(items) - 1


def _sliding(  # noqa: PLR0917 - called in one place
    frame: Frame,
    item: Item,
    items: list[Item],
    start: _Condition,
    end: Any,
    only_end: bool,
) -> Iterator[tuple[Frame, list[Item]]]:
    runtime = frame[RUNTIME]
    for at in range(len(items)):
        if runtime.is_expired:
            runtime.stop()
        bound = start.bind(frame, items, at)
        if not start.holds(bound, item):
            continue
        bound, found = _end_of(bound, item, items, at, end)
        if found is not None or not only_end:
            last = len(items) - 1 if found is None else found
            yield bound, items[at : last + 1]


STAGES[ast.WindowClause] = _window
