"""Time by calling context: samples of a watch run on the contexts of the recorded run beside it.

A sample has a stack: methods, and the offsets of their calls. Walked from its beginning, it leads
to contexts of the recorded run. Samples stand for processor time. How often the watched VM did what
the recorded run has counted is known from the methods with probes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.schema.hidden_classes import HIDDEN

if TYPE_CHECKING:
    import duckdb

__all__ = ["bind_context_times"]

_MOST_FRAMES = 64
"""As many frames of a stack does a VM keep, unless it was told otherwise."""

_SPREAD = 0.02
"""How much the ratios of watched to recorded calls may differ for counts to be of the same work."""

_Z = 1.96
"""The normal deviate of 95 % intervals."""

# The span in which probes counted; the ratios by method, and processor time by interpolation.
_SCALE = f"""
    CREATE VIEW run.watch_scale AS
    WITH used AS (SELECT at_ns, user_ns + system_ns AS cpu_ns FROM run.process_usage),
    span AS (
        SELECT greatest((SELECT MAX(at_ns) FROM run.probe_method), MIN(at_ns)) AS start_ns,
            least((SELECT MAX(end_ns) FROM run.probe_time), MAX(at_ns)) AS end_ns
        FROM used
    ),
    edges AS (SELECT UNNEST([start_ns, end_ns]) AS at_ns FROM span),
    read_cpu AS (
        SELECT e.at_ns, low.cpu_ns + COALESCE((high.cpu_ns - low.cpu_ns)
            * ((e.at_ns - low.at_ns) / NULLIF(high.at_ns - low.at_ns, 0)::DOUBLE), 0) AS cpu_ns
        FROM edges AS e
        LEFT JOIN LATERAL (SELECT * FROM used WHERE used.at_ns <= e.at_ns
            ORDER BY used.at_ns DESC LIMIT 1) AS low ON TRUE
        LEFT JOIN LATERAL (SELECT * FROM used WHERE used.at_ns > e.at_ns
            ORDER BY used.at_ns LIMIT 1) AS high ON TRUE
    ),
    ratio AS (
        SELECT n_calls / recorded_calls::DOUBLE AS ratio, n_calls FROM run.measured_method
        WHERE reason IS NULL
    ),
    known AS (
        SELECT COUNT(*) AS n_probes, SUM(ratio * n_calls) / SUM(n_calls) AS scale,
            MIN(ratio) AS least, MAX(ratio) AS most FROM ratio
    )
    SELECT start_ns, end_ns, n_probes, scale, least AS least_scale, most AS most_scale,
        CASE WHEN start_ns < end_ns
            THEN (SELECT MAX(cpu_ns) - MIN(cpu_ns) FROM read_cpu) END AS cpu_ns,
        CASE WHEN (SELECT BOOL_OR(is_folded) FROM recorded.context)
                THEN 'the recorded run has folded calls'
            WHEN n_probes = 0 THEN 'no method with a probe says how often the work was done'
            WHEN most > least * {1 + _SPREAD}
                THEN 'methods with probes were called in other proportions than recorded'
            WHEN NOT COALESCE(start_ns < end_ns, FALSE) OR NOT EXISTS (FROM used)
                THEN 'the processor time while probes were in is not known' END AS reason
    FROM span, known
"""

# What was sampled while probes counted, also in bins that lie within; and the frames as methods of
# the recorded run. A hidden class goes by its name up to the address.
_FRAMES = f"""
    scale AS MATERIALIZED (SELECT * FROM run.watch_scale),
    stack AS MATERIALIZED (
        SELECT s.stack_id, SUM(s.n)::BIGINT AS n_samples
        FROM (
            SELECT stack_id, is_native, at_ns AS start_ns, at_ns AS end_ns, 1 AS n
            FROM run.execution_sample
            UNION ALL
            SELECT stack_id, is_native, start_ns, end_ns, n_events FROM run.execution_sample_bin
        ) AS s, scale AS w
        WHERE NOT s.is_native AND s.start_ns >= COALESCE(w.start_ns, s.start_ns)
            AND s.end_ns <= COALESCE(w.end_ns, s.end_ns)
        GROUP BY s.stack_id
    ),
    code AS (
        SELECT m.method_id, m.name, m.descriptor,
            CASE WHEN c.is_hidden THEN regexp_replace(c.name, '([$][0-9]+)?/[^/]*$', '')
                ELSE c.name END AS class_name, c.is_hidden
        FROM recorded.method AS m JOIN recorded.class AS c USING (class_id)
    ),
    here AS (
        SELECT v.*, regexp_matches(v.class_name, '{HIDDEN}') AS is_hidden_class,
            CASE WHEN regexp_matches(v.class_name, '{HIDDEN}')
                THEN replace(regexp_replace(v.class_name, '([$][0-9]+)?{HIDDEN}', ''), '.', '/')
                ELSE v.class_name END AS base_name
        FROM run.vm_method AS v
    ),
    method AS (
        SELECT h.vm_method_id, c.method_id FROM here AS h
        LEFT JOIN run.class_match AS k ON k.class_name = h.class_name
        JOIN code AS c ON c.class_name = h.base_name AND c.name = h.name
            AND c.descriptor = h.descriptor AND c.is_hidden = h.is_hidden_class
        WHERE h.is_hidden_class OR k.matched_by IS NOT NULL
    ),
    deep AS (
        SELECT stack_id, MAX(position) AS base FROM run.stack_frame
        WHERE stack_id IN (SELECT stack_id FROM stack) GROUP BY stack_id
    ),
    frame AS MATERIALIZED (
        SELECT f.stack_id, deep.base - f.position AS level, deep.base, m.method_id, f.bytecode_index
        FROM deep JOIN run.stack_frame AS f USING (stack_id)
        LEFT JOIN method AS m USING (vm_method_id)
    )
"""

# From the start of a thread to the method that ran, along calls of the recorded run.
_WALK = f"""
    node AS (
        SELECT c.context_id, c.parent_id, c.method_id, s."offset" AS site
        FROM recorded.context AS c LEFT JOIN recorded.call_site AS s USING (call_site_id)
    ),
    walk (stack_id, level, base, context_id, bytecode_index) AS (
        SELECT f.stack_id, f.level, f.base, c.context_id, f.bytecode_index
        FROM frame AS f JOIN node AS c ON c.method_id = f.method_id
        JOIN recorded.context AS root ON root.context_id = c.parent_id AND root.parent_id IS NULL
        WHERE f.level = 0 AND f.base < {_MOST_FRAMES} - 1
        UNION ALL
        SELECT w.stack_id, f.level, f.base, c.context_id, f.bytecode_index
        FROM walk AS w
        JOIN frame AS f ON f.stack_id = w.stack_id AND f.level = w.level + 1
        JOIN node AS c ON c.parent_id = w.context_id AND c.method_id = f.method_id
            AND (c.site IS NULL OR c.site = w.bytecode_index)
    ),
    walked AS MATERIALIZED (
        SELECT stack_id, level, base, context_id,
            MIN(context_id) OVER (PARTITION BY stack_id, level) AS place FROM walk
    )
"""

_CONTEXTS = f"""
    CREATE VIEW run.measured_context AS
    WITH RECURSIVE {_FRAMES}, {_WALK},
    total AS (SELECT SUM(n_samples) AS n FROM stack),
    sampled AS (
        SELECT place, SUM(n_samples)::BIGINT AS n_below,
            COALESCE(SUM(n_samples) FILTER (WHERE level = base), 0)::BIGINT AS n_self
        FROM (SELECT DISTINCT stack_id, level, base, place FROM walked)
        JOIN stack USING (stack_id) GROUP BY place
    ),
    counted AS (
        SELECT place, SUM(n_calls)::BIGINT AS n_calls, SUM(n_bytecodes)::BIGINT AS n_bytecodes,
            COUNT(*) AS n_contexts
        FROM (SELECT DISTINCT place, context_id FROM walked)
        JOIN recorded.context USING (context_id) GROUP BY place
    ),
    lost AS (
        SELECT CASE WHEN s.stack_id IS NULL THEN 'the sample has no stack'
                WHEN f.base >= {_MOST_FRAMES} - 1 THEN 'the stack is cut off'
                WHEN f.lacks THEN 'the recorded run lacks a method of the stack'
                ELSE 'the recorded run has no such calls' END AS reason,
            SUM(s.n_samples)::BIGINT AS n_self
        FROM stack AS s
        LEFT JOIN (
            SELECT stack_id, MAX(base) AS base, BOOL_OR(method_id IS NULL) AS lacks
            FROM frame GROUP BY stack_id
        ) AS f USING (stack_id)
        WHERE NOT EXISTS (FROM walked AS w WHERE w.stack_id = s.stack_id AND w.level = w.base)
        GROUP BY 1
    ),
    share AS (
        SELECT s.*, n_self / n::DOUBLE AS part, (n_self + {_Z**2 / 2}) / (n + {_Z**2}) AS middle,
            {_Z} / (n + {_Z**2}) * sqrt(n_self * (n - n_self) / n::DOUBLE + {_Z**2 / 4}) AS half
        FROM sampled AS s, total
    ),
    timed AS (
        SELECT s.place, s.n_self, s.n_below, c.n_contexts, c.n_calls, c.n_bytecodes,
            part * cpu_ns AS self_ns, greatest(middle - half, 0) * cpu_ns AS least_ns,
            least(middle + half, 1) * cpu_ns AS most_ns, scale, w.reason
        FROM share AS s JOIN counted AS c USING (place), scale AS w
    )
    SELECT t.place AS context_id, k.name AS class_name, m.name, m.descriptor, x.depth,
        n_self AS n_samples, n_below AS n_samples_below, n_contexts, t.n_calls AS recorded_calls,
        t.n_bytecodes AS recorded_bytecodes, self_ns, least_ns, most_ns,
        CASE WHEN reason IS NULL THEN self_ns / (t.n_calls * scale) END AS ns_per_call,
        CASE WHEN reason IS NULL THEN least_ns / (t.n_calls * scale) END AS least_ns_per_call,
        CASE WHEN reason IS NULL THEN most_ns / (t.n_calls * scale) END AS most_ns_per_call,
        CASE WHEN reason IS NULL THEN self_ns / (NULLIF(t.n_bytecodes, 0) * scale) END
            AS ns_per_bytecode,
        reason
    FROM timed AS t JOIN recorded.context AS x ON x.context_id = t.place
    JOIN recorded.method AS m ON m.method_id = x.method_id
    JOIN recorded.class AS k ON k.class_id = m.class_id
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, NULL, n_self, n_self, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        NULL, NULL, NULL, reason
    FROM lost
"""


def bind_context_times(connection: duckdb.DuckDBPyConnection) -> None:
    """Makes the relations of times by calling context.

    ``run.measured_context`` has a row for each way from the start of a thread, by methods and call
    sites, that samples were in: the first of its contexts (``context_id``), its method, ``depth``;
    ``n_samples`` in the method itself, ``n_samples_below`` with what it calls; ``n_contexts``, one
    for each thread; their ``recorded_calls`` and ``recorded_bytecodes``; ``self_ns``, the processor
    time that the samples stand for, with a 95 % interval; and nanoseconds per call and bytecode,
    null with a ``reason``. Samples without a context have rows with the reason alone.

    ``run.watch_scale`` has one row: the span in which probes counted, its processor time, and how
    many times the watched VM did what the recorded run has.
    """
    for view in (_SCALE, _CONTEXTS):
        connection.execute(view)
