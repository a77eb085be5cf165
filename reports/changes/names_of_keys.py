"""Names in place of keys: what a method, a class or a call site is called in any run.

Keys are a run's own: one more class renumbers all of them. Between runs, and between versions of a
program, things are the same if they have the same name:

    class_id        class: the name in JVM form
    method_id       method: CLASS.NAME and descriptor, in JVM form
    call_site_id    method: its caller; call_site: the method that the instruction names and #N, the
                    place among the caller's instructions that name it, so that code which is added
                    elsewhere in the method changes nothing; line: where it is, which is not a key
    thread_id       thread: its name and #N, the place among threads of that name

Nor are other places in code names, the offset of an instruction and its line. An instruction has
the column ``place_in_code``: its number among those of its method that have its opcode and operand,
executed or not.
Rows that differ in nothing else are matched in their order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from jvmscope.metrics.tidy import SQL_TYPES
from jvmscope.queries import thread_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmscope.queries import Engine, QueryFile

__all__ = [
    "NAMED",
    "SITE_NAMES",
    "KeyColumn",
    "key_columns",
    "names_in",
    "unnameable",
    "with_names",
]

SITE_NAMES = """
    SELECT call_site_id, caller_id, line,
           COALESCE(COALESCE(owner || '.', '') || name || descriptor, 'VM') AS called,
           ROW_NUMBER() OVER (
               PARTITION BY caller_id, owner, name, descriptor ORDER BY "offset"
           ) AS number
    FROM run.call_site
"""
"""SQL of what call sites are called: the method that they name, and their place among such."""

_METHODS = """
    SELECT m.method_id, c.name || '.' || m.name || m.descriptor AS method
    FROM run.method AS m JOIN run.class AS c USING (class_id)
"""
_NAMES = {
    "class_id": "SELECT class_id AS id, name AS class FROM run.class",
    "method_id": f"SELECT method_id AS id, method FROM ({_METHODS})",
    "call_site_id": f"""
        SELECT s.call_site_id AS id, m.method, s.called || ' #' || s.number AS call_site, s.line
        FROM ({SITE_NAMES}) AS s JOIN ({_METHODS}) AS m ON m.method_id = s.caller_id
    """,
    "thread_id": f"""
        SELECT thread_id AS id,
               {thread_label("name")}
               || ' #' || ROW_NUMBER() OVER (PARTITION BY name ORDER BY start_order) AS thread
        FROM run.thread
    """,
}
_OWN = "c.loader NOT IN ('boot', 'platform')"
_UNKNOWN = "c.name IS NULL"  # of no class: runs of native code alone do not know the loaders
NAMED = {
    "class": "SELECT name FROM run.class AS c ORDER BY {own}, name",
    "class_name": "SELECT name FROM run.class AS c ORDER BY {own}, name",
    "method": """
        SELECT c.name || '.' || m.name || m.descriptor
        FROM run.method AS m JOIN run.class AS c USING (class_id)
        ORDER BY {own}, c.name, m.name, m.descriptor
    """,
    "call_site": f"SELECT DISTINCT called || ' #' || number FROM ({SITE_NAMES})",
    "thread": f"SELECT thread FROM ({_NAMES['thread_id']})",
}
"""The columns that name parts of a program, and SQL of all that a run has, sorted by ``{own}``:
whether the class is the program's own."""
_METHOD_TABLES = frozenset({"class", "method"})
_TABLES = {
    "class": frozenset({"class"}),
    "class_name": frozenset({"class"}),
    "method": _METHOD_TABLES,
    "call_site": _METHOD_TABLES | {"call_site"},
    "thread": frozenset({"thread"}),
}
"""The tables that have the names; a run of native code alone has no call sites."""

_PROBED = "SELECT DISTINCT class_name FROM probe_method ORDER BY ALL"
_PROBED_OR_RECORDED = """
    SELECT class_name FROM probe_method UNION SELECT name FROM recorded.class ORDER BY ALL
"""

_COLUMNS = {
    "class_id": ("class",),
    "method_id": ("method",),
    "call_site_id": ("method", "call_site", "line"),
    "thread_id": ("thread",),
}
_PLACES = ("offset", "line")
_PLACE_TABLES = frozenset({"basic_block", "instruction"})
_PLACE_NUMBERS = """
    SELECT b.method_id, i."offset",
           ROW_NUMBER() OVER (
               PARTITION BY b.method_id, i.opcode, i.operand ORDER BY i."offset"
           ) AS place
    FROM run.instruction AS i JOIN run.basic_block AS b USING (basic_block_id)
"""
_NAMELESS = {
    "context_id": "contexts are compared as a tree: --tree",
    "recorded_context": "contexts of two recordings have no names in common",
    "basic_block_id": "basic blocks have no name that another version of their method keeps",
    "instruction_id": "instructions have no name that another version of their method keeps",
}


@dataclass(frozen=True)
class KeyColumn:
    """A column that says what a row is about; ``is_matched``: rows of two runs share it."""

    name: str
    type: str
    is_matched: bool = True


def unnameable(query: QueryFile) -> str | None:
    """Returns why the rows of a metric have no names that hold in another run; None: they have."""
    return next((_NAMELESS[key.name] for key in query.keys if key.name in _NAMELESS), None)


def key_columns(queries: Iterable[QueryFile]) -> list[KeyColumn]:
    """Returns the columns that say what the rows of some metrics are about, each once."""
    columns: dict[str, KeyColumn] = {}
    for key in (key for query in queries for key in query.keys):
        for name in _COLUMNS.get(key.name, (key.name,)):
            type_ = SQL_TYPES[key.type] if key.name not in _COLUMNS else "VARCHAR"
            is_line = key.name in _COLUMNS and name == "line"
            column = KeyColumn(name, "BIGINT" if is_line else type_, name not in _PLACES)
            columns.setdefault(name, column)
    return list(columns.values())


def names_in(engine: Engine, column: str) -> list[str]:
    """Returns all that a run has by the name of a column: its own classes and methods last.

    Args:
        engine: the run.
        column: ``class``, ``method``, ``call_site`` or ``thread``; other tables have none. A watch
            run has the ``class_name`` of what has a probe, and of what the recording beside it has.
    """
    source = NAMED.get(column)
    if engine.manifest.kind == "watch" and column == "class_name":
        source = _PROBED if engine.beside is None else _PROBED_OR_RECORDED
    elif not _TABLES.get(column, frozenset()) <= set(engine.recorded):
        return []
    if source is None:
        return []
    own = _UNKNOWN if engine.manifest.kind == "native" else _OWN
    sql = source.replace("{own}", own)
    return [name for (name,) in engine.connect().execute(sql).fetchall()]


def with_names(engine: Engine, values: pa.Table, columns: Sequence[KeyColumn]) -> pa.Table:
    """Returns the values of metrics on a run with names in place of keys.

    Args:
        engine: the run.
        values: tidy values of the run.
        columns: those of ``key_columns``.

    Returns:
        The columns ``metric, measure``, those given, ``value, unit, reason, reason_code``,
        ``position``, the row's number, and ``place_in_code``, that of its instruction, or null.
    """
    recorded = set(engine.recorded)
    known = [key for key in _NAMES if _TABLES[key.removesuffix("_id")] <= recorded]
    keys = [key for key in known if key in values.column_names]
    selected = "".join(f"{_source(column, keys, values)}, " for column in columns)
    joins = " ".join(
        f"LEFT JOIN ({_NAMES[key]}) AS {key}_names ON {key}_names.id = value.{key}" for key in keys
    )
    place = "NULL::BIGINT"
    if {"method_id", "offset"} <= set(values.column_names) and recorded >= _PLACE_TABLES:
        place = "numbered.place"
        joins += f"""
            LEFT JOIN ({_PLACE_NUMBERS}) AS numbered
                ON numbered.method_id = value.method_id AND numbered."offset" = value."offset"
        """
    connection = engine.connect()
    numbers = pa.array(range(values.num_rows), pa.int64())
    connection.register("tidy_values", values.append_column("position", numbers))
    named: pa.Table = connection.sql(
        f"SELECT metric, measure, {selected}value.value, unit, reason, "
        f"reason_code, position, {place} AS place_in_code "
        f"FROM tidy_values AS value {joins} ORDER BY position"
    ).to_arrow_table()
    connection.unregister("tidy_values")
    return named


def _source(column: KeyColumn, keys: Sequence[str], values: pa.Table) -> str:
    """Returns the SQL of a column: the name of one of the keys, or as the metric has it."""
    found = [f"{key}_names.{column.name}" for key in keys if column.name in _COLUMNS[key]]
    if column.name in values.column_names:
        found.append(f"value.{column.name}")
    found.append(f"NULL::{column.type}")
    return f"COALESCE({', '.join(found)}) AS {column.name}"
