"""Evaluates queries, and shows what comes of them in a form that is easy to write down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.analysis import StaticEnvironment, analyse
from jvmscope.queries.xquery.evaluator import Environment, evaluate
from jvmscope.queries.xquery.items.atomize import string_value
from jvmscope.queries.xquery.items.functions import ArrayItem, CallableItem, MapItem
from jvmscope.queries.xquery.syntax.expanded_names import Name
from jvmscope.queries.xquery.syntax.parser import parse
from jvmscope.queries.xquery.trees import Kind, Node, parse_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["items", "shown", "value"]


def items(query: str, xml: str | Node | None = None, **options: Any) -> Iterator[Any]:
    """Returns the items of a query's result.

    Args:
        query: the query.
        xml: the context item: a node, or the text of a document.
        options: other parts of the environment; ``variables`` by local name.
    """
    item = parse_document(xml) if isinstance(xml, str) else xml
    given = {Name(local, "", ""): held for local, held in options.pop("variables", {}).items()}
    program = analyse(parse(query), StaticEnvironment(variables=dict.fromkeys(given)))
    return evaluate(program, Environment(item=item, variables=given, **options))


def value(query: str, xml: str | Node | None = None, **options: Any) -> str:
    """Returns a query's result as one line: items as XQuery writes them, nodes as XML."""
    return " ".join(map(shown, items(query, xml, **options)))


def shown(item: Any) -> str:
    """Returns an item as text."""
    if isinstance(item, Node):
        return _xml(item)
    if isinstance(item, MapItem):
        return "{" + ",".join(f"{shown(k)}:{_sequence(v)}" for k, v in item.items()) + "}"
    if isinstance(item, ArrayItem):
        return "[" + ",".join(map(_sequence, item.members)) + "]"
    if isinstance(item, CallableItem):
        return f"function#{item.arity}"
    return f"'{item}'" if isinstance(item, str) else string_value(item)


def _sequence(members: Iterable[Any]) -> str:
    texts = [shown(member) for member in members]
    return texts[0] if len(texts) == 1 else f"({','.join(texts)})"


def _xml(node: Node) -> str:  # noqa: PLR0911 - one a kind
    """Returns a small tree as XML, without what its namespaces are."""
    inside = "".join(map(_xml, node.children()))
    match node.kind:
        case Kind.ELEMENT:
            attributes = "".join(
                f' {attribute.name}="{attribute.string_value}"' for attribute in node.attributes()
            )
            end = f">{inside}</{node.name}>" if inside else "/>"
            return f"<{node.name}{attributes}{end}"
        case Kind.DOCUMENT:
            return f"#{inside}"
        case Kind.ATTRIBUTE:
            return f'@{node.name}="{node.string_value}"'
        case Kind.COMMENT:
            return f"<!--{node.string_value}-->"
        case Kind.PROCESSING_INSTRUCTION:
            return f"<?{node.name} {node.string_value}?>"
        case Kind.NAMESPACE:
            return f"{{{node.name or ''}={node.string_value}}}"
        case _:
            return node.string_value
