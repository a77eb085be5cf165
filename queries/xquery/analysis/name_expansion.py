"""Expansion of names (XQuery 3.1, section 2.4.6, and the rules of each sort of name)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.errors import did_you_mean
from jvmscope.queries.xquery.analysis.static_errors import error_of_name
from jvmscope.queries.xquery.syntax.expanded_names import Name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.queries.xquery.syntax.source import Source

__all__ = ["XQUERY", "Namespaces"]

XQUERY = "http://www.w3.org/2012/xquery"
"""The namespace of annotations and options without a prefix."""


class Namespaces:
    """The namespaces at one place of a module.

    Args:
        source: the module, for errors.
        prefixes: prefix to URI; "" is no prefix here.
        element: the default namespace of elements and types, "" for none.
        function: the default namespace of functions, "" for none.
    """

    def __init__(
        self, source: Source, prefixes: Mapping[str, str], element: str, function: str
    ) -> None:
        self._source = source
        self.prefixes = prefixes
        self.element = element
        self.function = function

    def inside(self, declared: tuple[tuple[str, str], ...]) -> Namespaces:
        """Returns those inside a direct constructor with declarations of its own."""
        if not declared:
            return self
        own = dict(declared)
        element = own.pop("", self.element)
        return Namespaces(self._source, {**self.prefixes, **own}, element, self.function)

    def expand(self, name: Name, at: int, default: str = "") -> Name:
        """Returns the expanded name.

        Args:
            name: as written.
            at: an offset before it, for errors.
            default: the namespace of a name without a prefix.

        Raises:
            QueryError: XPST0081, the prefix is not declared.
        """
        prefix = name.prefix
        if name.uri is not None:
            return name
        if not prefix:
            return Name(name.local, prefix, default)
        if prefix == "*":
            return Name(name.local, prefix, "")
        uri = self.prefixes.get(prefix)
        if not uri:
            message = f'the prefix "{prefix}" is not declared'
            hint = did_you_mean(prefix, self.prefixes)
            raise error_of_name(self._source, "XPST0081", message, name, at, hint=hint)
        return Name(name.local, prefix, uri)

    def expand_element(self, name: Name, at: int) -> Name:
        """Returns the expanded name of an element or a type."""
        return self.expand(name, at, self.element)

    def expand_function(self, name: Name, at: int) -> Name:
        """Returns the expanded name of a function."""
        return self.expand(name, at, self.function)
