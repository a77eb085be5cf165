"""One page about one run, in Markdown: what ran, the metrics, the hottest methods and sites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.metrics import measure, select, widen
from jvmscope.queries import parse_scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmscope.queries import Engine

__all__ = ["summarize"]

_N_ROWS = 20

_SIZES = """
    SELECT (SELECT COUNT(*) FROM run.context) AS n_contexts,
           (SELECT MAX(depth) FROM run.context) AS max_depth,
           (SELECT COUNT(*) FROM run.thread) AS n_threads,
           (SELECT COUNT(*) FROM run.class) AS n_classes,
           (SELECT COUNT(*) FROM run.method) AS n_methods,
           (SELECT COUNT(*) FROM run.exclusion) AS n_exclusions
"""
_HOTTEST_METHODS = f"""
    SELECT REPLACE(c.name, '/', '.') || '.' || m.name AS name,
           SUM(t.n_calls)::BIGINT AS n_calls,
           SUM(t.n_bytecodes)::BIGINT AS n_bytecodes,
           100 * SUM(t.n_bytecodes)::DOUBLE / NULLIF(SUM(SUM(t.n_bytecodes)) OVER (), 0) AS share
    FROM thread_method AS t
    JOIN method AS m USING (method_id)
    JOIN class AS c USING (class_id)
    GROUP BY m.method_id, c.name, m.name
    ORDER BY n_bytecodes DESC, m.method_id
    LIMIT {_N_ROWS}
"""
_POLYMORPHIC_SITES = f"""
    SELECT REPLACE(c.name, '/', '.') || '.' || m.name || COALESCE(':' || s.line, '') AS site,
           s.name AS called,
           COUNT(DISTINCT x.method_id) AS n_targets,
           SUM(x.n_calls)::BIGINT AS n_calls
    FROM call AS x
    JOIN call_site AS s USING (call_site_id)
    JOIN method AS m ON m.method_id = s.caller_id
    JOIN class AS c USING (class_id)
    WHERE s.opcode IN ('invokevirtual', 'invokeinterface') AND x.n_calls > 0
    GROUP BY s.call_site_id, c.name, m.name, s.line, s.name
    HAVING COUNT(DISTINCT x.method_id) > 1
    ORDER BY n_targets DESC, n_calls DESC, s.call_site_id
    LIMIT {_N_ROWS}
"""


def summarize(engine: Engine, scope: str = "run") -> str:
    """Returns the page.

    Args:
        engine: the run.
        scope: the part of it that metrics, methods and call sites are about.

    Raises:
        QueryError: the run has no such scope.
    """
    search_path = engine.bind_scope(parse_scope(scope))
    methods = engine.query(_HOTTEST_METHODS, search_path=search_path).rows()
    sites = engine.query(_POLYMORPHIC_SITES, search_path=search_path).rows()
    sections = [
        f"# {engine.run_id}",
        _facts(engine),
        f"## Metrics (scope: {scope})",
        _metrics(engine, scope),
        "## Hottest methods, by bytecodes executed",
        _table(("method", "calls", "bytecodes", "% of bytecodes"), methods),
        "## Call sites with most targets",
        _table(("call site", "called", "targets", "calls"), sites),
    ]
    return "\n\n".join(sections) + "\n"


def _facts(engine: Engine) -> str:
    manifest = engine.manifest
    (sizes,) = engine.query(_SIZES).arrow().to_pylist()
    ended = manifest.exit
    facts = {
        "Command": f"`{manifest.command_line}`" if manifest.command else None,
        "Java": manifest.jvm.get("version"),
        "Status": manifest.status + "".join(f"; {limit}" for limit in manifest.limits),
        "Exit status": ended.status if ended else None,
        "Calling contexts": f"{sizes['n_contexts']:,}, at most {sizes['max_depth']} deep",
        "Threads": sizes["n_threads"],
        "Classes, methods": f"{sizes['n_classes']:,}, {sizes['n_methods']:,}",
        "Exclusions": f"{sizes['n_exclusions']} (table `exclusion`)",
    }
    return "\n".join(f"- {name}: {value}" for name, value in facts.items() if value is not None)


def _metrics(engine: Engine, scope: str) -> str:
    chosen = select(["hotness.methods", "polymorphism.targets"])
    values = measure([engine], metrics=[query.id for query in chosen], scope=scope).arrow()
    sections = []
    for query in chosen:
        wide = widen(values, query)
        titles = [column.name for column in wide.columns[1:]]
        rows = (row[1:] for row in wide.rows())
        sections += [f"### {query.name}", query.description, _table(titles, rows)]
    return "\n\n".join(sections)


def _table(titles: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    lines = ["| " + " | ".join(titles) + " |", "|" + " --- |" * len(titles)]
    lines += ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]
    return "\n".join(lines) if len(lines) > 2 else "None."


def _cell(value: Any) -> str:
    """Returns a value for a table: whole numbers with commas, fractions with four digits.

    >>> [_cell(value) for value in (None, 1234567, 3.0, 0.25, "a|b", "<init>")]
    ['', '1,234,567', '3', '0.25', 'a\\\\|b', '&lt;init>']
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{int(value):,}" if value.is_integer() else f"{value:.4g}"
    if isinstance(value, int):
        return f"{value:,}"
    return str(value).replace("|", "\\|").replace("<", "&lt;")
