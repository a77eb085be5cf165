"""A query as a file: its text, and what its header says of it.

The header's grammar is that of CLI.md section 3: columns are ``name type [unit] meaning``, with
two spaces or more around the unit; a column without a unit is a key. Parameters are
``name type default meaning``. ``@import NAME`` names a library module of SQL that the query calls;
``@step NAME`` a numeric step (``jvmscope.metrics.steps``) over several runs, whose tables it reads.
``@matrix KEY MEASURE`` says that people read a column for each value of the key, with the measure
in the cells; ``@sort MEASURE`` that they see the rows with its largest values first.
``@plot line|bar X Y [BY]`` says what ``.plot()`` draws: a measure Y over a key X, coloured by BY.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.queries.modules import modules
from jvmscope.schema.header import parse_header

if TYPE_CHECKING:
    from collections.abc import Collection

    from jvmscope.schema.header import Header, HeaderEntry

__all__ = [
    "GRAINS",
    "KINDS",
    "QueryColumn",
    "QueryFile",
    "QueryParam",
    "convert",
    "parse_query_file",
]

KINDS = ("metric", "table", "check", "export")
GRAINS = (
    "run",
    "thread",
    "class",
    "method",
    "basic_block",
    "call_site",
    "context",
    "opcode",
    "bin",
    "component",
)
_BETTER = ("higher", "lower", "none")
_PLOTS = ("line", "bar")
_SEVERITIES = ("error", "warn")
_TYPES = ("integer", "number", "text", "boolean")
_ONCE = frozenset(
    {
        "id",
        "name",
        "description",
        "kind",
        "version",
        "grain",
        "better",
        "requires",
        "source",
        "tags",
        "severity",
        "step",
        "matrix",
        "sort",
        "plot",
    }
)
_REPEATABLE = frozenset({"column", "import", "param"})
_REQUIRED_OF_METRICS = ("id", "name", "description", "kind", "version", "grain", "column")


@dataclass(frozen=True)
class QueryColumn:
    """A declared column of the result; a key where ``unit`` is None, else a measure."""

    name: str
    type: str
    unit: str | None
    meaning: str


@dataclass(frozen=True)
class QueryParam:
    """A declared parameter with its default."""

    name: str
    type: str
    default: Any
    meaning: str


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

    @property
    def keys(self) -> tuple[QueryColumn, ...]:
        """The columns that say what a row is about, in order."""
        return tuple(column for column in self.columns if column.unit is None)

    @property
    def measures(self) -> tuple[QueryColumn, ...]:
        """The columns that hold values, in order."""
        return tuple(column for column in self.columns if column.unit is not None)


def parse_query_file(text: str, path: str | None, *, is_header_required: bool = False) -> QueryFile:
    """Returns a query with what its header declares.

    Args:
        text: the file's text.
        path: its name for messages.
        is_header_required: whether every entry that a metric needs must be there.

    Raises:
        QueryError: the header is missing or incomplete, or an entry is wrong; with its position.
    """
    header = parse_header(text, path=path, keys=_ONCE | _REPEATABLE, repeatable=_REPEATABLE)
    if header is None:
        if is_header_required:
            raise QueryError("expected a header comment: /** @id …", path=path, line=1, column=1)
        return QueryFile(path, text)
    reader = _HeaderReader(header, text, path)
    if is_header_required:
        reader.require(_REQUIRED_OF_METRICS)
    return QueryFile(
        path=path,
        text=text,
        id=reader.text("id"),
        name=reader.text("name"),
        description=reader.text("description"),
        kind=reader.word("kind", KINDS, "table"),
        version=reader.whole("version", 1),
        grain=reader.word("grain", GRAINS, "") or None,
        better=reader.word("better", _BETTER, "none"),
        severity=reader.word("severity", _SEVERITIES, "error"),
        source=reader.text("source"),
        columns=tuple(reader.column(entry) for entry in header.all("column")),
        params=tuple(reader.param(entry) for entry in header.all("param")),
        requires=tuple(reader.text("requires").replace(",", " ").split()),
        tags=tuple(reader.text("tags").split()),
        imports=tuple(reader.module(entry) for entry in header.all("import")),
        step=reader.text("step") or None,
        matrix=reader.matrix(),
        sort=reader.sort(),
        plot=reader.plot(),
    )


@dataclass(frozen=True)
class _HeaderReader:
    header: Header
    source: str
    path: str | None

    def require(self, keys: Collection[str]) -> None:
        present = {entry.key for entry in self.header.entries}
        missing = [f"@{key}" for key in keys if key not in present]
        if missing:
            raise QueryError(
                f"the header lacks {', '.join(missing)}", path=self.path, line=1, column=1
            )

    def text(self, key: str) -> str:
        return self.header.get(key) or ""

    def word(self, key: str, words: Collection[str], default: str) -> str:
        found = self.header.all(key)
        if not found:
            return default
        return self._word(found[0], found[0].value, words)

    def whole(self, key: str, default: int) -> int:
        found = self.header.all(key)
        if not found:
            return default
        if not found[0].value.isdecimal():
            raise self._error(found[0], f"expected a whole number, found {found[0].value!r}")
        return int(found[0].value)

    def column(self, entry: HeaderEntry) -> QueryColumn:
        found = re.fullmatch(r"(\S+)\s+(\S+)\s+(?:(\S+)\s{2,})?(\S.*)", entry.value)
        if found is None:
            raise self._error(entry, "expected: @column name type [unit] meaning")
        name, type_, unit, meaning = found.groups()
        return QueryColumn(name, self._word(entry, type_, _TYPES), unit, meaning)

    def matrix(self) -> tuple[str, str] | None:
        entry = next(iter(self.header.all("matrix")), None)
        if entry is None:
            return None
        words = entry.value.split()
        if len(words) != 2:
            raise self._error(entry, "expected: @matrix KEY MEASURE")
        key = self._word(entry, words[0], self._columns(has_unit=False))
        return key, self._word(entry, words[1], self._columns(has_unit=True))

    def sort(self) -> str | None:
        entry = next(iter(self.header.all("sort")), None)
        if entry is None:
            return None
        return self._word(entry, entry.value, self._columns(has_unit=True))

    def plot(self) -> tuple[str, ...]:
        entry = next(iter(self.header.all("plot")), None)
        if entry is None:
            return ()
        words = entry.value.split()
        if not 3 <= len(words) <= 4:
            raise self._error(entry, "expected: @plot line|bar X Y [BY]")
        kind, x, y, *by = words
        keys = self._columns(has_unit=False)
        self._word(entry, kind, _PLOTS)
        self._word(entry, y, self._columns(has_unit=True))
        for key in (x, *by):
            self._word(entry, key, keys)
        return tuple(words)

    def _columns(self, *, has_unit: bool) -> list[str]:
        columns = [self.column(entry) for entry in self.header.all("column")]
        return [column.name for column in columns if (column.unit is not None) == has_unit]

    def module(self, entry: HeaderEntry) -> str:
        return self._word(entry, entry.value, sorted(modules()))

    def param(self, entry: HeaderEntry) -> QueryParam:
        found = re.fullmatch(r"(\S+)\s+(\S+)\s+(\S+)\s+(\S.*)", entry.value)
        if found is None:
            raise self._error(entry, "expected: @param name type default meaning")
        name, type_, default, meaning = found.groups()
        self._word(entry, type_, _TYPES)
        try:
            return QueryParam(name, type_, convert(default, type_), meaning)
        except ValueError as error:
            raise self._error(entry, str(error)) from None

    def _word(self, entry: HeaderEntry, value: str, words: Collection[str]) -> str:
        if value in words:
            return value
        hint = did_you_mean(value, words)
        raise self._error(entry, f"expected one of {', '.join(words)}, found {value!r}", hint)

    def _error(self, entry: HeaderEntry, message: str, hint: str | None = None) -> QueryError:
        return QueryError(
            f"@{entry.key}: {message}",
            path=self.path,
            line=entry.line,
            column=entry.column,
            source=self.source,
            length=len(entry.key) + 1,
            hint=hint,
        )


def convert(text: str, type_: str) -> Any:
    """Returns the value that a text stands for in a type.

    Raises:
        ValueError: it stands for none.

    >>> [convert("3", "integer"), convert("0.2", "number"), convert("true", "boolean")]
    [3, 0.2, True]
    """
    if type_ == "text":
        return text
    if type_ == "boolean":
        if text in ("true", "false"):
            return text == "true"
    else:
        try:
            return int(text) if type_ == "integer" else float(text)
        except ValueError:
            pass
    article = "an" if type_ == "integer" else "a"
    raise ValueError(f"{text!r} is not {article} {type_}")
