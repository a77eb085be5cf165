"""Questions asked of a run, in SQL and XQuery; query files, scopes, and whether runs are identical.

``engine`` opens a run (``database``) and answers, in SQL by a ``session``, in XQuery by ``xquery``.
Rooms of their own have XQuery and XPath (``xquery``), the comparison of two runs (``identity``),
untrusted queries (``locked``), the cost models of processors (``costs``) and what a query may use
(``limits``).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from jvmscope.queries.engine import Engine
from jvmscope.queries.language import language_of
from jvmscope.queries.library import LibraryEntry, library_entries
from jvmscope.queries.locked import Limits
from jvmscope.queries.params import bind_params, parse_assignments
from jvmscope.queries.query_file import (
    GRAINS,
    KINDS,
    QueryColumn,
    QueryFile,
    QueryParam,
    parse_query_file,
)
from jvmscope.queries.question import Question
from jvmscope.queries.result import Result, ResultColumn
from jvmscope.queries.scope import DERIVED, SCOPE_KINDS, WHOLE_RUN, Scope, parse_scope
from jvmscope.queries.serialized import Serialized

if TYPE_CHECKING:
    from jvmscope.queries.identity.comparison import Comparison, compare_runs
    from jvmscope.queries.invariants import broken_invariants

__all__ = [
    "DERIVED",
    "GRAINS",
    "KINDS",
    "SCOPE_KINDS",
    "WHOLE_RUN",
    "Comparison",
    "Engine",
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
    "bind_params",
    "broken_invariants",
    "compare_runs",
    "language_of",
    "library_entries",
    "parse_assignments",
    "parse_query_file",
    "parse_scope",
]

_LATE = {"Comparison": "identity", "broken_invariants": "invariants", "compare_runs": "identity"}


def __getattr__(name: str) -> Any:
    """Returns what needs Arrow and NumPy, imported when it is asked for."""
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
