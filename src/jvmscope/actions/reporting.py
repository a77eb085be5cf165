"""Reports as the command line asks for them: which page, of what, in which form."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmscope.errors import JvmscopeError, QueryError, did_you_mean
from jvmscope.formats import FORMATS, format_of_file
from jvmscope.output.page_writing import PAGE_FORMATS, write_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from jvmscope.output.console import Console
    from jvmscope.output.results import Output
    from jvmscope.queries import CostModel, Result, Scope
    from jvmscope.reports.faces.blocks import Block
    from jvmscope.reports.model import Report, Subject

__all__ = [
    "FORMS",
    "KINDS",
    "TABLES",
    "Tree",
    "check_subject",
    "form_of",
    "kind_of",
    "page_of",
    "tree_of",
    "write",
]

KINDS = {
    "summary": "an overview and what stands out; the default",
    "table": "every metric with its definition, ranks, minimum, median and maximum",
    "tree": "the calling contexts of one run, heaviest first",
    "plot": "hotness curves and stacks, drawn with characters",
    "pca": "principal components, similar subjects, the smallest representative subset",
    "html": "everything on one page for the browser, without a network",
}
"""The pages of a report and what they show; ``reports.pages`` has ``KIND_page`` for each text."""

_WHOLE = "json"
"""The form of the whole report."""

TABLES = tuple(form for form in FORMATS if form not in (*PAGE_FORMATS, _WHOLE))
"""Forms of the measures alone, a row for each subject and measure."""

FORMS = (*PAGE_FORMATS, _WHOLE, *TABLES)

_COLUMNS_OF_SUBJECTS = {"table": 4, "markdown": 8}
"""Subjects that have a column of their own, at most."""


@dataclass(frozen=True)
class Tree:
    """What a context tree shows; see ``reports.pages.tree``."""

    weight: str = "bytecodes"
    root: str | None = None
    min_fraction: float = 0.01
    params: Mapping[str, Any] = field(default_factory=dict)
    cost_model: CostModel | None = None


def kind_of(kind: str | None, output: Output) -> str:
    """Returns the page that is asked for: the one that is named, else the one the file's name says.

    >>> from pathlib import Path
    >>> from jvmscope.output.results import Output
    >>> kind_of(None, Output(file=Path("x.html"))), kind_of(None, Output(file=Path("x.csv")))
    ('html', 'table')
    """
    suffix = "" if output.file is None else output.file.suffix.removeprefix(".")
    if kind is not None:
        return kind
    if suffix in {"html", "htm"}:
        return "html"
    return "table" if (output.format or suffix) in TABLES else "summary"


def form_of(output: Output) -> str:
    """Returns the form: the one asked for, else the file's, else the terminal's or Markdown."""
    if output.format is not None:
        return output.format
    if output.file is None:
        return "table" if sys.stdout.isatty() else "markdown"
    return format_of_file(output.file) or "markdown"


def check_subject(paths: Sequence[Path], subject: str | None) -> None:
    """Finds out whether there is the subject that was named, before anything is measured.

    Raises:
        RunError: a path is neither a run nor a suite.
        SuiteError: a suite's lock file is damaged.
        QueryError: there is no such subject.
    """
    from jvmscope.reports.subjects import subjects_of

    if subject is not None:
        _index(subjects_of(paths).subjects, subject)


def page_of(report: Report, kind: str, form: str, subject: str | None) -> Iterable[Block]:
    """Returns the blocks of a page."""
    from jvmscope.reports import pages

    if kind == "table":
        index = None if subject is None else _index(report.subjects, subject)
        return pages.table_page(report, subject=index, n_columns=_COLUMNS_OF_SUBJECTS[form])
    made: Iterable[Block] = getattr(pages, f"{kind}_page")(report)
    return made


def tree_of(
    paths: Sequence[Path],
    subject: str | None,
    scope: Scope,
    tree: Tree,
    on_progress: Callable[[float], None],
) -> Iterable[Block]:
    """Returns the blocks of the page ``tree``, which is about one run.

    Raises:
        RunError: a path is neither a run nor a suite, or the run is damaged.
        SuiteError: a suite's lock file is damaged.
        QueryError: there is no such subject, scope or weight, or no method matches.
        JvmscopeError: there are several subjects, and none is named, or it has no run.
    """
    from jvmscope.queries import Engine
    from jvmscope.reports.pages import tree_page
    from jvmscope.reports.subjects import subjects_of

    subjects = subjects_of(paths).subjects
    if subject is None and len(subjects) > 1:
        names = ", ".join(each.name for each in subjects[:5])
        raise JvmscopeError(f"a tree shows one run: choose it with --subject, one of {names}")
    chosen = subjects[0 if subject is None else _index(subjects, subject)]
    if chosen.run is None:
        raise JvmscopeError(f"{chosen.name} has no run: {chosen.status}, {chosen.reason}")
    with Engine(chosen.run) as engine:
        return list(
            tree_page(
                engine,
                weight=tree.weight,
                scope=scope,
                root=tree.root,
                min_fraction=tree.min_fraction,
                params=tree.params,
                cost_model=tree.cost_model,
                on_progress=on_progress,
            )
        )


def write(
    made: Iterable[Block] | str | Result, form: str, output: Output, console: Console
) -> None:
    """Writes a page's blocks, text that is made already, or a table.

    Raises:
        JvmscopeError: the file exists, or cannot be written.
    """
    from jvmscope.queries import Result

    if isinstance(made, Result):
        output.write(made, console)
        return
    if isinstance(made, str):
        output.write_text(made, console)
    else:
        write_page(made, form, output, console)


def _index(subjects: Sequence[Subject], name: str) -> int:
    names = [subject.name for subject in subjects]
    if name not in names:
        hint = did_you_mean(name, names) or f"subjects: {', '.join(names[:10])}"
        raise QueryError(f"there is no subject {name!r}", path="--subject", hint=hint)
    return names.index(name)
