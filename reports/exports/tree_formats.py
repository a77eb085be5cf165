"""What formats there are, and one export from its options to its file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError
from jvmscope.queries import parse_scope
from jvmscope.reports.exports.collapsed import write_collapsed
from jvmscope.reports.exports.firefox import write_firefox
from jvmscope.reports.exports.forest import Forest
from jvmscope.reports.exports.pprof import write_pprof
from jvmscope.reports.exports.speedscope import write_speedscope
from jvmscope.reports.exports.table import write_table
from jvmscope.reports.exports.weights import find_weight

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import BinaryIO

    from jvmscope.queries import Engine

__all__ = ["TREE_FORMATS", "TreeFormat", "export_tree"]


@dataclass(frozen=True)
class TreeFormat:
    """A format of the tree.

    Attributes:
        write: writes a forest to a stream.
        is_binary: whether it is binary.
        has_sums: whether it shows inclusive weights.
    """

    write: Callable[[Forest, BinaryIO], None]
    is_binary: bool = False
    has_sums: bool = False


TREE_FORMATS = {
    "collapsed": TreeFormat(write_collapsed),
    "speedscope": TreeFormat(write_speedscope),
    "pprof": TreeFormat(write_pprof, is_binary=True),
    "firefox": TreeFormat(write_firefox),
    "csv": TreeFormat(write_table, has_sums=True),
}
"""The formats of the tree, by name."""


def export_tree(
    engine: Engine,
    form: str,
    out: BinaryIO,
    *,
    weight: str = "bytecodes",
    root: str | None = None,
    scope: str = "run",
    min_fraction: float = 0.0,
    params: Mapping[str, Any] | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> None:
    """Writes the trees of a run in a format that other tools open.

    The weights of what is written add up to those of the contexts that it is about, exactly.

    Args:
        engine: the run.
        form: a key of ``TREE_FORMATS``.
        out: gets the bytes.
        weight: ``calls``, ``bytecodes`` or ``cycles``.
        root: a pattern of methods, as in the scope ``subtree``; only what they call, with
            themselves, is written. None: everything in the scope.
        scope: the part of the run that is written where there is no root.
        min_fraction: subtrees with less than this share of what is written become one node
            below their parent; 0: none.
        params: with cycles, parameters of the cost model, ``model`` and ``cache``.
        on_progress: called with the percentage done, now and then.

    Raises:
        QueryError: there is no such weight or scope, no method matches, or an argument is out
            of range.
        LimitReached: the database needs more memory than it may have.
    """
    measure = find_weight(weight)
    if params and measure.costs is None:
        raise QueryError(f"{weight} have no parameters; cycles have", path="--param")
    if not 0 <= min_fraction < 1:
        raise QueryError(f"{min_fraction} is not a fraction from 0 to 1", path="--min-fraction")
    chosen = TREE_FORMATS[form]
    forest = Forest(
        engine,
        measure,
        _search_path(engine, scope, root),
        min_fraction,
        chosen.has_sums,
        params,
        on_progress or (lambda _percentage: None),
    )
    chosen.write(forest, out)


def _search_path(engine: Engine, scope: str, root: str | None) -> str:
    try:
        return engine.bind_scope(parse_scope(scope if root is None else f"subtree:{root}"))
    except QueryError as error:
        if root is not None:
            error.path = "--root"
        raise
