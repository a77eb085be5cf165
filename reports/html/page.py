"""One file from a report: markup, style, script, data, and a policy that allows nothing else.

Names of classes, threads and benchmarks are others'. In the markup they are escaped; the data are
JSON in a block that no ``<`` leaves, and the script makes text of them, never markup. The policy
names the scripts by their digests and forbids every request, so a mistake in it all stays inert.
"""

from __future__ import annotations

import html
import json
from string import Template
from typing import TYPE_CHECKING, Any

from jvmscope.reports.exports.weights import WEIGHTS as WEIGHT_OF
from jvmscope.reports.exports.weights import find_weight, not_recorded
from jvmscope.reports.html.files import ASSETS, asset, digest
from jvmscope.reports.html.payload import payload_of
from jvmscope.reports.html.plots import plots_of
from jvmscope.reports.html.runs import Limits, read_runs
from jvmscope.reports.weighed import RUN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from jvmscope.reports.model import Report

__all__ = ["MAX_NODES", "WEIGHTS", "render"]

WEIGHTS = tuple(WEIGHT_OF)
"""What trees can be weighed by; to sum cycles takes several times as long as all the others."""

SCOPES = (RUN, "application+", "application")
"""The parts of a run that the page can show instead of all of it, beside that of the report."""

MAX_NODES = 20_000
"""How many nodes of trees a page has at most, over all subjects."""

# One script, in this order, so that one digest allows it; the kinds of charts come after _CHARTS.
_CHARTS = "charts.js"
_SCRIPTS = (
    "elements.js",
    "numbers.js",
    _CHARTS,
    "table.js",
    "tree.js",
    "flame.js",
    "treegrid.js",
    "methods.js",
    "view.js",
    "hot.js",
    "callers.js",
    "contexts.js",
    "metrics.js",
    "subjects.js",
    "plots.js",
    "page.js",
)


def render(
    report: Report,
    *,
    weights: Sequence[str] | None = None,
    weight: str = "bytecodes",
    max_nodes: int = MAX_NODES,
    is_cached: bool = True,
    jobs: int | None = 1,
    on_progress: Callable[[float], None] | None = None,
) -> str:
    """Returns the page.

    Args:
        report: what it shows.
        weights: what the trees are weighed by; what a run cannot tell is left out there.
            None: by all, but of several runs not by cycles.
        weight: the one that the page shows first.
        max_nodes: how many nodes of trees there are at most, shared out among the subjects; more
            only where this leaves less than four for each.
        is_cached: whether to use and keep trees under ``RUN/metrics``.
        jobs: how many runs are read at a time; see ``reports.building``.
        on_progress: called with the percentage done, now and then.

    Raises:
        QueryError: there is no such weight, or it was recorded in no run.
    """
    progress = on_progress or (lambda _percentage: None)
    runs = {
        index: subject.run
        for index, subject in enumerate(report.subjects)
        if subject.run is not None and subject.is_measured
    }
    if weights is None:
        weights = [name for name in WEIGHTS if name != "cycles" or len(runs) == 1]
    found = read_runs(
        list(runs.values()),
        weights,
        Limits(nodes=max_nodes),
        scopes=[scope for scope in dict.fromkeys((*SCOPES, report.scope)) if scope != RUN],
        is_cached=is_cached,
        jobs=jobs,
        on_progress=lambda percentage: progress(0.9 * percentage),
    )
    told = {i: each for i, each in zip(runs, found, strict=True) if not isinstance(each, str)}
    _check_weight(weight, [runs[index] for index in told], told.values())
    untold = {i: each for i, each in zip(runs, found, strict=True) if isinstance(each, str)}
    progress(90)
    page = _page(report, payload_of(report, told, untold, weight), plots_of(report))
    progress(100)
    return page


def _check_weight(weight: str, runs: Sequence[Path], told: Iterable[dict[str, Any]]) -> None:
    """Raises an error if a weight is that of a probe which was recorded in no run."""
    chosen = find_weight(weight)
    if chosen.table is None or not runs or any(weight in dict(run["weights"]) for run in told):
        return
    raise not_recorded(chosen, str(runs[0]) if len(runs) == 1 else "none of the runs")


def _scripts() -> Iterator[str]:
    for name in _SCRIPTS:
        yield asset(name)
        if name == _CHARTS:
            kinds = sorted(each.name for each in (ASSETS / "charts").iterdir())
            yield from (asset(f"charts/{kind}") for kind in kinds)


def _page(report: Report, payload: dict[str, Any], plots: dict[str, Any]) -> str:
    script = "\n".join(_scripts())
    script = f'(() => {{\n"use strict";\n{script}\n}})();'
    style = asset("page.css")
    title = html.escape(report.title)
    return Template(asset("page.html")).substitute(
        policy=_policy(script, style),
        generator=f"jvmscope {html.escape(report.version)}",
        title=title,
        style=style,
        report=_block(payload),
        plots=_block(plots),
        script=script,
    )


def _policy(script: str, style: str) -> str:
    """Returns a Content-Security-Policy: this script, this style, no request at all."""
    return (
        f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; "
        "img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _block(value: Any) -> str:
    """Returns JSON that can stand in a script element: no ``<`` begins or ends anything in it.

    >>> _block(["</script><!--"])
    '["\\\\u003c/script>\\\\u003c!--"]'
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")
