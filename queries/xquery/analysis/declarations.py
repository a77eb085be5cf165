"""The functions and global variables that a module declares, before their bodies are read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.analysis.annotations import (
    RESERVED_NAMESPACES,
    check_visibility,
    expand_annotations,
)
from jvmscope.queries.xquery.analysis.static_errors import error_of_name
from jvmscope.queries.xquery.analysis.types import TypeResolver
from jvmscope.queries.xquery.syntax import ast

if TYPE_CHECKING:
    from jvmscope.errors import QueryError
    from jvmscope.queries.xquery.analysis.interface import Interface
    from jvmscope.queries.xquery.analysis.name_expansion import Namespaces
    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__ = ["declare"]


def declare(module: ast.Module, namespaces: Namespaces, interface: Interface) -> None:
    """Adds a module's functions and variables to its interface, with names and types expanded.

    Raises:
        QueryError: XQST0034, XQST0049 (declared twice), XQST0048 (not in the library's
            namespace), XQST0045, XQST0060 (a namespace where nothing can be declared), XQST0106,
            XQST0116 (annotations), and the errors of names and types.
    """
    declarer = _Declarer(module, namespaces, interface)
    for declaration in module.declarations:
        match declaration:
            case ast.FunctionDeclaration():
                declarer.function(declaration)
            case ast.VariableDeclaration():
                declarer.variable(declaration)
            case _:
                pass


class _Declarer:
    def __init__(self, module: ast.Module, namespaces: Namespaces, interface: Interface) -> None:
        self._module = module
        self._source = module.source
        self._namespaces = namespaces
        self._interface = interface
        self._types = TypeResolver(module.source, namespaces)

    def _error(
        self, code: str, message: str, node: ast.FunctionDeclaration | ast.VariableDeclaration
    ) -> QueryError:
        return error_of_name(self._source, code, message, node.name, node.at)

    def function(self, node: ast.FunctionDeclaration) -> None:
        """Adds a function; its parameters get their variables with its body."""
        name = self._namespaces.expand_function(node.name, node.at)
        self._check_namespace(name, node)
        if not name.uri:
            raise self._error("XQST0060", f"the function {name} needs a namespace", node)
        if name.uri in RESERVED_NAMESPACES:
            message = f"no function can be declared in the namespace {name.uri}"
            raise self._error("XQST0045", message, node)
        annotations = expand_annotations(node.annotations, self._namespaces, self._source)
        check_visibility(annotations, "XQST0106", self._source)
        key = (name, len(node.parameters))
        if key in self._interface.declared_functions:
            message = f"the function {name} with {key[1]} parameters is declared twice"
            raise self._error("XQST0034", message, node)
        self._interface.declared_functions[key] = replace(
            node,
            name=name,
            result=self._types.optional(node.result, node.at),
            annotations=annotations,
        )
        self._interface.functions[key] = self._interface.declared_functions[key]

    def variable(self, node: ast.VariableDeclaration) -> None:
        """Adds a global variable."""
        name = self._namespaces.expand(node.name, node.at)
        self._check_namespace(name, node)
        annotations = expand_annotations(node.annotations, self._namespaces, self._source)
        check_visibility(annotations, "XQST0116", self._source)
        if name in self._interface.declared_variables:
            raise self._error("XQST0049", f"the variable ${name} is declared twice", node)
        type_ = self._types.optional(node.type, node.at)
        variable = ast.Variable(name, type_, is_global=True)
        declaration = replace(
            node, name=name, type=type_, annotations=annotations, variable=variable
        )
        self._interface.declared_variables[name] = (variable, declaration)
        self._interface.variables[name] = variable

    def _check_namespace(
        self, name: Name, node: ast.FunctionDeclaration | ast.VariableDeclaration
    ) -> None:
        namespace = self._module.namespace
        if namespace is not None and name.uri != namespace:
            message = f"{name} is not in the library's namespace, {namespace}"
            raise self._error("XQST0048", message, node)
