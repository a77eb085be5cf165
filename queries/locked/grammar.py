"""The parts of a SELECT that an untrusted query may have, as DuckDB's parse tree names them.

The tree is that of ``json_serialize_sql`` (DuckDB 2.0). A node is an object; which entries it has
and of what kind each is, stands here. What does not is refused, be it a kind of node or an
entry of a known one that holds anything: statements inside a query (COPY, INSERT …) and whatever a
later DuckDB adds.

    "[expression]"  a list of expressions; lists in it are lists of them, too
    "expression?"   an expression or null
    "text"          a name, a number, a word or a truth value, or a list of them: no node
    "nothing"       null, false, or an empty text, list or object
"""

from __future__ import annotations

from typing import Any

__all__ = ["kind_of", "shape_of"]

_Shape = dict[str, str]

_EXPRESSION: _Shape = {
    "class": "text",
    "type": "text",
    "alias": "text",
    "query_location": "text",
    "query_location_length": "text",
}
_TABLE: _Shape = {
    "type": "text",
    "alias": "text",
    "sample": "sample?",
    "query_location": "text",
    "query_location_length": "text",
}
_QUERY: _Shape = {"type": "text", "modifiers": "[modifier]", "cte_map": "ctes"}
_NAMED: _Shape = {"schema": "text", "catalog": "text", "qualified_name": "path"}
_CALL: _Shape = {**_EXPRESSION, **_NAMED, "function_name": "text", "arguments": "[argument]"}

_PLAIN: dict[str, _Shape] = {
    "statement": {"node": "query", "named_param_map": "[parameter]"},
    "parameter": {"key": "text", "value": "text"},
    "ctes": {"map": "[cte]"},
    "cte": {"key": "text", "value": "common table"},
    "common table": {
        "aliases": "text",
        "materialized": "text",
        "key_targets": "[expression]",
        "payload_aggregates": "[expression]",
        "query_node": "query",
    },
    "order": {"type": "text", "null_order": "text", "expression": "expression"},
    "argument": {"name": "text", "expression": "expression"},
    "branch": {"when_expr": "expression", "then_expr": "expression"},
    "replacement": {"key": "text", "value": "expression"},
    "renaming": {"key": "column", "value": "text"},
    "column": {"catalog": "text", "schema": "text", "table": "text", "column": "text"},
    "path": {"path": "text"},
    "literal": {"kind": "text", "text": "text"},
    "value": {"type": "value type", "is_null": "text", "value": "text"},
    "value type": {"id": "text", "type_info": "nothing"},
    "sample": {
        "sample_size": "value",
        "sample_rate": "text",
        "is_percentage": "text",
        "method": "text",
        "seed": "text",
        "repeatable": "text",
    },
    "pivot": {
        "pivot_expressions": "[expression]",
        "unpivot_names": "text",
        "entries": "[pivot entry]",
        "pivot_enum": "nothing",
    },
    "pivot entry": {"values": "[value]", "star_expr": "expression?", "alias": "text"},
}

_QUERIES: dict[str, _Shape] = {
    "SELECT_NODE": {
        **_QUERY,
        "select_list": "[expression]",
        "from_table": "table",
        "where_clause": "expression?",
        "group_expressions": "[expression]",
        "group_sets": "text",
        "aggregate_handling": "text",
        "having": "expression?",
        "sample": "sample?",
        "qualify": "expression?",
    },
    "SET_OPERATION_NODE": {
        **_QUERY,
        "setop_type": "text",
        "setop_all": "text",
        "left": "query?",
        "right": "query?",
        "children": "[query]",
    },
    "RECURSIVE_CTE_NODE": {
        **_QUERY,
        "cte_name": "text",
        "union_all": "text",
        "left": "query",
        "right": "query",
        "aliases": "text",
        "key_targets": "[expression]",
    },
}

_TABLES: dict[str, _Shape] = {
    "EMPTY": _TABLE,
    "BASE_TABLE": {
        **_TABLE,
        "schema_name": "text",
        "catalog_name": "text",
        "table_name": "text",
        "qualified_name": "path",
        "column_name_alias": "text",
        "at_clause": "nothing",
    },
    "TABLE_FUNCTION": {
        **_TABLE,
        "function": "table function",
        "column_name_alias": "text",
        "with_ordinality": "text",
    },
    "SUBQUERY": {**_TABLE, "subquery": "statement", "column_name_alias": "text"},
    "JOIN": {
        **_TABLE,
        "left": "table",
        "right": "table",
        "condition": "expression?",
        "join_type": "text",
        "ref_type": "text",
        "using_columns": "text",
        "delim_flipped": "text",
        "duplicate_eliminated_columns": "[expression]",
        "is_implicit": "text",
        "ranking_expression": "expression?",
        "nearest_count": "text",
        "nearest_order_type": "text",
        "nearest_approx": "text",
    },
    "EXPRESSION_LIST": {
        **_TABLE,
        "expected_names": "text",
        "expected_types": "nothing",
        "values": "[expression]",
    },
    "PIVOT": {
        **_TABLE,
        "source": "table",
        "aggregates": "[expression]",
        "unpivot_names": "text",
        "pivots": "[pivot]",
        "groups": "text",
        "column_name_alias": "text",
        "include_nulls": "text",
    },
    # DESCRIBE and SUMMARIZE of a query; SHOW names what there is in the database
    "SHOW_REF": {
        **_TABLE,
        "query": "query",
        "show_type": "text",
        "table_name": "nothing",
        "catalog_name": "nothing",
        "schema_name": "nothing",
        "qualified_name": "path",
    },
}

_EXPRESSIONS: dict[str, _Shape] = {
    "BETWEEN": {"input": "expression", "lower": "expression", "upper": "expression"},
    "CASE": {"case_checks": "[branch]", "else_expr": "expression?"},
    "CAST": {"child": "expression", "try_cast": "text", "type_expr": "type"},
    "COLLATE": {"child": "expression", "collation": "text"},
    "COLUMN_REF": {"column_names": "text"},
    "COMPARISON": {"left": "expression", "right": "expression"},
    "CONJUNCTION": {"children": "[expression]"},
    "CONSTANT": {"literal": "literal"},
    "DEFAULT": {},
    "FUNCTION": {
        **_CALL,
        "filter": "expression?",
        "order_bys": "modifier",
        "distinct": "text",
        "is_operator": "text",
        "export_state": "nothing",
    },
    "LAMBDA": {"lhs": "expression", "expr": "expression", "syntax_type": "text"},
    "OPERATOR": {"children": "[expression]"},
    "PARAMETER": {"identifier": "text"},
    "POSITIONAL_REFERENCE": {"index": "text"},
    "STAR": {
        "relation_name": "text",
        "exclude_list": "text",
        "replace_list": "[replacement]",
        "columns": "text",
        "expr": "expression?",
        "unpacked": "text",
        "qualified_exclude_list": "[column]",
        "rename_list": "[renaming]",
    },
    "SUBQUERY": {
        "subquery_type": "text",
        "subquery": "statement",
        "child": "expression?",
        "comparison_type": "text",
    },
    "TYPE": {**_NAMED, "type_name": "text", "children": "[expression]"},
    "WINDOW": {
        **_CALL,
        "partitions": "[expression]",
        "orders": "[order]",
        "start": "text",
        "end": "text",
        "start_expr": "expression?",
        "end_expr": "expression?",
        "offset_expr": "expression?",
        "default_expr": "expression?",
        "ignore_nulls": "text",
        "has_ignore_nulls": "text",
        "filter_expr": "expression?",
        "exclude_clause": "text",
        "distinct": "text",
        "arg_orders": "[order]",
    },
}

_MODIFIERS: dict[str, _Shape] = {
    "DISTINCT_MODIFIER": {"type": "text", "distinct_on_targets": "[expression]"},
    "LIMIT_MODIFIER": {
        "type": "text",
        "limit": "expression?",
        "offset": "expression?",
        "limit_type": "text",
    },
    "ORDER_MODIFIER": {"type": "text", "orders": "[order]"},
}

# Operators and comparisons do what their type says; of the other classes the class says it.
_TYPES = {
    "COMPARISON": {
        "COMPARE_DISTINCT_FROM", "COMPARE_EQUAL", "COMPARE_GREATERTHAN",
        "COMPARE_GREATERTHANOREQUALTO", "COMPARE_LESSTHAN", "COMPARE_LESSTHANOREQUALTO",
        "COMPARE_NOTEQUAL", "COMPARE_NOT_DISTINCT_FROM",
    },
    "CONJUNCTION": {"CONJUNCTION_AND", "CONJUNCTION_OR"},
    "OPERATOR": {
        "ARRAY_CONSTRUCTOR", "ARRAY_EXTRACT", "ARRAY_SLICE", "COMPARE_IN", "COMPARE_NOT_IN",
        "GROUPING_FUNCTION", "OPERATOR_COALESCE", "OPERATOR_IS_NOT_NULL", "OPERATOR_IS_NULL",
        "OPERATOR_NOT", "OPERATOR_NULLIF", "OPERATOR_TRY", "OPERATOR_UNPACK", "STRUCT_EXTRACT",
    },
}  # fmt: skip


def kind_of(node: dict[str, Any]) -> str:
    """Returns what DuckDB calls a node, for messages: its class or type; "" where it has none."""
    return str(node.get("class") or node.get("type") or "")


def shape_of(kind: str, node: dict[str, Any]) -> _Shape | None:
    """Returns the entries that a node of a kind may have; None where it may not be.

    >>> shape_of("modifier", {"type": "ORDER_MODIFIER"})
    {'type': 'text', 'orders': '[order]'}
    >>> shape_of("query", {"type": "COPY_QUERY_NODE"}) is None
    True
    """
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind in {"expression", "table function", "type"}:
        return _shape_of_expression(kind, node)
    shapes = {"query": _QUERIES, "table": _TABLES, "modifier": _MODIFIERS}[kind]
    return shapes.get(str(node.get("type")))


def _shape_of_expression(kind: str, node: dict[str, Any]) -> _Shape | None:
    class_ = str(node.get("class"))
    wanted = {"table function": "FUNCTION", "type": "TYPE"}.get(kind, class_)
    types = _TYPES.get(class_)
    if class_ != wanted or (types is not None and node.get("type") not in types):
        return None
    shape = _EXPRESSIONS.get(class_)
    return None if shape is None else {**_EXPRESSION, **shape}
