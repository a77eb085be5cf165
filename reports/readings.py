"""What is measured on one subject, in the form in which the parts of a report need it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from jvmscope.metrics import measure
from jvmscope.metrics.cache import cached_table
from jvmscope.metrics.reasons import Reason, ReasonCode
from jvmscope.metrics.tidy import explain_absence
from jvmscope.queries import Engine, Question
from jvmscope.reports.curves import curve_of
from jvmscope.reports.listings import listings_of
from jvmscope.reports.model import Curve, Fact, Listing, Subject
from jvmscope.reports.shares import amounts_of
from jvmscope.schema.folding import read_folding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from jvmscope.metrics.measure import Failure
    from jvmscope.queries import QueryFile, Scope
    from jvmscope.reports.selection import Selection
    from jvmscope.schema import Manifest

__all__ = ["Reading", "read", "unread"]

_N_BYTECODES = "SELECT COALESCE(SUM(n_bytecodes), 0)::BIGINT FROM run.thread_method"
_DEPTH = "SELECT COALESCE(MAX(depth), 0) FROM run.context"
_LOADED = {"class": "classes", "method": "methods"}
"""What runs may share, so that no sum of several runs is shown."""


@dataclass(frozen=True)
class Reading:
    """What was measured on a subject.

    Attributes:
        subject: the subject, with its facts.
        values: by metric, and then by (measure, keys in text), the value and why there is none;
            the keys are empty where the metric has one row, or no value at all.
        amounts: by stack what falls into its segments, or why that is unknown.
        curves: by curves the subject's.
        features: the tidy values of the metrics that have features.
        listings: what is shown of it alone.
    """

    subject: Subject
    values: Mapping[str, Mapping[tuple[str, str], tuple[float | None, str | None]]]
    amounts: Mapping[str, tuple[float, ...] | str]
    curves: Mapping[str, Curve]
    features: Sequence[tuple[QueryFile, pa.Table]]
    listings: tuple[Listing, ...] = field(default=())


def read(
    subject: Subject,
    selection: Selection,
    scope: Scope,
    *,
    is_cached: bool = True,
    has_listings: bool = True,
    on_failure: Callable[[Failure], None] | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> Reading:
    """Returns what is measured on a subject's run.

    Args:
        subject: the subject, which has a run.
        selection: what to evaluate.
        scope: the part of the run.
        is_cached: whether to use and keep values under ``RUN/metrics``.
        has_listings: whether to read what is shown of the subject alone.
        on_failure: told of each metric that fails, while the others go on; None: the first ends
            it all.
        on_progress: called with the percentage done, now and then.

    Raises:
        RunError: the run is damaged.
        QueryError: the run has no such scope, or something other than a metric failed.
    """
    if subject.run is None:
        raise ValueError(f"{subject.name} has no run")
    with Engine(subject.run) as engine:
        tidy = measure(
            [engine],
            metrics=[query.id for query in selection.evaluated],
            scope=scope,
            is_cached=is_cached,
            on_failure=on_failure,
            on_progress=on_progress,
        ).arrow()
        listings: tuple[Listing, ...] = ()
        if has_listings and "context" in engine.manifest.tables:
            listings = listings_of(engine, scope, is_cached=is_cached)
        subject = _with_facts(subject, engine, is_cached=is_cached)
        return _reading(subject, selection, tidy, listings)


def unread(subject: Subject, selection: Selection) -> Reading:
    """Returns the reading of a subject without values, each of which says its status."""
    reason = ": ".join(filter(None, (subject.status, subject.reason)))
    absence = Reason(ReasonCode.NO_RUN if subject.run is None else ReasonCode.FAILED, reason)
    return Reading(
        subject=replace(subject, is_measured=False),
        values={
            query.id: {(measure.name, ""): (None, reason) for measure in query.measures}
            for query in selection.tabulated
        },
        amounts={stack.id: reason for stack in selection.stacks},
        curves={curves.id: Curve(None, reason) for curves in selection.curves},
        features=[(query, explain_absence(query, absence)) for query in selection.feature_metrics],
    )


def _reading(
    subject: Subject, selection: Selection, tidy: pa.Table, listings: tuple[Listing, ...]
) -> Reading:
    tables = {
        query.id: tidy.filter(pc.equal(tidy["metric"], pa.scalar(query.id)))
        for query in selection.evaluated
    }
    rows = {query.id: _rows(query, tables[query.id]) for query in selection.evaluated}
    return Reading(
        subject=subject,
        values={query.id: _values(query, rows[query.id]) for query in selection.tabulated},
        amounts={stack.id: amounts_of(stack, rows[stack.metric]) for stack in selection.stacks},
        curves={curves.id: curve_of(curves, rows[curves.table]) for curves in selection.curves},
        features=[(query, tables[query.id]) for query in selection.feature_metrics],
        listings=listings,
    )


def _rows(query: QueryFile, table: pa.Table) -> list[dict[str, Any]]:
    keys = [key.name for key in query.keys]
    rows: list[dict[str, Any]] = table.select([*keys, "measure", "value", "reason"]).to_pylist()
    return rows


def _values(
    query: QueryFile, rows: Sequence[Mapping[str, Any]]
) -> dict[tuple[str, str], tuple[float | None, str | None]]:
    names = [key.name for key in query.keys]
    found = {}
    for row in rows:
        keys = [row[name] for name in names if row[name] is not None]
        found[row["measure"], ",".join(map(_text, keys))] = row["value"], row["reason"]
    return found


def _text(key: Any) -> str:
    """Returns a key as people write it.

    >>> [_text(key) for key in ("invokevirtual", 99.9, 90.0)]
    ['invokevirtual', '99.9', '90']
    """
    return f"{key:g}" if isinstance(key, float) else str(key)


def _with_facts(subject: Subject, engine: Engine, *, is_cached: bool) -> Subject:
    """Returns the subject with what its manifest says, and what its whole run executed."""
    manifest = engine.manifest
    facts = []
    if "thread_method" in manifest.tables:
        n_bytecodes = _fact(engine, "report.bytecodes", _N_BYTECODES, is_cached=is_cached)
        facts.append(Fact("bytecodes", n_bytecodes, "bytecode", "sum"))
    if "thread" in manifest.tables:
        facts.append(Fact("threads", manifest.tables["thread"].rows, "thread", "sum"))
    if manifest.n_contexts is not None:
        facts.append(Fact("calling contexts", manifest.n_contexts, "context", "sum"))
    facts += [
        Fact(name, manifest.tables[table].rows, table)
        for table, name in _LOADED.items()
        if table in manifest.tables
    ]
    folding = read_folding(engine.run, manifest)
    if folding is not None:
        facts.append(Fact("folded calls", folding.n_calls, "call"))
        facts.append(Fact("folded for", folding.cause))
    elif "context" in manifest.tables:
        depth = _fact(engine, "report.depth", _DEPTH, is_cached=is_cached)
        facts.append(Fact("deepest context", depth, "frame", "largest"))
    facts.append(Fact("exclusions", manifest.n_exclusions, "exclusion", kind="recording"))
    if manifest.duration_s is not None:
        facts.append(Fact("duration", manifest.duration_s, "s", "sum"))
    if manifest.started is not None:
        facts.append(Fact("recorded", manifest.started))
    if manifest.exit is not None and manifest.exit.status is not None:
        facts.append(Fact("exit status", manifest.exit.status, "1", kind="status"))
    if manifest.command_exit is not None and manifest.command_exit.status is not None:
        status = manifest.command_exit.status
        facts.append(Fact("exit status of COMMAND", status, "1", kind="status"))
    facts += [Fact("recorded with", words) for words in _parts(manifest)]
    facts += [Fact("limit", limit) for limit in manifest.limits]
    version = manifest.jvm.get("version")
    return replace(
        subject,
        command=manifest.command_line or subject.command,
        jvm_version=str(version) if version else None,
        facts=tuple(facts),
    )


def _parts(manifest: Manifest) -> Iterator[str]:
    """Yields the options that have only a part of the program counted, with their values."""
    for key in ("from", "include", "exclude"):
        given = manifest.options.get(key) or []
        for value in given if isinstance(given, list) else [given]:
            yield f"--{key} {value}"


def _fact(engine: Engine, name: str, sql: str, *, is_cached: bool) -> int:
    """Returns the number that a query answers with, or answered with before."""
    table = cached_table(
        engine,
        name,
        {"query": sql},
        lambda: engine.query(Question(sql, "sql")).arrow(),
        is_cached=is_cached,
    )
    value: int = table.column(0)[0].as_py()
    return value
