"""From rows to one SELECT.

A derived table hides the aliases inside it. Expressions are written in terms of the innermost
aliases throughout, and only here is each column replaced by that of the outermost derived table
that hides it; so a derived table has just the columns that are asked of it, and a lookup is
joined only where a column of it is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler.filters import filtering
from jvmscope.queries.xquery.compiler.sources import Alias, Derived, Listed, Summed
from jvmscope.queries.xquery.compiler.values import NotCompiled, cast, present

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmscope.queries.xquery.compiler.sources import Lookup, Source
    from jvmscope.queries.xquery.compiler.values import Rows

__all__ = ["Emitter", "ordering", "turned"]

_MOST_LOOKUPS = 150
_PLACEHOLDER = "?"  # no table's name


def ordering(order: Sequence[exp.Expr]) -> list[exp.Expr]:
    """Returns sort keys as an ORDER BY has them, absent values first where nothing is said.

    A constant sorts nothing; DuckDB takes a number for the place of a column.
    """
    return [
        key.copy()
        if isinstance(key, exp.Ordered)
        else exp.Ordered(this=key.copy(), nulls_first=True)
        for key in order
        if not _is_constant(key)
    ]


def _is_constant(sql: exp.Expr) -> bool:
    return sql.find(exp.Column, exp.Select, exp.Anonymous) is None


def turned(key: exp.Expr) -> exp.Expr:
    """Returns a sort key that sorts the other way round.

    >>> turned(exp.Ordered(this=exp.column("a"), nulls_first=True))
    "a" DESC
    """
    other = key.copy()
    other.set("desc", not key.args.get("desc"))
    other.set("nulls_first", not key.args.get("nulls_first"))
    return other


class Emitter:
    """Makes the SQL of rows, and knows which derived table hides which alias."""

    def __init__(self) -> None:
        self._hidden: dict[str, Derived] = {}
        self._known: dict[str, Source] = {}
        self._placed: set[str] = set()
        self._bases: dict[str, str] = {}
        self._same: dict[str, str] = {}
        self._tests: dict[str, Derived] = {}
        self._n_names = 0

    def name(self, stem: str) -> str:
        """Returns a name that no other alias has."""
        self._n_names += 1
        return f"{stem}_{self._n_names}"

    def add(self, source: Source) -> None:
        """Makes a source known by its name."""
        self._known[source.name] = source

    def source(self, name: str) -> Source | None:
        """Returns what a name stands for, None if nothing is selected from it."""
        name = self._canonical(name)
        return self._known[name] if name in self._placed else None

    def known(self, name: str) -> Source | None:
        """Returns what a name stands for, whether or not anything is selected from it."""
        return self._known.get(self._canonical(name))

    def derive(self, rows: Rows, stem: str, **options: object) -> Derived:
        """Returns a derived table of rows, which hides their aliases from now on."""
        derived = Derived(self.name(stem), rows, **options)  # type: ignore[arg-type]
        self.add(derived)
        for source in rows.sources:
            self._hidden[source.name] = derived
        return derived

    def attach(self, base: Source, key: str, lookup: Lookup) -> None:
        """Joins a lookup to each row of a source, under a key of what it is.

        Raises:
            NotCompiled: there are very many, of which each is compared with all before it.
        """
        if len(self._bases) >= _MOST_LOOKUPS:
            raise NotCompiled(f"more than {_MOST_LOOKUPS} parts of rows asked for")
        base = self._known[self._canonical(base.name)]
        base.lookups[key] = lookup
        self._bases[lookup.source.name] = base.name
        self.add(lookup.source)

    def attached(self, base: Source, key: str) -> Lookup | None:
        """Returns a source's lookup, None if there is none under the key."""
        return self._known[self._canonical(base.name)].lookups.get(key)

    def unify(self, one: Source, other: Source) -> None:
        """Makes columns of one source those of another, and its lookups the other's."""
        self._same[one.name] = other.name
        for key, lookup in one.lookups.items():
            if found := other.lookups.get(key):
                self.unify(lookup.source, found.source)
            else:
                self.attach(other, key, lookup)

    def canonical(self, sql: exp.Expr) -> exp.Expr:
        """Returns an expression in terms of what its sources were made the same as."""
        return sql.transform(self._renamed) if self._same else sql

    def test(self, derived: Derived) -> exp.Expr:
        """Returns whether a lookup of grouped rows has any.

        It is an EXISTS if nothing else is asked of the lookup, which then is not joined.
        """
        self._tests[derived.name] = derived
        return exp.column("exists", table=derived.name)

    # -- which names an expression depends on

    def reach(self, name: str) -> Iterator[str]:
        """Returns a name, and those of what it is joined to or hidden by."""
        found: str | None = name
        while found is not None:
            found = self._canonical(found)
            yield found
            derived = self._hidden.get(found)
            found = self._bases.get(found, None if derived is None else derived.name)

    def hiders(self, name: str) -> Iterator[Derived]:
        """Returns the derived tables that hide a source, from the innermost."""
        while (derived := self._hidden.get(self._canonical(name))) is not None:
            yield derived
            name = derived.name

    def free(self, expressions: Sequence[exp.Expr], sources: Sequence[Source]) -> set[str]:
        """Returns the names that expressions read, and that the sources do not have."""
        found: set[str] = set()
        for expression in expressions:
            inner = {table.alias for table in expression.find_all(exp.Table)}
            names = {column.table for column in expression.find_all(exp.Column)}
            found.update(name for name in names if inner.isdisjoint(self.reach(name)))
            found.update(*(self._free_of(self._known[name]) for name in inner))
        found.update(*(self._free_of(source) for source in sources))
        own = {self._canonical(source.name) for source in sources}
        return {name for name in found if own.isdisjoint(self.reach(name))}

    def _free_of(self, source: Source) -> set[str]:
        if not isinstance(source, Derived):
            return set()
        rows = source.rows
        keys = source.keys or ()
        expressions = [*rows.conditions, *rows.order, *source.columns, *keys]
        return self.free(expressions, rows.sources)

    # -- SQL

    def select(self, rows: Rows, outputs: Sequence[exp.Expr]) -> exp.Select:
        """Returns a SELECT in which derived tables are placeholders still."""
        query = exp.Select(expressions=[output.copy() for output in outputs])
        sources = [self._placeholder(source) for source in rows.sources]
        if sources:
            query.set("from_", exp.From(this=sources[0]))
            joins = [exp.Join(this=source, kind="CROSS") for source in sources[1:]]
            query.set("joins", joins)
        if conditions := filtering(rows.conditions):
            query.set("where", exp.Where(this=exp.and_(*conditions)))
        return query

    def finish(self, query: exp.Expr) -> exp.Expr:
        """Returns the query with its derived tables written out; no placeholder is left."""
        return self._finished(query, ())

    def _finished(self, query: exp.Expr, opened: tuple[Derived, ...]) -> exp.Expr:
        query = query.transform(lambda node: self._visible(node, opened))
        placed = []
        # The innermost and last first: a subquery may ask columns of what is around or before it.
        tables = reversed(list(query.find_all(exp.Table)))
        for table in sorted(tables, key=lambda table: -table.depth):
            if table.name == _PLACEHOLDER:
                source = self._known[table.alias]
                select = table.find_ancestor(exp.Select)
                assert select is not None  # noqa: S101 - a placeholder is in a FROM clause
                placed.append((select, source))
                table.replace(self._written(source, opened))
        if any(source.lookups for _, source in placed):
            names = {column.table for column in query.find_all(exp.Column)}
            for select, source in placed:
                self._join_lookups(select, source, names, opened)
        return query

    def _visible(self, node: exp.Expr, opened: tuple[Derived, ...]) -> exp.Expr:
        node = self._renamed(node)
        while isinstance(node, exp.Column):
            derived = self._hider(node.table)
            if derived is None or derived in opened:
                break
            node = derived.column(node)
        if isinstance(node, exp.Column) and node.table in self._tests and node.name == "exists":
            return self._tested(self._tests[node.table], opened)
        return node

    def _tested(self, derived: Derived, opened: tuple[Derived, ...]) -> exp.Expr:
        keys = derived.keys or ()
        if len(derived.columns) > len(keys):
            return present(derived.column(keys[0]))
        joined = [
            exp.EQ(this=key.copy(), expression=outer.copy())
            for key, outer in zip(keys, derived.outside, strict=False)
        ]
        rows = derived.rows.where(*joined, *derived.outside[len(keys) :])
        query = exp.Exists(this=self.select(rows, [exp.Literal.number(1)]))
        return self._finished(query, (*opened, derived))

    def _renamed(self, node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Column) or node.table not in self._same:
            return node
        return exp.column(node.name, table=self._canonical(node.table))

    def _canonical(self, name: str) -> str:
        while name in self._same:
            name = self._same[name]
        return name

    def _hider(self, name: str) -> Derived | None:
        while name in self._bases:
            name = self._bases[name]
        return self._hidden.get(name)

    def _written(self, source: Source, opened: tuple[Derived, ...]) -> exp.Expr:
        self._placed.add(source.name)
        if isinstance(source, Derived):
            return self._derived(source, opened)
        if isinstance(source, Alias) and source.relation.is_list:
            return exp.Subquery(this=_interfaces(), alias=source.name)
        if isinstance(source, Alias):
            schema = "run" if source.is_whole else None
            return exp.Table(this=source.relation.table, db=schema, alias=source.name)
        query = _values(source.values) if isinstance(source, Listed) else _summed(source.table)
        return exp.Subquery(this=query, alias=source.name)

    def _derived(self, derived: Derived, opened: tuple[Derived, ...]) -> exp.Expr:
        columns = derived.columns.items()
        outputs = [exp.alias_(inner.copy(), name) for inner, name in columns]
        query = self.select(derived.rows, outputs or [exp.Literal.number(1)])
        if derived.keys is not None:
            query.set("group", exp.Group(expressions=list(map(_grouping, derived.keys))))
        if derived.is_distinct:
            query.set("distinct", exp.Distinct())
        if derived.limit is not None:
            if keys := ordering(derived.rows.order):
                query.set("order", exp.Order(expressions=keys))
            query.set("limit", exp.Limit(expression=exp.Literal.number(derived.limit)))
        inner = self._finished(query, (*opened, derived))
        return exp.Subquery(this=inner, alias=derived.name)

    def _placeholder(self, source: Source) -> exp.Table:
        return exp.Table(this=_PLACEHOLDER, alias=source.name)

    def _join_lookups(
        self, select: exp.Select, base: Source, names: set[str], opened: tuple[Derived, ...]
    ) -> None:
        """Joins those lookups of a source, and theirs, of which a column is read."""
        needed = list(self._needed(base, names, is_certain=True))
        needed.sort(key=lambda found: not found[1])  # inner joins first: they may be reordered
        joins = [
            exp.Join(
                this=self._written(lookup.source, opened),
                on=lookup.on.transform(lambda node: self._visible(node, opened)),
                side=None if is_certain else "LEFT",
            )
            for lookup, is_certain in needed
        ]
        before = select.args.get("joins") or []
        tables = [select.args["from_"].this, *(join.this for join in before)]
        place = [table.alias for table in tables].index(base.name)
        select.set("joins", [*before[:place], *joins, *before[place:]])

    def _needed(
        self, base: Source, names: set[str], *, is_certain: bool
    ) -> Iterator[tuple[Lookup, bool]]:
        """Returns the lookups to join, each after what it is joined to, and if all rows match."""
        for lookup in base.lookups.values():
            certain = is_certain and lookup.is_certain
            more = list(self._needed(lookup.source, names, is_certain=certain))
            read = {column.table for nested, _ in more for column in nested.on.find_all(exp.Column)}
            if lookup.source.name in names or lookup.source.name in map(self._canonical, read):
                yield lookup, certain
            yield from more


def _grouping(key: exp.Expr) -> exp.Expr:
    """Returns a grouping key as a GROUP BY has it, where a bare number is the place of a column."""
    return (
        exp.Case(ifs=[exp.If(this=exp.true(), true=key.copy())])
        if _is_constant(key)
        else key.copy()
    )


def _values(values: exp.Expr) -> exp.Expr:
    """Returns the entries of a list as rows, with their places."""
    places = exp.func("range", exp.func("length", values.copy()))
    outputs = [
        exp.alias_(exp.Unnest(this=part), name)
        for part, name in ((values.copy(), "value"), (places, "place"))
    ]
    return exp.Select(expressions=outputs)


def _summed(table: str) -> exp.Expr:
    """Returns a table of counts by thread, summed over the threads, by the other key."""
    key, counts = Summed.COLUMNS[table]
    sums = [exp.alias_(cast(exp.Sum(this=exp.column(count)), "BIGINT"), count) for count in counts]
    query = exp.Select(expressions=[exp.column(key), *sums])
    query.set("from_", exp.From(this=exp.Table(this=table)))
    query.set("group", exp.Group(expressions=[exp.column(key)]))
    return query


def _interfaces() -> exp.Expr:
    """Returns the elements that are entries of a list in a row, and their place in it."""
    entries = exp.column("interface_ids")
    places = exp.func("range", exp.func("length", entries.copy()))
    outputs = [
        exp.column("class_id"),
        exp.alias_(exp.Unnest(this=entries), "interface_id"),
        exp.alias_(exp.Unnest(this=places), "place"),
    ]
    return exp.Select(expressions=outputs, from_=exp.From(this=exp.Table(this="class")))
