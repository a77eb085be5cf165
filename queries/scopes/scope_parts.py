"""The relations of a scope: what it restricts each table of the run to.

A row that says something of a context is in a scope if the context is, or, if it counts what the
caller did, if the caller is; a row about a thread, if the thread or its code is. Which tables there
are, and which is which, their definitions say.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.queries.first_rows import first_row
from jvmscope.queries.scopes.block_parts import block_part_views
from jvmscope.schema.definitions import ALWAYS, code_tables, facts_of, sums, tables

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import duckdb

    from jvmscope.queries.scopes.subtrees import Integers
    from jvmscope.schema import Table

__all__ = [
    "CALL",
    "CALL_EDGE",
    "LINEAGE",
    "PARTS",
    "SUMMED",
    "Part",
    "absent_relations",
    "refuse",
    "refused_relation",
    "scope_relations",
]

_ABSENT = "__absent__"
_SHOWN_THREADS = 5

# A node into which calls were folded counts them; each call is told by the edge that it took.
CALL = """
    SELECT c.context_id, c.parent_id, c.thread_id, c.call_site_id, c.method_id,
           c.depth, c.ancestor_id, c.n_calls - COALESCE(f.n_calls, 0) AS n_calls
    FROM {context} AS c
    LEFT JOIN (
        SELECT target_context_id, SUM(n_calls)::BIGINT AS n_calls
        FROM run.back_edge GROUP BY target_context_id
    ) AS f ON f.target_context_id = c.context_id
    WHERE c.parent_id IS NOT NULL
    UNION ALL
    SELECT t.context_id, b.context_id, t.thread_id, b.call_site_id, t.method_id,
           t.depth, t.context_id AS ancestor_id, b.n_calls
    FROM run.back_edge AS b JOIN run.context AS t ON t.context_id = b.target_context_id
"""

CALL_EDGE = """
    SELECT call_site_id, method_id, SUM(n_calls)::BIGINT AS n_calls
    FROM {schema}.call GROUP BY call_site_id, method_id
"""

LINEAGE = "SELECT *, context_id + size AS end_id FROM run.context"

# Sums by thread of a part of a thread.
_SUMS = {
    "thread_method": """
        SELECT thread_id, method_id, SUM(n_calls)::BIGINT AS n_calls,
               SUM(n_bytecodes)::BIGINT AS n_bytecodes
        FROM {schema}.context WHERE method_id IS NOT NULL GROUP BY thread_id, method_id
    """,
    "thread_block": """
        SELECT thread_id, basic_block_id, SUM(n_executions)::BIGINT AS n_executions
        FROM ({blocks}) GROUP BY thread_id, basic_block_id
    """,
}

SUMMED = ("call_edge", *_SUMS, "thread_part")
"""Relations that are sums, so small beside the tree; the last one may read another."""

_LOADED = "classes are loaded for the run, not for a part of its tree"

_APPLICATION_CLASSES = "FROM run.class WHERE loader NOT IN ('boot', 'platform')"

_APPLICATION_METHODS = """
    SELECT m.method_id FROM run.method AS m JOIN run.class AS c USING (class_id)
    WHERE c.loader NOT IN ('boot', 'platform')
"""


class Part(ABC):
    """A part of a run: conditions on rows, in SQL.

    Args:
        connection: a connection to the engine's database.
        schema: the schema of the scope's relations, which exists.
        value: the name or the pattern of the scope, or "".

    Raises:
        QueryError: the run has no such part.

    Attributes:
        has_classes: whether the classes that were loaded for it are known.
    """

    has_classes = False

    def __init__(self, connection: duckdb.DuckDBPyConnection, schema: str, value: str) -> None:
        self.schema = schema
        self.value = value
        self.lineage = LINEAGE  # selects the contexts in the part and all above them
        self._make(connection)

    @classmethod
    @abstractmethod
    def absence(cls, table: Table) -> str | None:
        """Returns why such a part cannot be told in the rows of a table; None: it can."""

    @abstractmethod
    def contexts(self) -> str:
        """Returns what selects the part's rows of context."""

    @abstractmethod
    def calls(self, calls: str) -> str:
        """Returns what selects the part's calls, from all calls, whose parent_id is who called."""

    @abstractmethod
    def facts(self, table: Table) -> str:
        """Returns what selects the part's rows of a table in which the part can be told."""

    def more(self) -> dict[str, str]:
        """Returns further relations by name: sums that must be made again, and the like."""
        return {}

    @abstractmethod
    def _make(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Makes in the schema what the relations refer to."""


class _Conditional(Part):
    """A part that conditions on rows tell.

    Attributes:
        context: the condition on rows of context.
        call: the condition on calls, whose parent_id is who called.
    """

    context: str
    call: str

    def contexts(self) -> str:
        return f"FROM run.context WHERE {self.context}"

    def calls(self, calls: str) -> str:
        return f"FROM ({calls}) WHERE {self.call}"

    def facts(self, table: Table) -> str:
        return f"FROM run.{table.name} WHERE {self.condition(table)}"

    @abstractmethod
    def condition(self, table: Table) -> str:
        """Returns the condition on the rows of a table in which the part can be told."""


def absent_relations(part: type[Part]) -> dict[str, str]:
    """Returns the relations that have no meaning in a kind of part, and why."""
    absent = {} if part.has_classes else {"loaded_class": _LOADED}
    for name in _restricted():
        why = part.absence(tables()[name])
        if why is not None:
            absent[name] = why
    return absent


def refuse(connection: duckdb.DuckDBPyConnection, schema: str, relation: str) -> None:
    """Makes the name of a relation an error in a schema, wherever DuckDB finds it in a query.

    A view of what is not there fails when it is bound: in a subquery, a macro or a view, and even
    if its rows would never be read.
    """
    absent = f'{schema}."{_ABSENT}{relation}"'
    connection.execute(f"CREATE TABLE {absent} (nothing INTEGER)")
    connection.execute(f'CREATE OR REPLACE VIEW {schema}."{relation}" AS FROM {absent}')
    connection.execute(f"DROP TABLE {absent}")


def refused_relation(table: str) -> str | None:
    """Returns the relation that is refused where DuckDB says that a table is not there, or None.

    >>> refused_relation("__absent__call_order"), refused_relation("call_oder")
    ('call_order', None)
    """
    return table.removeprefix(_ABSENT) if table.startswith(_ABSENT) else None


def _restricted() -> tuple[str, ...]:
    """Returns the tables of which a scope has a part: what is counted of contexts and the like."""
    of_classes = (
        name
        for name in facts_of("classes")
        if tables()[name].recorded != ALWAYS and tables()[name].columns[0].references is not None
    )
    return (*facts_of("context"), *facts_of("thread"), *sums(), *of_classes)


def _refers_to(table: Table) -> set[str]:
    return {column.references for column in table.columns if column.references is not None}


def _is_of_classes(table: Table) -> bool:
    """Says that a table tells of classes and their fields, whatever code uses them."""
    return table.name in facts_of("classes")


def scope_relations(part: Part, recorded: Collection[str], schema: str) -> dict[str, str]:
    """Returns what the relations of a scope select, by name, those that others read first.

    Args:
        part: the part of the run.
        recorded: the names of the run's tables.
        schema: the schema that they will be in.
    """
    bodies = {
        "lineage": part.lineage,
        "context": part.contexts(),
        "call": part.calls(CALL.format(context="run.context")),
        "call_edge": CALL_EDGE.format(schema=schema),
    }
    more = part.more()
    for name in _restricted():
        table = tables()[name]
        if name in recorded and name not in more and part.absence(table) is None:
            bodies[name] = part.facts(table)
    bodies |= more
    parts = block_part_views(schema, recorded)
    return bodies | {name: body for name, body in parts.items() if name != "block_part"}


def _in_or_of(code: str, codes: str, context: str, contexts: str) -> str:
    """Returns the condition that a row's code is among some, or, if it is unknown, its context."""
    return f"({code} IN {codes} OR {code} IS NULL AND {context} IN {contexts})"


class _Application(_Conditional):
    """Methods whose class has neither the boot nor the platform loader."""

    has_classes = True

    def _make(self, connection: duckdb.DuckDBPyConnection) -> None:
        connection.execute(f"CREATE VIEW {self.schema}.scope_method AS {_APPLICATION_METHODS}")
        methods = f"(FROM {self.schema}.scope_method)"
        self._code = {"method": methods}
        for name in code_tables()[1:]:
            owner = tables()[name].owner
            assert owner is not None  # noqa: S101 - it lies in code
            rows = f"FROM run.{name} WHERE {owner.name} IN {self._code[owner.references or '']}"
            self._code[name] = f"(SELECT {name}_id {rows})"
        classes = f"(SELECT class_id {_APPLICATION_CLASSES})"
        fields = f"(SELECT field_id FROM run.field WHERE class_id IN {classes})"
        self._told = self._code | {"class": classes, "field": fields}
        self.context = f"method_id IN {methods}"
        contexts = f"(SELECT context_id FROM run.context WHERE {self.context})"
        self.call = _in_or_of("call_site_id", self._code["call_site"], "parent_id", contexts)

    @classmethod
    def absence(cls, table: Table) -> str | None:
        if _refers_to(table) & {"context", *code_tables()} or _is_of_classes(table):
            return None
        return f"{table.name} is kept for each thread, not for each method"

    def condition(self, table: Table) -> str:
        if table.is_counted_at_caller:
            return f"context_id IN (SELECT context_id FROM run.context WHERE {self.call})"
        if _is_of_classes(table):
            owner = table.columns[0]
            return f"{owner.name} IN {self._told[owner.references or '']}"
        is_of_context = "context" in _refers_to(table)
        contexts = f"(SELECT context_id FROM {self.schema}.context)"
        for column in table.columns:
            # The code that a row of a context refers to is its method's; a method may be another.
            if column.references in self._code and not (
                is_of_context and column.references == "method"
            ):
                code = self._code[column.references]
                if is_of_context and column.is_nullable:
                    return _in_or_of(column.name, code, "context_id", contexts)
                return f"{column.name} IN {code}"
        return f"context_id IN {contexts}"

    def more(self) -> dict[str, str]:
        return {"loaded_class": _APPLICATION_CLASSES}


_IS_EXECUTED = """
    SELECT 1
    FROM run.context
    JOIN run.method AS m USING (method_id)
    JOIN run.class AS c USING (class_id)
    WHERE c.name || '.' || m.name LIKE $pattern ESCAPE '\\'
       OR c.name || '.' || m.name || m.descriptor LIKE $pattern ESCAPE '\\'
    LIMIT 1
"""


_UNCOUNTED = """
    SELECT c.name || '.' || m.name, e.reason
    FROM run.method AS m
    JOIN run.class AS c USING (class_id)
    JOIN run.exclusion AS e ON e.class_name = c.name
    WHERE ({is_matching}) AND m.coverage = 'none'
      AND COALESCE(e.method_name, m.name) = m.name
      AND COALESCE(e.descriptor, m.descriptor) = m.descriptor
    ORDER BY m.method_id
    LIMIT 1
"""


class _Threads(_Conditional):
    """The trees of the threads whose names match a pattern."""

    def _make(self, connection: duckdb.DuckDBPyConnection) -> None:
        ((n,),) = connection.execute(
            f"CREATE TABLE {self.schema}.scope_thread AS "
            "SELECT thread_id FROM run.thread WHERE name LIKE $pattern ESCAPE '\\'",
            {"pattern": _like(self.value)},
        ).fetchall()
        if n == 0:
            rows = connection.execute("SELECT name FROM run.thread WHERE name != ''").fetchall()
            names = list(dict.fromkeys(name for (name,) in rows))
            said = f"is named {self.value!r}" if self.value else "is without a name"
            hint = did_you_mean(self.value, names) or _known_threads(names)
            raise QueryError(f"no thread {said}", path="--scope", hint=hint)
        self.context = self.call = f"thread_id IN (FROM {self.schema}.scope_thread)"

    @classmethod
    def absence(cls, table: Table) -> str | None:
        if _refers_to(table) & {"context", "thread"}:
            return None
        return f"{table.name} is not kept for each thread"

    def condition(self, table: Table) -> str:
        if "thread" in _refers_to(table):
            return self.context
        return f"context_id IN (SELECT context_id FROM run.context WHERE {self.context})"


class _Subtrees(Part):
    """The contexts of some methods and all below them."""

    def _make(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Takes the methods that match a pattern; a parenthesis may be one of a name, too."""
        names = ["c.name || '.' || m.name"]
        if "(" in self.value:
            names.append(f"{names[0]} || m.descriptor")
        is_matching = " OR ".join(f"{name} LIKE $pattern ESCAPE '\\'" for name in names)
        matching = connection.execute(
            f"SELECT method_id FROM run.method AS m JOIN run.class AS c USING (class_id) "
            f"WHERE {is_matching}",
            {"pattern": _like(self.value)},
        ).fetchnumpy()["method_id"]
        self._take(connection, matching)
        if self._contexts.members.is_empty:
            raise self._no_such_method(connection, is_matching)

    def _no_such_method(
        self, connection: duckdb.DuckDBPyConnection, is_matching: str
    ) -> QueryError:
        """Returns the error that there is no context: what matches may only be not counted."""
        uncounted = first_row(
            connection,
            _UNCOUNTED.format(is_matching=is_matching),
            {"pattern": _like(self.value)},
        )
        if uncounted is not None:
            name, reason = uncounted
            return QueryError(
                f"no counted method matches {self.value!r}",
                path="--scope",
                hint=f"{name} was not counted: {reason}",
            )
        meant = _in_jvm_form(connection, self.value)
        hint = (
            f'did you mean "{meant}"? Names of packages and classes have slashes'
            if meant
            else "a pattern is CLASS.METHOD in JVM form, such as java/util/*.get"
        )
        return QueryError(f"no executed method matches {self.value!r}", path="--scope", hint=hint)

    def _take(self, connection: duckdb.DuckDBPyConnection, methods: Integers) -> None:
        """Makes the subtrees of the contexts of some methods."""
        from jvmscope.queries.scopes.subtrees import bind_subtrees

        self._contexts = bind_subtrees(connection, self.schema, methods)
        line = self._contexts.lineage.rows("run.context", "context_id")
        self.lineage = (
            f"SELECT c.*, COALESCE(b.end_id, c.context_id + c.size) AS end_id "
            f"FROM ({line}) AS c "
            f"LEFT JOIN {self.schema}.behind AS b ON b.place = c.context_id + c.size"
        )

    def contexts(self) -> str:
        return self._contexts.members.rows("run.context", "context_id")

    def calls(self, calls: str) -> str:
        return self._contexts.members.rows(f"({calls})", "parent_id")

    @classmethod
    def absence(cls, table: Table) -> str | None:
        if "context" in _refers_to(table) or table.name in _SUMS:
            return None
        owner = "class" if _is_of_classes(table) else "thread"
        return f"{table.name} is kept for each {owner}, not for each context"

    def facts(self, table: Table) -> str:
        if table.is_counted_at_caller:
            return self._contexts.called.rows(f"run.{table.name}", "context_id")
        return self._contexts.members.rows(f"run.{table.name}", "context_id")

    def more(self) -> dict[str, str]:
        blocks = self._contexts.members.rows_with_thread("run.context_block", "context_id")
        return {
            name: body.format(schema=self.schema, blocks=blocks) for name, body in _SUMS.items()
        }


def _known_threads(names: Sequence[str]) -> str | None:
    """Returns a hint with the first names, and how many more there are."""
    shown = ", ".join(names[:_SHOWN_THREADS])
    n_more = len(names) - _SHOWN_THREADS
    return f"threads: {shown}{f', and {n_more} more' if n_more > 0 else ''}" if names else None


def _like(pattern: str) -> str:
    r"""Returns a pattern of names as LIKE has it: ``*`` alone is special.

    Descriptors have ``[``, and some languages have ``?`` in names.

    >>> _like("app/A_B.f?([I)*")
    'app/A\\_B.f?([I)%'
    """
    return re.sub(r"[\\%_]", r"\\\g<0>", pattern).replace("*", "%")


def _in_jvm_form(connection: duckdb.DuckDBPyConnection, pattern: str) -> str | None:
    """Returns a pattern with slashes in place of a class's dots, if executed methods match that.

    A pattern without a method, ``app.Main``, becomes that of all methods of the class.
    """
    plain, parenthesis, rest = pattern.partition("(")
    class_name, _, method = plain.rpartition(".")
    meant = [f"{class_name.replace('.', '/')}.{method}{parenthesis}{rest}"]
    if not parenthesis:
        meant.append(f"{plain.replace('.', '/')}.*")
    for each in meant:
        if each != pattern and first_row(connection, _IS_EXECUTED, {"pattern": _like(each)}):
            return each
    return None


class _ApplicationWithCallees(_Subtrees):
    """The contexts of the application's methods, of which there may be none, and all below."""

    def _make(self, connection: duckdb.DuckDBPyConnection) -> None:
        methods = connection.execute(_APPLICATION_METHODS).fetchnumpy()["method_id"]
        self._take(connection, methods)


PARTS: dict[str, type[Part]] = {
    "application": _Application,
    "application+": _ApplicationWithCallees,
    "thread": _Threads,
    "subtree": _Subtrees,
}
"""The part that each kind of scope is."""
