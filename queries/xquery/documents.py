"""The documents for ``fn:doc`` and ``fn:collection``: those of the run; none in a scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from jvmscope.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmscope.queries.reading import Files
    from jvmscope.queries.scopes.scope import Scope
    from jvmscope.queries.xquery.trees.node import Node
    from jvmscope.queries.xquery.trees.run import RunTree

__all__ = ["RunDocuments", "ScopedTree"]


class ScopedTree:
    """Trees that know no scope, so a query in a scope may name them but not walk them.

    What of a query compiles to SQL is answered in the scope; a node or a document beyond
    that would be of the whole run, and a wrong answer.
    """

    def __init__(self, tree: RunTree, scope: Scope, path: str | None) -> None:
        self._scope = scope
        self._path = path
        self.variables: Mapping[str, Callable[[], list[Node]]] = dict.fromkeys(
            tree.variables, self._refuse
        )

    @property
    def cct(self) -> NoReturn:
        """Refuses."""
        self._refuse()

    @property
    def classes(self) -> NoReturn:
        """Refuses."""
        self._refuse()

    def document(self, _uri: str) -> NoReturn:
        """Refuses."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise QueryError(
            f"in the scope {self._scope}, a query reads the run only as far as it compiles to SQL",
            path=self._path,
            hint="jvmscope query RUN --explain -f FILE shows what runs on trees, and why",
        )


class RunDocuments:
    """What ``doc()`` finds: the run's two documents, and files if reading them was allowed.

    Args:
        tree: the run.
        files: the files that may be read; None: none.
        is_locked: whoever asks cannot allow it either.
    """

    def __init__(
        self, tree: RunTree, files: Files | None = None, *, is_locked: bool = False
    ) -> None:
        self._tree = tree
        self._is_locked = is_locked
        self._allowed = files

    def document(self, uri: str) -> Node:
        """Returns ``cct``, ``classes`` or a file's document."""
        found = self._tree.document(uri.rpartition("/")[2] if uri.startswith("run:") else uri)
        return self._files.document(uri) if found is None else found

    def collection(self, uri: str | None) -> list[Any]:
        """Returns both documents as the default collection, or those of a directory."""
        if uri is not None:
            return self._files.collection(uri)
        return [self._tree.classes.node, self._tree.cct.node]

    def text(self, uri: str, encoding: str | None) -> str:
        """Returns the text of a file."""
        return self._files.text(uri, encoding)

    def uri_collection(self, uri: str | None) -> list[str]:
        """Returns the names of the documents as the default collection, or a directory's URIs."""
        return ["classes", "cct"] if uri is None else self._files.uri_collection(uri)

    @property
    def _files(self) -> Files:
        if self._allowed is None:
            seen = "query can read doc('cct') and doc('classes')"
            if self._is_locked:
                raise PermissionError(f"an untrusted {seen} only")
            raise PermissionError(
                f"a {seen}; to let it read files, name their directory with --allow-read or "
                "allow_read="
            )
        return self._allowed
