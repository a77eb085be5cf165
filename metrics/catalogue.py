"""The catalogue: every metric file of this package, found on disk and known by its id.

A metric is one file, ``<area>/<name>.sql`` or ``.xq``, with the id ``<area>.<name>``; its header
says the rest. Nothing lists the files, so a new metric is a new file and its test. A metric may be
there in both languages: the SQL measures, the XQuery says what it means, and a test compares them.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.queries import parse_query_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from importlib.resources.abc import Traversable

    from jvmscope.queries import Highlight, QueryFile

__all__ = ["catalogue", "highlights", "implementations", "select"]

_SUFFIXES = (".xq", ".sql")  # the last one measures
_PATTERN_CHARACTERS = frozenset("*?[")


@cache
def catalogue() -> Mapping[str, QueryFile]:
    """Returns every query of the catalogue by id, in the order of the ids.

    Raises:
        QueryError: a file's header is wrong, or its id is not the one of its place.
    """
    return {id_: queries[-1] for id_, queries in implementations().items()}


@cache
def implementations() -> Mapping[str, tuple[QueryFile, ...]]:
    """Returns the files of each metric, one a language, by id in its order; the last measures.

    Raises:
        QueryError: a file's header is wrong, or its id is not the one of its place.
    """
    found: dict[str, tuple[QueryFile, ...]] = {}
    root = resources.files("jvmscope.metrics")
    for suffix in _SUFFIXES:
        for query in _queries(root, suffix):
            found[query.id] = (*found.get(query.id, ()), query)
    return dict(sorted(found.items()))


@cache
def highlights() -> tuple[tuple[QueryFile, Highlight], ...]:
    """Returns what people see first of the metrics, by rank, each with its metric."""
    found = [(query, each) for query in catalogue().values() for each in query.overview]
    return tuple(sorted(found, key=lambda pair: pair[1].rank))


def select(patterns: Sequence[str], option: str = "-m") -> list[QueryFile]:
    """Returns the queries that ids, globs of ids or ``tag:NAME`` name, each once, by id.

    Args:
        patterns: what to select; none means every query of kind ``metric``.
        option: what the errors name as the place of the patterns.

    Raises:
        QueryError: a pattern selects nothing.
        TypeError: a pattern is not a text.
    """
    known = catalogue()
    if not patterns:
        return [query for query in known.values() if query.kind == "metric"]
    selected: dict[str, QueryFile] = {}
    for pattern in patterns:
        if not isinstance(pattern, str):  # a list of them, in Python
            raise TypeError(f'each metric is a text of its own: "a.b", "c.d"; found {pattern!r}')
        found = [query for query in known.values() if _matches(query, pattern)]
        if not found:
            raise QueryError(f"{pattern!r} selects no metric", path=option, hint=_hint(pattern))
        selected.update((query.id, query) for query in found)
    return [selected[id_] for id_ in sorted(selected)]


def _queries(root: Traversable, suffix: str) -> Iterator[QueryFile]:
    for area in root.iterdir():
        if not area.is_dir() or area.name.startswith((".", "_")):
            continue
        for file in area.iterdir():
            if not file.name.endswith(suffix):
                continue
            path = f"metrics/{area.name}/{file.name}"
            text = file.read_text(encoding="utf-8")
            query = parse_query_file(text, path, is_header_required=True)
            expected = f"{area.name}.{file.name.removesuffix(suffix)}"
            if query.id != expected:
                message = f"@id is {query.id}, expected {expected} from the file's path"
                raise QueryError(message, path=path, line=1)
            yield query


def _matches(query: QueryFile, pattern: str) -> bool:
    if pattern.startswith("tag:"):
        return pattern.removeprefix("tag:") in query.tags
    if _PATTERN_CHARACTERS & set(pattern):
        return fnmatchcase(query.id, pattern)
    return query.id == pattern


def _hint(pattern: str) -> str:
    known = catalogue()
    if pattern.startswith("tag:"):
        tags = sorted({tag for query in known.values() for tag in query.tags})
        return did_you_mean(pattern.removeprefix("tag:"), tags) or f"tags: {', '.join(tags)}"
    if pattern.endswith((".sql", ".xq")):
        return "-m takes ids; a query file of your own is asked by jvmscope query RUN -f FILE"
    if "," in pattern:
        return "name each metric by itself, as in -m boxing.methods -m hotness.methods"
    return did_you_mean(pattern, known) or "All metrics: jvmscope list metrics"
