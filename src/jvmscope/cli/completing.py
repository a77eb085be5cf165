"""Completion in shells: the values of options and arguments, found without slow imports.

A shell calls ``jvmscope`` for each completion, with the words so far in its environment; click
completes verbs, options and choices by itself, and these functions the rest.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from click.shell_completion import CompletionItem, get_completion_class

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import click

__all__ = [
    "VARIABLE",
    "answer",
    "definitions",
    "files",
    "kinds_of_reports",
    "metrics",
    "scopes",
    "script",
]

VARIABLE = "_JVMSCOPE_COMPLETE"
"""The variable in which a shell says what it asks for."""

_SCOPES = ("run", "application", "application+", "thread:", "subtree:")


def answer(program: click.Command, instruction: str) -> int:
    """Prints what a shell asked for; returns the exit status.

    Args:
        program: the command line.
        instruction: what the variable holds, as ``bash_complete``.
    """
    from click.shell_completion import shell_complete

    return shell_complete(program, {}, "jvmscope", VARIABLE, instruction)


def script(program: click.Command, shell: str) -> str:
    """Returns the script that has a shell complete ``jvmscope``.

    Args:
        program: the command line.
        shell: ``bash``, ``zsh`` or ``fish``.
    """
    completion = get_completion_class(shell)
    assert completion is not None  # noqa: S101 - the verb knows the shells
    found = completion(program, {}, "jvmscope", VARIABLE)
    # Click's script for fish takes a name up to its first comma; probes are several words of one.
    template = found.source_template.replace("string split ", "string split --max 1 ")
    return template % found.source_vars()


def metrics(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Returns the ids of metrics that begin like a word."""
    return _beginning(_in_folders("jvmscope.metrics"), incomplete)


def definitions(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Returns the names of tables, metrics and macros that begin like a word."""
    tables = (path.stem for path in _folder("jvmscope.schema").glob("tables/*.sql"))
    macros = _in_folders("jvmscope.queries", "lib/")
    return _beginning([*tables, *_in_folders("jvmscope.metrics"), *macros], incomplete)


def scopes(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Returns the scopes that begin like a word."""
    return _beginning(_SCOPES, incomplete)


def files(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Has the shell complete names of files."""
    return [CompletionItem(incomplete, type="file")]


def kinds_of_reports(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Returns the kinds of reports that begin like a word after a run; else asks for files."""
    from jvmscope.actions.reporting import KINDS

    found = _beginning(KINDS, incomplete) if incomplete and ctx.params.get("words") else []
    return [CompletionItem(kind) for kind in found] or files(ctx, param, incomplete)


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return sorted({name for name in names if name.startswith(incomplete)})


def _in_folders(package: str, below: str = "") -> Iterator[str]:
    """Yields FOLDER.NAME of the query files in the folders of a package."""
    for suffix in ("sql", "xq"):
        for path in _folder(package).glob(f"{below}*/*.{suffix}"):
            if not path.stem.startswith("_") and (not below or suffix == "sql"):
                yield f"{path.parent.name}.{path.stem}"


def _folder(package: str) -> Path:
    spec = find_spec(package)
    locations = spec.submodule_search_locations if spec is not None else None
    return Path(next(iter(locations or [""])))
