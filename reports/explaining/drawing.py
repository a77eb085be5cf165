"""The tree of an explanation drawn as SVG, without scripts.

Names of classes and methods are others', so they are escaped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.explaining.wording import rate
from jvmscope.reports.html.markup import text

if TYPE_CHECKING:
    from jvmscope.reports.explaining.model import Explanation, Node

__all__ = ["to_svg"]

_BOX = 190
_GAP = 14
_HEIGHT = 62
_LEVEL = 118
_MARGIN = 10
_MOST_CHARACTERS = 28

_STYLE = """
  svg { font: 12px system-ui, sans-serif; background: #fff; color: #1b1f24 }
  .box { fill: #f6f8fa; stroke: #8c959f }
  .rule { fill: #dafbe1; stroke: #1a7f37; stroke-width: 2 }
  .with { fill: #1a7f37 }
  .without { fill: #d0d7de }
  .edge { stroke: #8c959f; fill: none }
  text { fill: #1b1f24; text-anchor: middle }
  .small { font-size: 11px; fill: #57606a }
"""


def to_svg(found: Explanation) -> str:
    """Returns the tree: the rule's boxes are green, and bars show how many have the outcome."""
    n_leaves, n_levels = _leaves(found.tree), _levels(found.tree)
    width = n_leaves * (_BOX + _GAP) - _GAP + 2 * _MARGIN
    height = (n_levels - 1) * _LEVEL + _HEIGHT + 2 * _MARGIN
    title = text(f"Tree of objects that are {found.outcome}")
    drawn = "\n".join(_drawn(found.tree, "all", 0, 0)[0])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n{drawn}\n</svg>\n"
    )


def _leaves(node: Node) -> int:
    return 1 if node.yes is None or node.no is None else _leaves(node.yes) + _leaves(node.no)


def _levels(node: Node) -> int:
    if node.yes is None or node.no is None:
        return 1
    return 1 + max(_levels(node.yes), _levels(node.no))


def _drawn(node: Node, title: str, level: int, first_leaf: int) -> tuple[list[str], float]:
    """Returns a subtree's elements, and where the middle of its root is.

    Args:
        node: the root.
        title: the condition that leads to it.
        level: how many nodes are above it.
        first_leaf: how many leaves are at the left of the subtree.
    """
    y = _MARGIN + level * _LEVEL
    if node.condition is None or node.yes is None or node.no is None:
        middle = _MARGIN + first_leaf * (_BOX + _GAP) + _BOX / 2
        return _box(node, title, middle, y), middle
    yes, left = _drawn(node.yes, node.condition.text, level + 1, first_leaf)
    after = first_leaf + _leaves(node.yes)
    no, right = _drawn(node.no, node.condition.opposite.text, level + 1, after)
    middle = (left + right) / 2
    edges = [
        f'<path class="edge" d="M {middle:g} {y + _HEIGHT} C {middle:g} {y + _HEIGHT + 30} '
        f'{end:g} {y + _LEVEL - 30} {end:g} {y + _LEVEL}"/>'
        for end in (left, right)
    ]
    return [*edges, *_box(node, title, middle, y), *yes, *no], middle


def _box(node: Node, title: str, middle: float, y: int) -> list[str]:
    x = middle - _BOX / 2
    kind = "rule" if node.condition is None and node.is_selected else "box"
    facts = f"{rate(node.share)} of {node.n_objects:,}"
    shown = title if len(title) <= _MOST_CHARACTERS else f"{title[: _MOST_CHARACTERS - 1]}…"
    inner = _BOX - 20
    part = inner * (node.share or 0)
    return [
        "<g>",
        f"<title>{text(title)}</title>",
        f'<rect class="{kind}" x="{x:g}" y="{y}" width="{_BOX}" height="{_HEIGHT}" rx="5"/>',
        f'<text x="{middle:g}" y="{y + 18}">{text(shown)}</text>',
        f'<text class="small" x="{middle:g}" y="{y + 35}">{facts}</text>',
        f'<rect class="without" x="{x + 10:g}" y="{y + 45}" width="{inner}" height="7"/>',
        f'<rect class="with" x="{x + 10:g}" y="{y + 45}" width="{part:.1f}" height="7"/>',
        "</g>",
    ]
