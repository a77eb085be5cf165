"""Why a metric cannot be computed on a run: what it requires was not recorded, or has no meaning.

A name in ``@requires`` is a table, or ``unfolded``: the paths of the calling context tree are
whole. Where a recursion policy or the memory limit folded calls into contexts above, they are not:
stack heights and recursion are then unknown, while counts and the edges of calls are as exact as
ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries import DERIVED
from jvmscope.queries.costs import uses_recorded_cache
from jvmscope.schema import ALWAYS, tables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.queries import QueryFile, Scope
    from jvmscope.schema import Manifest

__all__ = ["UNFOLDED", "unmet"]

UNFOLDED = "unfolded"


def unmet(
    query: QueryFile, manifest: Manifest, scope: Scope, params: Mapping[str, Any]
) -> str | None:
    """Returns the reason why a metric has no value on a run; None if it can be computed."""
    of_cache = ("method_cache", UNFOLDED) if uses_recorded_cache(query, params) else ()
    for name in (*query.requires, *of_cache):
        if name == UNFOLDED:
            reason = _why_folded(manifest)
        elif DERIVED.get(name, name) not in manifest.tables:
            reason = _why_missing(name, manifest)
        elif name in scope.absent:
            reason = f"undefined in the scope {scope}: {scope.absent[name]}"
        else:
            reason = None
        if reason is not None:
            return reason
    return None


def _why_folded(manifest: Manifest) -> str | None:
    if manifest.status == "failed":
        return "the recording failed"
    back_edges = manifest.tables.get("back_edge")
    if back_edges is None or back_edges.rows == 0:
        return None
    causes = [limit for limit in manifest.limits if "folded" in limit]
    if causes:
        return f"paths are not whole: {causes[0]}; record again with more --max-memory"
    return "paths are not whole: recursive calls are folded; record again with --recursion keep"


def _why_missing(name: str, manifest: Manifest) -> str:
    if manifest.status == "failed":
        return "the recording failed"
    definition = tables().get(name)
    remedy = ""
    if definition is not None and definition.recorded != ALWAYS:
        remedy = f": record again with {definition.recorded}"
    return f'the table "{name}" was not recorded{remedy}'
