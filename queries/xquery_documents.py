"""The documents that a query finds: those of the whole run, or none where it is in a scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, cast

from jvmscope.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmscope.queries.engine import Engine
    from jvmscope.queries.scope import Scope
    from jvmscope.queries.trees.node import Node
    from jvmscope.queries.trees.run import RunTree

__all__ = ["RunDocuments", "ScopedTree", "scoped_tree"]


def scoped_tree(engine: Engine, search_path: str, path: str | None) -> RunTree:
    """Returns the trees that a query may walk.

    Args:
        engine: the run.
        search_path: names the scope, by its schema.
        path: the query's file name, for messages.
    """
    scope = engine.scope_of(search_path)
    if scope is None:
        return engine.tree
    return cast("RunTree", ScopedTree(engine.tree, scope, path))  # what a query asks of it


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
    """What ``doc()`` finds: the run's two documents, and nothing else."""

    def __init__(self, tree: RunTree) -> None:
        self._tree = tree

    def document(self, uri: str) -> Node:
        """Returns ``cct`` or ``classes``."""
        found = self._tree.document(uri.rpartition("/")[2] if uri.startswith("run:") else uri)
        if found is None:
            raise FileNotFoundError(f"a query sees doc('cct') and doc('classes'), not {uri!r}")
        return found

    def collection(self, uri: str | None) -> list[Any]:
        """Returns both documents as the default collection."""
        if uri is not None:
            raise FileNotFoundError(f"there is no collection {uri!r}")
        return [self._tree.classes.node, self._tree.cct.node]

    def text(self, uri: str, _encoding: str | None) -> str:
        """Refuses: a query reads no files."""
        raise FileNotFoundError(f"a query reads no files, as {uri!r}")

    def uri_collection(self, uri: str | None) -> list[str]:
        """Returns the names of the documents as the default collection."""
        if uri is not None:
            raise FileNotFoundError(f"there is no collection {uri!r}")
        return ["classes", "cct"]
