"""The library modules that come with jvmscope: ``queries/lib/**/*.xq``."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["library_namespaces", "predefined_modules"]

_FOLDER = Path(__file__).parents[2] / "lib"
_HEADER = re.compile(r"""module\s+namespace\s+[\w.-]+\s*=\s*["']([^"']+)["']""")


def predefined_modules(namespace: str) -> tuple[Source, ...]:
    """Returns the library modules of a namespace, ordered by path; none if there is none.

    >>> predefined_modules("urn:none")
    ()
    """
    return tuple(
        Source(path.read_text(encoding="utf-8"), path) for path in _paths().get(namespace, ())
    )


def library_namespaces() -> tuple[str, ...]:
    """Returns the namespaces that have library modules, in the order of their paths."""
    return tuple(_paths())


@cache
def _paths() -> Mapping[str, tuple[Path, ...]]:
    found: dict[str, tuple[Path, ...]] = {}
    for path in sorted(_FOLDER.rglob("*.xq")):
        header = _HEADER.search(path.read_text(encoding="utf-8"))
        if header:
            found[header[1]] = (*found.get(header[1], ()), path)
    return found
