"""What a format of exports is, and the table of those that there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from jvmscope.errors import QueryError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.reports.exports.forest import Forest

__all__ = [
    "EXPORT_FORMATS",
    "ExportFormat",
    "RunFormat",
    "TreeFormat",
    "format_named",
    "register",
    "run_formats",
    "tool",
    "tree_formats",
]

_OF_TREES = frozenset({"weight", "root", "scope", "min_fraction", "params", "cost_model"})
"""The keywords of ``export_tree`` that choose what is written."""


@dataclass(frozen=True, kw_only=True)
class ExportFormat:
    """What is known of any format.

    Attributes:
        name: what ``jvmscope export`` calls it.
        rank: its place in lists of formats; equal ones are sorted by name.
        contains: what is in a file, for the documentation.
        opened_by: programs that open it, for the documentation.
        note: what the command's help says behind its name.
        options: what can be chosen of it, by name.
    """

    name: str
    rank: int = 100
    contains: str
    opened_by: str
    note: str = ""
    options: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class TreeFormat(ExportFormat):
    """A format of the calling context trees, in which each context has a weight.

    Attributes:
        write: writes a forest to a stream.
        is_binary: whether a terminal cannot show it.
        has_sums: whether it shows inclusive weights.
        has_paths: whether it repeats for each context the frames of those above.
        is_sparse: whether it leaves out contexts that weigh nothing.
        row_bytes: about what a context takes beside its path; 0: unknown.
    """

    write: Callable[[Forest, BinaryIO], None]
    options: frozenset[str] = _OF_TREES
    is_binary: bool = False
    has_sums: bool = False
    has_paths: bool = False
    is_sparse: bool = False
    row_bytes: int = 0


@dataclass(frozen=True, kw_only=True)
class RunFormat(ExportFormat):
    """A format of all tables, which neither weighs nor leaves out anything.

    Attributes:
        write: writes a run to the path of a file, or to that of a directory; gets the progress in
            percent and the options, too.
        files: the names of its files in a directory; empty: it is one file.
        folder: where in the run the files go unless another directory is named; None: the path has
            to be named.
    """

    write: Callable[..., None]
    files: tuple[str, ...] = ()
    folder: str | None = None


EXPORT_FORMATS: dict[str, ExportFormat] = {}
"""The formats by name, in the order in which they are listed."""


def register(form: ExportFormat) -> None:
    """Adds a format."""
    known = sorted([*EXPORT_FORMATS.values(), form], key=lambda each: (each.rank, each.name))
    EXPORT_FORMATS.clear()
    EXPORT_FORMATS.update({each.name: each for each in known})


def tree_formats() -> dict[str, TreeFormat]:
    """Returns the formats of trees by name, in their order."""
    return {name: form for name, form in EXPORT_FORMATS.items() if isinstance(form, TreeFormat)}


def run_formats() -> dict[str, RunFormat]:
    """Returns the formats of all tables by name, in their order."""
    return {name: form for name, form in EXPORT_FORMATS.items() if isinstance(form, RunFormat)}


def format_named(name: str) -> ExportFormat:
    """Returns the format of a name.

    Raises:
        QueryError: there is none.
    """
    if name not in EXPORT_FORMATS:
        hint = did_you_mean(name, EXPORT_FORMATS) or f"formats: {', '.join(EXPORT_FORMATS)}"
        raise QueryError(f"there is no format {name!r}", path="export", hint=hint)
    return EXPORT_FORMATS[name]


def tool() -> str:
    """Returns what files call the program that wrote them: ``jvmscope@0.1.0``."""
    from importlib.metadata import version  # takes long to import

    return f"jvmscope@{version('jvmscope')}"
