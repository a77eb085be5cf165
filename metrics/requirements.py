"""Why a metric cannot be computed on a run: what it requires was not recorded, or has no meaning.

A name in ``@requires`` is a table, or ``unfolded``: the paths of the calling context tree are
whole. Where a recursion policy or the memory limit folded calls into other contexts, they are not:
stack heights and recursion are then unknown, while counts and the edges of calls are as exact as
ever. Tables of probes lose something to folding, too, so what reads them needs no other word.

A metric of times requires ``watch.TABLE``, a table of a watch run; ``measured_method`` or
``measured_context``, which join one to the recorded run beside it; ``estimated_call`` or
``estimated_creation``, which need a calibration, too; or ``recorded.TABLE``, a table of the
recorded run.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jvmscope.errors import did_you_mean
from jvmscope.metrics.reasons import Reason, ReasonCode
from jvmscope.queries import (
    COMPUTED,
    DERIVED,
    called_words,
    entry_error,
    language_of,
    uses_recorded_cache,
)
from jvmscope.schema import ALWAYS, native_tables, tables
from jvmscope.schema.folding import is_folded, why_folded
from jvmscope.schema.native_alone import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmscope.queries import Engine, QueryFile, Question, Scope
    from jvmscope.schema import Manifest

__all__ = ["UNFOLDED", "WITHOUT_TREE", "check_requirements", "folded", "needs_watch", "unmet"]

WITHOUT_TREE = Reason(
    ReasonCode.NOT_RECORDED, "calls were not recorded: record again without --no-tree"
)
"""Why a run of native code alone has no values of what is about calls."""

UNFOLDED = "unfolded"
_ESTIMATED = frozenset({"estimated_call", "estimated_creation"})
_JOINED = _ESTIMATED | {"measured_method", "measured_context"}
_WATCH = "watch."
_BESIDE = "recorded."

_COMMENT = re.compile(r"/\*.*?\*/|--[^\n]*", re.DOTALL)


def unmet(
    query: QueryFile, engine: Engine, scope: Scope, params: Mapping[str, Any]
) -> Reason | None:
    """Returns what a run or a scope lacks of what a metric requires; None: nothing."""
    manifest = engine.manifest
    if manifest.kind == "watch" or needs_watch(query):
        return _unmet_of_watch(query, engine)
    if manifest.kind == "native" and _needs_tree(query):
        return WITHOUT_TREE
    for name in _required(query, params):
        if name == UNFOLDED:
            continue
        if DERIVED.get(name, name) not in {*manifest.tables, *engine.named}:
            return _why_missing(name, manifest)
        if absence := scope.absence(name):
            return Reason(ReasonCode.OUT_OF_SCOPE, absence)
    return None


def check_requirements(engine: Engine, question: Question) -> None:
    """Raises an error where a run lacks what the header of a question's query requires.

    A metric is null then; a query of the user's own would have counted what is not there as zero,
    or taken the paths that folding left for those of the program. SQL itself tells of the place
    that names a table which was not recorded.

    Raises:
        QueryError: the run lacks it, or does not have the scope.
    """
    query, scope = question.file, question.scope
    if not query.requires or engine.manifest.kind == "watch" or needs_watch(query):
        return
    known = {UNFOLDED, *tables(), *engine.named, *COMPUTED}
    for name in query.requires:
        if name not in known:
            hint = did_you_mean(name, known)
            raise entry_error(query, "@requires", f'there is no table "{name}"', hint)
    is_sql = question.resolved_language == "sql"
    computed = {*COMPUTED} - {*DERIVED}  # of tables that every run has
    recorded = replace(query, requires=tuple(n for n in query.requires if n not in computed))
    reason = None if is_sql else unmet(recorded, engine, scope, question.params)
    reason = reason or folded(query, engine, scope, question.params)
    if reason is not None:
        raise entry_error(query, "@requires", reason.text)


def needs_watch(query: QueryFile) -> bool:
    """Returns whether a metric is about the times of a watch run."""
    return any(name in _JOINED or name.startswith(_WATCH) for name in query.requires)


def _unmet_of_watch(query: QueryFile, engine: Engine) -> Reason | None:
    """Returns why a metric of times, or any metric of a watch run, has no value; None: it has."""
    code = ReasonCode.NOT_RECORDED
    if not needs_watch(query):
        return Reason(code, "a watch run has no counted calls: measure the recorded run itself")
    if engine.manifest.kind != "watch":
        text = "a recorded run has no times: measure a watch run of the program"
        if not _JOINED.isdisjoint(query.requires):
            text += ", with this run beside it (--with)"
        return Reason(code, text)
    return None if _JOINED.isdisjoint(query.requires) else _unmet_of_both(query, engine)


def _unmet_of_both(query: QueryFile, engine: Engine) -> Reason | None:
    """Returns what a watch run lacks of what it needs beside it; None: nothing."""
    code = ReasonCode.NOT_RECORDED
    if engine.beside is None:
        return Reason(code, "no recorded run stands beside the watch run: name one (--with)")
    if engine.calibration is None and not _ESTIMATED.isdisjoint(query.requires):
        text = "there is no calibration: make one with jvmscope calibrate, name it (--calibration)"
        return Reason(code, text)
    for name in query.requires:
        if name.startswith(_BESIDE) and name.removeprefix(_BESIDE) not in engine.beside.tables:
            return _why_missing(name.removeprefix(_BESIDE), engine.beside)
    return None


def _needs_tree(query: QueryFile) -> bool:
    """Returns whether a metric is about more than native code.

    Its requirements do not say so: they name few of the tables that every run with calls has.
    """
    if language_of(query) != "sql" or not query.requires or not {*query.requires} <= {*SHARED}:
        return True
    body = _COMMENT.sub(" ", query.text)
    return bool(called_words(body) & tables().keys() - native_tables().keys())


def folded(
    query: QueryFile, engine: Engine, scope: Scope, params: Mapping[str, Any]
) -> Reason | None:
    """Returns what folding took of what a metric requires in a scope; None: nothing.

    Raises:
        QueryError: the run does not have the scope.
    """
    if not is_folded(engine.manifest):
        return None
    lost = engine.scopes.lost_calls(scope)
    if lost is not None:
        return Reason(ReasonCode.FOLDED, lost)
    has_whole_paths = engine.scopes.folding(scope).has_whole_paths
    for name in _required(query, params):
        lost = _lost_by_folding(name)
        if lost is not None and (not has_whole_paths or _reaches_run(name)):
            return Reason(ReasonCode.FOLDED, f"{lost}: {why_folded(engine.manifest)}")
    return None


def _reaches_run(name: str) -> bool:
    """Returns whether a requirement is a table that tells of contexts outside of a scope, too."""
    table = tables().get(name)
    return table is not None and table.reaches_run


def _required(query: QueryFile, params: Mapping[str, Any]) -> Iterator[str]:
    yield from query.requires
    if uses_recorded_cache(query, params):
        yield "method_cache"


def _lost_by_folding(name: str) -> str | None:
    """Returns what a requirement lacks where calls were folded; None: nothing."""
    if name == UNFOLDED:
        return "paths are incomplete"
    table = tables().get(name)
    return table.lost_by_folding if table is not None else None


def _why_missing(name: str, manifest: Manifest) -> Reason:
    if manifest.status == "failed":
        return Reason(ReasonCode.FAILED, "the recording failed")
    lost = _lost_by_folding(name)
    if lost is not None and is_folded(manifest) and _was_asked_for(name, manifest):
        return Reason(ReasonCode.FOLDED, f"{lost}: {why_folded(manifest)}")
    definition = tables().get(name)
    remedy = ""
    if definition is not None and definition.recorded != ALWAYS:
        remedy = f": record again with {definition.recorded}"
        if _was_asked_for(name, manifest):
            remedy = (
                ": the jvmscope that recorded the run did not have it; record again with this one"
            )
            if definition.needs is not None:
                remedy = f": recording it needs {definition.needs}"
    text = f'the table "{name}" was not recorded{remedy}'
    return Reason(ReasonCode.NOT_RECORDED, text)


def _was_asked_for(name: str, manifest: Manifest) -> bool:
    """Returns whether the recording was given the option that records a table of a probe."""
    option, _, probe = tables()[name].recorded.partition(" ")
    given = manifest.options.get(option.removeprefix("--").replace("-", "_"))
    return probe in given if isinstance(given, list) else bool(given)
