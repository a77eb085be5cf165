"""The answer to a query: named, typed columns, and rows that are read once or kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.extras import extra
from jvmscope.queries.preview import PREVIEWED_ROWS, html_preview, text_preview

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import duckdb
    import pyarrow as pa

__all__ = ["Result", "ResultColumn", "Row"]

Row = tuple[Any, ...]

_PLAIN = frozenset(
    {"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "DOUBLE", "VARCHAR"}
)


@dataclass(frozen=True)
class ResultColumn:
    """One column: its name, its SQL type, and its unit, null where none is declared."""

    name: str
    type: str
    unit: str | None = None

    @property
    def is_plain(self) -> bool:
        """Whether its values are the same with and without Arrow, when they are written."""
        return self.type in _PLAIN or self.type.startswith("DECIMAL(")

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers."""
        prefixes = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT")
        more = ("UINTEGER", "UBIGINT", "UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL")
        return self.type.startswith((*prefixes, *more)) and not self.type.endswith("]")


class Result:
    """The rows of an answer, in its order.

    Rows come as Arrow batches while the query runs, so a large result needs little memory.
    They can be read once; ``arrow()`` keeps them, and may be called again.

    Args:
        columns: the columns in order.
        schema: their Arrow schema.
        batches: the rows; all of them share the schema.
        limit: how many rows to deliver, or None for all.
        refusals: filled while the rows are read.

    Attributes:
        columns: the columns in order.
        refusals: what DuckDB said of parts of an XQuery whose SQL failed, so that trees answered.
    """

    def __init__(
        self,
        columns: Sequence[ResultColumn],
        schema: pa.Schema | None,
        batches: Iterator[pa.RecordBatch],
        limit: int | None = None,
        *,
        refusals: Sequence[str] = (),
    ) -> None:
        self.columns = tuple(columns)
        self.refusals = refusals
        self._schema = schema
        self._batches = batches
        self._limit = limit
        self._kept: pa.Table | None = None
        self._is_started = False
        self._ahead: list[pa.RecordBatch] = []
        self._reading: Iterator[pa.RecordBatch] | None = None
        self._is_truncated = False
        self._relation: duckdb.DuckDBPyRelation | None = None
        self._open: Callable[[], Iterator[pa.RecordBatch]] | None = None
        self._open_plain: Callable[[], Iterator[list[Row]]] | None = None
        self._plain: Iterator[list[Row]] | None = None

    @classmethod
    def of_table(
        cls,
        table: pa.Table,
        columns: Sequence[ResultColumn],
        *,
        is_truncated: bool = False,
        refusals: Sequence[str] = (),
    ) -> Result:
        """Returns a result that holds a table; ``is_truncated``: a limit left rows out of it."""
        result = cls(columns, table.schema, iter(()), refusals=refusals)
        result._kept = table
        result._is_truncated = is_truncated
        return result

    @classmethod
    def of_values(cls, columns: Sequence[ResultColumn], rows: Iterable[Sequence[Any]]) -> Result:
        """Returns a result that holds rows of plain values, each in the order of the columns."""
        import pyarrow as pa

        from jvmscope.queries.arrow_types import arrow_schema

        schema = arrow_schema(columns)
        cells = list(zip(*rows, strict=True)) or [()] * len(columns)
        arrays = [pa.array(each, field.type) for each, field in zip(cells, schema, strict=True)]
        return cls.of_table(pa.Table.from_arrays(arrays, schema=schema), columns)

    @classmethod
    def of_rows(
        cls,
        columns: Sequence[ResultColumn],
        rows: Iterator[list[Row]],
        limit: int | None,
        *,
        refusals: Sequence[str] = (),
    ) -> Result:
        """Returns a result of rows of plain values, of which nothing but ``rows()`` is read."""
        result = cls(columns, None, iter(()), limit, refusals=refusals)
        result._plain = rows
        return result

    @classmethod
    def of_relation(
        cls,
        relation: duckdb.DuckDBPyRelation,
        columns: Sequence[ResultColumn],
        open_reader: Callable[[], pa.RecordBatchReader],
        batches: Callable[[pa.RecordBatchReader], Iterator[pa.RecordBatch]],
        limit: int | None,
        *,
        open_plain: Callable[[], Iterator[list[Row]]] | None = None,
    ) -> Result:
        """Returns a result that is computed when its rows are asked for.

        Args:
            relation: the rows, not computed yet.
            columns: the columns in order.
            open_reader: starts the computation.
            batches: returns the rows of what it started.
            limit: how many rows to deliver, or None for all.
            open_plain: starts the computation of rows that need no Arrow; None: they do.
        """
        result = cls(columns, None, iter(()), limit)
        result._relation = relation
        result._open_plain = open_plain

        def start() -> Iterator[pa.RecordBatch]:
            reader = open_reader()
            result._schema = reader.schema
            return batches(reader)

        result._open = start
        return result

    @property
    def arrow_schema(self) -> pa.Schema:
        """The Arrow schema; asking for it may start the computation."""
        self._start()
        assert self._schema is not None  # noqa: S101 - known from the start on
        return self._schema

    @property
    def is_plain(self) -> bool:
        """Whether its rows may be read without Arrow: their values are plain."""
        return self._open_plain is not None

    @property
    def comes_in_rows(self) -> bool:
        """Whether there are no batches to read, only rows."""
        return self._plain is not None

    def start_rows(self) -> None:
        """Starts the computation, of which nothing but ``rows()`` is read then.

        Rows of plain values come without Arrow, whose import takes as long as a short query. What
        fails at once fails here.
        """
        if self._open is not None and self._open_plain is not None:
            self._open = None
            self._plain = self._open_plain()
        else:
            self._start()

    def _start(self) -> None:
        if self._open is not None:
            open_, self._open = self._open, None
            self._batches = open_()

    @property
    def is_truncated(self) -> bool:
        """Whether the limit left rows out; known once the rows are read."""
        return self._is_truncated

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yields the rows as Arrow batches, none of them empty.

        Raises:
            RuntimeError: the rows were read before, and not kept by ``arrow()``.
        """
        if self._kept is not None:
            yield from self._kept.to_batches()
            return
        if self._is_started:
            raise RuntimeError("the rows were read; call arrow() first to read them twice")
        self._is_started = True
        while self._ahead:
            yield self._ahead.pop(0)
        yield from self._reader()

    def head(self, n: int = PREVIEWED_ROWS) -> pa.Table:
        """Returns the first rows; all of them can still be read.

        Raises:
            RuntimeError: the rows were read before, and not kept by ``arrow()``.
        """
        import pyarrow as pa

        if self._kept is not None:
            return self._kept.slice(0, n)
        if self._is_started:
            raise RuntimeError("the rows were read; call arrow() first to read them twice")
        reader = self._reader()
        while sum(batch.num_rows for batch in self._ahead) < n:
            batch = next(reader, None)
            if batch is None:
                break
            self._ahead.append(batch)
        return pa.Table.from_batches(self._ahead, schema=self.arrow_schema).slice(0, n)

    def __repr__(self) -> str:
        """Returns the first rows as a box, for Python's prompt."""
        return self._preview(text_preview)

    def _repr_html_(self) -> str:
        """Returns the first rows as an HTML table, for notebooks."""
        return self._preview(html_preview)

    def _preview(self, preview: Callable[..., str]) -> str:
        if self._is_started and self._kept is None:
            return f"<Result of {len(self.columns)} columns, whose rows were read>"
        rows = self.head(PREVIEWED_ROWS + 1)
        shown = rows.slice(0, PREVIEWED_ROWS)
        return preview(shown, self.columns, has_more=rows.num_rows > PREVIEWED_ROWS)

    def _reader(self) -> Iterator[pa.RecordBatch]:
        """Returns what reads the rows, which goes on where it was."""
        if self._reading is None:
            self._reading = self._limited()
        return self._reading

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yields the rows as tuples of Python values.

        Values of types that Python does not have, such as infinite dates, are texts.
        """
        if self._plain is not None:
            plain, self._plain = self._plain, iter(())
            yield from self._first_rows(plain)
            return
        from jvmscope.queries.column_values import python_values

        for batch in self.batches():
            yield from zip(*map(python_values, batch.columns), strict=True)

    def written_rows(self) -> Iterator[tuple[Any, ...]]:
        """Yields the rows as they are written: numbers, texts and truth; all else as texts."""
        if self._plain is not None:
            yield from self.rows()
            return
        from jvmscope.queries.column_values import rows_of_texts

        for batch in self.batches():
            yield from rows_of_texts(batch)

    def arrow(self) -> pa.Table:
        """Returns all rows as an Arrow table."""
        if self._kept is None:
            import pyarrow as pa

            batches = list(self.batches())
            self._kept = pa.Table.from_batches(batches, schema=self.arrow_schema)
        return self._kept

    def df(self) -> Any:
        """Returns all rows as a pandas data frame.

        Raises:
            JvmscopeError: pandas is not installed.
        """
        extra("a pandas data frame", "pandas")
        return self.arrow().to_pandas()

    def pl(self) -> Any:
        """Returns all rows as a polars data frame.

        Raises:
            JvmscopeError: polars is not installed.
        """
        pl = extra("a polars data frame", "polars")

        return pl.from_arrow(self.arrow())

    @property
    def relation(self) -> duckdb.DuckDBPyRelation:
        """The rows as a DuckDB relation.

        That of a query in SQL, whose rows were not read yet, is computed when it is used, as
        often as it is used, in the database of the run; it ends with the run. Any other holds
        all rows, in a database of its own. A limit applies; a timeout does not.
        """
        if self._relation is not None and self._open is not None:
            found = self._relation
            return found if self._limit is None else found.limit(self._limit)
        import duckdb

        return duckdb.connect().from_arrow(self.arrow())

    def _first_rows(self, parts: Iterator[list[Row]]) -> Iterator[Row]:
        left = self._limit
        for part in parts:
            if left is None:
                yield from part
                continue
            self._is_truncated = len(part) > left
            yield from part[:left]
            left = max(0, left - len(part))
            if self._is_truncated:
                return

    def _limited(self) -> Iterator[pa.RecordBatch]:
        self._start()
        left = self._limit
        for batch in self._batches:
            if left is None:
                if batch.num_rows:
                    yield batch
                continue
            if batch.num_rows > left:
                self._is_truncated = True
            if left and batch.num_rows:
                yield batch.slice(0, left)
            left = max(0, left - batch.num_rows)
            if self._is_truncated:
                return
