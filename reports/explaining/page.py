"""The page of an explanation, for a terminal and Markdown: verdict, rule, and how good it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.explaining.model import LeftOut
from jvmscope.reports.explaining.wording import about, quality, rate, verdict
from jvmscope.reports.faces.blocks import Bullets, Drawing, Grid, Heading, Paragraph
from jvmscope.reports.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.reports.explaining.model import Explanation, Node
    from jvmscope.reports.faces.blocks import Block

__all__ = ["explanation_page"]


def explanation_page(found: Explanation) -> Iterator[Block]:
    """Yields the page."""
    yield Heading(f"Why are objects {found.outcome}?  (scope: {found.scope})", 1)
    yield Paragraph(verdict(found))
    yield Bullets(tuple(about(found)))
    if not found.rule:
        return
    yield Heading("Rule")
    yield Drawing(tuple(found.text.split("\n")))
    yield Grid(
        ("measured on", "precision", "coverage", "base rate"),
        (
            quality(_whole(found), f"all {plural(found.left_out_by)}, which it was made from"),
            quality(found.all_left_out, f"each {found.left_out_by}, by a rule made without it"),
        ),
        numeric=frozenset({1, 2, 3}),
    )
    yield Heading("SQL")
    yield Drawing(tuple(found.sql.rstrip().split("\n")))
    yield Heading("Tree")
    yield Drawing(tuple(_tree(found)))
    yield Heading(f"Each {found.left_out_by}, by a rule made without it")
    yield _left_out(found)


def _whole(found: Explanation) -> LeftOut:
    """Returns how the rule does on what it was made from."""
    tree = found.tree
    return LeftOut("", tree.n_objects, tree.n_with, found.n_selected, found.n_selected_with)


def _tree(found: Explanation) -> Iterator[str]:
    yield _facts("all", found.tree)
    yield from _below(found.tree, "")


def _below(node: Node, indent: str) -> Iterator[str]:
    if node.condition is None or node.yes is None or node.no is None:
        return
    yield f"{indent}├─ {_facts(node.condition.text, node.yes)}"
    yield from _below(node.yes, f"{indent}│  ")
    yield f"{indent}└─ {_facts(node.condition.opposite.text, node.no)}"
    yield from _below(node.no, f"{indent}   ")


def _facts(title: str, node: Node) -> str:
    mark = "  ← rule" if node.condition is None and node.is_selected else ""
    return f"{title}: {rate(node.share)} of {node.n_objects:,}{mark}"


def _left_out(found: Explanation) -> Grid:
    return Grid(
        (found.left_out_by, plural(found.unit), "base rate", "selected", "precision", "coverage"),
        tuple(
            (
                each.program,
                f"{each.n_objects:,}",
                rate(each.base_rate),
                f"{each.n_selected:,}",
                rate(each.precision),
                rate(each.coverage),
            )
            for each in found.left_out
        ),
        numeric=frozenset({1, 2, 3, 4, 5}),
        names=frozenset({0}),
    )
