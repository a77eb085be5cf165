"""``group by`` (XQuery 3.1, section 3.12.7) and ``order by`` (section 3.12.8)."""

from __future__ import annotations

from decimal import Decimal
from functools import cmp_to_key
from typing import TYPE_CHECKING, Any

from elementpath.datatypes import UntypedAtomic

from jvmscope.queries.xquery.evaluator.bindings import checked_binding
from jvmscope.queries.xquery.evaluator.code import RUNTIME, Code, Frame, atomic_operand
from jvmscope.queries.xquery.evaluator.stages import STAGES, Stage
from jvmscope.queries.xquery.items.collations import collation
from jvmscope.queries.xquery.items.comparison import value_compare
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.keys import NAN, coarse_key
from jvmscope.queries.xquery.items.types import local_type
from jvmscope.queries.xquery.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jvmscope.queries.xquery.evaluator.closures import Compiler
    from jvmscope.queries.xquery.items.types import Atomic, Item

__all__: list[str] = []


def _key_code(compiler: Compiler, key: ast.GroupingKey) -> Code:
    if key.expression is not None:
        return compiler.compile(key.expression)
    reference = ast.VariableReference(at=key.at, end=key.at + 1, name=key.name, variable=key.source)
    return compiler.compile(reference)


class _Key:
    """A grouping key: its value, checked against its type, untyped as it may be."""

    def __init__(self, compiler: Compiler, key: ast.GroupingKey) -> None:
        self.name = key.name
        self._operand = atomic_operand(_key_code(compiler, key))
        self._check = checked_binding(compiler, key.type, key) if key.type is not None else None
        order = collation(key.collation or compiler.static.default_collation)
        self.text_key = None if order is None else order.key
        self._place = compiler.placer(key)

    def value(self, frame: Frame, item: Item) -> Atomic:
        """Returns the key's value, or None where it is empty."""
        try:
            value = self._operand(frame, item)
            if self._check is not None:
                for _ in self._check(() if value is None else (value,)):
                    pass
        except DynamicError as error:
            self._place(error)
            raise
        return value


class _Classes:
    """The classes of equal values of one key, numbered as they turn up.

    Among numbers of several types equality is not transitive; a number joins the first class
    whose first value it equals.
    """

    def __init__(self, key: _Key, zone: int) -> None:
        self._text_key = key.text_key
        self._zone = zone
        self._alike: dict[Any, list[Atomic]] = {}

    def of(self, value: Atomic) -> Any:
        """Returns what equal values share; None is a class of its own."""
        if value is None:
            return None
        key = coarse_key(value, self._text_key, self._zone)
        if not isinstance(value, _NUMBERS) or isinstance(value, bool) or key == NAN:
            return (key,)
        alike = self._alike.setdefault(key, [])
        for at, other in enumerate(alike):
            if value_compare("eq", value, other):
                return key, at
        alike.append(value)
        return key, len(alike) - 1


_NUMBERS = (int, float, Decimal)


def _group_by(compiler: Compiler, clause: ast.GroupByClause) -> Stage:
    """Groups come in the order of their first tuples; of keys of one name the last counts."""
    keys: list[tuple[_Key, int]] = []
    for clause_key in clause.keys:
        key = _Key(compiler, clause_key)
        keys.append((key, compiler.bind(clause_key.variable, is_single=True)))
    counting = {key.name: at for at, (key, _) in enumerate(keys)}
    olds = [compiler.slot(old) for old, _ in clause.regrouped]
    regrouped = [
        (old, compiler.bind(new))
        for old, (_, new) in zip(olds, clause.regrouped, strict=True)
        if old is not None
    ]

    def stage(frames: Iterable[Frame], item: Item) -> Iterator[Frame]:
        groups: dict[Any, list[Frame]] = {}
        classes: list[_Classes] = []
        for frame in frames:
            runtime = frame[RUNTIME]
            if runtime.is_expired:
                runtime.stop()
            if not classes:
                classes = [_Classes(key, runtime.environment.timezone) for key, _ in keys]
            inner = frame.copy()
            for key, slot in keys:
                inner[slot] = key.value(inner, item)
            group = tuple([classes[at].of(inner[keys[at][1]]) for at in counting.values()])
            groups.setdefault(group, []).append(inner)
        for members in groups.values():
            merged = members[0].copy()
            for (old, is_single), new in regrouped:
                merged[new] = _concatenated(members, old, is_single=is_single)
            yield merged

    return stage


def _concatenated(members: list[Frame], slot: int, *, is_single: bool) -> list[Item]:
    if is_single:
        return [frame[slot] for frame in members if frame[slot] is not None]
    return [item for frame in members for item in frame[slot]]


class _OrderKey:
    """One key of ``order by``."""

    def __init__(self, compiler: Compiler, key: ast.OrderKey) -> None:
        self.operand = atomic_operand(compiler.compile(key.expression))
        self.is_descending = key.is_descending
        self.is_empty_least = key.empty_least
        self.order = collation(key.collation or compiler.static.default_collation)
        self.place = compiler.placer(key.expression)

    def value(self, frame: Frame, item: Item) -> Atomic:
        """Returns the key's value, None where it is empty, untyped ones as strings."""
        try:
            value = self.operand(frame, item)
        except DynamicError as error:
            self.place(error)
            raise
        return value.value if isinstance(value, UntypedAtomic) else value

    def sort_key(self, values: list[Atomic], zone: int) -> Callable[[Atomic], Any]:
        """Returns the function from a value to what Python sorts by.

        Raises:
            DynamicError: XPTY0004, not all the values can be compared.
        """
        kinds = {type(value) for value in values if value is not None}
        is_text = kinds == {str} and self.order is None
        if is_text or kinds <= {int, Decimal} or kinds == {float}:
            sign = 1 if self.is_empty_least else -1
            return lambda value: (sign * _rank(value), value if _rank(value) == _VALUE else 0)
        return cmp_to_key(lambda left, right: self._compare(left, right, zone))

    def _compare(self, left: Atomic, right: Atomic, zone: int) -> int:
        ranks = _rank(left), _rank(right)
        if ranks != (_VALUE, _VALUE):
            difference = ranks[0] - ranks[1]
            return difference if self.is_empty_least else -difference
        try:
            if value_compare("lt", left, right, self.order, zone):
                return -1
            return 1 if value_compare("gt", left, right, self.order, zone) else 0
        except DynamicError as error:
            self.place(error)
            raise


_VALUE = 2


def _rank(value: Atomic) -> int:
    """Returns 0 for the empty sequence, 1 for NaN, 2 for anything else."""
    if value is None:
        return 0
    is_nan = isinstance(value, float) and value != value  # noqa: PLR0124
    return 1 if is_nan else _VALUE


def _order_by(compiler: Compiler, clause: ast.OrderByClause) -> Stage:
    """Stable, whether asked for or not: Python's sort is, key by key from the last."""
    keys = [_OrderKey(compiler, key) for key in clause.keys]

    def stage(frames: Iterable[Frame], item: Item) -> Iterable[Frame]:
        rows = [([key.value(frame, item) for key in keys], frame) for frame in frames]
        if not rows:
            return ()
        zone = rows[0][1][RUNTIME].environment.timezone
        for at in reversed(range(len(keys))):
            key = keys[at]
            column = [row[0][at] for row in rows]
            _check_comparable(column, key)
            sort_key = key.sort_key(column, zone)
            rows.sort(
                key=lambda row, at=at, sort_key=sort_key: sort_key(row[0][at]),  # type: ignore[misc]
                reverse=key.is_descending,
            )
        return [frame for _, frame in rows]

    return stage


def _check_comparable(column: list[Atomic], key: _OrderKey) -> None:
    """Refuses types without an order even where a single value needs no comparison."""
    for value in column:
        if value is not None and local_type(value) in {"QName", "NOTATION"}:
            raise key.place(DynamicError("XPTY0004", "values of xs:QName have no order"))


STAGES[ast.GroupByClause] = _group_by
STAGES[ast.OrderByClause] = _order_by
