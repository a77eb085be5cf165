"""Imported modules: found, parsed, declared, and put into scope (XQuery 3.1, section 4.12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from jvmscope.errors import did_you_mean
from jvmscope.queries.xquery.analysis.annotations import is_private
from jvmscope.queries.xquery.analysis.declarations import declare
from jvmscope.queries.xquery.analysis.interface import Interface, Predefined
from jvmscope.queries.xquery.analysis.library import library_namespaces, predefined_modules
from jvmscope.queries.xquery.analysis.prolog import namespaces_of, read_prolog
from jvmscope.queries.xquery.analysis.static_errors import error_at
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.parser import parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.queries.xquery.analysis.context import StaticContext
    from jvmscope.queries.xquery.analysis.environment import StaticEnvironment
    from jvmscope.queries.xquery.syntax.source import Source

__all__ = ["LoadedModule", "Loader"]


@dataclass
class LoadedModule:
    """A module whose declarations are known and whose bodies are not yet rewritten."""

    module: ast.Module
    context: StaticContext
    interface: Interface


class Loader:
    """Loads a module and, each once, all that it imports, directly or not.

    Attributes:
        modules: what was loaded, in the order of the imports, the first module first.
        predefined: the environment's functions and variables.
    """

    def __init__(self, environment: StaticEnvironment) -> None:
        self._environment = environment
        self._loaded: dict[tuple[str, str], LoadedModule] = {}
        self.modules: list[LoadedModule] = []
        self.predefined = Predefined(environment)

    def load(self, module: ast.Module, language: str) -> LoadedModule:
        """Returns a module with all that it sees, after loading what it imports.

        An import makes all loaded modules of its namespace visible, whoever had them loaded.

        Raises:
            QueryError: XQST0047 (a namespace imported twice), XQST0059 (no such module),
                XQST0034 and XQST0049 (declared here and imported), the errors of the other modules.
        """
        loaded = self._load(module, language)
        for importing in self.modules:
            for declaration in _imports(importing.module):
                for other in self.modules:
                    if other.module.namespace == declaration.uri and other is not importing:
                        _see(importing, other, declaration)
        return loaded

    def _load(self, module: ast.Module, language: str) -> LoadedModule:
        context = read_prolog(module, self._environment, language)
        interface = Interface(self.predefined)
        loaded = LoadedModule(module, context, interface)
        self.modules.append(loaded)
        if module.namespace is not None:
            self._loaded[_key(module.namespace, module.source)] = loaded
        declare(module, namespaces_of(context), interface)
        imported: set[str] = set()
        for declaration in _imports(module):
            if declaration.uri in imported:
                message = f"{declaration.uri} is imported twice"
                raise error_at(module.source, "XQST0047", message, declaration)
            imported.add(declaration.uri)
            self._import(declaration, context)
        return loaded

    def _import(self, declaration: ast.ModuleImport, context: StaticContext) -> None:
        is_found = False
        for source in self._sources(declaration, context):
            key = _key(declaration.uri, source)
            if key not in self._loaded:
                module = parse(source)
                if module.namespace != declaration.uri:
                    read_prolog(module, self._environment)
                    continue
                self._load(module, "xquery")
            is_found = True
        if not is_found:
            message = f"there is no library module {declaration.uri}"
            hint = did_you_mean(declaration.uri, library_namespaces())
            raise error_at(context.source, "XQST0059", message, declaration, hint=hint)

    def _sources(self, declaration: ast.ModuleImport, context: StaticContext) -> Sequence[Source]:
        sources = predefined_modules(declaration.uri)
        if sources or self._environment.modules is None:
            return sources
        base = context.base_uri or ""
        locations = tuple(urljoin(base, location) for location in declaration.locations)
        return self._environment.modules(declaration.uri, locations)


def _imports(module: ast.Module) -> list[ast.ModuleImport]:
    return [
        declaration
        for declaration in module.declarations
        if isinstance(declaration, ast.ModuleImport)
    ]


def _key(namespace: str, source: Source) -> tuple[str, str]:
    return namespace, str(source.path) if source.path is not None else source.text


def _see(loaded: LoadedModule, other: LoadedModule, node: ast.ModuleImport) -> None:
    """Puts the public functions and variables of another module into a module's scope."""
    interface, theirs = loaded.interface, other.interface
    source = loaded.module.source
    for key, function in theirs.declared_functions.items():
        if is_private(function.annotations):
            continue
        if interface.functions.get(key, function) is not function:
            message = f"the function {key[0]} with {key[1]} parameters is also declared elsewhere"
            raise error_at(source, "XQST0034", message, node)
        interface.functions[key] = function
    for name, (variable, declaration) in theirs.declared_variables.items():
        if is_private(declaration.annotations):
            continue
        if interface.variables.get(name, variable) is not variable:
            message = f"the variable ${name} is also declared elsewhere"
            raise error_at(source, "XQST0049", message, node)
        interface.variables[name] = variable
