"""Execution forms of a watch run: the versions of compiled methods, and those of samples.

Both are relations that join what several sources say of one compilation, by its number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

__all__ = ["bind_watch_forms"]

# A version is known from its compilation, if that was watched, and from the code cache, if it was
# there when the VM was asked. It ends at once by a deoptimisation with one of the actions; and by
# the next version of the method, but for those that are entered within loops, of which a method may
# have several. A version that was still in use in a later answer had no successor: a class of the
# same name has.
#
# HotSpot compiles a method whose code is in use for a higher tier, or, if there is nothing to
# profile, for tier 1; that code is replaced. Before it compiles a method for any other tier the
# code had ended for what no event says: the collector threw it away with an object or a class that
# it knew, a class that was loaded made it wrong, or there were too many traps that may have code
# compiled anew.
_VERSION = """
    CREATE VIEW run.compiled_version AS
    WITH made AS (
        SELECT compile_id, class_name, name, descriptor, tier, is_osr,
            start_ns + duration_ns AS made_ns, duration_ns AS compile_ns, code_bytes, inlined_bytes
        FROM run.compilation JOIN run.vm_method USING (vm_method_id) WHERE is_successful
    ),
    cached AS (
        SELECT compile_id, FIRST(class_name) AS class_name, FIRST(name) AS name,
            FIRST(descriptor) AS descriptor, FIRST(tier) AS tier,
            FIRST(begin_address) AS begin_address, FIRST(end_address) AS end_address,
            MIN(at_ns) FILTER (WHERE state <> 'in use') AS left_ns,
            MIN(at_ns) FILTER (WHERE state = 'gone') AS gone_ns
        FROM run.compiled_code GROUP BY compile_id
    ),
    asked AS (SELECT COALESCE(MAX(at_ns), 0) AS asked_ns FROM run.compiled_code),
    given_up AS (
        SELECT compile_id, COUNT(*) AS n_deoptimizations,
            LIST(DISTINCT reason ORDER BY reason) AS reasons,
            MIN(at_ns) FILTER (WHERE action IN ('reinterpret', 'make_not_entrant',
                'make_not_compilable')) AS dropped_ns,
            MIN(at_ns) FILTER (WHERE action = 'maybe_recompile') AS doubtful_ns
        FROM run.deoptimization GROUP BY compile_id
    ),
    version AS (
        SELECT compile_id, COALESCE(made.class_name, cached.class_name) AS class_name,
            COALESCE(made.name, cached.name) AS name,
            COALESCE(made.descriptor, cached.descriptor) AS descriptor,
            COALESCE(made.tier, cached.tier) AS tier, is_osr, made_ns, compile_ns, code_bytes,
            inlined_bytes, begin_address, end_address, left_ns, gone_ns, dropped_ns, doubtful_ns,
            COALESCE(n_deoptimizations, 0) AS n_deoptimizations, reasons
        FROM made FULL JOIN cached USING (compile_id) LEFT JOIN given_up USING (compile_id)
    ),
    followed AS (
        SELECT *,
            CASE WHEN is_osr IS NULL THEN LEAD(made) OVER later ELSE LEAD(made) OVER alike END
                AS next
        FROM (SELECT *, {'made_ns': COALESCE(made_ns, 0), 'compile_ns': compile_ns, 'tier': tier}
            AS made FROM version)
        WINDOW later AS (PARTITION BY class_name, name, descriptor
                ORDER BY made_ns NULLS FIRST, compile_id),
            alike AS (PARTITION BY class_name, name, descriptor, is_osr
                ORDER BY made_ns NULLS FIRST, compile_id)
    ),
    succeeded AS (
        SELECT *, next.tier > tier OR (next.tier = 1 AND tier IN (2, 3)) AS is_succeeded,
            CASE WHEN is_succeeded THEN next.made_ns
                WHEN NOT is_succeeded
                    THEN GREATEST(next.made_ns - next.compile_ns, made_ns) END AS next_ns
        FROM followed
    ),
    ended AS (
        SELECT *, CASE WHEN NOT is_osr AND (left_ns IS NOT NULL OR begin_address IS NULL
            OR next_ns > asked_ns) THEN next_ns END AS left_by_ns
        FROM succeeded, asked
    )
    SELECT compile_id, class_name, name, descriptor, tier, is_osr, made_ns, compile_ns, code_bytes,
        inlined_bytes, begin_address, end_address,
        LEAST(dropped_ns, left_by_ns, left_ns) AS not_entered_ns, gone_ns, n_deoptimizations,
        CASE WHEN dropped_ns <= COALESCE(LEAST(left_by_ns, left_ns), dropped_ns) THEN 'deoptimized'
            WHEN COALESCE(left_by_ns, left_ns) IS NULL THEN NULL
            WHEN doubtful_ns <= LEAST(left_by_ns, left_ns) THEN 'not known'
            WHEN is_succeeded AND next_ns <= COALESCE(left_ns, left_by_ns) THEN 'replaced'
            ELSE 'not known' END AS end_reason,
        reasons AS deoptimization_reasons
    FROM ended
"""

# The frame whose code runs is the first that is not inlined; its method tells the versions.
_SAMPLE = """
    CREATE VIEW run.sample_version AS
    WITH physical AS (
        SELECT stack_id, ARG_MIN(vm_method_id, position) AS compiled_id,
            ARG_MIN(form, position) AS form
        FROM run.stack_frame WHERE form <> 'Inlined' GROUP BY stack_id
    ),
    top AS (SELECT * FROM run.stack_frame WHERE position = 0)
    SELECT s.at_ns, s.thread_id, s.stack_id, top.vm_method_id, top.bytecode_index, top.line,
        top.form, p.compiled_id, MAX(v.compile_id) AS compile_id,
        ARG_MAX(v.tier, v.compile_id) AS tier, COUNT(v.compile_id) AS n_versions
    FROM run.execution_sample AS s
    JOIN top USING (stack_id)
    LEFT JOIN physical AS p ON p.stack_id = s.stack_id AND p.form = 'JIT compiled'
    LEFT JOIN run.vm_method AS m ON m.vm_method_id = p.compiled_id
    LEFT JOIN run.compiled_version AS v
        ON v.class_name = m.class_name AND v.name = m.name AND v.descriptor = m.descriptor
        AND COALESCE(v.made_ns, 0) <= s.at_ns AND COALESCE(v.gone_ns > s.at_ns, TRUE)
    GROUP BY ALL
"""


def bind_watch_forms(connection: duckdb.DuckDBPyConnection) -> None:
    """Makes the relations of execution forms.

    ``run.compiled_version`` has a row for each version of a compiled method: ``compile_id``,
    ``class_name``, ``name``, ``descriptor``, ``tier``, ``is_osr``, ``made_ns``, ``compile_ns``,
    ``code_bytes`` and ``inlined_bytes`` (null: compiled before the watch), ``begin_address`` and
    ``end_address`` (null: never seen in the code cache), ``not_entered_ns``, ``gone_ns``,
    ``n_deoptimizations``, ``end_reason`` and ``deoptimization_reasons``. Without an end it may have
    ended unseen since the code list was read last.

    ``run.sample_version`` has a row for each sample of a running thread: its place, the method
    whose compiled code ran (``compiled_id``; null: it was interpreted or native), the newest
    version that it may have been, its tier, and how many versions there were.
    """
    connection.execute(_VERSION)
    connection.execute(_SAMPLE)
