"""``--refine``: the search for the resources that take most, as the command line asks for it."""

from __future__ import annotations

import io
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from jvmscope.reports.watched import bins_of, parse_pair
from jvmscope.reports.watched.refined_page import refined_blocks
from jvmscope.reports.watched.refining import Search, searched

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

    from jvmscope.queries import Engine
    from jvmscope.reports.faces.blocks import Block

__all__ = ["Refining", "asked_refining", "refined_page", "refined_text"]

_WIDTH = 120


@dataclass(frozen=True)
class Refining:
    """A search: of a metric or pair, None: of several; and how far it goes."""

    text: str | None
    search: Search


def asked_refining(given: Mapping[str, Any], values: Mapping[str, Any]) -> Refining | None:
    """Returns the search that the options ask for; None if there is none.

    Args:
        given: the options that were given, with their dashes.
        values: the values of ``refine``, ``refine_threshold`` and ``refine_budget``.

    Raises:
        QueryError: the metric is not one.
    """
    if values["refine"] is None:
        for option in ("--refine-threshold", "--refine-budget"):
            if option in given:
                raise click.UsageError(f"{option} needs --refine, whose search it is about")
        return None
    if values["refine"]:
        parse_pair(values["refine"], "--refine")
    search = Search(values["refine_threshold"], values["refine_budget"])
    return Refining(values["refine"] or None, search)


def refined_page(engine: Engine, refining: Refining) -> tuple[Block, ...]:
    """Returns what the search finds, as blocks.

    Raises:
        QueryError: the metric is not one, or names a resource that the run does not have.
    """
    found = searched(engine, bins_of(engine), refining.text, refining.search)
    return tuple(refined_blocks(found, refining.search))


def refined_text(run: Path, refining: Refining) -> str:
    """Returns what the search finds in a watch run, as text for the terminal of messages.

    Raises:
        QueryError: as ``refined_page``.
    """
    from jvmscope.queries import Engine
    from jvmscope.reports.faces import print_page

    with Engine(run) as engine:
        blocks = refined_page(engine, refining)
    written = io.StringIO()
    print_page(blocks, written, is_colored=False, width=_line_width())
    return "\n".join(line.rstrip() for line in written.getvalue().rstrip().split("\n"))


def _line_width() -> int:
    if not sys.stderr.isatty():
        return _WIDTH
    return os.get_terminal_size(sys.stderr.fileno()).columns or _WIDTH
