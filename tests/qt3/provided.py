"""What a case is given: documents, collections and texts by URI, and values of variables."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urljoin, urlsplit

from jvmscope.queries.xquery.trees import parse_document

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.trees.node import Node
    from qt3.catalog import Case, Collection, TestFile

__all__ = ["CaseDocuments", "load", "uri_of"]


def uri_of(source: TestFile) -> str:
    """Returns the URI of a source document."""
    return source.uri or source.path.resolve().as_uri()


@lru_cache(64)
def _parsed(path: Path, uri: str) -> Node:
    folder = path.parent

    def resolve(system_id: str) -> bytes:
        return (folder / system_id).read_bytes()

    return parse_document(path.read_bytes(), uri, resolve)


def load(source: TestFile) -> Node:
    """Returns a source's document, the same node each time."""
    return _parsed(source.path, uri_of(source))


class CaseDocuments:
    """The documents, collections and texts of a case; what lies beside it may be read, too.

    Args:
        case: the case.
        run: evaluates an expression, for collections that are made by a query.
    """

    def __init__(self, case: Case, run: Callable[[str], list[Any]]) -> None:
        self._case = case
        self._run = run
        environment = case.environment
        base = case.query_path.resolve().as_uri()
        self._sources = {urljoin(base, uri_of(source)): source for source in environment.sources}
        self._resources = {urljoin(base, one.uri): one for one in environment.resources}
        self._collections = {
            one.uri and urljoin(base, one.uri): one for one in environment.collections
        }
        for one in environment.collections:
            self._sources |= {uri_of(source): source for source in one.sources}
        self._made: dict[str, list[Any]] = {}

    def document(self, uri: str) -> Node:
        """Returns the document of an absolute URI."""
        if uri in self._sources:
            return load(self._sources[uri])
        if uri in self._resources:
            return _parsed(self._resources[uri].path, uri)
        return _parsed(_path(uri), uri)

    def collection(self, uri: str | None) -> list[Any]:
        """Returns the items of a collection."""
        key = uri or ""
        if key not in self._made:
            self._made[key] = self._items(self._collection(key))
        return self._made[key]

    def uri_collection(self, uri: str | None) -> list[str]:
        """Returns the URIs of what is in a collection."""
        collection = self._collection(uri or "")
        uris = [uri_of(source) for source in collection.sources]
        return uris + [resource.uri for resource in collection.resources]

    def text(self, uri: str, encoding: str | None) -> str:
        """Returns the text of a resource, in the encoding that it says, else the one given."""
        resource = self._resources.get(uri)
        path = _path(uri) if resource is None else resource.path
        declared = None if resource is None else resource.encoding
        return path.read_bytes().decode(declared or encoding or "utf-8")

    def _collection(self, uri: str) -> Collection:
        if uri not in self._collections:
            raise FileNotFoundError(uri)
        return self._collections[uri]

    def _items(self, collection: Collection) -> list[Any]:
        if collection.query is not None:
            return self._run(collection.query)
        return [load(source) for source in collection.sources]


def _path(uri: str) -> Path:
    parts = urlsplit(uri)
    if parts.scheme != "file":
        raise FileNotFoundError(uri)
    return Path(unquote(parts.path))
