"""The values of metrics, and their plots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError
from jvmscope.extras import extra
from jvmscope.queries import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa

    from jvmscope.queries import QueryFile, ResultColumn

__all__ = ["Values"]

_MARKS = {"line": "mark_line", "bar": "mark_bar"}
_TYPES = {"integer": "Q", "number": "Q", "text": "N", "boolean": "N"}
_WIDTH, _HEIGHT = 480, 300
_MOST_NAMES = 30


class Values(Result):
    """Tidy values of metrics on some runs, one a row.

    Args:
        queries: the metrics.
        columns: the columns in order.
        schema: their Arrow schema.
        batches: the rows.
        limit: how many rows to deliver, or None for all.
    """

    def __init__(
        self,
        queries: Sequence[QueryFile],
        columns: Sequence[ResultColumn],
        schema: pa.Schema,
        batches: Iterator[pa.RecordBatch],
        limit: int | None = None,
    ) -> None:
        super().__init__(columns, schema, batches, limit)
        self.metrics = queries
        """The metrics, in their order."""

    def plot(self) -> Any:
        """Returns the plot of the only metric, as an altair chart, which notebooks show.

        The metric's header says what it is (``@plot KIND X Y [BY]``). Several runs are told apart
        by colour, and what BY tells apart within each of them, too. Values that are null are left
        out, and of names, as opcodes, all but the 30 with the largest values.

        Raises:
            QueryError: these are values of several metrics, or of one without a plot.
            JvmscopeError: altair is not installed.
        """
        alt = extra("a plot", "altair")
        query = self._plotted()
        kind, x, y, *by = query.plot
        rows = [
            {name: row[name] for name in ("run_id", x, *by)} | {y: row["value"]}
            for row in self.arrow().to_pylist()
            if row["measure"] == y and row["value"] is not None
        ]
        columns = {column.name: column for column in query.columns}
        rows = _largest(rows, x, y) if columns[x].type == "text" else _ascending(rows, x)
        axes = {
            "x": alt.X(f"{x}:{_shown(columns[x].type, kind)}", title=columns[x].meaning, sort=None),
            "y": alt.Y(f"{y}:Q", title=columns[y].meaning),
            "tooltip": [alt.Tooltip(f"{name}:N") for name in ("run_id", *by)]
            + [alt.Tooltip(f"{name}:Q") for name in (x, y) if columns[name].type != "text"],
        }
        series = [*(["run_id"] if len({row["run_id"] for row in rows}) > 1 else []), *by]
        if series:
            name = ", ".join(series)
            rows = [row | {name: ", ".join(str(row[key]) for key in series)} for row in rows]
            axes["color"] = alt.Color(f"{name}:N")
            if kind == "bar":
                axes["xOffset"] = alt.XOffset(f"{name}:N")
        chart = alt.Chart(alt.InlineData(values=rows), title=query.name)
        marked = getattr(chart, _MARKS[kind])()
        return marked.encode(**axes).properties(width=_WIDTH, height=_HEIGHT)

    def _plotted(self) -> QueryFile:
        if len(self.metrics) != 1:
            message = f"a plot is of one metric, and these are values of {len(self.metrics)}"
            raise QueryError(message, path="plot")
        (query,) = self.metrics
        if not query.plot:
            raise QueryError(
                f"{query.id} has no plot", path="plot", hint="its header lacks @plot KIND X Y"
            )
        return query


def _largest(rows: Sequence[dict[str, Any]], x: str, y: str) -> list[dict[str, Any]]:
    """Returns the rows of the keys with the largest values, the largest first."""
    sums: dict[str, float] = {}
    for row in rows:
        sums[row[x]] = sums.get(row[x], 0) + row[y]
    kept = sorted(sums, key=lambda key: (-sums[key], key))[:_MOST_NAMES]
    return sorted((row for row in rows if row[x] in kept), key=lambda row: kept.index(row[x]))


def _ascending(rows: Sequence[dict[str, Any]], x: str) -> list[dict[str, Any]]:
    """Returns the rows by a numeric key, null last; bars stand in the order of the rows."""
    return sorted(rows, key=lambda row: (row[x] is None, row[x] or 0))


def _shown(type_: str, kind: str) -> str:
    """Returns how an axis shows a key: bars stand at names, lines along numbers."""
    return "O" if kind == "bar" else _TYPES[type_]
