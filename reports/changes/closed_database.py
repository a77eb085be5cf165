"""The database in which conditions are parsed and evaluated, without access to files or network.

A condition takes DuckDB a millisecond, and a database twenty to open, so a process opens one. No
more is in it than the rows of the condition that is evaluated.
"""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import duckdb

from jvmscope.queries import Limits, allow_only_files, locked_config

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

__all__ = ["ClosedDatabase", "closed_database"]

_TURNS = threading.Lock()


@dataclass(frozen=True)
class ClosedDatabase:
    """Two connections to one database: in that of ``strict`` a division by 0 is an error."""

    plain: duckdb.DuckDBPyConnection
    strict: duckdb.DuckDBPyConnection

    @contextmanager
    def holding(self, changes: pa.Table) -> Iterator[None]:
        """Has the rows in a table ``change`` within the block."""
        self.plain.register("given", changes)
        self.plain.execute("CREATE TABLE change AS FROM given")
        self.plain.unregister("given")
        yield
        self.plain.execute("DROP TABLE change")

    def interrupt(self) -> None:
        """Ends what the database does."""
        self.plain.interrupt()
        self.strict.interrupt()


@contextmanager
def closed_database() -> Iterator[ClosedDatabase]:
    """Has the process's database within the block, one thread at a time.

    After an error, which may have left anything in it, the next one to ask has a new one.
    """
    with _TURNS:
        try:
            plain, strict = _opened(os.getpid())
            with plain.cursor() as cursor:  # what a caller has not fetched ends with it
                yield ClosedDatabase(cursor, strict)
        except BaseException:
            _opened.cache_clear()
            raise


@lru_cache(maxsize=1)
def _opened(_process: int) -> tuple[duckdb.DuckDBPyConnection, duckdb.DuckDBPyConnection]:
    """Returns the database; that of a process is of no use to one that is forked from it."""
    plain = duckdb.connect(config=locked_config(Limits()))
    strict = plain.cursor()
    strict.execute("SET ieee_floating_point_ops = false")  # of this cursor alone
    allow_only_files(plain, [])
    return plain, strict
