"""Declarations and modules (XQuery 3.1, section 4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from jvmscope.queries.records import keyword_record
from jvmscope.queries.xquery.syntax.ast.base import Syntax

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast.base import Expression, Variable
    from jvmscope.queries.xquery.syntax.ast.primaries import Annotation, Parameter
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.source import Source
    from jvmscope.queries.xquery.syntax.types import ItemType, SequenceType

__all__ = [
    "ContextItemDeclaration",
    "DecimalFormat",
    "Declaration",
    "FunctionDeclaration",
    "Module",
    "ModuleImport",
    "NamespaceDeclaration",
    "OptionDeclaration",
    "SchemaImport",
    "Setter",
    "VariableDeclaration",
]


@keyword_record
class Setter(Syntax):
    """A declaration that sets a component of the static context.

    Attributes:
        component: ``boundary-space``, ``default-collation``, ``base-uri``, ``construction``,
            ``ordering``, ``default-empty-order``, ``copy-namespaces``,
            ``default-element-namespace`` or ``default-function-namespace``.
        value: the word or string; for ``copy-namespaces`` both words, separated by a space.
    """

    at: int
    component: str
    value: str


@keyword_record
class NamespaceDeclaration(Syntax):
    """``declare namespace prefix = "uri"``."""

    at: int
    prefix: str
    uri: str


@keyword_record
class DecimalFormat(Syntax):
    """``declare [default] decimal-format``; name None for the default; properties in order."""

    at: int
    name: Name | None
    properties: tuple[tuple[str, str], ...]


@keyword_record
class SchemaImport(Syntax):
    """``import schema``: an optional feature that is not there; the analysis says so."""

    at: int
    uri: str


@keyword_record
class ModuleImport(Syntax):
    """``import module namespace prefix = "uri" at "location", …``; prefix may be None."""

    at: int
    prefix: str | None
    uri: str
    locations: tuple[str, ...]


@keyword_record
class ContextItemDeclaration(Syntax):
    """``declare context item``; expression is the value or an external one's default."""

    at: int
    type: ItemType | None
    expression: Expression | None
    is_external: bool


@keyword_record
class VariableDeclaration(Syntax):
    """``declare variable``; expression is the value or an external one's default."""

    at: int
    name: Name
    type: SequenceType | None
    expression: Expression | None
    is_external: bool
    annotations: tuple[Annotation, ...] = ()
    variable: Variable | None = None


@keyword_record
class FunctionDeclaration(Syntax):
    """``declare function``; body None for ``{}``, and for an external function."""

    at: int
    name: Name
    parameters: tuple[Parameter, ...]
    result: SequenceType | None
    body: Expression | None
    is_external: bool = False
    annotations: tuple[Annotation, ...] = ()


@keyword_record
class OptionDeclaration(Syntax):
    """``declare option name "value"``."""

    at: int
    name: Name
    value: str


Declaration: TypeAlias = (
    Setter
    | NamespaceDeclaration
    | DecimalFormat
    | SchemaImport
    | ModuleImport
    | ContextItemDeclaration
    | VariableDeclaration
    | FunctionDeclaration
    | OptionDeclaration
)


@dataclass(frozen=True, kw_only=True)
class Module:
    """A main module (body set) or a library module (prefix and namespace set)."""

    source: Source
    version: str | None = None
    encoding: str | None = None
    prefix: str | None = None
    namespace: str | None = None
    declarations: tuple[Declaration, ...] = field(default=())
    body: Expression | None = None
