"""A query as a file: its text, and what its header says of it; see ``query_header``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError
from jvmscope.queries.query_header import (
    BETTER,
    GRAINS,
    KINDS,
    ONCE,
    REPEATABLE,
    SEVERITIES,
    HeaderReader,
)
from jvmscope.schema.header import parse_header

if TYPE_CHECKING:
    from jvmscope.queries.query_parts import Highlight, QueryColumn, QueryParam

__all__ = ["QueryFile", "entry_error", "parse_query_file"]

_REQUIRED_OF_METRICS = ("id", "name", "description", "kind", "version", "grain", "column")


@dataclass(frozen=True)
class QueryFile:
    """A query's text and the entries of its header; without a header all but the text is empty."""

    path: str | None
    text: str
    id: str = ""
    name: str = ""
    description: str = ""
    kind: str = "table"
    version: int = 1
    grain: str | None = None
    better: str = "none"
    severity: str = "error"
    source: str = ""
    columns: tuple[QueryColumn, ...] = ()
    params: tuple[QueryParam, ...] = ()
    requires: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    step: str | None = None
    matrix: tuple[str, str] | None = None
    sort: str | None = None
    plot: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    sums: tuple[str, ...] = ()
    summed_within: tuple[str, ...] = ()
    shares: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    overview: tuple[Highlight, ...] = ()

    @property
    def keys(self) -> tuple[QueryColumn, ...]:
        """The columns that say what a row is about, in order."""
        return tuple(column for column in self.columns if column.unit is None)

    @property
    def measures(self) -> tuple[QueryColumn, ...]:
        """The columns that hold values, in order."""
        return tuple(column for column in self.columns if column.unit is not None)


def entry_error(query: QueryFile, entry: str, message: str, hint: str | None = None) -> QueryError:
    """Returns an error at an entry of a query's header, such as ``@requires`` or ``@column name``.

    It is at the first entry that begins with these words.
    """
    place = re.search(r"\s+".join(re.escape(word) for word in entry.split()) + r"\b", query.text)
    assert place is not None  # noqa: S101 - the header was read
    before = query.text[: place.start()]
    return QueryError(
        message,
        path=query.path,
        line=before.count("\n") + 1,
        column=len(before) - before.rfind("\n"),
        source=query.text,
        length=len(place[0]),
        hint=hint,
    )


def parse_query_file(text: str, path: str | None, *, is_header_required: bool = False) -> QueryFile:
    """Returns a query with what its header declares.

    Args:
        text: the file's text.
        path: its name for messages.
        is_header_required: whether every entry that a metric needs must be there.

    Raises:
        QueryError: the header is missing or incomplete, or an entry is wrong; with its position.
    """
    header = parse_header(text, path=path, keys=ONCE | REPEATABLE, repeatable=REPEATABLE)
    if header is None:
        if is_header_required:
            raise QueryError("expected a header comment: /** @id …", path=path, line=1, column=1)
        return QueryFile(path, text)
    reader = HeaderReader(header, text, path)
    if is_header_required:
        reader.require(_REQUIRED_OF_METRICS)
        reader.check_kinds()
    sums, summed_within = reader.sums()
    return QueryFile(
        path=path,
        text=text,
        id=reader.text("id"),
        name=reader.text("name"),
        description=reader.text("description"),
        kind=reader.word("kind", KINDS, "table"),
        version=reader.whole("version", 1),
        grain=reader.word("grain", GRAINS, "") or None,
        better=reader.word("better", BETTER, "none"),
        severity=reader.word("severity", SEVERITIES, "error"),
        source=reader.text("source"),
        columns=tuple(reader.column(entry) for entry in header.all("column")),
        params=reader.params(),
        requires=tuple(reader.text("requires").replace(",", " ").split()),
        tags=tuple(reader.text("tags").split()),
        imports=tuple(reader.module(entry) for entry in header.all("import")),
        step=reader.text("step") or None,
        matrix=reader.matrix(),
        sort=reader.sort(),
        plot=reader.plot(),
        fixed=reader.keys("fixed"),
        sums=sums,
        summed_within=summed_within,
        shares=reader.measures("shares"),
        levels=reader.measures("levels"),
        overview=tuple(reader.highlight(entry) for entry in header.all("overview")),
    )
