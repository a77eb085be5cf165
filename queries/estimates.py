"""Estimates of what calls and objects cost: counts of a recorded run times calibrated costs.

A calibration knows what a call or an object costs in each form in which code runs; the samples of
the watch run tell in which forms each method ran. An execution in a slow form has more samples
than one in a fast form, so samples are divided by the time that the same work takes in each form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from jvmscope.errors import RunError
from jvmscope.queries.charging import charged_contexts

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

    from jvmscope.schema import Manifest
    from jvmscope.schema.calibration import Calibration

__all__ = ["LEAST_SAMPLES", "bind_estimates"]

LEAST_SAMPLES = 10
"""Fewer samples with a method on the stack tell nothing of its forms."""

# Between two calibrated sizes a cost is on the line through both; above the largest on the last.
_SEGMENTS = """
    CREATE VIEW run._creation_segment AS
    WITH point AS (
        SELECT what, form, kind::BIGINT AS size_bytes, ns, low_ns, high_ns,
            ROW_NUMBER() OVER up AS number, COUNT(*) OVER (PARTITION BY what, form) AS n_points
        FROM run.calibrated_cost WHERE what IN ('object', 'array')
        WINDOW up AS (PARTITION BY what, form ORDER BY kind::BIGINT)
    )
    SELECT a.what, a.form, a.size_bytes AS from_bytes,
        CASE WHEN a.number = 1 THEN 0 ELSE a.size_bytes END AS first_bytes,
        CASE WHEN b.number < b.n_points THEN b.size_bytes END AS end_bytes,
        a.ns, a.low_ns, a.high_ns,
        (b.ns - a.ns) / (b.size_bytes - a.size_bytes) AS ns_per_byte,
        (b.low_ns - a.low_ns) / (b.size_bytes - a.size_bytes) AS low_per_byte,
        (b.high_ns - a.high_ns) / (b.size_bytes - a.size_bytes) AS high_per_byte
    FROM point AS a
    JOIN point AS b ON b.what = a.what AND b.form = a.form AND b.number = a.number + 1
"""

# Each method on the stack of a sample is known to have run in the form of its frame, so a caller
# counts whose time is that of what it calls. The frame whose code runs is the next that is not
# inlined; its method tells the version.
_FORMS = f"""
    CREATE VIEW run.method_form AS
    WITH frame AS (
        SELECT stack_id, position, vm_method_id, line, form,
            MIN(position) FILTER (WHERE form <> 'Inlined') OVER (
                PARTITION BY stack_id ORDER BY position
                ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS physical
        FROM run.stack_frame
    ),
    place AS (
        SELECT DISTINCT f.stack_id, r.method_id, f.form, m.class_name, m.name, m.descriptor
        FROM frame AS f
        JOIN run.vm_method AS v ON v.vm_method_id = f.vm_method_id
        JOIN recorded.code AS r ON r.class_name = v.class_name AND r.name = v.name
            AND r.descriptor = v.descriptor AND r.n_loaders = 1
            AND (f.line IS NULL OR f.line BETWEEN r.first_line AND r.last_line)
        LEFT JOIN frame AS p ON p.stack_id = f.stack_id AND p.position = f.physical
            AND p.form = 'JIT compiled'
        LEFT JOIN run.vm_method AS m ON m.vm_method_id = p.vm_method_id
        WHERE f.form <> 'Native'
    ),
    placed AS (
        SELECT s.at_ns, s.thread_id, p.method_id, p.form, MAX(v.compile_id) AS compile_id,
            ARG_MAX(v.tier, v.compile_id) AS tier
        FROM run.execution_sample AS s
        JOIN place AS p USING (stack_id)
        LEFT JOIN run.compiled_version AS v
            ON v.class_name = p.class_name AND v.name = p.name AND v.descriptor = p.descriptor
            AND COALESCE(v.made_ns, 0) <= s.at_ns AND COALESCE(v.gone_ns > s.at_ns, TRUE)
        WHERE NOT s.is_native GROUP BY s.at_ns, s.thread_id, p.method_id, p.form
    ),
    sample AS (
        SELECT method_id,
            CASE WHEN form = 'Interpreted' THEN 'interpreter'
                WHEN tier BETWEEN 1 AND 4 THEN 'tier_' || tier END AS form,
            CASE WHEN form <> 'Interpreted' THEN compile_id END AS compile_id
        FROM placed
    ),
    grouped AS (
        SELECT method_id, form, compile_id, COUNT(*) AS n_samples
        FROM sample WHERE form IS NOT NULL GROUP BY ALL
    ),
    counted AS (
        SELECT *, SUM(n_samples) OVER (PARTITION BY method_id) AS n_of_method FROM grouped
    )
    SELECT c.method_id, c.form, c.compile_id,
        c.compile_id IS NULL OR v.made_ns IS NOT NULL AS knows_inlining,
        c.n_samples, (c.n_samples / work.ns)::DECIMAL(38, 9) AS weight
    FROM counted AS c
    LEFT JOIN run.calibrated_cost AS work ON work.what = 'work' AND work.form = c.form
    LEFT JOIN run.compiled_version AS v ON v.compile_id = c.compile_id
    WHERE c.n_of_method >= {LEAST_SAMPLES}
"""

# What an execution costs: the mean over forms by how many there were in each. The slow forms have
# more samples than executions, so taking samples for executions is an upper bound. Sums of decimals
# do not depend on the order of the rows.
_OVER_FORMS = {
    "ns": "SUM(weight * ns)::DOUBLE / SUM(weight)::DOUBLE",
    "low_ns": "SUM(weight * low_ns)::DOUBLE / SUM(weight)::DOUBLE",
    "high_ns": "GREATEST(SUM(weight * high_ns)::DOUBLE / SUM(weight)::DOUBLE, "
    "SUM(n_samples * high_ns)::DOUBLE / SUM(n_samples)::DOUBLE)",
}
_TOTALS = ", ".join(
    f"CASE WHEN reason IS NULL THEN (n_{{made}} * c.{name})::DECIMAL(38, 6) END AS estimated_{name}"
    for name in _OVER_FORMS
)

# What was inlined into code that was there before the watch, the stream does not say: the interval
# has both, and the estimate supposes that small methods were, as -XX:MaxInlineSize has it, if the
# calibration knows such calls as inlined. A call that was inlined never has the cost of one that
# was not: where a cost is lacking, in one of the forms of the caller, there is none.
_CALLS = """
    CREATE VIEW run.estimated_call AS
    WITH folded AS (SELECT BOOL_OR(is_folded) AS are_calls FROM recorded.context),
    made AS (
        SELECT c.call_site_id, c.method_id AS callee_id, a.charged_id,
            SUM(c.n_calls)::BIGINT AS n_calls
        FROM recorded.context AS c
        JOIN recorded.charged_context AS a ON a.context_id = c.parent_id
        WHERE c.call_site_id IS NOT NULL AND c.n_calls > 0 GROUP BY ALL
    ),
    targeted AS (
        SELECT call_site_id, callee_id, COUNT(*) OVER (PARTITION BY call_site_id) AS n_targets
        FROM (SELECT DISTINCT call_site_id, callee_id FROM made)
    ),
    site AS (
        SELECT t.call_site_id, t.callee_id, s.caller_id, s."offset" AS call_offset, m.is_native,
            m.size_bytes AS callee_bytes,
            CASE s.opcode WHEN 'invokestatic' THEN 'static' WHEN 'invokespecial' THEN 'special'
                WHEN 'invokevirtual' THEN 'virtual_' || LEAST(n_targets, 3)
                WHEN 'invokeinterface' THEN 'interface_' || LEAST(n_targets, 3) END AS kind,
            k.name AS callee_class, m.name AS callee_name, m.descriptor AS callee_descriptor
        FROM targeted AS t
        JOIN recorded.call_site AS s USING (call_site_id)
        JOIN recorded.method AS m ON m.method_id = t.callee_id
        JOIN recorded.class AS k ON k.class_id = m.class_id
    ),
    inlined AS (
        SELECT DISTINCT i.compile_id, r.method_id AS caller_id, i.bytecode_index, i.callee_class,
            i.callee_name, i.callee_descriptor
        FROM run.inlining AS i
        JOIN run.vm_method AS v ON v.vm_method_id = i.caller_id
        JOIN recorded.code AS r ON r.class_name = v.class_name AND r.name = v.name
            AND r.descriptor = v.descriptor AND r.n_loaders = 1
        WHERE i.is_inlined
    ),
    priced AS (
        SELECT site.call_site_id, site.callee_id, f.n_samples, f.weight, f.knows_inlining,
            CASE WHEN f.form = 'interpreter' THEN FALSE
                WHEN f.knows_inlining THEN i.compile_id IS NOT NULL
                ELSE site.callee_bytes <= 35 AND inside.ns IS NOT NULL END AS is_inlined,
            called.ns, called.low_ns, called.high_ns, inside.ns AS inlined_ns,
            inside.low_ns AS inlined_low_ns, inside.high_ns AS inlined_high_ns, f.form, site.kind
        FROM site
        JOIN run.method_form AS f ON f.method_id = site.caller_id
        LEFT JOIN inlined AS i ON i.compile_id = f.compile_id AND i.caller_id = site.caller_id
            AND i.bytecode_index = site.call_offset AND i.callee_class = site.callee_class
            AND i.callee_name = site.callee_name AND i.callee_descriptor = site.callee_descriptor
        LEFT JOIN run.calibrated_cost AS called ON called.what = 'call'
            AND called.kind = site.kind AND called.form = f.form
        LEFT JOIN run.calibrated_cost AS inside ON inside.what = 'call'
            AND inside.kind = site.kind AND inside.form = f.form || '_inlined'
    ),
    formed AS (
        SELECT call_site_id, callee_id, n_samples, weight, is_inlined,
            CASE WHEN is_inlined THEN inlined_ns ELSE ns END AS ns,
            CASE WHEN NOT knows_inlining THEN LEAST(low_ns, inlined_low_ns)
                WHEN is_inlined THEN inlined_low_ns ELSE low_ns END AS low_ns,
            CASE WHEN NOT knows_inlining THEN GREATEST(high_ns, inlined_high_ns)
                WHEN is_inlined THEN inlined_high_ns ELSE high_ns END AS high_ns,
            CASE WHEN weight IS NULL THEN 'work in ' || form
                WHEN is_inlined AND inlined_ns IS NULL
                    THEN 'inlined calls of the kind ' || kind || ' in ' || form
                WHEN NOT is_inlined AND ns IS NULL
                    THEN 'calls of the kind ' || kind || ' in ' || form END AS lacking
        FROM priced
    ),
    cost AS (
        SELECT call_site_id, callee_id, {ns} AS ns, {low_ns} AS low_ns, {high_ns} AS high_ns,
            COALESCE(SUM(weight) FILTER (WHERE is_inlined), 0)::DOUBLE / SUM(weight)::DOUBLE
                AS inlined_share, MIN(lacking) AS lacking
        FROM formed GROUP BY ALL
    ),
    known AS (SELECT DISTINCT method_id FROM run.method_form),
    judged AS (
        SELECT made.call_site_id, site.caller_id, made.callee_id, made.charged_id, made.n_calls,
            CASE WHEN folded.are_calls THEN 'the recorded run has folded calls'
                WHEN site.kind IS NULL THEN 'calls by the VM or invokedynamic have no known cost'
                WHEN site.is_native THEN 'calls of native methods have no known cost'
                WHEN known.method_id IS NULL
                    THEN 'the form of the caller is not known: it is in fewer than 10 samples'
                WHEN cost.lacking IS NOT NULL
                    THEN 'the calibration has no cost of ' || cost.lacking END AS reason
        FROM made
        JOIN site USING (call_site_id, callee_id)
        LEFT JOIN cost USING (call_site_id, callee_id)
        LEFT JOIN known ON known.method_id = site.caller_id
        CROSS JOIN folded
    )
    SELECT j.call_site_id, j.caller_id, j.callee_id, j.charged_id, j.n_calls,
        CASE WHEN reason IS NULL THEN c.ns END AS ns_per_call,
        CASE WHEN reason IS NULL THEN c.inlined_share END AS inlined_share,
        {totals}, j.reason
    FROM judged AS j LEFT JOIN cost AS c USING (call_site_id, callee_id)
"""

_CREATIONS = """
    CREATE VIEW run.estimated_creation AS
    WITH made AS (
        SELECT c.method_id, a.charged_id, o.type, o.size_bytes,
            CASE WHEN i.opcode = 'new' THEN 'object'
                WHEN i.opcode IN ('newarray', 'anewarray', 'multianewarray') THEN 'array'
                END AS what,
            SUM(o.n_objects)::BIGINT AS n_objects
        FROM recorded.allocation AS o
        JOIN recorded.context AS c USING (context_id)
        JOIN recorded.charged_context AS a USING (context_id)
        LEFT JOIN recorded.instruction AS i USING (instruction_id)
        GROUP BY ALL
    ),
    form AS (
        SELECT method_id, form, SUM(n_samples) AS n_samples, SUM(weight) AS weight
        FROM run.method_form GROUP BY ALL
    ),
    kind AS (SELECT DISTINCT method_id, what, size_bytes FROM made),
    formed AS (
        SELECT k.*, f.n_samples, f.weight, CASE WHEN k.what IS NULL THEN NULL
                WHEN f.weight IS NULL THEN 'no cost of work in ' || f.form
                WHEN s.what IS NULL THEN 'fewer than two sizes of ' || k.what || 's in ' || f.form
                END AS lacking,
            CASE WHEN s.ns IS NOT NULL
                THEN GREATEST(0, s.ns + (k.size_bytes - s.from_bytes) * s.ns_per_byte) END AS ns,
            s.low_ns + (k.size_bytes - s.from_bytes) * s.low_per_byte AS low_ns,
            s.high_ns + (k.size_bytes - s.from_bytes) * s.high_per_byte AS high_ns
        FROM kind AS k
        JOIN form AS f USING (method_id)
        LEFT JOIN run._creation_segment AS s ON s.what = k.what AND s.form = f.form
            AND k.size_bytes >= s.first_bytes
            AND (s.end_bytes IS NULL OR k.size_bytes < s.end_bytes)
    ),
    bounded AS (
        SELECT method_id, what, size_bytes, n_samples, weight, lacking, ns::DECIMAL(38, 6) AS ns,
            GREATEST(0, LEAST(ns, low_ns))::DECIMAL(38, 6) AS low_ns,
            GREATEST(ns, high_ns)::DECIMAL(38, 6) AS high_ns
        FROM formed
    ),
    cost AS (
        SELECT method_id, what, size_bytes, {ns} AS ns, {low_ns} AS low_ns, {high_ns} AS high_ns,
            MIN(lacking) AS lacking
        FROM bounded GROUP BY ALL
    ),
    judged AS (
        SELECT made.*, c.ns, c.low_ns, c.high_ns,
            CASE WHEN made.what IS NULL THEN 'objects of the VM and native code have no known cost'
                WHEN made.size_bytes IS NULL THEN 'the size of the object is not known'
                WHEN c.lacking IS NOT NULL THEN 'the calibration has ' || c.lacking
                WHEN c.ns IS NULL
                    THEN 'the form of the method is not known: it is in fewer than 10 samples'
                END AS reason
        FROM made
        LEFT JOIN cost AS c ON c.method_id = made.method_id AND c.what = made.what
            AND c.size_bytes = made.size_bytes
    )
    SELECT method_id, charged_id, type, size_bytes, n_objects,
        CASE WHEN reason IS NULL THEN ns END AS ns_per_object, {totals}, reason
    FROM judged AS c
"""


def bind_estimates(
    connection: duckdb.DuckDBPyConnection,
    run: Path,
    manifest: Manifest,
    beside: Manifest | None,
    calibration: Calibration,
) -> None:
    """Binds a calibration, and what it makes of a watch run and the recorded run beside it.

    ``calibrated_cost`` has the costs. ``method_form`` has how many samples saw each method in each
    form, anywhere on the stack. ``estimated_call`` has what the calls of each site cost, by called
    method and by the method of the program that they are charged to, and ``estimated_creation`` the
    same of objects, by method, type and size; the latter exists if the recorded run has
    allocations. Costs are in nanoseconds of processor time; where there is none, it is null and
    there is a ``reason``.

    Raises:
        RunError: the run is not a watch run, no recorded run stands beside it, or the calibration
            is of another JDK or processor.
    """
    if manifest.kind != "watch":
        raise RunError(f"{run}: not a watch run, so no form is known that costs could be of")
    if beside is None:
        raise RunError(
            f"{run}: a calibration gives costs to the counts of a recorded run: name one (--with)",
            in_python={"--with": "beside"},
        )
    _expect_same(run, manifest, calibration)
    columns = ("what", "kind", "form", "ns", "low_ns", "high_ns")
    values = {name: [getattr(cost, name) for cost in calibration.costs] for name in columns}
    costs = pa.table(values)
    _make(connection, "recorded.charged_context", charged_contexts(connection), "*")
    exact = [f"{name}::DECIMAL(38, 6) AS {name}" for name in columns[3:]]
    _make(connection, "run.calibrated_cost", costs, ", ".join((*columns[:3], *exact)))
    views = [_SEGMENTS, _FORMS, _CALLS.format(**_OVER_FORMS, totals=_TOTALS.format(made="calls"))]
    if "allocation" in beside.tables:
        totals = _TOTALS.format(made="objects")
        views.append(_CREATIONS.format(**_OVER_FORMS, totals=totals))
    for view in views:
        connection.execute(view)


def _expect_same(run: Path, manifest: Manifest, calibration: Calibration) -> None:
    """Raises an error if a calibration is of another JDK or processor than a watch run knows."""
    version, ours = calibration.jdk["version"], manifest.jvm.get("version")
    if ours is not None and version != ours:
        home = manifest.jvm.get("home")
        java = f" {home}/bin/java" if home else ", with the JDK that was watched"
        raise RunError(
            f"{run}: the calibration is of Java {version}, but the watch run of Java {ours}: "
            f"jvmscope calibrate{java}"
        )
    # Not by the name of the host, which is another one in each container of a machine.
    processor, ours = calibration.machine["processor"], manifest.host.get("processor")
    if ours is not None and processor != ours:
        raise RunError(
            f"{run}: the calibration is of the processor {processor}, but the watch run of "
            f"{ours}: jvmscope calibrate on the machine that was watched"
        )


def _make(connection: duckdb.DuckDBPyConnection, name: str, rows: pa.Table, columns: str) -> None:
    """Makes a table of rows."""
    connection.register("given_rows", rows)
    connection.execute(f"CREATE TABLE {name} AS SELECT {columns} FROM given_rows")
    connection.unregister("given_rows")
