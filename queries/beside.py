"""A recorded run beside a watch run of the same program: exact counts next to measured times.

The recorded run's tables are views in the schema ``recorded``. Code is the same if its class has
the same content (``class_matches``); where that is not known, if class, method and descriptor have
the same names and the method the same size and lines. Where that is not so, or where dividing times
by counts means nothing, there is a reason instead of a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.errors import RunError
from jvmscope.queries.class_matches import bind_class_matches
from jvmscope.queries.context_times import bind_context_times
from jvmscope.queries.run_files import RunFiles
from jvmscope.queries.scopes.block_parts import block_part_views
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
        COUNT(*) OVER (PARTITION BY c.name, m.name, descriptor) AS n_loaders,
        EXISTS (FROM recorded.exclusion AS e WHERE e.class_name = c.name
            AND COALESCE(e.method_name = m.name AND COALESCE(e.descriptor = m.descriptor, TRUE),
                e.method_name IS NULL)) AS is_left_out
    FROM recorded.method AS m JOIN recorded.class AS c USING (class_id)
"""

_OMISSION = """
    CREATE VIEW recorded.omission AS SELECT {} AS are_classes
"""

# As probes, this counts the outermost invocations of a recursion alone, with all that they call.
# Their contexts follow the first one.
_SPANS = """
    CREATE VIEW recorded.outermost_span AS
    SELECT method_id, context_id AS first_id, context_id + size - 1 AS last_id, n_calls
    FROM recorded.context WHERE ancestor_id IS NULL AND method_id IS NOT NULL
"""

_WORK = """
    CREATE VIEW recorded.outermost_work AS
    WITH node AS (
        SELECT context_id, n_bytecodes, SUM(n_bytecodes) OVER (ORDER BY context_id) AS up_to
        FROM recorded.context
    )
    SELECT s.*, last.up_to - first.up_to + first.n_bytecodes AS n_bytecodes
    FROM recorded.outermost_span AS s
    JOIN node AS first ON first.context_id = s.first_id
    JOIN node AS last ON last.context_id = s.last_id
"""

_OUTERMOST = """
    CREATE VIEW recorded.outermost AS
    SELECT method_id, SUM(n_calls)::BIGINT AS n_calls, SUM(n_bytecodes)::BIGINT AS n_bytecodes
    FROM recorded.outermost_work GROUP BY method_id
"""

_METHODS = """
    CREATE VIEW run.measured_method AS
    WITH folded AS (SELECT BOOL_OR(is_folded) AS are_calls FROM recorded.context),
    measured AS (
        SELECT probe_method_id, SUM(n_calls)::BIGINT AS n_calls, SUM(total_ns)::BIGINT AS total_ns
        FROM run.probe_time GROUP BY probe_method_id
    ),
    judged AS (
        SELECT w.probe_method_id, w.class_name, w.name, w.descriptor, p.text AS probe,
            ROW_NUMBER() OVER (PARTITION BY w.class_name, w.name, w.descriptor, p.text
                ORDER BY w.probe_method_id) AS copy, r.method_id,
            t.n_calls, t.total_ns, o.n_calls AS recorded_calls,
            o.n_bytecodes AS recorded_bytecodes, k.matched_by,
            CASE WHEN r.method_id IS NULL THEN 'the recorded run has no such method'
                WHEN k.matched_by IS NULL THEN k.reason
                WHEN w.code_bytes <> r.size_bytes
                    OR w.first_line IS DISTINCT FROM r.first_line
                    OR w.last_line IS DISTINCT FROM r.last_line THEN 'its code is another one'
                WHEN (SELECT are_calls FROM folded) THEN 'the recorded run has folded calls'
                WHEN (SELECT are_classes FROM recorded.omission)
                    THEN 'the recorded run leaves out classes (--include or --exclude)'
                WHEN p.is_conditional THEN 'the probe has a condition, the counts have none'
                WHEN w.name = '<init>'
                    THEN 'the time begins behind the call of another constructor, the counts do not'
                WHEN o.n_calls IS NULL THEN 'the recorded run has no call of it'
                WHEN t.n_calls IS NULL THEN 'no call of it was measured' END AS reason
        FROM run.probe_method AS w
        JOIN run.probe AS p USING (probe_id)
        JOIN run.class_match AS k ON k.class_name = w.class_name
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
            THEN (total_ns / n_calls::DOUBLE)
                / (NULLIF(recorded_bytecodes, 0) / recorded_calls::DOUBLE)
            END AS ns_per_bytecode, reason
    FROM judged
"""

# Who called the outermost invocations, by class and name, which is what probes know of a caller.
_CALLERS = """
    CREATE VIEW run.measured_caller AS
    WITH measured AS (
        SELECT probe_method_id, probe_caller_id, SUM(n_calls)::BIGINT AS n_calls,
            SUM(total_ns)::BIGINT AS total_ns
        FROM run.probe_time WHERE probe_caller_id IS NOT NULL GROUP BY ALL
    ),
    counted AS (
        SELECT s.method_id, c.name AS class_name, m.name, SUM(s.n_calls)::BIGINT AS n_calls,
            SUM(s.n_bytecodes)::BIGINT AS n_bytecodes
        FROM recorded.outermost_work AS s
        JOIN recorded.context AS called ON called.context_id = s.first_id
        JOIN recorded.context AS caller ON caller.context_id = called.parent_id
        JOIN recorded.method AS m ON m.method_id = caller.method_id
        JOIN recorded.class AS c ON c.class_id = m.class_id
        GROUP BY ALL
    ),
    judged AS (
        SELECT w.probe_method_id, w.class_name, w.name, w.descriptor, w.probe,
            above.class_name AS caller_class,
            CASE WHEN above.class_name IS NOT NULL THEN above.name END AS caller_name,
            t.n_calls, t.total_ns, r.n_calls AS recorded_calls,
            r.n_bytecodes AS recorded_bytecodes,
            CASE WHEN w.reason IS NOT NULL THEN w.reason
                WHEN above.class_name IS NULL THEN 'callers beyond the first 1,000 of a method'
                WHEN r.n_calls IS NULL THEN 'the recorded run has no call by this caller'
                END AS reason
        FROM measured AS t
        JOIN run.measured_method AS w USING (probe_method_id)
        JOIN run.probe_caller AS above USING (probe_caller_id)
        LEFT JOIN counted AS r ON r.method_id = w.method_id AND r.class_name = above.class_name
            AND r.name = above.name
    )
    SELECT * EXCLUDE (reason), total_ns / n_calls::DOUBLE AS ns_per_call,
        CASE WHEN reason IS NULL
            THEN (total_ns / n_calls::DOUBLE)
                / (NULLIF(recorded_bytecodes, 0) / recorded_calls::DOUBLE)
            END AS ns_per_bytecode, reason
    FROM judged
"""

# Where the code that a method of the watch has is that of the recorded run. Overloads are one
# resource, as in the table resource.
_BLOCKS = """
    CREATE VIEW run.code_block AS
    SELECT m.vm_method_id, m.class_name || '/' || m.name || '/block@' || b.first_offset AS path,
        r.class_name, r.name, r.descriptor, r.method_id, b.basic_block_id, b.first_offset,
        b.last_offset, b.n_instructions, r.first_line, r.last_line, r.is_left_out, k.matched_by
    FROM run.vm_method AS m
    JOIN run.class_match AS k ON k.class_name = m.class_name AND k.matched_by IS NOT NULL
    JOIN recorded.code AS r ON r.class_name = m.class_name AND r.name = m.name
        AND r.descriptor = m.descriptor AND r.n_loaders = 1
    JOIN recorded.basic_block AS b USING (method_id)
"""

_SAMPLED_BLOCKS = """
    CREATE VIEW run.sampled_block AS
    WITH ran AS (
        SELECT basic_block_id, SUM(n_executions)::BIGINT AS n_executions
        FROM recorded.context_block GROUP BY basic_block_id
    ),
    sampled AS (
        SELECT b.class_name, b.name, b.descriptor, b.method_id, b.basic_block_id, b.path,
            b.first_offset, b.last_offset, b.n_instructions,
            COALESCE(ran.n_executions, CASE WHEN NOT b.is_left_out THEN 0 END) AS n_executions,
            b.matched_by, s.form, s.tier, COUNT(*) AS n_samples
        FROM run.sample_version AS s
        JOIN run.code_block AS b ON b.vm_method_id = s.vm_method_id
            AND s.bytecode_index BETWEEN b.first_offset AND b.last_offset
            AND (s.line IS NULL OR s.line BETWEEN b.first_line AND b.last_line)
        LEFT JOIN ran USING (basic_block_id)
        GROUP BY ALL
    )
    SELECT *, n_samples / SUM(n_samples) OVER (PARTITION BY basic_block_id) AS share FROM sampled
"""

# Calls in versions of compiled code, and how often they ran in the recorded run, in all forms.
_INLINED = """
    CREATE VIEW run.inlined_call AS
    WITH ran AS (
        SELECT basic_block_id, SUM(n_executions)::BIGINT AS n_executions
        FROM recorded.context_block GROUP BY basic_block_id
    ),
    known AS (
        SELECT r.class_name || '.' || r.name || r.descriptor AS caller, r.method_id, b.first_offset,
            b.last_offset, k.matched_by,
            COALESCE(ran.n_executions, CASE WHEN NOT r.is_left_out THEN 0 END) AS n_executions
        FROM recorded.code AS r
        JOIN run.class_match AS k USING (class_name)
        JOIN recorded.basic_block AS b ON b.method_id = r.method_id
        LEFT JOIN ran USING (basic_block_id)
        WHERE k.matched_by IS NOT NULL AND r.n_loaders = 1
    )
    SELECT t.* REPLACE (COALESCE(t.line, s.line) AS line), b.matched_by, b.n_executions
    FROM run.inlining_tree AS t
    LEFT JOIN known AS b ON b.caller = t.caller
        AND t.bytecode_index BETWEEN b.first_offset AND b.last_offset
    LEFT JOIN recorded.call_site AS s ON s.caller_id = b.method_id
        AND s."offset" = t.bytecode_index
"""

_OF_BLOCKS = (_BLOCKS, _SAMPLED_BLOCKS, _INLINED)


def bind_beside(
    connection: duckdb.DuckDBPyConnection, run: Path, manifest: Manifest, other: Path
) -> Manifest:
    """Binds a recorded run beside a watch run, and what joins the two.

    ``class_match`` has a row for each class that the watch run names: whether and how it is known
    to be the recorded one. ``measured_method`` has a row for each method with a probe: its measured
    invocations and their time, the recorded ones with the bytecodes executed in them and in what
    they call, nanoseconds per call and per bytecode, and a ``reason`` where there are none.
    ``measured_caller`` has the same for each of its callers, where the watch has them.
    ``code_block`` has the recorded blocks of the methods that stacks of the watch name.
    ``sampled_block`` has a row for each block, form and tier that samples are of, with the
    ``share`` of the block's samples; its ``n_executions`` is null if the recording did not count in
    the method. ``inlined_call`` has the recorded executions of the calls of ``inlining_tree``, null
    likewise.

    Returns:
        the recorded run's manifest.

    Raises:
        RunError: one of the runs is not of its kind, or cannot be read.
    """
    if manifest.kind != "watch":
        raise RunError(f"{run}: not a watch run, so no recorded run can stand beside it")
    beside = read_manifest(other)
    if beside.kind == "watch":
        raise RunError(f"{other}: not a recorded run: make one with jvmscope record")
    beside.expect_tree(other)
    connection.execute(f"CREATE SCHEMA {_SCHEMA}")
    files = RunFiles(other, beside)
    files.bind(connection, _SCHEMA)
    for name, body in block_part_views(_SCHEMA, files.recorded, whole=_SCHEMA).items():
        connection.execute(f"CREATE VIEW {_SCHEMA}.{name} AS {body}")
    leaves_out = bool(beside.options.get("include") or beside.options.get("exclude"))
    connection.execute(_OMISSION.format(leaves_out))
    bind_class_matches(connection, manifest, other, beside)
    for view in (_CODE, _SPANS, _WORK, _OUTERMOST, _METHODS, _CALLERS, *_OF_BLOCKS):
        connection.execute(view)
    bind_context_times(connection)
    return beside
