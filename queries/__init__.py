"""Questions asked of a run: the SQL engine, query files, scopes, and whether runs are identical.

The XQuery front end and its compiler to SQL come to stand beside ``engine``.
"""

from jvmscope.queries.engine import Engine
from jvmscope.queries.identity import Comparison, compare_runs
from jvmscope.queries.invariants import broken_invariants
from jvmscope.queries.params import bind_params, parse_assignments
from jvmscope.queries.query_file import (
    GRAINS,
    KINDS,
    QueryColumn,
    QueryFile,
    QueryParam,
    parse_query_file,
)
from jvmscope.queries.result import Result, ResultColumn
from jvmscope.queries.scope import SCOPE_KINDS, Scope, parse_scope

__all__ = [
    "GRAINS",
    "KINDS",
    "SCOPE_KINDS",
    "Comparison",
    "Engine",
    "QueryColumn",
    "QueryFile",
    "QueryParam",
    "Result",
    "ResultColumn",
    "Scope",
    "bind_params",
    "broken_invariants",
    "compare_runs",
    "parse_assignments",
    "parse_query_file",
    "parse_scope",
]
