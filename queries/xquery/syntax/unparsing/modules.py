"""Texts of declarations and modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.unparsing.expressions import signature_text
from jvmscope.queries.xquery.syntax.unparsing.levels import Level, enclosed, write
from jvmscope.queries.xquery.syntax.unparsing.names import name_text, quoted
from jvmscope.queries.xquery.syntax.unparsing.types import annotation_text, as_type, item_text

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast import Expression

__all__ = ["declaration_text", "module_text"]

_DEFAULTS = {
    "default-collation": "default collation",
    "default-empty-order": "default order empty",
    "default-element-namespace": "default element namespace",
    "default-function-namespace": "default function namespace",
}
_IN_QUOTES = {"default-collation", "base-uri"} | {
    name for name in _DEFAULTS if name.endswith("-namespace")
}


def module_text(module: ast.Module) -> str:
    """Returns a module's text, a declaration a line."""
    lines = []
    if module.version is not None or module.encoding is not None:
        version = "" if module.version is None else f" version {quoted(module.version)}"
        encoding = "" if module.encoding is None else f" encoding {quoted(module.encoding)}"
        lines.append(f"xquery{version}{encoding};")
    if module.prefix is not None and module.namespace is not None:
        lines.append(f"module namespace {module.prefix} = {quoted(module.namespace)};")
    lines += [f"{declaration_text(declaration)};" for declaration in module.declarations]
    if module.body is not None:
        lines.append(write(module.body, Level.SEQUENCE))
    return "\n".join(lines)


def declaration_text(declaration: ast.Declaration) -> str:
    """Returns a declaration's text, without the semicolon."""
    match declaration:
        case ast.Setter():
            return f"declare {_setter(declaration)}"
        case ast.NamespaceDeclaration(prefix=prefix, uri=uri):
            return f"declare namespace {prefix} = {quoted(uri)}"
        case ast.DecimalFormat():
            return f"declare {_decimal_format(declaration)}"
        case ast.SchemaImport(uri=uri):
            return f"import schema {quoted(uri)}"
        case ast.ModuleImport():
            return _import(declaration)
        case ast.OptionDeclaration(name=name, value=value):
            return f"declare option {name_text(name)} {quoted(value)}"
        case ast.ContextItemDeclaration(type=type_, expression=expression):
            as_item = "" if type_ is None else f" as {item_text(type_)}"
            value = _value(expression, is_external=declaration.is_external)
            return f"declare context item{as_item}{value}"
        case ast.VariableDeclaration():
            return _variable(declaration)
        case ast.FunctionDeclaration():
            return _function(declaration)


def _setter(setter: ast.Setter) -> str:
    value = setter.value
    if setter.component == "copy-namespaces":
        value = value.replace(" ", ", ")
    elif setter.component in _IN_QUOTES:
        value = quoted(value)
    return f"{_DEFAULTS.get(setter.component, setter.component)} {value}"


def _decimal_format(declaration: ast.DecimalFormat) -> str:
    name = declaration.name
    words = "default decimal-format" if name is None else f"decimal-format {name_text(name)}"
    return words + "".join([f" {key} = {quoted(value)}" for key, value in declaration.properties])


def _import(declaration: ast.ModuleImport) -> str:
    prefix = "" if declaration.prefix is None else f"namespace {declaration.prefix} = "
    locations = ", ".join([quoted(location) for location in declaration.locations])
    return f"import module {prefix}{quoted(declaration.uri)}{f' at {locations}' * bool(locations)}"


def _value(expression: Expression | None, *, is_external: bool) -> str:
    external = " external" if is_external else ""
    return external if expression is None else f"{external} := {write(expression)}"


def _variable(declaration: ast.VariableDeclaration) -> str:
    annotations = annotation_text(declaration.annotations)
    name = f"${name_text(declaration.name)}{as_type(declaration.type)}"
    value = _value(declaration.expression, is_external=declaration.is_external)
    return f"declare {annotations}variable {name}{value}"


def _function(declaration: ast.FunctionDeclaration) -> str:
    annotations = annotation_text(declaration.annotations)
    signature = signature_text(declaration.parameters, declaration.result)
    body = "external" if declaration.is_external else enclosed(declaration.body)
    return f"declare {annotations}function {name_text(declaration.name)}{signature} {body}"
