"""Trees of nodes: the interface, documents, constructed trees, and a run's tables."""

from jvmscope.queries.xquery.trees.builder import (
    TreeBuilder,
    lone_attribute,
    lone_namespace,
    lone_text,
)
from jvmscope.queries.xquery.trees.content import ContentBuilder, ContentError
from jvmscope.queries.xquery.trees.lxml_tree import from_lxml
from jvmscope.queries.xquery.trees.node import Kind, Node
from jvmscope.queries.xquery.trees.order import (
    except_nodes,
    intersect_nodes,
    sort_distinct,
    union_nodes,
)
from jvmscope.queries.xquery.trees.parsing import XmlError, parse_document, parse_fragment

__all__ = [
    "ContentBuilder",
    "ContentError",
    "Kind",
    "Node",
    "TreeBuilder",
    "XmlError",
    "except_nodes",
    "from_lxml",
    "intersect_nodes",
    "lone_attribute",
    "lone_namespace",
    "lone_text",
    "parse_document",
    "parse_fragment",
    "sort_distinct",
    "union_nodes",
]
