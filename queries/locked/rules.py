"""What untrusted SQL may say: one SELECT that names the run's tables and functions of values.

The rules are checked on DuckDB's own parse of the statement, so a name that is written in an
unexpected way is still the name that DuckDB will look up. All of them say what is allowed: the
parts of a query (``grammar``), functions and types (``vocabulary``), tables. What is not known
is refused.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import duckdb

from jvmscope.errors import QueryError
from jvmscope.queries.first_rows import first_row
from jvmscope.queries.locked.grammar import kind_of, shape_of
from jvmscope.queries.locked.vocabulary import (
    CALLING_BY_NAME,
    FUNCTIONS,
    TABLE_FUNCTIONS,
    TYPES,
)
from jvmscope.queries.sql_errors import query_error
from jvmscope.queries.surrogates import refuse_surrogates

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["check_sql"]

_NO_PLACE = (1 << 64) - 1
_STATEMENTS = {
    "COPY_QUERY_NODE": "COPY",
    "DELETE_QUERY_NODE": "DELETE",
    "INSERT_QUERY_NODE": "INSERT",
    "MERGE_QUERY_NODE": "MERGE",
    "UPDATE_QUERY_NODE": "UPDATE",
}
_NAMES = ("catalog", "schema", "function_name", "type_name")
_TABLE_NAMES = ("catalog_name", "schema_name", "table_name")


def check_sql(
    connection: duckdb.DuckDBPyConnection,
    text: str,
    *,
    path: str | None,
    tables: Collection[str],
    schemas: Collection[str],
) -> None:
    """Refuses SQL that is not one SELECT over the given tables and functions of values.

    Args:
        connection: a connection to the locked database, without a query.
        text: the query.
        path: its file's name, or None.
        tables: the tables that it may name.
        schemas: the library modules, whose macros it may call.

    Raises:
        QueryError: it says something else; with its place.
    """
    _Check(connection, text, path, tables, schemas).run()


class _Check:
    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        text: str,
        path: str | None,
        tables: Collection[str],
        schemas: Collection[str],
    ) -> None:
        self._connection = connection
        self._text = text
        self._path = path
        self._tables = {name.lower() for name in tables}
        self._schemas = schemas
        self._last_table: dict[str, Any] = {}  # the call of a table function has no place itself

    def run(self) -> None:
        refuse_surrogates(self._text, self._path)
        try:
            statements = self._connection.extract_statements(self._text)
        except duckdb.Error as error:
            raise query_error(
                error, text=self._text, path=self._path, offset=0, recorded=()
            ) from None
        if len(statements) != 1:
            found = f"found {len(statements)}" if statements else "there is none"
            raise self._refusal(f"an untrusted query must be one statement; {found}")
        kind = _type_of(statements[0])
        if kind != "SELECT":
            raise self._refusal(f"an untrusted query must be a SELECT, not {kind}")
        try:
            self._check(self._tree(), "statement", frozenset())
        except RecursionError:
            raise self._refusal("the query is nested too deep to be checked") from None

    def _tree(self) -> Any:
        row = first_row(self._connection, "SELECT json_serialize_sql($sql)", {"sql": self._text})
        tree = json.loads((row or ("{}",))[0])
        if tree.get("error", True) or len(tree["statements"]) != 1:
            why = tree.get("error_message", "it is not a plain SELECT").rstrip("!")
            raise self._refusal(f"the statement cannot be checked: {why}")
        return tree["statements"][0]

    def _check_part(self, part: Any, rule: str, names: frozenset[str]) -> None:
        """Checks an entry of a node, in which common table expressions have the given names."""
        if rule == "text":
            if isinstance(part, dict) or (isinstance(part, list) and _has_node(part)):
                raise self._refusal("the statement cannot be checked: expected a name")
        elif isinstance(part, list) and rule.startswith("["):
            for one in part:
                self._check_part(one, rule if isinstance(one, list) else rule[1:-1], names)
        elif isinstance(part, dict) and not rule.startswith("["):
            self._check(part, rule.rstrip("?"), names)
        elif part is not None or not rule.endswith("?"):
            raise self._refusal(f"the statement cannot be checked: expected {rule}")

    def _check(self, node: dict[str, Any], kind: str, names: frozenset[str]) -> None:
        """Checks a node, its names, and all below it."""
        shape = shape_of(kind, node)
        if shape is None:
            found = kind_of(node)
            raise self._refusal(
                f"an untrusted query may not contain {_STATEMENTS.get(found, found)}", node
            )
        self._check_names(node, kind, names)
        names = self._check_common_tables(node, kind, names)
        for key, part in node.items():
            if key == "cte_map" and kind == "query":
                continue
            if shape.get(key, "nothing") == "nothing":
                if part not in (None, False, "", [], {}):
                    found = f"{kind_of(node) or kind} with {key}"
                    raise self._refusal(f"an untrusted query may not contain {found}", node)
                continue
            is_recursion = key == "right" and node.get("type") == "RECURSIVE_CTE_NODE"
            more = {node["cte_name"].lower()} if is_recursion else frozenset()
            self._check_part(part, shape[key], names | more)

    def _check_common_tables(
        self, node: dict[str, Any], kind: str, names: frozenset[str]
    ) -> frozenset[str]:
        """Checks a WITH clause, whose names are known from the next of them on."""
        if kind != "query" or not node.get("cte_map"):
            return names
        if set(node["cte_map"]) != {"map"}:
            raise self._refusal("the statement cannot be checked: WITH has an unknown part")
        for entry in node["cte_map"]["map"]:
            self._check(entry, "cte", names)
            names |= {entry["key"].lower()}
        return names

    def _check_names(self, node: dict[str, Any], kind: str, names: frozenset[str]) -> None:
        if kind == "table":
            self._last_table = node
        if kind == "table function":
            self._check_function(node, TABLE_FUNCTIONS)
        elif kind == "table" and node["type"] == "BASE_TABLE":
            self._check_table(node, names)
        elif kind == "table" and node["type"] == "SHOW_REF" and node.get("query") is None:
            raise self._refusal("an untrusted query may use DESCRIBE and SUMMARIZE, but not SHOW")
        elif "function_name" in node:
            self._check_function(node, FUNCTIONS)
        elif "type_name" in node:
            self._check_type(node)

    def _check_table(self, node: dict[str, Any], names: frozenset[str]) -> None:
        catalog, schema, name = self._name(node, _TABLE_NAMES)
        is_ours = schema in {"", "run"} and name in self._tables
        is_local = schema in {"", "recurring"} and name in names
        if catalog or not (is_ours or is_local):
            shown = ".".join(node["qualified_name"]["path"])
            raise self._refusal(
                f'an untrusted query sees only the run\'s tables, not "{shown}"', node
            )

    def _check_function(self, node: dict[str, Any], allowed: Collection[str]) -> None:
        catalog, schema, name = self._name(node, _NAMES)
        if not catalog and schema in self._schemas and not name.startswith("_"):
            return
        if catalog or schema or name not in allowed:
            shown = ".".join(node["qualified_name"]["path"])
            raise self._refusal(f"an untrusted query may not call {shown}()", node)
        if name in CALLING_BY_NAME:
            self._check_named(node, name)

    def _check_named(self, node: dict[str, Any], name: str) -> None:
        """Refuses an aggregate that is called by its name, unless that is a text and listed."""
        arguments = [each["expression"] for each in node["arguments"]]
        literal = arguments[1].get("literal", {}) if len(arguments) > 1 else {}
        if literal.get("kind") != "STRING":
            message = f"{name}() of an untrusted query needs the aggregate's name as a text"
            raise self._refusal(message, node)
        if literal["text"].lower() not in FUNCTIONS:
            message = f"an untrusted query may not call {literal['text']}()"
            raise self._refusal(message, arguments[1])

    def _check_type(self, node: dict[str, Any]) -> None:
        catalog, schema, name = self._name(node, _NAMES)
        if catalog or schema or name not in TYPES:
            shown = ".".join(node["qualified_name"]["path"])
            raise self._refusal(f"an untrusted query may not use the type {shown}", node)

    def _name(self, node: dict[str, Any], keys: tuple[str, ...]) -> list[str]:
        """Returns catalogue, schema and name in small letters, which must be the whole name."""
        found = [str(node[key]) for key in keys if key in node]
        if [part for part in found if part] != node["qualified_name"]["path"]:
            shown = ".".join(node["qualified_name"]["path"])
            raise self._refusal(f'the statement cannot be checked: the name "{shown}"', node)
        return [part.lower() for part in found]

    def _refusal(self, message: str, node: dict[str, Any] | None = None) -> QueryError:
        node = self._last_table if node and not _has_place(node) else node
        if not node or not _has_place(node):
            return QueryError(message, path=self._path)
        start = node["query_location"]
        encoded = self._text.encode()
        before = encoded[:start].decode(errors="ignore")
        named = encoded[start : start + node.get("query_location_length", 1)]
        return QueryError(
            message,
            path=self._path,
            line=before.count("\n") + 1,
            column=len(before) - before.rfind("\n"),
            source=self._text,
            length=len(named.decode(errors="ignore")),
        )


def _type_of(statement: duckdb.Statement) -> str:
    """Returns the type of a statement; some have none in Python (DuckDB 2.0: triggers, secrets)."""
    try:
        return statement.type.name
    except ValueError:
        return "another statement"


def _has_place(node: dict[str, Any]) -> bool:
    return bool(node.get("query_location", _NO_PLACE) != _NO_PLACE)


def _has_node(parts: list[Any]) -> bool:
    return any(isinstance(p, dict) or (isinstance(p, list) and _has_node(p)) for p in parts)
