"""Scopes in the database of a run: a schema of views for each, made when first asked for."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError, RunError
from jvmscope.queries.own_tables import has_mixed_callers, own_view
from jvmscope.queries.scopes.block_parts import BLOCK_PART_VIEWS, block_part_views
from jvmscope.queries.scopes.scope import DERIVED
from jvmscope.queries.scopes.scope_folding import NOTHING_FOLDED, scope_folding
from jvmscope.queries.scopes.scope_parts import CALL, CALL_EDGE, LINEAGE, SUMMED, refuse
from jvmscope.schema import word_sets
from jvmscope.schema.folding import is_folded, why_folded

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    import duckdb

    from jvmscope.queries.memory_database import MemoryDatabase
    from jvmscope.queries.scopes.scope import Scope
    from jvmscope.queries.scopes.scope_folding import ScopeFolding
    from jvmscope.schema import Manifest
    from jvmscope.schema.own_tables import OwnTable

__all__ = ["COMPUTED", "WHOLE_RUN_SCHEMAS", "BoundScopes", "bind_computed"]

WHOLE_RUN_SCHEMAS = ("run", "main")
"""Where the names of a query about the whole run are looked up."""

COMPUTED = (*DERIVED, "opcode", "call", "call_edge", "lineage", *BLOCK_PART_VIEWS)
"""The relations of a run that are not tables."""

_CALLS = {"context", "back_edge"}
"""The tables that calls are computed from."""


def bind_computed(
    connection: duckdb.DuckDBPyConnection,
    recorded: Collection[str],
    own: Sequence[OwnTable] = (),
) -> None:
    """Makes the relations of the whole run that are not tables in the schema ``run``.

    Args:
        connection: a connection to the run's database, which has the tables.
        recorded: the names of the run's tables.
        own: the tables of the user's own probe.
    """
    _bind_opcodes(connection)
    if set(recorded) >= _CALLS:
        connection.execute(f"CREATE VIEW run.call AS {CALL.format(context='run.context')}")
    if "context" in recorded:
        connection.execute(f"CREATE VIEW run.lineage AS {LINEAGE}")
    for name, table in DERIVED.items():
        if table in recorded:
            connection.execute(f"CREATE VIEW run.{name} AS FROM run.{table}")
    views = block_part_views("run", recorded) | _sums_of_run(recorded)
    for name, body in views.items():
        connection.execute(f"CREATE VIEW run.{name} AS {body}")
    for each in own:
        body = own_view(each, "run")
        connection.execute(f'CREATE VIEW run."{each.name}" AS {body}')


def _sums_of_run(recorded: Collection[str]) -> dict[str, str]:
    """Returns what the relations of the whole run select that are sums, by name."""
    edges = {"call_edge": CALL_EDGE.format(schema="run")} if set(recorded) >= _CALLS else {}
    parts = block_part_views("run", recorded)
    return edges | {name: body for name, body in parts.items() if name in SUMMED}


def _bind_opcodes(connection: duckdb.DuckDBPyConnection) -> None:
    """Makes ``opcode (number, name)``: the words of the format, not of the run."""
    words = " ".join(word_sets()["opcode"].words)  # one constant is bound faster than 202
    connection.execute(
        f"CREATE VIEW run.opcode AS SELECT position - 1 AS number, word AS name "
        f"FROM UNNEST(string_split('{words}', ' ')) WITH ORDINALITY AS list (word, position)"
    )


class BoundScopes:
    """The scopes of a run that queries have asked for.

    Args:
        run: the run's directory, for messages.
        manifest: its manifest.
        database: its database, with the relations of the whole run.
        own: the tables of the user's own probe.
    """

    def __init__(
        self, run: Path, manifest: Manifest, database: MemoryDatabase, own: Sequence[OwnTable]
    ) -> None:
        self._run = run
        self._manifest = manifest
        self._database = database
        self._own = own
        self._schemas: dict[Scope, str] = {}
        self._bodies: dict[str, Mapping[str, str]] = {"run": _sums_of_run(manifest.tables)}
        self._foldings: dict[Scope, ScopeFolding] = {}
        self._kept: dict[str, set[str]] = {}
        self._lock = threading.RLock()  # two threads that make one scope would collide

    def bind(self, scope: Scope) -> tuple[str, ...]:
        """Returns the schemas in which a scope's relations hide those of the whole run.

        Raises:
            RunError: the recording failed, so the run has no parts.
            QueryError: the run does not have the scope, or folding took calls from it.
        """
        if scope.is_whole:
            return WHOLE_RUN_SCHEMAS
        self._manifest.expect_tree(self._run)
        if "context" not in self._manifest.tables:
            raise RunError(f"{self._run}: the recording failed, so there is no scope {scope}")
        lost = self.lost_calls(scope)
        if lost is not None:
            raise QueryError(lost, path="--scope")
        return (self._schema(scope), *WHOLE_RUN_SCHEMAS)

    def bodies(self, schema: str) -> Mapping[str, str]:
        """Returns the SELECT of each relation in the schema of a scope that was bound."""
        return self._bodies[schema]

    def folding(self, scope: Scope) -> ScopeFolding:
        """Returns what folding did to a scope.

        Raises:
            QueryError: the run does not have the scope.
        """
        if not is_folded(self._manifest):
            return NOTHING_FOLDED
        with self._lock:
            schema = self._schema(scope)
            if scope not in self._foldings:
                self._foldings[scope] = scope_folding(
                    self._connect(), schema, is_of_subtrees=scope.is_of_subtrees
                )
        return self._foldings[scope]

    def lost_calls(self, scope: Scope) -> str | None:
        """Returns why a scope's numbers would be too small; None: it has all of its calls.

        Raises:
            QueryError: the run does not have the scope.
        """
        folding = self.folding(scope)
        n = folding.n_lost_calls
        if n == 0:
            return None
        calls = "1 call was" if n == 1 else f"{n:,} calls were"
        return (
            f"the scope {scope} is incomplete: {calls} folded across its border, such as that of "
            f"{folding.example}: {why_folded(self._manifest)}"
        )

    def keep_sums(
        self, connection: duckdb.DuckDBPyConnection, scope: Scope, named: Collection[str]
    ) -> tuple[str, ...]:
        """Returns the schema in which sums are tables, not computed for each query.

        They are made once for each scope, with the connection, and small beside the tree.

        Args:
            connection: a connection to the run's database.
            scope: a scope that was bound.
            named: the names in a query; of the relations that are sums, these are made.
        """
        schema = self._schema(scope)
        wanted = [name for name in SUMMED if name in named and name in self._bodies[schema]]
        if not wanted:
            return ()
        kept = f"{schema}_kept"
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {kept}")
        made = self._kept.setdefault(kept, set())
        for name in wanted:
            if name not in made:
                body = self._bodies[schema][name]
                for other in made:  # a sum of sums
                    body = re.sub(rf"\b{schema}\.{other}\b", f"{kept}.{other}", body)
                connection.execute(f"CREATE TABLE {kept}.{name} AS {body}")
                made.add(name)
        return (kept,)

    def _schema(self, scope: Scope) -> str:
        """Returns the schema of a scope's relations, made now if it was not before."""
        if scope.is_whole:
            return "run"
        with self._lock:
            if scope not in self._schemas:
                schema = f"scope_{len(self._schemas)}"
                with self._database.whole_or_not_at_all(schema):
                    self._bodies[schema] = scope.bind(self._connect(), schema, self._own)
                    self._refuse_mixed(schema)
                self._schemas[scope] = schema
        return self._schemas[scope]

    def _refuse_mixed(self, schema: str) -> None:
        """Refuses tables whose rows, where calls were folded, tell of other scopes, too."""
        if not is_folded(self._manifest):
            return
        connection = self._connect()
        for table in self._own:
            if has_mixed_callers(connection, table, schema):
                refuse(connection, schema, table.name)

    def _connect(self) -> duckdb.DuckDBPyConnection:
        return self._database.connect(WHOLE_RUN_SCHEMAS)
