"""The database of a run: read-only views of its tables, and of its scopes, in DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb

from jvmscope.errors import RunError
from jvmscope.queries.beside import bind_beside
from jvmscope.queries.limits.memory import memory_settings
from jvmscope.queries.locked.database import COMMON_SETTINGS, allow_only_files, locked_config
from jvmscope.queries.memory_database import MemoryDatabase
from jvmscope.queries.own_tables import own_tables
from jvmscope.queries.run_files import RunFiles
from jvmscope.queries.scopes.bound_scopes import WHOLE_RUN_SCHEMAS, BoundScopes, bind_computed
from jvmscope.queries.scopes.scope import WHOLE_RUN
from jvmscope.queries.watch_forms import bind_watch_forms
from jvmscope.queries.watch_inlining import bind_watch_inlining
from jvmscope.queries.watch_views import bind_watch_views
from jvmscope.queries.xquery.document_tables import DocumentTables
from jvmscope.schema.manifest import manifest_of, read_document

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from jvmscope.queries.costs import Costs
    from jvmscope.queries.locked import Limits
    from jvmscope.schema import Manifest
    from jvmscope.schema.calibration import Calibration

__all__ = ["RunDatabase"]


class RunDatabase:
    """The tables of one run as views in the schema ``run`` of a database in memory.

    Nothing is copied, and nothing of the run can be changed through it.

    Args:
        run: the run's directory.
        locked_to: open it for one untrusted query in a process of its own (``queries.locked``):
            nothing but the run's tables can be reached through the database.
        document: what the run's manifest says, or what may be known of it; None: it is read.
        beside: a recorded run of the program of a watch run, whose tables get the schema
            ``recorded``.
        calibration: what calls and objects cost in the VM of the watch run, for estimates, which
            need a recorded run beside it.

    Raises:
        RunError: it is not a run, of another schema version, or lacks a table of its manifest.
    """

    def __init__(
        self,
        run: Path,
        *,
        locked_to: Limits | None = None,
        document: Mapping[str, Any] | None = None,
        beside: Path | None = None,
        calibration: Calibration | None = None,
    ) -> None:
        self.run = run
        self._beside = beside
        self.calibration = calibration
        """What calls and objects cost; None: not known."""
        self.document: Mapping[str, Any] = read_document(run) if document is None else document
        """The manifest as it is written."""
        self.manifest: Manifest = manifest_of(self.document, run)
        self.locked_to = locked_to
        try:
            self._open()
        except (RunError, duckdb.Error):
            if document is not None or not self._has_changed():
                raise
            self._open()

    def _has_changed(self) -> bool:
        """Reads the manifest again; tells whether it is that of a watch run, and another one.

        At the end of a watch, the files of its tables are replaced.
        """
        before, self.document = self.document, read_document(self.run)
        self.manifest = manifest_of(self.document, self.run)
        return self.manifest.kind == "watch" and self.document != before

    def _open(self) -> None:
        """Opens the database, and binds the tables."""
        run, locked_to = self.run, self.locked_to
        self._database = MemoryDatabase(run, locked_config(locked_to) or _config())
        self._files = RunFiles(run, self.manifest)
        connection = self._database.connection
        connection.execute("CREATE SCHEMA run")
        self._files.bind(connection)
        self.own_tables = own_tables(connection, self.manifest.tables, run)
        """The tables of the user's own probe."""
        if self.manifest.kind == "watch":
            bind_watch_views(connection, self.manifest.tables)
            bind_watch_forms(connection)
            bind_watch_inlining(connection)
        self.beside: Manifest | None = None
        """What the recorded run beside a watch run is; None: there is none."""
        if self._beside is not None:
            self.beside = bind_beside(connection, run, self.manifest, self._beside)
        if self.calibration is not None:
            from jvmscope.queries.estimates import bind_estimates

            bind_estimates(connection, run, self.manifest, self.beside, self.calibration)
        bind_computed(connection, self.manifest.tables, self.own_tables)
        self.scopes = BoundScopes(run, self.manifest, self._database, self.own_tables)
        """The parts of the run that queries are restricted to."""
        self.document_tables = DocumentTables(self._database, self._files, self.scopes)
        """The tables as compiled XQuery reads them."""
        self._costs: dict[tuple[str, str], str] = {}
        if locked_to is not None:
            self.document_tables.bind_nodes(WHOLE_RUN)  # later, nothing may be bound
            allow_only_files(connection, self._files.paths)

    @property
    def run_id(self) -> str:
        """The run's name in results: its directory's name without ``.run``."""
        return self.run.absolute().name.removesuffix(".run")

    @property
    def recorded(self) -> tuple[str, ...]:
        """The names of the run's tables, in the order of the schema, unknown tables last."""
        return self._files.recorded

    @property
    def named(self) -> tuple[str, ...]:
        """The names of the run's tables, and behind them those of the user's own probe."""
        return (*self.recorded, *(table.name for table in self.own_tables))

    def connect(self, schemas: Sequence[str] = WHOLE_RUN_SCHEMAS) -> duckdb.DuckDBPyConnection:
        """Returns a connection to the database that looks names up in the given schemas.

        Raises:
            RunError: the run was closed.
        """
        return self._database.connect(schemas)

    def reopen_if_broken(self) -> None:
        """Opens the database anew if an internal error of DuckDB has made it unusable.

        Schemas and connections of before are gone then, as are results that are not read yet.
        """
        if self._database.is_broken():
            self._open()

    def bind_costs(self, costs: Costs) -> str:
        """Returns the schema of a cost model's relations, to be looked up behind the others."""
        from jvmscope.queries.costs import bind_costs

        key = (costs.model.digest, repr(sorted(costs.parameters.items())))
        if key not in self._costs:
            schema = f"costs_{len(self._costs)}"
            with self._database.whole_or_not_at_all(schema):
                bind_costs(self.connect(), schema, costs)
            self._costs[key] = schema
        return self._costs[key]

    def close(self) -> None:
        """Closes the database; results that are not read yet cannot be read any more."""
        self._database.close()


def _config() -> dict[str, Any]:
    return {**COMMON_SETTINGS, **memory_settings()}
