"""A recorded run beside a watch run of the same program: exact counts next to measured times.

The recorded run's tables are views in the schema ``recorded``. Code is the same if class, method
and descriptor have the same names and the method the same size and lines; where that is not so, or
where dividing times by counts means nothing, there is a reason instead of a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.errors import RunError
from jvmscope.queries.run_files import RunFiles
from jvmscope.schema import read_manifest

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

    from jvmscope.schema import Manifest

__all__ = ["bind_beside"]

_SCHEMA = "recorded"

# A class has one row for each loader; a name that several have says nothing of either.
_CODE = """
    CREATE VIEW recorded.code AS
    SELECT method_id, c.name AS class_name, m.name, descriptor, m.size_bytes, first_line, last_line,
        COUNT(*) OVER (PARTITION BY c.name, m.name, descriptor) AS n_loaders
    FROM recorded.method AS m JOIN recorded.class AS c USING (class_id)
"""

# As probes, this counts the outermost invocations of a recursion alone, with all that they call.
_OUTERMOST = """
    CREATE VIEW recorded.outermost AS
    WITH node AS (
        SELECT context_id, method_id, size, n_calls, ancestor_id, n_bytecodes,
            SUM(n_bytecodes) OVER (ORDER BY context_id) AS up_to
        FROM recorded.context
    )
    SELECT first.method_id, SUM(first.n_calls)::BIGINT AS n_calls,
        SUM(last.up_to - first.up_to + first.n_bytecodes)::BIGINT AS n_bytecodes
    FROM node AS first JOIN node AS last ON last.context_id = first.context_id + first.size - 1
    WHERE first.ancestor_id IS NULL AND first.method_id IS NOT NULL
    GROUP BY first.method_id
"""

_METHODS = """
    CREATE VIEW run.measured_method AS
    WITH measured AS (
        SELECT probe_method_id, SUM(n_calls)::BIGINT AS n_calls, SUM(total_ns)::BIGINT AS total_ns
        FROM run.probe_time GROUP BY probe_method_id
    ),
    judged AS (
        SELECT w.probe_method_id, w.class_name, w.name, w.descriptor, p.text AS probe, r.method_id,
            t.n_calls, t.total_ns, o.n_calls AS recorded_calls,
            o.n_bytecodes AS recorded_bytecodes,
            CASE WHEN r.method_id IS NULL THEN 'the recorded run has no such method'
                WHEN r.n_loaders > 1 THEN 'several loaders have a class of this name'
                WHEN w.code_bytes <> r.size_bytes
                    OR w.first_line IS DISTINCT FROM r.first_line
                    OR w.last_line IS DISTINCT FROM r.last_line THEN 'its code is another one'
                WHEN p.is_conditional THEN 'the probe has a condition, the counts have none'
                WHEN o.n_calls IS NULL THEN 'the recorded run has no call of it'
                WHEN t.n_calls IS NULL THEN 'no call of it was measured' END AS reason
        FROM run.probe_method AS w
        JOIN run.probe AS p USING (probe_id)
        LEFT JOIN measured AS t USING (probe_method_id)
        LEFT JOIN (
            SELECT *, ROW_NUMBER() OVER (PARTITION BY class_name, name, descriptor
                ORDER BY method_id) AS number FROM recorded.code
        ) AS r ON r.class_name = w.class_name AND r.name = w.name
            AND r.descriptor = w.descriptor AND r.number = 1
        LEFT JOIN recorded.outermost AS o ON o.method_id = r.method_id
    )
    SELECT * EXCLUDE (reason), total_ns / n_calls::DOUBLE AS ns_per_call,
        CASE WHEN reason IS NULL
            THEN (total_ns / n_calls::DOUBLE) / (recorded_bytecodes / recorded_calls::DOUBLE)
            END AS ns_per_bytecode, reason
    FROM judged
"""

_BLOCKS = """
    CREATE VIEW run.sampled_block AS
    WITH ran AS (
        SELECT basic_block_id, SUM(n_executions)::BIGINT AS n_executions
        FROM recorded.context_block GROUP BY basic_block_id
    )
    SELECT r.class_name, r.name, r.descriptor, r.method_id, b.basic_block_id, b.first_offset,
        b.last_offset, b.n_instructions, COALESCE(ran.n_executions, 0) AS n_executions, s.form,
        s.tier, COUNT(*) AS n_samples
    FROM run.sample_version AS s
    JOIN run.vm_method AS m USING (vm_method_id)
    JOIN recorded.code AS r ON r.class_name = m.class_name AND r.name = m.name
        AND r.descriptor = m.descriptor AND r.n_loaders = 1
        AND (s.line IS NULL OR s.line BETWEEN r.first_line AND r.last_line)
    JOIN recorded.basic_block AS b ON b.method_id = r.method_id
        AND s.bytecode_index BETWEEN b.first_offset AND b.last_offset
    LEFT JOIN ran ON ran.basic_block_id = b.basic_block_id
    GROUP BY ALL
"""


def bind_beside(
    connection: duckdb.DuckDBPyConnection, run: Path, manifest: Manifest, other: Path
) -> None:
    """Binds a recorded run beside a watch run, and what joins the two.

    ``measured_method`` has a row for each method with a probe: its measured invocations and their
    time, the recorded ones with the bytecodes executed in them and in what they call, nanoseconds
    per call and per bytecode, and a ``reason`` where there are none. ``sampled_block`` has a row
    for each block of the recorded run, form and tier that samples are of.

    Raises:
        RunError: one of the runs is not of its kind, or cannot be read.
    """
    if manifest.kind != "watch":
        raise RunError(f"{run}: not a watch run, so no recorded run can stand beside it")
    beside = read_manifest(other)
    if beside.kind != "recorded":
        raise RunError(f"{other}: not a recorded run: make one with jvmscope record")
    connection.execute(f"CREATE SCHEMA {_SCHEMA}")
    RunFiles(other, beside).bind(connection, _SCHEMA)
    for view in (_CODE, _OUTERMOST, _METHODS, _BLOCKS):
        connection.execute(view)
