"""Scopes: which part of a run a metric is about, bound as relations that restrict it.

A metric reads ``context``, ``context_block``, ``call``, ``call_edge``, ``thread_method``,
``thread_block``, ``loaded_class`` and what probes recorded; the engine binds them to the scope, so
that no metric repeats it. A block and an execution of a method count if their context is in the
scope, a call if its caller's context is. What a scope cannot tell is in ``Scope.absent``. The whole
tree stays visible as ``run.context``, and as much of it as stacks need as ``lineage``: the scope's
contexts and all above them, perhaps others, with ``end_id``, the first of these rows behind a
subtree.

    run               everything
    application       contexts of methods whose class has neither the boot nor the platform loader
    application+      these and everything below them: the application with all it calls
    thread:NAME       the trees of the threads of that name
    subtree:PATTERN   contexts of matching methods and everything below them; a pattern is
                      CLASS.METHOD with an optional descriptor, * stands for any text
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.queries.block_parts import block_part_views

if TYPE_CHECKING:
    from collections.abc import Mapping

    import duckdb

__all__ = ["CALL", "CALL_EDGE", "DERIVED", "LINEAGE", "SCOPE_KINDS", "Scope", "parse_scope"]

SCOPE_KINDS = ("run", "application", "application+", "thread", "subtree")

DERIVED = {"loaded_class": "class"}
"""Relations that are no tables, and the table that each is made of."""

_PROBED = ("receiver", "method_cache", "call_order", "branch_order", "context_segment")
_LOADED = "classes are loaded for the run, not for a part of its tree"
_ORDER = "order is kept for each thread, not for each context"
_OF_SUBTREES = ("application+", "subtree")
_OF_NO_SUBTREE = {"loaded_class": _LOADED, "call_order": _ORDER, "branch_order": _ORDER}
_ABSENT = {
    "thread": {"loaded_class": _LOADED},
    "application+": _OF_NO_SUBTREE,
    "subtree": _OF_NO_SUBTREE,
}

_APPLICATION_METHODS = """
    SELECT m.method_id FROM run.method AS m JOIN run.class AS c USING (class_id)
    WHERE c.loader NOT IN ('boot', 'platform')
"""

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

_RECEIVER = "run.receiver AS r JOIN run.context AS c USING (context_id)"


@dataclass(frozen=True)
class Scope:
    """A part of a run: a kind, and a thread's name or a pattern of methods."""

    kind: str
    value: str | None = None

    def __str__(self) -> str:
        """Returns the text that ``parse_scope`` reads."""
        return self.kind if self.value is None else f"{self.kind}:{self.value}"

    @property
    def absent(self) -> Mapping[str, str]:
        """The relations that have no meaning in this scope, and why."""
        return _ABSENT.get(self.kind, {})

    @property
    def is_of_subtrees(self) -> bool:
        """Whether all that a context of the scope calls is meant to be in it."""
        return self.kind in _OF_SUBTREES

    def bind(self, connection: duckdb.DuckDBPyConnection, schema: str) -> dict[str, str]:
        """Makes the scope's relations in a schema of their own, and returns what each selects.

        Args:
            connection: a connection to the engine's database.
            schema: the name of the schema; it is made.

        Raises:
            QueryError: no thread has the name, or no method matches the pattern.
        """
        connection.execute(f"CREATE SCHEMA {schema}")
        relations = _BINDINGS[self.kind](connection, schema, self.value or "")
        views = connection.execute("SELECT view_name FROM duckdb_views() WHERE schema_name = 'run'")
        recorded = {name for (name,) in views.fetchall()}
        edges = CALL_EDGE.format(schema=schema)
        bodies = {
            name: body
            for name, body in {"lineage": LINEAGE, **relations, "call_edge": edges}.items()
            if name not in _PROBED or name in recorded
        }
        bodies |= {
            name: body
            for name, body in block_part_views(schema, recorded).items()
            if name != "block_part"
        }
        for name, body in bodies.items():
            connection.execute(f"CREATE VIEW {schema}.{name} AS {body}")
        return bodies


def parse_scope(text: str) -> Scope:
    """Returns the scope that a text names.

    Raises:
        QueryError: it names none.

    >>> parse_scope("thread:main")
    Scope(kind='thread', value='main')
    """
    kind, colon, value = text.partition(":")
    if kind not in SCOPE_KINDS:
        hint = did_you_mean(kind, SCOPE_KINDS) or f"scopes: {', '.join(SCOPE_KINDS)}"
        raise QueryError(f"there is no scope {text!r}", path="--scope", hint=hint)
    needs_value = kind in ("thread", "subtree")
    if needs_value != bool(colon and value):
        expected = f"{kind}:{'NAME' if kind == 'thread' else 'PATTERN'}" if needs_value else kind
        raise QueryError(f"expected {expected}, found {text!r}", path="--scope")
    return Scope(kind, value or None)


def _bind_run(_connection: duckdb.DuckDBPyConnection, _schema: str, _value: str) -> dict[str, str]:
    return {
        "context": "FROM run.context",
        "context_block": "FROM run.context_block",
        "context_segment": "FROM run.context_segment",
        "call": CALL.format(context="run.context"),
        "thread_method": "FROM run.thread_method",
        "thread_block": "FROM run.thread_block",
    }


def _bind_application(
    _connection: duckdb.DuckDBPyConnection, schema: str, _value: str
) -> dict[str, str]:
    methods = f"(FROM {schema}.scope_method)"
    blocks = f"(SELECT basic_block_id FROM run.basic_block WHERE method_id IN {methods})"
    sites = f"(SELECT call_site_id FROM run.call_site WHERE caller_id IN {methods})"
    instructions = f"(SELECT instruction_id FROM run.instruction WHERE basic_block_id IN {blocks})"
    return {
        "scope_method": _APPLICATION_METHODS,
        "loaded_class": "FROM run.class WHERE loader NOT IN ('boot', 'platform')",
        "context": f"FROM run.context WHERE method_id IN {methods}",
        "context_block": f"FROM run.context_block WHERE basic_block_id IN {blocks}",
        "context_segment": (
            f"FROM run.context_segment WHERE block_segment_id IN (SELECT block_segment_id "
            f"FROM run.block_segment WHERE basic_block_id IN {blocks})"
        ),
        "call": f"FROM ({CALL.format(context='run.context')}) WHERE call_site_id IN {sites}",
        "thread_method": f"FROM run.thread_method WHERE method_id IN {methods}",
        "thread_block": f"FROM run.thread_block WHERE basic_block_id IN {blocks}",
        "receiver": f"SELECT r.* FROM {_RECEIVER} WHERE c.call_site_id IN {sites}",
        "method_cache": (
            f"FROM run.method_cache WHERE context_id IN (SELECT context_id FROM {schema}.context)"
        ),
        "call_order": f"FROM run.call_order WHERE call_site_id IN {sites}",
        "branch_order": f"FROM run.branch_order WHERE instruction_id IN {instructions}",
    }


def _bind_thread(connection: duckdb.DuckDBPyConnection, _schema: str, value: str) -> dict[str, str]:
    rows = connection.execute("SELECT thread_id, name FROM run.thread").fetchall()
    ids = [str(thread_id) for thread_id, name in rows if name == value]
    if not ids:
        hint = did_you_mean(value, [name for _, name in rows])
        raise QueryError(f"no thread is named {value!r}", path="--scope", hint=hint)
    in_thread = f"thread_id IN ({', '.join(ids)})"
    context = f"SELECT context_id FROM run.context WHERE {in_thread}"
    return {
        "context": f"FROM run.context WHERE {in_thread}",
        "context_block": f"FROM run.context_block WHERE context_id IN ({context})",
        "context_segment": f"FROM run.context_segment WHERE context_id IN ({context})",
        "call": f"FROM ({CALL.format(context='run.context')}) WHERE {in_thread}",
        "thread_method": f"FROM run.thread_method WHERE {in_thread}",
        "thread_block": f"FROM run.thread_block WHERE {in_thread}",
        "receiver": f"FROM run.receiver WHERE context_id IN ({context})",
        "method_cache": f"FROM run.method_cache WHERE context_id IN ({context})",
        "call_order": f"FROM run.call_order WHERE {in_thread}",
        "branch_order": f"FROM run.branch_order WHERE {in_thread}",
    }


def _bind_subtree(connection: duckdb.DuckDBPyConnection, schema: str, value: str) -> dict[str, str]:
    """Binds the subtrees of the methods that match."""
    from jvmscope.queries.subtrees import bind_subtrees

    name = "c.name || '.' || m.name" + (" || m.descriptor" if "(" in value else "")
    matching = connection.execute(
        f"SELECT method_id FROM run.method AS m JOIN run.class AS c USING (class_id) "
        f"WHERE {name} GLOB $pattern",
        {"pattern": value},
    ).fetchnumpy()["method_id"]
    bind_subtrees(connection, schema, matching)
    if _is_empty(connection, schema):
        hint = "a pattern is CLASS.METHOD in JVM form, as java/util/*.get"
        raise QueryError(f"no executed method matches {value!r}", path="--scope", hint=hint)
    return _subtrees(schema)


def _bind_application_with_callees(
    connection: duckdb.DuckDBPyConnection, schema: str, _value: str
) -> dict[str, str]:
    """Binds the subtrees of the application's methods; there may be none."""
    from jvmscope.queries.subtrees import bind_subtrees

    methods = connection.execute(_APPLICATION_METHODS).fetchnumpy()["method_id"]
    bind_subtrees(connection, schema, methods)
    return _subtrees(schema)


def _is_empty(connection: duckdb.DuckDBPyConnection, schema: str) -> bool:
    return connection.execute(f"FROM {schema}.member LIMIT 1").fetchone() is None


def _subtrees(schema: str) -> dict[str, str]:
    """Returns the relations of the contexts in ``member``, which are whole subtrees."""
    member = f"(FROM {schema}.member)"
    return {
        "context": f"FROM run.context WHERE context_id IN {member}",
        "lineage": (
            f"SELECT c.*, l.end_id FROM {schema}.line AS l JOIN run.context AS c USING (context_id)"
        ),
        "context_block": f"FROM run.context_block WHERE context_id IN {member}",
        "context_segment": f"FROM run.context_segment WHERE context_id IN {member}",
        "call": f"FROM ({CALL.format(context='run.context')}) WHERE parent_id IN {member}",
        "thread_method": (
            f"SELECT thread_id, method_id, SUM(n_calls)::BIGINT AS n_calls, "
            f"SUM(n_bytecodes)::BIGINT AS n_bytecodes FROM {schema}.context "
            f"WHERE method_id IS NOT NULL GROUP BY thread_id, method_id"
        ),
        "thread_block": (
            f"SELECT c.thread_id, b.basic_block_id, SUM(b.n_executions)::BIGINT AS n_executions "
            f"FROM {schema}.context_block AS b JOIN run.context AS c USING (context_id) "
            f"GROUP BY c.thread_id, b.basic_block_id"
        ),
        "receiver": f"SELECT r.* FROM {_RECEIVER} WHERE c.parent_id IN {member}",
        "method_cache": f"FROM run.method_cache WHERE context_id IN {member}",
    }


_BINDINGS = {
    "run": _bind_run,
    "application": _bind_application,
    "application+": _bind_application_with_callees,
    "thread": _bind_thread,
    "subtree": _bind_subtree,
}
