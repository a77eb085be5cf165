"""Sets of contexts in SQL: a range of keys, or a table of words of 64 bits.

A table with a row for each context of a set would need as much memory as the tree, in each query
that joins it. Keys are dense: a row for 64 contexts, of those that hold one of the set, is as good.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    import duckdb
    import numpy.typing as npt

    Flags = npt.NDArray[np.bool_]
    Integers = npt.NDArray[np.integer[Any]]

__all__ = ["ContextSet", "make_context_set", "words"]

_WORD = 64


@dataclass(frozen=True)
class ContextSet:
    """A set of contexts.

    Attributes:
        table: ``(word, thread_id, bits)``, as ``words`` makes them.
        first: the least key of the set; 0 if it is empty.
        n_spanned: how many keys there are from the least to the greatest.
        is_range: whether all of these are in the set.
    """

    table: str
    first: int
    n_spanned: int
    is_range: bool

    @property
    def is_empty(self) -> bool:
        """Whether no context is in the set."""
        return self.n_spanned == 0

    def rows(self, source: str, column: str) -> str:
        """Returns what selects the rows whose context is in the set.

        Args:
            source: a relation, or a query in parentheses.
            column: its column of contexts.
        """
        if self.is_range:  # which files are skipped by
            return f"FROM {source} WHERE {column} BETWEEN {self.first} AND {self._last}"
        return f"SELECT t.* FROM {self._joined(source, column)}"

    def rows_with_thread(self, source: str, column: str) -> str:
        """Returns what selects the same rows, with a column ``thread_id`` more."""
        return f"SELECT t.*, s.thread_id FROM {self._joined(source, column)}"

    @property
    def _last(self) -> int:
        return self.first + self.n_spanned - 1

    def _joined(self, source: str, column: str) -> str:
        """Returns each row beside the word that has its context."""
        return (
            f"{source} AS t JOIN {self.table} AS s ON s.word = t.{column} >> 6 "
            f"WHERE (s.bits >> (t.{column} & 63)::UBIGINT) & 1 = 1 "
            f"AND t.{column} BETWEEN {self.first} AND {self._last}"
        )


def make_context_set(connection: duckdb.DuckDBPyConnection, table: str, is_in: Flags) -> ContextSet:
    """Makes the table of a set.

    Args:
        connection: a connection to the run's database.
        table: its name, with its schema.
        is_in: of each context, by its key, whether it is in the set.
    """
    roots = connection.execute(
        "SELECT context_id, thread_id FROM run.context WHERE parent_id IS NULL ORDER BY context_id"
    ).fetchnumpy()
    word, thread, bits = words(is_in, roots["context_id"], roots["thread_id"])
    made = pa.table(
        {
            "word": pa.array(word, pa.int32()),
            "thread_id": pa.array(thread, pa.int32()),
            "bits": pa.array(bits, pa.uint64()),
        }
    )
    connection.register("_made", made)
    connection.execute(f"CREATE TABLE {table} AS FROM _made")
    connection.unregister("_made")
    n = int(np.count_nonzero(is_in))
    if not n:
        return ContextSet(table, 0, 0, is_range=True)
    first = int(np.argmax(is_in))
    n_spanned = len(is_in) - int(np.argmax(is_in[::-1])) - first
    return ContextSet(table, first, n_spanned, is_range=n == n_spanned)


def words(
    is_in: Flags, roots: Integers, threads: Integers
) -> tuple[Integers, Integers, npt.NDArray[np.uint64]]:
    """Returns the words of a set: their numbers, threads and bits; those without a bit left out.

    A word has the keys from 64 times its number on, the least in its lowest bit. It has a row for
    each thread that has contexts in it, with the bits of these.

    Args:
        is_in: of each context, by its key, whether it is in the set.
        roots: the contexts that begin a thread, in their order; the first one is 0.
        threads: the thread of each.

    >>> [each.tolist() for each in words(np.array([True, False, True]), np.array([0, 2]),
    ...                                  np.array([7, 8]))]
    [[0, 0], [7, 8], [1, 4]]
    """
    n = len(is_in)
    padded = np.zeros(-(-n // _WORD) * _WORD, np.bool_)
    padded[:n] = is_in
    every = np.packbits(padded, bitorder="little").view("<u8")
    starts = np.union1d(np.arange(0, n, _WORD), roots)
    lengths = np.diff(starts, append=n).astype(np.uint64)
    ones = np.uint64(2**_WORD - 1) >> (np.uint64(_WORD) - lengths)
    bits = every[starts // _WORD] & (ones << (starts % _WORD).astype(np.uint64))
    thread = threads[np.searchsorted(roots, starts, side="right") - 1]
    is_there = bits != 0
    return (starts // _WORD)[is_there], thread[is_there], bits[is_there]
