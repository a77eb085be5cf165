"""Scopes: which part of a run a metric is about, bound as relations that restrict it.

A metric reads ``context``, ``context_block``, ``call``, ``call_edge``, ``thread_method``,
``thread_block``, ``loaded_class`` and what probes recorded; the engine binds them to the scope, so
that no metric repeats it. A block and an execution of a method count if their context is in the
scope, a call if its caller's context is. What a scope cannot tell is in ``Scope.absent``: metrics
that require it are null, and other queries that name it are refused. The whole tree stays visible
as ``run.context``, and as much of it as stacks need as ``lineage``: the scope's
contexts and all above them, perhaps others, with ``end_id``, the first of these rows behind a
subtree.

    run               everything
    application       contexts of methods whose class has neither the boot nor the platform loader
    application+      these and everything below them: the application with everything that it calls
    thread:NAME       the trees of the threads of that name; * stands for any text, and no name is
                      that of virtual threads which have none
    subtree:PATTERN   contexts of matching methods and everything below them; a pattern is
                      CLASS.METHOD with an optional descriptor, * stands for any text
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.queries.own_tables import own_view
from jvmscope.queries.scopes.scope_parts import PARTS, absent_relations, refuse, scope_relations
from jvmscope.queries.surrogates import refuse_surrogates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import duckdb

    from jvmscope.schema.own_tables import OwnTable

__all__ = ["DERIVED", "SCOPE_KINDS", "WHOLE_RUN", "Scope", "parse_scope"]

SCOPE_KINDS = ("run", *PARTS)

DERIVED = {"loaded_class": "class"}
"""Relations that are not tables, and the table that each is made of."""

_OF_SUBTREES = ("application+", "subtree")
_VALUES = {"thread": "thread:NAME", "subtree": "subtree:PATTERN"}


@dataclass(frozen=True)
class Scope:
    """A part of a run: a kind, and a pattern of names of threads or of methods."""

    kind: str
    value: str | None = None

    def __str__(self) -> str:
        """Returns the text that ``parse_scope`` reads."""
        return self.kind if self.value is None else f"{self.kind}:{self.value}"

    @property
    def is_whole(self) -> bool:
        """Whether it is all of the run."""
        return self.kind == "run"

    @property
    def absent(self) -> Mapping[str, str]:
        """The relations that have no meaning in this scope, and why."""
        return {} if self.is_whole else absent_relations(PARTS[self.kind])

    def absence(self, relation: str) -> str | None:
        """Returns why a relation has no meaning in this scope; None: it has one.

        >>> parse_scope("thread:main").absence("context")
        >>> parse_scope("application+").absence("loaded_class")[:35]
        'undefined in the scope application+'
        """
        why = self.absent.get(relation)
        return None if why is None else f"undefined in the scope {self}: {why}"

    def others_with(self, relation: str) -> str:
        """Returns the scopes in which a relation has a meaning, for a hint.

        >>> parse_scope("subtree:*.f").others_with("call_order")
        'scopes that define it: run, application, thread:NAME'
        """
        kinds = [kind for kind in SCOPE_KINDS if relation not in Scope(kind).absent]
        return f"scopes that define it: {', '.join(_VALUES.get(kind, kind) for kind in kinds)}"

    @property
    def is_of_subtrees(self) -> bool:
        """Whether all that a context of the scope calls is meant to be in it."""
        return self.kind in _OF_SUBTREES

    def bind(
        self,
        connection: duckdb.DuckDBPyConnection,
        schema: str,
        own: Sequence[OwnTable] = (),
    ) -> dict[str, str]:
        """Makes the scope's relations in a schema of their own, and returns what each selects.

        Args:
            connection: a connection to the engine's database.
            schema: the name of the schema; it is made.
            own: the tables of the user's own probe.

        Raises:
            QueryError: no thread has the name, or no method matches the pattern.
        """
        connection.execute(f"CREATE SCHEMA {schema}")
        part = PARTS[self.kind](connection, schema, self.value or "")
        views = connection.execute("SELECT view_name FROM duckdb_views() WHERE schema_name = 'run'")
        recorded = {name for (name,) in views.fetchall()}
        bodies = scope_relations(part, recorded, schema)
        for table in own:
            bodies[f'"{table.name}"'] = own_view(table, schema)
        for name, body in bodies.items():
            connection.execute(f"CREATE VIEW {schema}.{name} AS {body}")
        for name in recorded & set(self.absent):
            refuse(connection, schema, name)
        return bodies


WHOLE_RUN = Scope("run")
"""The scope of everything."""


def parse_scope(text: str) -> Scope:
    """Returns the scope that a text names.

    Raises:
        QueryError: it names none.

    >>> parse_scope("thread:main"), parse_scope("thread:")
    (Scope(kind='thread', value='main'), Scope(kind='thread', value=''))
    """
    refuse_surrogates(text, "--scope")
    kind, colon, value = text.partition(":")
    if kind not in SCOPE_KINDS:
        hint = did_you_mean(kind, SCOPE_KINDS) or f"scopes: {', '.join(SCOPE_KINDS)}"
        raise QueryError(f"there is no scope {text!r}", path="--scope", hint=hint)
    if (kind in _VALUES) != bool(colon) or (colon and not value and kind != "thread"):
        expected = _VALUES.get(kind, kind)
        raise QueryError(f"expected {expected}, found {text!r}", path="--scope")
    return Scope(kind, value if colon else None)
