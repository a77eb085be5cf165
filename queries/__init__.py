"""Questions asked of a run, in SQL and XQuery; query files, scopes, and whether runs are identical.

``engine`` opens a run (``database``) and answers a ``question``, in SQL by a ``session``, in XQuery
by ``xquery``. Rooms of their own have XQuery and XPath (``xquery``), the comparison of two runs
(``identity``), untrusted queries (``locked``), the cost models of processors (``costs``) and what a
query may use (``limits``).

Other stages import from this package alone, so what is not listed here can change freely.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from jvmscope.queries.engine import Engine
from jvmscope.queries.language import language_of
from jvmscope.queries.library import LibraryEntry, function_names, library_entries
from jvmscope.queries.locked import Limits
from jvmscope.queries.params import bind_params, parse_assignments
from jvmscope.queries.query_file import QueryFile, entry_error, parse_query_file
from jvmscope.queries.query_parts import Highlight, QueryColumn, QueryParam
from jvmscope.queries.question import Question
from jvmscope.queries.result import Result, ResultColumn
from jvmscope.queries.scopes.bound_scopes import COMPUTED
from jvmscope.queries.scopes.scope import DERIVED, SCOPE_KINDS, WHOLE_RUN, Scope, parse_scope
from jvmscope.queries.serialized import Serialized

if TYPE_CHECKING:
    from jvmscope.queries.arrow_types import arrow_schema
    from jvmscope.queries.column_values import has_own_text, json_values, texts
    from jvmscope.queries.costs import (
        CostModel,
        load_cost_model,
        model_params,
        refuse_two_models,
        uses_costs,
        uses_recorded_cache,
    )
    from jvmscope.queries.first_rows import first_row
    from jvmscope.queries.identity.comparison import Comparison, compare_runs
    from jvmscope.queries.identity.path_hashes import ROOT_HASHES, hash_places, indices_by_depth
    from jvmscope.queries.invariants import broken_invariants
    from jvmscope.queries.limits.deadline import Deadline
    from jvmscope.queries.limits.interruption import in_time, interruptible
    from jvmscope.queries.limits.memory import memory_settings
    from jvmscope.queries.limits.share import n_processors, share_machine
    from jvmscope.queries.locked.database import allow_only_files, locked_config
    from jvmscope.queries.locked.rules import check_sql
    from jvmscope.queries.nameless import NO_NAME, thread_label
    from jvmscope.queries.reading import readable_directories
    from jvmscope.queries.sql_errors import is_out_of_memory, message_of, query_error

__all__ = [
    "COMPUTED",
    "DERIVED",
    "NO_NAME",
    "ROOT_HASHES",
    "SCOPE_KINDS",
    "WHOLE_RUN",
    "Comparison",
    "CostModel",
    "Deadline",
    "Engine",
    "Highlight",
    "LibraryEntry",
    "Limits",
    "QueryColumn",
    "QueryFile",
    "QueryParam",
    "Question",
    "Result",
    "ResultColumn",
    "Scope",
    "Serialized",
    "allow_only_files",
    "arrow_schema",
    "bind_params",
    "broken_invariants",
    "called_words",
    "check_sql",
    "compare_runs",
    "entry_error",
    "first_row",
    "function_names",
    "has_own_text",
    "hash_places",
    "in_time",
    "indices_by_depth",
    "interruptible",
    "is_out_of_memory",
    "json_values",
    "language_of",
    "library_entries",
    "load_cost_model",
    "locked_config",
    "memory_settings",
    "message_of",
    "model_params",
    "n_processors",
    "parse_assignments",
    "parse_query_file",
    "parse_scope",
    "query_error",
    "readable_directories",
    "refuse_two_models",
    "share_machine",
    "texts",
    "thread_label",
    "uses_costs",
    "uses_recorded_cache",
]

_LATE = {
    "arrow_types": ("arrow_schema",),
    "column_values": (
        "has_own_text",
        "json_values",
        "texts",
    ),
    "costs": (
        "CostModel",
        "load_cost_model",
        "model_params",
        "refuse_two_models",
        "uses_costs",
        "uses_recorded_cache",
    ),
    "first_rows": ("first_row",),
    "identity": (
        "Comparison",
        "compare_runs",
    ),
    "identity.path_hashes": (
        "ROOT_HASHES",
        "hash_places",
        "indices_by_depth",
    ),
    "invariants": ("broken_invariants",),
    "limits.deadline": ("Deadline",),
    "limits.interruption": (
        "in_time",
        "interruptible",
    ),
    "limits.memory": ("memory_settings",),
    "limits.share": (
        "n_processors",
        "share_machine",
    ),
    "locked.database": (
        "locked_config",
        "allow_only_files",
    ),
    "locked.rules": ("check_sql",),
    "modules": ("called_words",),
    "nameless": ("NO_NAME", "thread_label"),
    "reading": ("readable_directories",),
    "sql_errors": (
        "is_out_of_memory",
        "message_of",
        "query_error",
    ),
}
_MODULES = {name: module for module, names in _LATE.items() for name in names}


def __getattr__(name: str) -> Any:
    """Returns what not every query needs, imported when it is asked for."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
