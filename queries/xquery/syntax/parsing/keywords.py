"""Words with a meaning, and those that cannot name a function."""

from __future__ import annotations

__all__ = ["KEYWORDS", "KIND_TESTS", "RESERVED_FUNCTIONS"]

KIND_TESTS = frozenset(
    {
        "attribute",
        "comment",
        "document-node",
        "element",
        "namespace-node",
        "node",
        "processing-instruction",
        "schema-attribute",
        "schema-element",
        "text",
    }
)
"""Names that, before a parenthesis, test a node's kind."""

RESERVED_FUNCTIONS = KIND_TESTS | {
    "array",
    "empty-sequence",
    "function",
    "if",
    "item",
    "map",
    "switch",
    "typeswitch",
}
"""Names without prefix that no function may have (XQuery 3.1, A.3)."""

_ALL = (
    "allowing ancestor ancestor-or-self and array as ascending at attribute base-uri "
    "boundary-space by case cast castable catch child collation comment construction context "
    "copy-namespaces count decimal-format declare default descendant descendant-or-self "
    "descending div document document-node element else empty empty-sequence encoding end eq "
    "every except external following following-sibling for function ge greatest group gt idiv if "
    "import in inherit instance intersect is item lax le least let lt map mod module namespace "
    "namespace-node ne next no-inherit no-preserve node of only option or order ordered ordering "
    "parent preceding preceding-sibling preserve previous processing-instruction return satisfies "
    "schema schema-attribute schema-element self sliding some stable start strict strip switch "
    "text then to treat try tumbling type typeswitch union unordered validate variable version "
    "when where window xquery "
)
KEYWORDS = frozenset(_ALL.split())
"""All keywords, for suggestions: none of them is reserved."""
