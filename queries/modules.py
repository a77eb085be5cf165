"""The library modules of SQL: ``lib/<module>/<name>.sql``, one macro a file.

A module is a schema, so a macro is always qualified: ``cct.subtree(17)``. Macros find tables by
the search path of the query that calls them, so they heed its scope. A macro whose name begins
with ``_`` is for its own module.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from jvmscope.schema.header import parse_header

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from collections.abc import Set as AbstractSet

__all__ = [
    "TREE_FUNCTIONS",
    "BoundMacros",
    "Macro",
    "MacroColumn",
    "bind_modules",
    "called_words",
    "macros",
    "modules",
]

_FOLDER = Path(__file__).with_name("lib")
_CREATE = re.compile("^CREATE MACRO", re.MULTILINE)
_KEYS = frozenset({"description", "param", "column", "returns"})
_REPEATABLE = frozenset({"param", "column"})
_FOREST = "cct.k_forest"

TREE_FUNCTIONS = frozenset({"_n_slots_below", "_n_called", "_k_levels"})
"""The names of the functions about the tree that macros call (``tree_functions``)."""


@dataclass(frozen=True)
class MacroColumn:
    """A parameter, a column, or the value of a macro; ``unit`` is None where it has none."""

    name: str
    type: str
    unit: str | None
    meaning: str


@dataclass(frozen=True)
class Macro:
    """A macro of a library module; with ``columns`` it is a table, else a value."""

    module: str
    name: str
    description: str
    params: tuple[MacroColumn, ...]
    columns: tuple[MacroColumn, ...]
    returns: str
    text: str

    @property
    def qualified(self) -> str:
        """The name by which queries call it."""
        return f"{self.module}.{self.name}"

    @property
    def is_private(self) -> bool:
        """Whether it is for its own module."""
        return self.name.startswith("_")

    @property
    def signature(self) -> str:
        """The call: ``cct.subtree(root)``."""
        return f"{self.qualified}({', '.join(param.name for param in self.params)})"


@cache
def macros() -> Mapping[str, Macro]:
    """Returns every macro by its qualified name, private ones too, ordered by it.

    Raises:
        QueryError: the header of a file is wrong.
    """
    paths = sorted(_FOLDER.glob("*/*.sql"))
    found = [_macro(path) for path in paths]
    return {macro.qualified: macro for macro in found}


@cache
def modules() -> frozenset[str]:
    """Returns the names of the modules."""
    return frozenset(macro.module for macro in macros().values())


class BoundMacros:
    """The macros that a database has, and those that it could not have.

    A macro over a table or a column that a search path lacks is refused. Tables do not come and go,
    so it is tried once for each path.
    """

    def __init__(self) -> None:
        self._made: set[str] = set()
        self._tried: set[tuple[str, tuple[str, ...]]] = set()

    def lacking(self, wanted: AbstractSet[str], schemas: tuple[str, ...]) -> set[str]:
        """Returns those of the wanted macros that may still be made under a search path."""
        return {name for name in wanted - self._made if (name, schemas) not in self._tried}

    def make(
        self, connection: duckdb.DuckDBPyConnection, macro: Macro, schemas: tuple[str, ...]
    ) -> None:
        """Makes a macro, unless its tables are not there."""
        self._tried.add((macro.qualified, schemas))
        with contextlib.suppress(duckdb.CatalogException, duckdb.BinderException):
            connection.execute(_CREATE.sub("CREATE MACRO IF NOT EXISTS", macro.text, 1))
            self._made.add(macro.qualified)


def bind_modules(
    connection: duckdb.DuckDBPyConnection,
    schemas: tuple[str, ...],
    text: str,
    bound: BoundMacros,
    bind_tree: Callable[[], None],
) -> None:
    """Makes the macros that a text may name, if they are not there yet.

    Names are recognised as words, so too many macros may be made, never too few. A macro over a
    table or a column that the run lacks is left out.

    Args:
        connection: a connection that finds the run's tables without a schema.
        schemas: where it looks names up.
        text: the query.
        bound: the macros that the database has; those that are made now are added.
        bind_tree: makes the functions about the tree, called if a macro is made that calls one.
    """
    lacking = bound.lacking(_named(text), schemas)
    if not lacking:
        return
    if any(TREE_FUNCTIONS & _words(macros()[name].text) for name in lacking):
        bind_tree()
    if _FOREST in lacking:
        from jvmscope.queries.k_forest import bind_k_forest

        bind_k_forest(connection)
    for module in sorted({macros()[name].module for name in lacking}):
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {module}")
    for macro in _callees_first():
        if macro.qualified in lacking:
            bound.make(connection, macro, schemas)


def called_words(text: str) -> frozenset[str]:
    """Returns the words of a text and of all macros that it calls, and these call."""
    pending, called = [text], set[str]()
    words: frozenset[str] = frozenset()
    while pending:
        found = _words(pending.pop())
        words |= found
        for macro in macros().values():
            if macro.module in found and macro.name in found and macro.qualified not in called:
                called.add(macro.qualified)
                pending.append(macro.text)
    return words


def _named(text: str) -> set[str]:
    """Returns the macros that a text may call, and those that these call.

    One that a text misspells has its module's macros made, since DuckDB then names the nearest.
    """
    pending, wanted = [text], set[str]()
    while pending:
        words = _words(pending.pop())
        for module in modules() & words:
            names = {m.qualified for m in macros().values() if m.module == module}
            called = {name for name in names if name.partition(".")[2] in words} or names
            pending += [macros()[name].text for name in called - wanted]
            wanted |= called
    return wanted


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.lower()))


@cache
def _callees_first() -> tuple[Macro, ...]:
    """Returns the macros in an order in which DuckDB can bind one after the other."""
    ordered: dict[str, Macro] = {}

    def add(macro: Macro) -> None:
        for name, callee in macros().items():
            if callee is not macro and f"{name}(" in macro.text and name not in ordered:
                add(callee)
        ordered[macro.qualified] = macro

    for macro in macros().values():
        add(macro)
    return tuple(ordered.values())


def _macro(path: Path) -> Macro:
    text = path.read_text(encoding="utf-8")
    shown = f"queries/lib/{path.parent.name}/{path.name}"
    header = parse_header(text, path=shown, keys=_KEYS, repeatable=_REPEATABLE)
    if header is None:
        raise ValueError(f"{shown}: expected a header comment")
    return Macro(
        module=path.parent.name,
        name=path.stem,
        description=header.get("description") or "",
        params=tuple(_column(entry.value) for entry in header.all("param")),
        columns=tuple(_column(entry.value) for entry in header.all("column")),
        returns=header.get("returns") or "",
        text=text,
    )


def _column(text: str) -> MacroColumn:
    """Returns what ``name type [unit] meaning`` says; two spaces or more are around a unit.

    >>> _column("n_calls  integer  call  calls made")
    MacroColumn(name='n_calls', type='integer', unit='call', meaning='calls made')
    """
    found = re.fullmatch(r"(\S+)\s+(\S+)\s+(?:(\S+)\s{2,})?(\S.*)", text)
    if found is None:
        raise ValueError(f"expected: name type [unit] meaning; found {text!r}")
    return MacroColumn(*found.groups())
