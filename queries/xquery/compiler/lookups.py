"""Joins instead of subqueries, where each row meets one row at most.

A subquery that depends on the row around it is, for DuckDB, a join with the distinct keys of
those rows first. Three kinds need no such detour: the row that holds a row, a row that is found
by its key, and rows grouped by what they must equal. They are joined to the source whose columns
they depend on (:class:`~jvmscope.queries.xquery.compiler.values.Lookup`), once for all who ask.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler.filters import filtering
from jvmscope.queries.xquery.compiler.sources import Alias, Derived, Lookup, Summed
from jvmscope.queries.xquery.compiler.values import RowItem, Scalar, literal, present

if TYPE_CHECKING:
    from jvmscope.queries.xquery.compiler.emission import Emitter
    from jvmscope.queries.xquery.compiler.relations import Leaf
    from jvmscope.queries.xquery.compiler.sources import Source
    from jvmscope.queries.xquery.compiler.values import Rows

__all__ = ["by_key", "counted", "grouped", "owner_of", "parent_of"]

_COUNTS = {
    "callCount": ("thread_method", "n_calls", "n_calls"),
    "bytecodeCount": ("thread_method", "n_bytecodes", "n_calls"),
    "executionCount": ("thread_block", "n_executions", "n_executions"),
}
"""The table and column of a count, and the column that tells whether there was anything."""


def owner_of(emitter: Emitter, row: RowItem) -> RowItem:
    """Returns the row that holds a row; whether it is there must be asked if it is a context."""
    owner, column = row.relation.owner, row.relation.owner_column
    assert owner is not None  # noqa: S101 - asked of what is in something
    assert owner.key is not None  # noqa: S101 - what holds something has a key
    if found := emitter.attached(row.alias, "owner"):
        assert isinstance(found.source, Alias)  # noqa: S101 - so they are made
        return RowItem(found.source)
    alias = Alias(emitter.name(owner.element), owner)
    key = row.alias.column(column or "")
    on = exp.EQ(this=alias.column(owner.key), expression=key)
    is_certain = not owner.is_nested  # a scope leaves out contexts
    if is_certain:
        alias.known[owner.key] = key
    emitter.attach(row.alias, "owner", Lookup(alias, on, is_certain))
    return RowItem(alias)


def parent_of(emitter: Emitter, row: RowItem) -> RowItem:
    """Returns the context above a context; whether it is there must be asked."""
    if found := emitter.attached(row.alias, "parent"):
        assert isinstance(found.source, Alias)  # noqa: S101 - so they are made
        return RowItem(found.source)
    alias = Alias(emitter.name(row.relation.element), row.relation, is_whole=True)
    on = exp.EQ(this=alias.column("context_id"), expression=row.alias.column("parent_id"))
    emitter.attach(row.alias, "parent", Lookup(alias, on))
    return RowItem(alias)


def counted(emitter: Emitter, row: RowItem, leaf: Leaf) -> Scalar:
    """Returns a count that the classes' document shows: a sum over the threads.

    It is absent where nothing was counted, which is not zero.
    """
    table, column, told = _COUNTS[leaf.name]
    key, _ = Summed.COLUMNS[table]
    lookup = emitter.attached(row.alias, table)
    if lookup is None:
        sums = Summed(emitter.name("counts"), table)
        on = exp.EQ(this=sums.column(key), expression=row.alias.column(key))
        lookup = Lookup(sums, on)
        emitter.attach(row.alias, table, lookup)
    source = lookup.source
    assert isinstance(source, Summed)  # noqa: S101 - so they are made
    if table == "thread_block":
        coverage = owner_of(emitter, row).alias.column("coverage")
        is_covered: exp.Expr = exp.EQ(this=coverage, expression=literal("full"))
    else:
        coverage = row.alias.column("coverage")
        is_covered = exp.NEQ(this=coverage, expression=literal("none"))
    some = exp.GT(this=source.column(told), expression=literal(0))
    count = exp.Coalesce(this=source.column(column), expressions=[literal(0)])
    sql = exp.Case(ifs=[exp.If(this=exp.or_(is_covered, some), true=count)])
    or_zero = count.copy() if column == told else None
    return Scalar(sql, "untyped", "big", is_optional=True, or_zero=or_zero)


class _Equality(NamedTuple):
    """A condition that an expression of some rows equals one of a row around them."""

    inner: exp.Expr
    outer: exp.Expr


def by_key(emitter: Emitter, rows: Rows) -> Rows:
    """Returns rows in which those that are found by their key are joined to what has the key."""
    parts = filtering(rows.conditions)
    for source in rows.sources:
        if not isinstance(source, Alias) or source.relation.key is None:
            continue
        key = source.column(source.relation.key)
        for condition in parts:
            equality = _equality(emitter, condition, rows)
            if equality is None or equality.inner != key:
                continue
            base = _base(emitter, [equality.outer])
            if base is None:
                continue
            name = f"{source.relation.table} {source.is_whole} {equality.outer}"
            found = emitter.attached(base, name)
            if found is None:
                on = exp.EQ(this=key, expression=equality.outer.copy())
                emitter.attach(base, name, Lookup(source, on))
            else:
                emitter.unify(source, found.source)
            sources = tuple(other for other in rows.sources if other is not source)
            order = rows.order if sources else ()
            others = tuple(_never_null(part) for part in parts if part is not condition)
            rows = replace(rows, sources=sources, conditions=(present(key), *others), order=order)
            return by_key(emitter, rows)
    return rows


def _never_null(condition: exp.Expr) -> exp.Expr:
    return exp.Coalesce(this=condition, expressions=[exp.false()])


def grouped(emitter: Emitter, rows: Rows) -> Derived | None:
    """Returns rows grouped by what a row around them must equal, joined to it; or None.

    Rows that are told by anything else of the row around them cannot be grouped.
    """
    equalities, inner, outer = [], [], []
    for condition in filtering(rows.conditions):
        free = emitter.free([condition], rows.sources)
        if not free:
            inner.append(condition)
        elif equality := _equality(emitter, condition, rows):
            equalities.append(equality)
        elif _is_all_free(emitter, condition, rows):
            outer.append(condition)
        else:
            return None
    if not equalities or emitter.free([], rows.sources):
        return None
    order = tuple(key for key in rows.order if not _is_all_free(emitter, key, rows))
    if emitter.free(order, rows.sources):
        return None
    base = _base(emitter, [*(equality.outer for equality in equalities), *outer])
    if base is None:
        return None
    rows = replace(rows, conditions=tuple(inner), order=order)
    keys = tuple(equality.inner for equality in equalities)
    outside = [*(equality.outer for equality in equalities), *outer]
    if found := _same_group(emitter, base, rows, keys, outside):
        return found
    derived = emitter.derive(rows, "found", keys=keys, outside=tuple(outside))
    on = [
        exp.EQ(this=derived.column(equality.inner), expression=equality.outer.copy())
        for equality in equalities
    ]
    emitter.attach(base, derived.name, Lookup(derived, exp.and_(*on, *outer)))
    return derived


def _same_group(
    emitter: Emitter, base: Source, rows: Rows, keys: tuple[exp.Expr, ...], outside: list[exp.Expr]
) -> Derived | None:
    """Returns a lookup of the same rows, whose sources those of the rows are made; or None."""
    known = emitter.known(base.name)
    assert known is not None  # noqa: S101 - it is the base
    for lookup in known.lookups.values():
        other = lookup.source
        if not isinstance(other, Derived) or list(other.outside) != outside:
            continue
        names = _names(rows.sources, other.rows.sources)
        is_alike = (len(keys), len(rows.order)) == (len(other.keys or ()), len(other.rows.order))
        if names is None or not is_alike:
            continue
        same = [
            _renamed(names, one) == two
            for one, two in zip(
                (*keys, *rows.order), (*(other.keys or ()), *other.rows.order), strict=True
            )
        ]
        conditions = {_renamed(names, condition) for condition in rows.conditions}
        if all(same) and conditions == set(other.rows.conditions):
            for one, two in zip(rows.sources, other.rows.sources, strict=True):
                emitter.unify(one, two)
            return other
    return None


def _names(ones: tuple[Source, ...], others: tuple[Source, ...]) -> dict[str, str] | None:
    """Returns the names of some sources and of their lookups as those of other sources, or None."""
    if len(ones) != len(others):
        return None
    names: dict[str, str] = {}
    for one, other in zip(ones, others, strict=True):
        is_same = (
            isinstance(one, Alias)
            and isinstance(other, Alias)
            and one.relation is other.relation
            and one.is_whole == other.is_whole
        )
        if not is_same and not (isinstance(one, Summed) and isinstance(other, Summed)):
            return None
        names[one.name] = other.name
        for key in one.lookups.keys() & other.lookups.keys():
            more = _names((one.lookups[key].source,), (other.lookups[key].source,))
            if more is None:
                return None
            names |= more
    return names


def _renamed(names: dict[str, str], expression: exp.Expr) -> exp.Expr:
    def renamed(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column) and node.table in names:
            return exp.column(node.name, table=names[node.table])
        return node

    return expression.transform(renamed)


def _equality(emitter: Emitter, condition: exp.Expr, rows: Rows) -> _Equality | None:
    """Returns the sides of a condition that some rows equal something outside, or None."""
    if not isinstance(condition, exp.EQ):
        return None
    for inner, outer in ((condition.left, condition.right), (condition.right, condition.left)):
        is_outer = outer.find(exp.Column) is not None and _is_all_free(emitter, outer, rows)
        if is_outer and not emitter.free([inner], rows.sources) and inner.find(exp.Column):
            return _Equality(inner, outer)
    return None


def _is_all_free(emitter: Emitter, expression: exp.Expr, rows: Rows) -> bool:
    """Tells whether no column of an expression is of some rows; a subquery is not looked into."""
    names = {column.table for column in expression.find_all(exp.Column)}
    if expression.find(exp.Select) is not None:
        return False
    return names == emitter.free([expression], rows.sources)


def _base(emitter: Emitter, expressions: list[exp.Expr]) -> Source | None:
    """Returns the source of which all columns are, None if there is not one."""
    names = {column.table for sql in expressions for column in sql.find_all(exp.Column)}
    return emitter.known(names.pop()) if len(names) == 1 else None
