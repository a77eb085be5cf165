"""The parts of a query that are in SQL: run as they are, or refused and left to trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError
from jvmscope.queries.query_file import QueryFile
from jvmscope.queries.question import Question
from jvmscope.queries.result import Result, ResultColumn, Row
from jvmscope.queries.session import Session
from jvmscope.queries.xquery.compiler.values import MapEntries, Scalar, atom
from jvmscope.queries.xquery.typed_columns import SQL_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa

    from jvmscope.queries.engine import Engine
    from jvmscope.queries.limits.deadline import Deadline
    from jvmscope.queries.xquery.compiler.plan import Part
    from jvmscope.queries.xquery.compiler.values import Item

__all__ = ["SqlParts"]


class SqlParts:
    """Runs the parts of one query.

    Args:
        engine: the run.
        question: the query that they are parts of.
        deadline: when to stop.

    Attributes:
        refusals: what DuckDB said of parts that failed, one text a part.
    """

    def __init__(self, engine: Engine, question: Question, deadline: Deadline) -> None:
        self._engine = engine
        self._question = question
        self._deadline = deadline
        self.refusals: list[str] = []
        self._refused: set[int] = set()

    def rows(self, part: Part) -> Iterator[tuple[Any, ...]]:
        """Returns a part's rows.

        Raises:
            QueryError: the part is refused; reading on may raise it, too.
            LimitReached: the time is over.
        """
        try:
            yield from self._answer(part).rows()
        except QueryError as error:
            self._refuse(part, error)
            raise

    def result(self, part: Part, rest: Callable[[int], Result]) -> Result | None:
        """Returns the rows of a part that is the whole query, if each is one of plain values.

        Args:
            part: the query.
            rest: the answer of trees without the first n rows, in case that SQL fails after them.
        """
        file, limit = self._question.file, self._question.limit
        names = _columns(part.item)
        if file.columns and names:
            if {column.name for column in file.columns} != set(names):
                return None
            names = [column.name for column in file.columns]
        if not names:
            return None
        try:
            found = self._answer(part)
            types = {column.name: column.type for column in found.columns}
            if any(SQL_TYPES[column.type] != types[column.name] for column in file.columns):
                return None
            # It is started here, so that what fails at once is left to trees.
            if as_rows := self._question.as_rows and found.is_plain:
                found.start_rows()
            else:
                fields = found.arrow_schema
        except QueryError as error:
            self._refuse(part, error)
            return None
        units = {column.name: column.unit for column in file.columns}
        columns = [ResultColumn(name, types[name], units.get(name)) for name in names]
        if as_rows:
            rows = self._rows(part, found, names, rest)
            return Result.of_rows(columns, rows, limit, refusals=self.refusals)
        import pyarrow as pa

        schema = pa.schema([fields.field(name) for name in names])  # without the keys of nodes

        def batches() -> Iterator[pa.RecordBatch]:
            n_delivered = 0
            try:
                for batch in found.batches():
                    yield batch.select(names)
                    n_delivered += batch.num_rows
            except QueryError as error:
                self._refuse(part, error)
                yield from _as(schema, rest(n_delivered)).to_batches()

        return Result(columns, schema, batches(), limit, refusals=self.refusals)

    def _rows(
        self, part: Part, found: Result, names: list[str], rest: Callable[[int], Result]
    ) -> Iterator[list[Row]]:
        """Yields the columns named of rows, without the keys of nodes."""
        places = [[column.name for column in found.columns].index(name) for name in names]
        n_delivered = 0
        try:
            for row in found.rows():
                yield [tuple(row[place] for place in places)]
                n_delivered += 1
        except QueryError as error:
            self._refuse(part, error)
            from jvmscope.queries.arrow_types import arrow_schema

            schema = arrow_schema([found.columns[place] for place in places])
            yield list(Result.of_table(_as(schema, rest(n_delivered)), ()).rows())

    def refusal(self, part: Part) -> str | None:
        """Returns why a part is refused before it has delivered a row, or None."""
        try:
            _ = self._answer(part).columns
        except QueryError as error:
            return error.message
        return None

    def _answer(self, part: Part) -> Result:
        """Returns the part's rows, which are computed when they are read.

        Raises:
            QueryError: it was refused before, or it is wrong.
        """
        if id(part) in self._refused:
            raise QueryError("DuckDB rejected this part")
        self._deadline.left()
        nodes = self._engine.document_tables.bind_nodes(self._question.scope)
        cursor = self._engine.connect(
            self._engine.document_tables.bind_texts(nodes, part.text_columns)
        )
        recorded, on_progress = self._engine.recorded, self._engine.on_progress
        asked = Question(QueryFile(None, part.sql), scope=self._question.scope)
        self._engine.check_untrusted(asked.file)  # should a text of the query have become SQL
        session = Session(cursor, asked, recorded, self._deadline, on_progress=on_progress)
        return session.result(None)

    def _refuse(self, part: Part, error: QueryError) -> None:
        if id(part) not in self._refused:
            self._refused.add(id(part))
            self.refusals.append(str(error))


def _as(schema: pa.Schema, rest: Result) -> pa.Table:
    """Returns rows as a table of a schema, of which other rows were delivered already.

    Raises:
        QueryError: a value is not of its column's type: an integer beyond 64 bits.
    """
    import pyarrow as pa

    try:
        return rest.arrow().cast(schema)
    except pa.ArrowInvalid as error:
        message = f"a value does not fit the columns of the previous rows: {error}"
        raise QueryError(message, code="FOAR0002") from None


def _columns(item: Item) -> list[str]:
    """Returns the columns of items that are rows of plain values as SQL gives them, else none."""
    if isinstance(item, MapEntries):
        values = {name: atom(value) for name, value in item.entries}
    else:
        values = {"value": item} if isinstance(item, Scalar) else {}
    if any(value.divisor is not None or value.storage == "huge" for value in values.values()):
        return []
    if any(value.type == "decimal" or value.zero_type for value in values.values()):
        return []
    return list(values)
