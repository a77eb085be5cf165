"""Constructors of nodes (XQuery 3.1, section 3.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.records import keyword_record
from jvmscope.queries.xquery.syntax.ast.base import Expression, Syntax

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__ = [
    "AttributeConstructor",
    "CommentConstructor",
    "DirectAttribute",
    "DirectElement",
    "DocumentConstructor",
    "ElementConstructor",
    "NamespaceConstructor",
    "ProcessingInstructionConstructor",
    "TextConstructor",
]


@keyword_record
class DirectAttribute(Syntax):
    """An attribute of a direct element; parts are text and enclosed expressions (None: empty)."""

    at: int
    name: Name
    parts: tuple[str | Expression | None, ...]


@keyword_record
class DirectElement(Expression):
    """``<name attributes>content</name>``.

    Attributes:
        namespaces: (prefix, uri) of its ``xmlns`` attributes, in order; "" undeclares.
        content: text (boundary space already stripped or kept, CDATA and references resolved),
            expressions (enclosed ones, nested direct constructors); None: ``{}``.
    """

    name: Name
    namespaces: tuple[tuple[str, str], ...]
    attributes: tuple[DirectAttribute, ...]
    content: tuple[str | Expression | None, ...]


@keyword_record
class ElementConstructor(Expression):
    """``element name { content }``; name a Name or an expression."""

    name: Name | Expression
    content: Expression | None


@keyword_record
class AttributeConstructor(Expression):
    """``attribute name { content }``."""

    name: Name | Expression
    content: Expression | None


@keyword_record
class NamespaceConstructor(Expression):
    """``namespace prefix { uri }``; prefix an NCName (str) or an expression."""

    prefix: str | Expression
    content: Expression | None


@keyword_record
class DocumentConstructor(Expression):
    """``document { content }``."""

    content: Expression | None


@keyword_record
class TextConstructor(Expression):
    """``text { content }``."""

    content: Expression | None


@keyword_record
class CommentConstructor(Expression):
    """``comment { content }``, or ``<!-- text -->`` with a Literal as content."""

    content: Expression | None


@keyword_record
class ProcessingInstructionConstructor(Expression):
    """``processing-instruction target { content }``, or direct; target an NCName or expression."""

    target: str | Expression
    content: Expression | None
