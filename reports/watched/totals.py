"""The values of a pair by resource: its total for each one of a hierarchy, in one query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from jvmscope.reports.watched.charges import condition_of
from jvmscope.reports.watched.metric_functions import METRIC_FUNCTIONS

if TYPE_CHECKING:
    from jvmscope.queries import Engine
    from jvmscope.reports.watched.histogram import Bins
    from jvmscope.reports.watched.pairs import Pair

__all__ = ["Charged", "charges_of", "totals_by"]

Charged = Literal["all", "top", "program"]
"""Which methods of a stack are charged: all, the topmost, or the topmost outside of the JDK."""

_IN_JDK = "regexp_matches(class_name, '^(java|javax|jdk|sun|com.sun)[/.]')"
_METHOD = "class_name || '/' || name"

_CHOSEN = """
    WITH happening AS ({rows}),
    chosen AS (
        SELECT *, CASE WHEN duration_ns > 0 THEN amount / duration_ns::DOUBLE * GREATEST(0,
            LEAST(start_ns + duration_ns, $end_ns) - GREATEST(start_ns, $first_ns)) ELSE amount END
            AS counted
        FROM happening AS h {where}
    )
"""

_TOTALS = """
    , charged AS ({charged})
    SELECT resource, SUM(counted) AS total FROM charged
    GROUP BY resource HAVING total > 0 ORDER BY total DESC, resource
"""

_STACKS: dict[Charged, str] = {
    "all": f"SELECT stack_id, {_METHOD} AS path FROM stack_frame JOIN vm_method USING "
    "(vm_method_id)",
    "top": f"SELECT stack_id, {_METHOD} AS path FROM stack_frame JOIN vm_method USING "
    "(vm_method_id) WHERE position = 0",
    "program": f"SELECT stack_id, ARG_MIN({_METHOD}, position) AS path FROM stack_frame JOIN "
    f"vm_method USING (vm_method_id) WHERE NOT {_IN_JDK} GROUP BY stack_id",
}


def totals_by(
    engine: Engine,
    pair: Pair,
    bins: Bins,
    hierarchy: str,
    *,
    below: str | None = None,
    charged: Charged = "all",
) -> dict[str, float]:
    """Returns the totals of a pair by resource, the greatest first; none is zero.

    Args:
        engine: a watch run.
        pair: what is counted; its metric function can be charged to the hierarchy.
        bins: the time in which it counts.
        hierarchy: whose resources.
        below: the resources that stand right below this path, empty for the root; None: those at
            the ends of the hierarchy, as methods.
        charged: which methods of a stack are charged.
    """
    metric = METRIC_FUNCTIONS[pair.metric]
    where, given = condition_of(pair)
    is_divided = below is not None and hierarchy != "APThreads"
    depth = len(below.split("/")) + 1 if below else 1
    resource = f"array_to_string(string_split(path, '/')[:{depth}], '/')" if is_divided else "path"
    found = f"{resource} AS resource FROM ({{}}) WHERE starts_with(path, $below)"
    chosen = _CHOSEN.format(rows=metric.rows, where=f"WHERE {where}" if where else "")
    query = chosen + _TOTALS.format(
        charged=_charged(hierarchy, metric.rows, charged, found),
    )
    given |= _span(bins) | {"below": f"{below}/" if below else ""}
    return dict(engine.connect().execute(query, given).fetchall())


def _span(bins: Bins) -> dict[str, int]:
    return {"first_ns": bins.start_ns, "end_ns": bins.start_ns + bins.n * bins.width_ns}


_PATHS = {
    "APCode": f"(SELECT {_METHOD} FROM vm_method AS m WHERE m.vm_method_id = chosen.vm_method_id)",
    "APThreads": "(SELECT t.name FROM vm_thread AS t WHERE t.vm_thread_id = chosen.thread_id)",
    "APSyncObj": "sync",
    "Code": "code",
}
_PROGRAM = f"""
    LEFT JOIN (SELECT stack_id, COALESCE(ARG_MIN({_METHOD}, position) FILTER (NOT {_IN_JDK}),
        ARG_MIN({_METHOD}, position)) AS top
        FROM stack_frame JOIN vm_method USING (vm_method_id) GROUP BY stack_id) USING (stack_id)
"""


def charges_of(engine: Engine, pair: Pair, bins: Bins) -> list[tuple[dict[str, str], float]]:
    """Returns for each combination of resources how much of a pair is charged to them.

    What has a stack is charged to its topmost method outside of the JDK, or else to the topmost
    one. A hierarchy is missing where the metric function or the row has no charge in it.
    """
    metric = METRIC_FUNCTIONS[pair.metric]
    where, given = condition_of(pair)
    has_stack = "APCode" not in metric.absent and "vm_method_id" not in metric.rows
    paths = _PATHS | ({"APCode": "top"} if has_stack else {})
    known = [name for name in paths if name not in metric.absent]
    columns = "".join(f"{paths[name]} AS {name}, " for name in known)
    query = _CHOSEN.format(rows=metric.rows, where=f"WHERE {where}" if where else "") + (
        f"SELECT {columns}SUM(counted) FROM chosen {_PROGRAM if has_stack else ''} GROUP BY ALL"
    )
    rows = engine.connect().execute(query, given | _span(bins)).fetchall()
    return [
        ({name: path for name, path in zip(known, row, strict=False) if path is not None}, row[-1])
        for row in rows
        if row[-1]
    ]


def _charged(hierarchy: str, rows: str, charged: Charged, found: str) -> str:
    """Returns the rows with the resources that they are charged to, each resource once.

    Args:
        hierarchy: whose resources.
        rows: the query of the metric function.
        charged: which methods of a stack are charged.
        found: the columns and the condition of a query from another one.
    """
    if hierarchy == "APCode" and "method_path" in rows:
        return f"SELECT counted, {found.format('SELECT counted, method_path AS path FROM chosen')}"
    if hierarchy == "APCode" and "vm_method_id" not in rows:
        stacks = f"SELECT DISTINCT stack_id, {found.format(_STACKS[charged])}"
        return f"SELECT counted, resource FROM chosen JOIN ({stacks}) USING (stack_id)"
    paths = {
        "APCode": f"SELECT counted, {_METHOD} AS path FROM chosen JOIN vm_method "
        "USING (vm_method_id)",
        "APThreads": "SELECT counted, name AS path FROM chosen JOIN vm_thread "
        "ON vm_thread_id = thread_id",
        "APSyncObj": "SELECT counted, sync AS path FROM chosen",
        "Code": "SELECT counted, code AS path FROM chosen",
    }
    return f"SELECT counted, {found.format(paths[hierarchy])}"
