"""How often methods were compiled, and the trees of calls that were inlined into each version.

The stream has a row for each call that a compiler thought of inlining, with the method that has the
call, but not with the place in the tree. So a call stands below each inlined copy of its method.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

__all__ = ["bind_watch_inlining"]

_MOST_DEPTH = 15
"""HotSpot inlines no deeper (MaxInlineLevel)."""

_METHOD = """
    CREATE VIEW run.compiled_method AS
    WITH failed AS (
        SELECT class_name, name, descriptor, COUNT(*) AS n_failed
        FROM run.compilation JOIN run.vm_method USING (vm_method_id)
        WHERE NOT is_successful GROUP BY ALL
    ),
    made AS (
        SELECT class_name, name, descriptor, COUNT(*) AS n_versions,
            COUNT(*) FILTER (WHERE tier BETWEEN 1 AND 3) AS n_c1,
            COUNT(*) FILTER (WHERE tier = 4) AS n_c2,
            COUNT(*) FILTER (WHERE is_osr) AS n_osr,
            COUNT(*) FILTER (WHERE made_ns IS NULL) AS n_before_watch,
            SUM(compile_ns)::BIGINT AS compile_ns, LIST(tier ORDER BY compile_id) AS tiers,
            COUNT(*) FILTER (WHERE not_entered_ns IS NOT NULL OR gone_ns IS NOT NULL)
                AS n_thrown_away,
            SUM(n_deoptimizations)::BIGINT AS n_deoptimizations,
            LIST(DISTINCT end_reason ORDER BY end_reason) FILTER (WHERE end_reason IS NOT NULL)
                AS end_reasons,
            LIST_SORT(LIST_DISTINCT(FLATTEN(LIST(deoptimization_reasons)
                FILTER (WHERE deoptimization_reasons IS NOT NULL)))) AS deoptimization_reasons
        FROM run.compiled_version WHERE tier > 0 GROUP BY ALL
    )
    SELECT class_name, name, descriptor, COALESCE(n_versions, 0) AS n_versions,
        COALESCE(n_c1, 0) AS n_c1, COALESCE(n_c2, 0) AS n_c2, COALESCE(n_osr, 0) AS n_osr,
        COALESCE(n_before_watch, 0) AS n_before_watch, COALESCE(n_failed, 0) AS n_failed,
        compile_ns, tiers, COALESCE(n_thrown_away, 0) AS n_thrown_away,
        COALESCE(n_deoptimizations, 0) AS n_deoptimizations, end_reasons, deoptimization_reasons
    FROM made FULL JOIN failed USING (class_name, name, descriptor)
"""

# A compiler may think of a call several times, and decide otherwise later.
_DECISION = """
    CREATE VIEW run.inlining_decision AS
    SELECT i.compile_id, m.class_name || '.' || m.name || m.descriptor AS caller,
        i.bytecode_index,
        i.callee_class || '.' || i.callee_name || i.callee_descriptor AS callee,
        BOOL_OR(i.is_inlined) AS is_inlined, COUNT(*) FILTER (WHERE i.is_inlined) AS n_inlined,
        LIST(DISTINCT i.reason ORDER BY i.reason) AS reasons
    FROM run.inlining AS i JOIN run.vm_method AS m ON m.vm_method_id = i.caller_id
    WHERE i.bytecode_index IS NOT NULL AND i.callee_class IS NOT NULL
    GROUP BY ALL
"""

# Samples say which of the calls ran inlined: the frames above the compiled method are inlined.
_SAMPLED = """
    CREATE VIEW run.sampled_inlining AS
    WITH physical AS (
        SELECT stack_id, MIN(position) AS base FROM run.stack_frame
        WHERE form <> 'Inlined' GROUP BY stack_id
    ),
    sampled AS (
        SELECT stack_id, compile_id, COUNT(*) AS n FROM run.sample_version
        WHERE compile_id IS NOT NULL GROUP BY ALL
    ),
    step AS (
        SELECT below.stack_id, p.base - below.position + 1 AS depth, p.base,
            below.bytecode_index || ' ' || m.class_name || '.' || m.name || m.descriptor AS edge
        FROM physical AS p
        JOIN run.stack_frame AS below
            ON below.stack_id = p.stack_id AND below.position BETWEEN 1 AND p.base
        JOIN run.stack_frame AS above
            ON above.stack_id = p.stack_id AND above.position = below.position - 1
        JOIN run.vm_method AS m ON m.vm_method_id = above.vm_method_id
    ),
    way AS (
        SELECT stack_id, depth,
            LIST(edge) OVER (PARTITION BY stack_id ORDER BY depth) AS edges, base
        FROM step
    )
    SELECT compile_id, edges, SUM(n)::BIGINT AS n_samples,
        SUM(n) FILTER (WHERE depth = base)::BIGINT AS n_self_samples
    FROM way JOIN sampled USING (stack_id) GROUP BY ALL
"""

_TREE = f"""
    CREATE VIEW run.inlining_tree AS
    WITH RECURSIVE place AS (
        SELECT m.class_name || '.' || m.name || m.descriptor AS caller, f.bytecode_index,
            MIN(f.line) AS line
        FROM run.stack_frame AS f JOIN run.vm_method AS m USING (vm_method_id) GROUP BY ALL
    ),
    grown (compile_id, tier, root, depth, edges, caller, bytecode_index, callee, is_inlined,
        n_inlined, reasons) AS (
        SELECT v.compile_id, v.tier, v.class_name || '.' || v.name || v.descriptor, 1,
            [d.bytecode_index || ' ' || d.callee], d.caller, d.bytecode_index, d.callee,
            d.is_inlined, d.n_inlined, d.reasons
        FROM run.compiled_version AS v
        JOIN run.inlining_decision AS d ON d.compile_id = v.compile_id
            AND d.caller = v.class_name || '.' || v.name || v.descriptor
        UNION ALL
        SELECT g.compile_id, g.tier, g.root, g.depth + 1,
            LIST_APPEND(g.edges, d.bytecode_index || ' ' || d.callee), d.caller, d.bytecode_index,
            d.callee, d.is_inlined, d.n_inlined, d.reasons
        FROM grown AS g
        JOIN run.inlining_decision AS d ON d.compile_id = g.compile_id AND d.caller = g.callee
        WHERE g.is_inlined AND g.depth < {_MOST_DEPTH}
            AND NOT LIST_CONTAINS(g.edges, d.bytecode_index || ' ' || d.callee)
    )
    SELECT g.compile_id, g.tier, g.root, g.depth, g.edges, g.caller, g.bytecode_index, p.line,
        g.callee, g.is_inlined,
        COUNT(*) OVER (PARTITION BY g.compile_id, g.caller, g.bytecode_index, g.callee)
            AS n_copies,
        g.reasons, COALESCE(s.n_samples, 0) AS n_samples,
        COALESCE(s.n_self_samples, 0) AS n_self_samples
    FROM grown AS g
    LEFT JOIN place AS p ON p.caller = g.caller AND p.bytecode_index = g.bytecode_index
    LEFT JOIN run.sampled_inlining AS s ON s.compile_id = g.compile_id AND s.edges = g.edges
"""


def bind_watch_inlining(connection: duckdb.DuckDBPyConnection) -> None:
    """Makes the relations of compiled methods and of what was inlined into their versions.

    ``run.compiled_method`` has a row for each method that was compiled, or that a compiler could
    not compile: how many versions there are by compiler, how many were thrown away, and why.

    ``run.inlining_tree`` has a row for each call in each version that a compiler thought of
    inlining: the version and its method (``compile_id``, ``tier``, ``root``), ``depth``, the way
    from the root (``edges``), the call (``caller``, ``bytecode_index``, ``line``; null: no stack of
    the run has that place), ``callee``, ``is_inlined``, ``n_copies``: in how many places of the
    tree the call may be, ``reasons``, and the samples of the code that came from there.

    ``run.sampled_inlining`` has the ways that samples were in: ``compile_id``, ``edges``,
    ``n_samples`` with what is inlined below, and ``n_self_samples``.
    """
    for view in (_METHOD, _DECISION, _SAMPLED, _TREE):
        connection.execute(view)
