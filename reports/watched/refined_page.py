"""What a search for the foci that take most found, as blocks and as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.faces.blocks import Grid, Heading, Note, Paragraph
from jvmscope.reports.faces.numbers import rounded
from jvmscope.reports.watched.times import shown_amount

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jvmscope.reports.faces.blocks import Block
    from jvmscope.reports.watched.refining import Refinement, Search

__all__ = ["refined_blocks", "refined_rows"]


def refined_blocks(found: Sequence[Refinement], search: Search) -> Iterator[Block]:
    """Yields the paths of each metric, with their values; where one ends, its focus is marked."""
    yield Heading("Refined foci")
    threshold = f"{100 * search.threshold:.3g} %"
    n_found = sum(each.root is not None for each in found)
    if not n_found:
        yield Paragraph(f"No bottleneck: nothing takes {threshold}.")
    for each in found:
        yield Heading(each.pair.text, 3)
        if each.root is None:
            yield Paragraph(f"Not refined: {each.reason}.")
            continue
        rows = []
        for depth, node in each.root.walked():
            is_end = not node.children
            mark = "open" if node.is_open else "ends here" if is_end else ""
            value = shown_amount(node.value, each.unit)
            share = f"{rounded(100 * node.share, 3)} %"
            rows.append((value, share, mark, "  " * depth + str(node)))
        titles = ("value", f"of {each.reference}", "", "focus")
        yield Grid(titles, tuple(rows), frozenset({0, 1}), is_tree=True)
        is_open = any(node.is_open for _, node in each.root.walked())
        if is_open:
            told = f"the budget of {search.budget} foci ended the search before some were refined"
            yield Note(told)
    if n_found:
        yield Note(
            f"Children with at least {threshold} are shown, in the hierarchy in which one keeps "
            "most. What has a stack is charged to its topmost method outside of the JDK."
        )


def refined_rows(
    found: Iterable[Refinement],
) -> Iterator[tuple[str | float | None, ...]]:
    """Yields for each focus: pair, depth, focus, value, unit, share, whether it ends, no reason.

    Of a pair that was not refined there is one row, with the reason.
    """
    for each in found:
        text = each.pair.text
        if each.root is None:
            yield text, None, None, None, each.unit, None, None, each.reason
            continue
        for depth, node in each.root.walked():
            is_end = not node.children
            yield text, depth, str(node), node.value, each.unit, node.share, is_end, None
