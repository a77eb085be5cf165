"""The prolog's setters and namespaces: the static context of a module (XQuery 3.1, section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from jvmscope.queries.xquery.analysis.collations import is_collation
from jvmscope.queries.xquery.analysis.constructors import check_binding
from jvmscope.queries.xquery.analysis.context import StaticContext
from jvmscope.queries.xquery.analysis.declared_options import read_option
from jvmscope.queries.xquery.analysis.formats import decimal_format
from jvmscope.queries.xquery.analysis.name_expansion import Namespaces
from jvmscope.queries.xquery.analysis.static_errors import error_at
from jvmscope.queries.xquery.analysis.types import TypeResolver
from jvmscope.queries.xquery.items.collations import CODEPOINT
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import XML, XMLNS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.errors import QueryError
    from jvmscope.queries.xquery.analysis.environment import StaticEnvironment
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.types import ItemType

__all__ = ["namespaces_of", "read_prolog"]

_TWICE = {
    "boundary-space": "XQST0068",
    "default-collation": "XQST0038",
    "base-uri": "XQST0032",
    "construction": "XQST0067",
    "ordering": "XQST0065",
    "default-empty-order": "XQST0069",
    "copy-namespaces": "XQST0055",
    "default-element-namespace": "XQST0066",
    "default-function-namespace": "XQST0066",
}


def read_prolog(
    module: ast.Module, environment: StaticEnvironment, language: str = "xquery"
) -> StaticContext:
    """Returns the static context at a module's top level.

    Raises:
        QueryError: the XQST errors of setters, of declarations of namespaces, decimal formats and
            options, and of imports as far as they bind prefixes.
    """
    reader = _Reader(module, environment)
    for declaration in module.declarations:
        reader.read(declaration)
    return reader.context(language)


def namespaces_of(context: StaticContext) -> Namespaces:
    """Returns the namespaces at a module's top level."""
    return Namespaces(
        context.source,
        context.namespaces,
        context.default_element_namespace,
        context.default_function_namespace,
    )


class _Reader:
    """What the declarations that were read so far have set."""

    def __init__(self, module: ast.Module, environment: StaticEnvironment) -> None:
        self._module = module
        self._environment = environment
        self._namespaces = dict(environment.namespaces)
        self._declared: set[str] = set()
        self._setters: dict[str, ast.Setter] = {}
        self._formats: dict[Name | None, Mapping[str, str]] = {}
        self._options: list[ast.OptionDeclaration] = []
        self._format_declarations: list[ast.DecimalFormat] = []
        self._context_item: ast.ContextItemDeclaration | None = None
        self._own = (module.prefix, module.namespace)
        if module.prefix is not None and module.namespace is not None:
            if not module.namespace:
                raise error_at(module.source, "XQST0088", "a library needs a namespace", module)
            self._bind(module.prefix, module.namespace, module)

    def _error(self, code: str, message: str, node: object) -> QueryError:
        return error_at(self._module.source, code, message, node)

    def read(self, declaration: ast.Declaration) -> None:
        """Notes what a declaration sets, if it sets anything."""
        match declaration:
            case ast.Setter():
                self._set(declaration)
            case ast.NamespaceDeclaration(prefix=prefix, uri=uri):
                self._bind(prefix, uri, declaration)
            case ast.SchemaImport():
                raise self._error("XQST0009", "schemas cannot be imported", declaration)
            case ast.ModuleImport(prefix=prefix, uri=uri):
                if not uri:
                    raise self._error("XQST0088", "a library has a namespace", declaration)
                if prefix is not None and (prefix, uri) != self._own:
                    self._bind(prefix, uri, declaration)
            case ast.ContextItemDeclaration():
                self._check_context_item(declaration)
            case ast.DecimalFormat():
                self._format_declarations.append(declaration)
            case ast.OptionDeclaration():
                self._options.append(declaration)
            case _:
                pass

    def _bind(self, prefix: str, uri: str, node: object) -> None:
        check_binding(prefix, uri, self._module.source, node)
        if prefix == "xml":
            raise self._error("XQST0070", "the prefix xml cannot be declared", node)
        if prefix in self._declared:
            raise self._error("XQST0033", f'the prefix "{prefix}" is declared twice', node)
        self._declared.add(prefix)
        if uri:
            self._namespaces[prefix] = uri
        else:
            self._namespaces.pop(prefix, None)

    def _check_context_item(self, declaration: ast.ContextItemDeclaration) -> None:
        if self._context_item is not None:
            raise self._error("XQST0099", "the context item is declared twice", declaration)
        self._context_item = declaration
        if self._module.namespace is not None and declaration.expression is not None:
            message = "a library module cannot give the context item a value"
            raise self._error("XQST0113", message, declaration)

    def _set(self, setter: ast.Setter) -> None:
        if setter.component in self._setters:
            message = f"{setter.component} is declared twice"
            raise self._error(_TWICE[setter.component], message, setter)
        if setter.component.endswith("-namespace") and setter.value in (XML, XMLNS):
            message = f"{setter.value} cannot be a default namespace"
            raise self._error("XQST0070", message, setter)
        self._setters[setter.component] = setter

    def _value(self, component: str, default: str) -> str:
        setter = self._setters.get(component)
        return default if setter is None else setter.value

    def context(self, language: str) -> StaticContext:
        """Returns the static context, when all declarations are read."""
        environment = self._environment
        base_uri = self._base_uri()
        namespaces = Namespaces(
            self._module.source,
            self._namespaces,
            self._value("default-element-namespace", environment.default_element_namespace),
            self._value("default-function-namespace", environment.default_function_namespace),
        )
        preserve, inherit = self._value("copy-namespaces", "preserve inherit").split()
        return StaticContext(
            source=self._module.source,
            language=language,
            namespaces=self._namespaces,
            default_element_namespace=namespaces.element,
            default_function_namespace=namespaces.function,
            base_uri=base_uri,
            default_collation=self._collation(base_uri),
            copy_preserve=preserve == "preserve",
            copy_inherit=inherit == "inherit",
            construction=self._value("construction", "preserve"),
            is_ordered=self._value("ordering", "ordered") == "ordered",
            empty_least=self._value("default-empty-order", "least") == "least",
            keeps_boundary_space=self._value("boundary-space", "strip") == "preserve",
            decimal_formats=self._decimal_formats(namespaces),
            serialization=self._serialization(namespaces),
            context_item_type=self._context_item_type(namespaces),
        )

    def _context_item_type(self, namespaces: Namespaces) -> ItemType | None:
        declaration = self._context_item
        if declaration is None or declaration.type is None:
            return None
        return TypeResolver(self._module.source, namespaces).item(declaration.type, declaration.at)

    def _base_uri(self) -> str | None:
        setter = self._setters.get("base-uri")
        base_uri = self._environment.base_uri
        return base_uri if setter is None else urljoin(base_uri or "", setter.value)

    def _collation(self, base_uri: str | None) -> str | None:
        setter = self._setters.get("default-collation")
        if setter is None:
            return self._environment.default_collation
        absolute = urljoin(base_uri or "", setter.value)
        if not is_collation(absolute):
            raise self._error("XQST0038", f"there is no collation {absolute}", setter)
        return None if absolute == CODEPOINT else absolute

    def _decimal_formats(self, namespaces: Namespaces) -> Mapping[Name | None, Mapping[str, str]]:
        declared: dict[Name | None, Any] = {}
        for declaration in self._format_declarations:
            name = declaration.name
            if name is not None:
                name = namespaces.expand(name, declaration.at)
            if name in declared:
                message = f"the decimal format {name or 'that is the default'} is declared twice"
                raise self._error("XQST0111", message, declaration)
            declared[name] = decimal_format(declaration, self._module.source)
        return {**self._environment.decimal_formats, **declared}

    def _serialization(self, namespaces: Namespaces) -> Mapping[str, str]:
        parameters: dict[str, str] = {}
        for option in self._options:
            is_library = self._module.namespace is not None
            read_option(option, namespaces, self._module.source, parameters, is_library=is_library)
        return parameters
