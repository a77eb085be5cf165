"""Which recordings of a suite ``--select`` means."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from jvmscope.errors import SuiteError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.suite.planning import Planned

__all__ = ["select"]

_PARAMETER = re.compile(r"(?P<key>[A-Za-z_][\w-]*)=(?P<value>.*)")


def select(planned: Sequence[Planned], selections: Sequence[str]) -> tuple[Planned, ...]:
    """Returns the recordings that any of the selections means, in order; without any, all.

    A selection is a glob of names of benchmarks or runs, ``tag:NAME``, ``jvm:NAME`` or
    ``KEY=VALUE`` of the matrix, or several of these with commas between: all of them hold.

    Raises:
        SuiteError: one of them means nothing.
    """
    if not selections:
        return tuple(planned)
    for selection in selections:
        for term in selection.split(","):
            if not any(_is_meant(each, term) for each in planned):
                raise SuiteError(_nothing(planned, term))
        if not any(_is_all_meant(each, selection) for each in planned):
            raise SuiteError(f"--select {selection}: no benchmark matches all of it")
    return tuple(each for each in planned if any(_is_all_meant(each, text) for text in selections))


def _is_all_meant(planned: Planned, selection: str) -> bool:
    return all(_is_meant(planned, term) for term in selection.split(","))


def _is_meant(planned: Planned, term: str) -> bool:
    if term.startswith("tag:"):
        return any(fnmatchcase(tag, term[4:]) for tag in planned.tags)
    if term.startswith("jvm:"):
        return fnmatchcase(planned.jvm or "", term[4:])
    parameter = _PARAMETER.fullmatch(term)
    if parameter is not None:
        values = {key: str(value).lower() for key, value in planned.parameters.items()}
        found = values.get(parameter["key"])
        return found is not None and fnmatchcase(found, parameter["value"].lower())
    names = (planned.benchmark, planned.name, planned.name.rpartition("-")[0])
    return any(fnmatchcase(name, term) for name in names)


def _nothing(planned: Sequence[Planned], term: str) -> str:
    """Returns what to say of a term that means nothing, with the nearest that does."""
    kind, colon, name = term.partition(":")
    parameter = _PARAMETER.fullmatch(term)
    if colon and kind in ("tag", "jvm"):
        known = {tag for each in planned for tag in each.tags}
        if kind == "jvm":
            known = {each.jvm for each in planned if each.jvm}
    elif parameter is not None:
        name, kind = term, "parameter"
        known = {f"{k}={v}" for each in planned for k, v in each.parameters.items()}
    else:
        name, kind = term, "benchmark"
        known = {each.benchmark for each in planned}
    hint = did_you_mean(name, known) or f"there are {', '.join(sorted(known)) or 'none'}"
    return f"--select {term}: no such {kind}\n{hint}"
