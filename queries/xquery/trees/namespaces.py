"""The namespaces of an element under construction (XQuery 3.1, section 3.9.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax.expanded_names import Name

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ElementScope"]


class ElementScope:
    """The namespaces of an element, fitted to the names that it and its attributes have.

    Args:
        surrounding: those of the constructors around it.
        declared: its own declarations, which no name may change; "" undeclares.
    """

    def __init__(self, surrounding: Mapping[str, str], declared: Mapping[str, str]) -> None:
        self.namespaces = surrounding
        self._fixed = declared
        if declared:
            merged = {**surrounding, **declared}
            self.namespaces = {prefix: uri for prefix, uri in merged.items() if uri}

    def fit_element(self, name: Name) -> Name:
        """Returns the name with a prefix that is bound to its namespace."""
        uri, prefix = name.uri or "", name.prefix or ""
        if self.namespaces.get(prefix, "") == uri:
            return name
        if not uri:  # in no namespace: the default namespace of the surroundings ends here
            if prefix:
                return Name(name.local, "", "")
            self._replace({key: value for key, value in self.namespaces.items() if key})
            return name
        if self._fixed.get(prefix, uri) != uri:
            prefix = self._free(prefix, uri)
        self._bind(prefix, uri)
        return name if prefix == name.prefix else Name(name.local, prefix, uri)

    def fit_attribute(self, name: Name) -> Name:
        """Returns the name with a prefix that is bound to its namespace; none has a default."""
        uri, prefix = name.uri or "", name.prefix or ""
        if not uri:
            return name if not prefix else Name(name.local, "", "")
        if prefix and self.namespaces.get(prefix) == uri:
            return name
        bound = next((key for key, value in self.namespaces.items() if key and value == uri), None)
        if bound is None or (prefix and prefix not in self.namespaces):
            bound = self._free(prefix, uri)
            self._bind(bound, uri)
        return Name(name.local, bound, uri)

    def _free(self, prefix: str, uri: str) -> str:
        """Returns the prefix, or one like it that is not bound to another namespace."""
        candidate, number = prefix, 0
        while not candidate or self.namespaces.get(candidate, uri) != uri:
            candidate = f"{prefix or 'ns'}{number}"
            number += 1
        return candidate

    def _bind(self, prefix: str, uri: str) -> None:
        self._replace({**self.namespaces, prefix: uri})

    def _replace(self, namespaces: dict[str, str]) -> None:
        self.namespaces = namespaces
