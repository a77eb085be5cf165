"""What the library modules have for queries to call: macros of SQL and functions of XQuery."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.queries.modules import macros

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmscope.queries.modules import Macro, MacroColumn

__all__ = ["LibraryEntry", "function_names", "library_entries"]

_FOLDER = Path(__file__).with_name("lib")
_MODULE = re.compile(r"""module\s+namespace\s+([\w.-]+)\s*=\s*["']([^"']+)["']""")
_FUNCTION = re.compile(
    r"(?:\(:~((?:(?!:\)).)*):\)\s*)?"
    r"declare\s+((?:%\S+\s+)*)function\s+([\w.-]+:[\w.-]+)\s*(\([^{;]*?)\s*\{(?:.*?)\};",
    re.DOTALL,
)


@dataclass(frozen=True)
class LibraryEntry:
    """A macro or a function.

    Attributes:
        module: the module's name in SQL, its namespace in XQuery.
        language: ``sql`` or ``xquery``.
        name: as queries write it, ``cct.edges`` or ``cct:edges``.
        signature: the name with parameters, and what the language says of types.
        description: what it returns.
        params: its parameters with types and meanings, where these are told.
        columns: its columns, of a macro that is a table.
        returns: the type of its value; "" for a table.
        text: its definition with the comment before it.
        body: its definition alone.
    """

    module: str
    language: str
    name: str
    signature: str
    description: str
    params: tuple[MacroColumn, ...]
    columns: tuple[MacroColumn, ...]
    returns: str
    text: str
    body: str


def function_names() -> frozenset[str]:
    """Returns the names of the functions that are built into XQuery, with their usual prefixes."""
    from jvmscope.queries.xquery.functions.index import names

    return frozenset(str(name) for name in names())


@cache
def library_entries() -> Mapping[str, LibraryEntry]:
    """Returns every public macro and function by name, ordered by language and name."""
    entries = [_macro_entry(macro) for macro in macros().values() if not macro.is_private]
    for path in sorted(_FOLDER.rglob("*.xq")):
        entries += _function_entries(path.read_text(encoding="utf-8"))
    return {entry.name: entry for entry in entries}


def _macro_entry(macro: Macro) -> LibraryEntry:
    return LibraryEntry(
        module=macro.module,
        language="sql",
        name=macro.qualified,
        signature=macro.signature,
        description=macro.description,
        params=macro.params,
        columns=macro.columns,
        returns=macro.returns,
        text=macro.text,
        body=macro.text[macro.text.index("CREATE MACRO") :].rstrip(),
    )


def _function_entries(text: str) -> Iterator[LibraryEntry]:
    """Yields the public functions of a library module, each with the comment before it.

    >>> module = "module namespace m = 'urn:m'; (:~ One. :) declare function m:f($a) { 1 };"
    >>> [(entry.name, entry.signature, entry.description) for entry in _function_entries(module)]
    [('m:f', 'm:f($a)', 'One.')]
    """
    module = _MODULE.search(text)
    if module is None:
        return
    for found in _FUNCTION.finditer(text):
        comment, annotations, name, rest = found.groups()
        if "%private" in annotations:
            continue
        words = re.sub(r"\n\s*:", " ", comment or "").split()
        description = " ".join(words).partition(" @")[0]
        signature = f"{name}{' '.join(rest.split())}"
        yield LibraryEntry(
            module=module[2],
            language="xquery",
            name=name,
            signature=signature,
            description=description,
            params=(),
            columns=(),
            returns=signature.rpartition(") as ")[2] if ") as " in signature else "item()*",
            text=found[0],
            body=found[0][found[0].index("declare") :],
        )
