"""What SQL of others may say: one SELECT that names the run's tables and functions of values.

The rules are checked on DuckDB's own parse of the statement, so a name that is written in an
unexpected way is still the name that DuckDB will look up. What is allowed is listed where it
is short (tables, table functions, kinds of statements); of the many scalar functions, those that
DuckDB calls a pure function of their arguments are allowed, but for a few.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import duckdb

from jvmscope.errors import QueryError
from jvmscope.queries.sql_errors import query_error

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["check_sql"]

_TABLE_FUNCTIONS = frozenset(
    {"generate_series", "json_each", "json_tree", "range", "repeat", "repeat_row", "unnest"}
)
_MODERATE = frozenset({"current_date", "get_current_timestamp", "now", "random", "today", "uuid"})
_MACROS = frozenset(
    {
        "ago", "date_add", "days_in_month", "fdiv", "fmod", "generate_subscripts", "geomean",
        "geometric_mean", "histogram", "histogram_values", "if", "map_contains_entry",
        "map_contains_value", "md5_number_lower", "md5_number_upper", "nullif",
        "regexp_split_to_table", "split_part", "wavg", "weighted_avg",
    }
)  # fmt: skip
_MACRO_PREFIXES = ("array_", "json_group_", "list_")
# Pure in DuckDB's eyes, but they run or read SQL, or tell what the database is.
_NOT_VALUES = frozenset(
    {
        "index_key", "json_deserialize_sql", "json_serialize_plan", "json_serialize_sql",
        "parse_duckdb_log_message", "version", "st_setcrs",
    }
)  # fmt: skip
_NO_PLACE = (1 << 64) - 1
_PURE_FUNCTIONS = """
    SELECT DISTINCT function_name FROM duckdb_functions()
    WHERE function_type IN ('scalar', 'aggregate', 'window') AND stability = 'CONSISTENT'
      AND NOT starts_with(function_name, '__internal')
"""


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
        found = connection.execute(_PURE_FUNCTIONS).fetchall()
        self._functions = {name for (name,) in found} - _NOT_VALUES | _MODERATE | _MACROS

    def run(self) -> None:
        try:
            statements = self._connection.extract_statements(self._text)
        except duckdb.Error as error:
            raise query_error(
                error, text=self._text, path=self._path, offset=0, recorded=()
            ) from None
        if len(statements) != 1:
            found = f"found {len(statements)}" if statements else "there is none"
            raise self._refusal(f"a locked query is one statement; {found}")
        if statements[0].type != duckdb.StatementType.SELECT:
            raise self._refusal(f"a locked query is a SELECT, not {statements[0].type.name}")
        try:
            self._walk(self._tree(), frozenset())
        except RecursionError:
            raise self._refusal("the query is nested too deep to be checked") from None

    def _tree(self) -> Any:
        row = self._connection.execute("SELECT json_serialize_sql($sql)", {"sql": self._text})
        tree = json.loads((row.fetchone() or ("{}",))[0])
        if tree.get("error", True) or len(tree["statements"]) != 1:
            why = tree.get("error_message", "it is no plain SELECT").rstrip("!")
            raise self._refusal(f"the statement cannot be checked: {why}")
        return tree["statements"][0]["node"]

    def _walk(self, node: Any, names: frozenset[str]) -> None:
        """Checks a part of the tree, in which common table expressions have the given names."""
        if isinstance(node, list):
            for part in node:
                self._walk(part, names)
        elif isinstance(node, dict):
            self._check(node, names)
            names = self._walk_common_tables(node, names)
            for key, part in node.items():
                if key != "cte_map":
                    is_recursion = key == "right" and node.get("type") == "RECURSIVE_CTE_NODE"
                    more = {node["cte_name"].lower()} if is_recursion else frozenset()
                    self._walk(part, names | more)

    def _walk_common_tables(self, node: dict[str, Any], names: frozenset[str]) -> frozenset[str]:
        """Checks a WITH clause, whose names are known from the next of them on."""
        for entry in (node.get("cte_map") or {}).get("map", ()):
            self._walk(entry["value"], names)
            names |= {entry["key"].lower()}
        return names

    def _check(self, node: dict[str, Any], names: frozenset[str]) -> None:
        type_ = node.get("type")
        if type_ == "BASE_TABLE":
            self._check_table(node, names)
        elif type_ == "TABLE_FUNCTION":
            self._check_function(node["function"], _TABLE_FUNCTIONS, node)
        elif type_ == "SHOW_REF" and node.get("query") is None:
            raise self._refusal("a locked query may DESCRIBE and SUMMARIZE, not SHOW")
        elif "function_name" in node and node["function_name"] not in _TABLE_FUNCTIONS:
            self._check_function(node, self._functions, node)

    def _check_table(self, node: dict[str, Any], names: frozenset[str]) -> None:
        name, schema = node["table_name"], node["schema_name"].lower()
        is_ours = schema in {"", "run"} and name.lower() in self._tables
        is_local = schema in {"", "recurring"} and name.lower() in names
        if node["catalog_name"] or not (is_ours or is_local):
            shown = ".".join(node["qualified_name"]["path"])
            raise self._refusal(f'a locked query sees the run\'s tables alone, not "{shown}"', node)

    def _check_function(
        self, function: dict[str, Any], allowed: Collection[str], place: dict[str, Any]
    ) -> None:
        name, schema = function["function_name"].lower(), function["schema"].lower()
        if function["catalog"] == "" and schema in self._schemas and not name.startswith("_"):
            return
        is_macro = allowed is not _TABLE_FUNCTIONS and name.startswith(_MACRO_PREFIXES)
        if function["catalog"] or schema or not (name in allowed or is_macro):
            shown = ".".join(function["qualified_name"]["path"])
            raise self._refusal(f"a locked query may not call {shown}()", place)

    def _refusal(self, message: str, node: dict[str, Any] | None = None) -> QueryError:
        start = _NO_PLACE if node is None else node.get("query_location", _NO_PLACE)
        if node is None or start == _NO_PLACE:
            return QueryError(message, path=self._path)
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
