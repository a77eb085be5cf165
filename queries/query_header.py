"""The header of a query: its entries, read and checked one by one.

The header's grammar is that of CLI.md section 3: columns are ``name type [unit] meaning``, with
two spaces or more around the unit; a column without a unit is a key. Parameters are
``name type default meaning``; ``@range NAME INTERVAL``, such as ``(0, 1]`` or ``[1, )``, says which
numbers one may be. ``@import NAME`` names a library module of SQL that the query calls;
``@step NAME`` a numeric step (``jvmscope.metrics.steps``) over several runs, whose tables it reads.
``@matrix KEY MEASURE`` says that people read a column for each value of the key, with the measure
in the cells; ``@sort MEASURE`` that they see the rows with its largest values first.
``@plot line|bar X Y [BY]`` says what ``.plot()`` draws: a measure Y over a key X, coloured by BY.
``@fixed KEY…`` are keys that have the same values in every answer with rows, as cut-offs do.

Each measure of a metric is one of three kinds. ``@sums MEASURE…`` may be added: over the rows of an
answer (with ``within KEY…`` over those that have the same values of these keys), and in a metric of
one row over the threads of a run. ``@shares MEASURE…`` are parts of a whole, from 0 to 1, which
people see in percent. ``@levels MEASURE…`` are neither: means, extremes, numbers of distinct
things. ``@overview RANK MEASURE[KEY] WORDS`` puts a measure, or with ``rows`` the first rows, among
what people see first, by rank.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.queries.modules import modules
from jvmscope.queries.query_parts import Highlight, Interval, QueryColumn, QueryParam, convert

if TYPE_CHECKING:
    from collections.abc import Collection

    from jvmscope.schema.header import Header, HeaderEntry

__all__ = ["BETTER", "GRAINS", "KINDS", "ONCE", "REPEATABLE", "SEVERITIES", "HeaderReader"]

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
BETTER = ("higher", "lower", "none")
_PLOTS = ("line", "bar")
SEVERITIES = ("error", "warn")
_TYPES = ("integer", "number", "text", "boolean")
ONCE = frozenset(
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
        "fixed",
        "sums",
        "shares",
        "levels",
    }
)
REPEATABLE = frozenset({"column", "import", "overview", "param", "range"})
_WHOLE = "[0-9]{1,9}"
_ROWS = "rows"


@dataclass(frozen=True)
class HeaderReader:
    """Reads entries of a header; each method raises QueryError at the entry that is wrong."""

    header: Header
    source: str
    path: str | None

    def require(self, keys: Collection[str]) -> None:
        """Refuses a header without an entry for each key."""
        present = {entry.key for entry in self.header.entries}
        missing = [f"@{key}" for key in keys if key not in present]
        if missing:
            raise QueryError(
                f"the header lacks {', '.join(missing)}", path=self.path, line=1, column=1
            )

    def text(self, key: str) -> str:
        """Returns the text of an entry, empty without one."""
        return self.header.get(key) or ""

    def word(self, key: str, words: Collection[str], default: str) -> str:
        """Returns the word of an entry, which is one of these, or the default."""
        found = self.header.all(key)
        if not found:
            return default
        return self._word(found[0], found[0].value, words)

    def whole(self, key: str, default: int) -> int:
        """Returns the number of an entry, or the default."""
        found = self.header.all(key)
        if not found:
            return default
        if not re.fullmatch(_WHOLE, found[0].value):
            raise self._error(found[0], f"expected a whole number, found {found[0].value!r}")
        return int(found[0].value)

    def column(self, entry: HeaderEntry) -> QueryColumn:
        """Returns the column that an entry declares."""
        found = re.fullmatch(r"(\S+)\s+(\S+)\s+(?:(\S+)\s{2,})?(\S.*)", entry.value)
        if found is None:
            raise self._error(entry, "expected: @column name type [unit] meaning")
        name, type_, unit, meaning = found.groups()
        return QueryColumn(name, self._word(entry, type_, _TYPES), unit, meaning)

    def matrix(self) -> tuple[str, str] | None:
        """Returns the key and the measure of a matrix."""
        entry = next(iter(self.header.all("matrix")), None)
        if entry is None:
            return None
        words = entry.value.split()
        if len(words) != 2:
            raise self._error(entry, "expected: @matrix KEY MEASURE")
        key = self._named(entry, words[0], has_unit=False)
        return key, self._named(entry, words[1], has_unit=True)

    def sort(self) -> str | None:
        """Returns the measure by which people see the rows."""
        entry = next(iter(self.header.all("sort")), None)
        if entry is None:
            return None
        return self._named(entry, entry.value, has_unit=True)

    def plot(self) -> tuple[str, ...]:
        """Returns the words of the plot; empty: there is none."""
        entry = next(iter(self.header.all("plot")), None)
        if entry is None:
            return ()
        words = entry.value.split()
        if not 3 <= len(words) <= 4:
            raise self._error(entry, "expected: @plot line|bar X Y [BY]")
        kind, x, y, *by = words
        self._word(entry, kind, _PLOTS)
        self._named(entry, y, has_unit=True)
        for key in (x, *by):
            self._named(entry, key, has_unit=False)
        return tuple(words)

    def measures(self, key: str) -> tuple[str, ...]:
        """Returns the measures that an entry names."""
        return self._listed(key, has_unit=True)

    def keys(self, key: str) -> tuple[str, ...]:
        """Returns the keys that an entry names."""
        return self._listed(key, has_unit=False)

    def sums(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Returns the measures that may be added, and the keys within whose values they may."""
        entry = next(iter(self.header.all("sums")), None)
        if entry is None:
            return (), ()
        measures, _, keys = entry.value.partition(" within ")
        return (
            self._names(entry, measures, has_unit=True),
            self._names(entry, keys, has_unit=False),
        )

    def check_kinds(self) -> None:
        """Refuses a measure of which the header does not say, once, what kind it is."""
        kinds = [*self.sums()[0], *self.measures("shares"), *self.measures("levels")]
        for entry in self.header.all("column"):
            column = self.column(entry)
            if column.unit is not None and kinds.count(column.name) != 1:
                message = f"{column.name} must be in one of @sums, @shares and @levels"
                raise self._error(entry, message)

    def highlight(self, entry: HeaderEntry) -> Highlight:
        """Returns what an entry puts among what people see first."""
        found = re.fullmatch(rf"({_WHOLE})\s+([^\s\[]+)(?:\[(\S+)\])?(?:\s+(\S.*))?", entry.value)
        if found is None:
            raise self._error(entry, "expected: @overview RANK MEASURE[KEY] WORDS, or RANK rows")
        rank, measure, key, words = found.groups(default="")
        if measure == _ROWS:
            return Highlight(int(rank), None)
        self._named(entry, measure, has_unit=True)
        return Highlight(int(rank), measure, key, words)

    def _listed(self, key: str, *, has_unit: bool) -> tuple[str, ...]:
        entry = next(iter(self.header.all(key)), None)
        return () if entry is None else self._names(entry, entry.value, has_unit=has_unit)

    def _names(self, entry: HeaderEntry, text: str, *, has_unit: bool) -> tuple[str, ...]:
        return tuple(self._named(entry, name, has_unit=has_unit) for name in text.split())

    def _named(self, entry: HeaderEntry, name: str, *, has_unit: bool) -> str:
        """Returns the name of a measure, which has a unit, or of a key, which has none."""
        if name in self._columns(has_unit=not has_unit):
            if has_unit:
                hint = "two blanks end a unit: @column name type unit  meaning"
                raise self._error(entry, f"{name} is a key: it has no unit", hint)
            raise self._error(entry, f"{name} is a measure: it has a unit")
        return self._word(entry, name, self._columns(has_unit=has_unit))

    def _columns(self, *, has_unit: bool) -> list[str]:
        columns = [self.column(entry) for entry in self.header.all("column")]
        return [column.name for column in columns if (column.unit is not None) == has_unit]

    def module(self, entry: HeaderEntry) -> str:
        """Returns the name of a library module."""
        return self._word(entry, entry.value, sorted(modules()))

    def params(self) -> tuple[QueryParam, ...]:
        """Returns the parameters that are declared, with the numbers that they may be."""
        params = {param.name: param for param in map(self._param, self.header.all("param"))}
        for entry in self.header.all("range"):
            name, _, interval = entry.value.partition(" ")
            if name not in params:
                hint = did_you_mean(name, params)
                raise self._error(entry, f"there is no parameter {name!r}", hint)
            param = params[name]
            if param.type not in ("integer", "number"):
                raise self._error(entry, f"{name} is not a number")
            try:
                allowed = Interval.read(interval)
            except ValueError as error:
                raise self._error(entry, str(error)) from None
            if param.default not in allowed:
                raise self._error(entry, f"the default of {name} is not {allowed.words}")
            params[name] = replace(param, range=allowed)
        return tuple(params.values())

    def _param(self, entry: HeaderEntry) -> QueryParam:
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
