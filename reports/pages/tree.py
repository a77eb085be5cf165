"""The page ``tree``: a run's calling context trees, heaviest first, small subtrees folded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmscope.queries import WHOLE_RUN, Question
from jvmscope.reports.exports.forest import Forest, scope_of
from jvmscope.reports.exports.weights import check_params, check_recorded, find_weight
from jvmscope.reports.faces.blocks import Drawing, Heading, Paragraph
from jvmscope.reports.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from jvmscope.queries import CostModel, Engine, Scope
    from jvmscope.reports.exports.forest import Node
    from jvmscope.reports.faces.blocks import Block

__all__ = ["tree_page"]


@dataclass(slots=True)
class _Branch:
    """A context, or what is folded, with what is shown below it."""

    name: str
    own: int
    inclusive: int
    n_contexts: int
    is_folded: bool
    children: list[_Branch] = field(default_factory=list)

    @property
    def order(self) -> tuple[bool, int, str]:
        """What sorts the heaviest first, and what is folded last."""
        return self.is_folded, -self.inclusive, self.name


def tree_page(
    engine: Engine,
    *,
    weight: str = "bytecodes",
    scope: Scope = WHOLE_RUN,
    root: str | None = None,
    min_fraction: float = 0.01,
    params: Mapping[str, Any] | None = None,
    cost_model: CostModel | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> Iterator[Block]:
    """Yields the page. An only child stands below its parent without being indented.

    Args:
        engine: the run.
        weight: a key of ``jvmscope.reports.exports.weights.WEIGHTS``, such as ``calls``.
        scope: the part of the run that is shown.
        root: a pattern of methods; the scope is then what they call, with themselves.
        min_fraction: subtrees with less than this share of what is shown are one line.
        params: with cycles, parameters of the cost model, ``model`` and ``cache``.
        cost_model: with cycles, the user's own; None: the one that the parameters name.
        on_progress: called with the percentage done, now and then.

    Raises:
        QueryError: there is no such weight or scope, or no method matches.
        LimitReached: the database needs more memory than it may have.
    """
    measure = find_weight(weight)
    check_recorded(measure, engine)
    check_params(measure, params, cost_model)
    terms = Question(
        "", params=params or {}, scope=scope_of(engine, scope, root), cost_model=cost_model
    )
    forest = Forest(
        engine,
        measure,
        terms,
        min_fraction,
        has_sums=True,
        on_progress=on_progress or (lambda _percentage: None),
    )
    threads = [(thread.label, _branches(forest, nodes)) for thread, nodes in forest.threads()]
    total = sum(root.inclusive for _, roots in threads for root in roots)
    yield Heading(f"{engine.run_id}: calling contexts by {weight}", 1)
    yield Paragraph(
        f"Scope: {scope if root is None else root}. {counted(total, measure.unit)} in all. First "
        f"column: % of a context with everything that it calls; second: % of its own. "
        f"What is below {100 * min_fraction:g} % is folded."
    )
    for name, roots in sorted(threads, key=lambda each: -_sum(each[1])):
        yield Heading(f"thread {name}: {counted(_sum(roots), measure.unit)}")
        yield Drawing(tuple(_lines(roots, total)))


def _branches(forest: Forest, nodes: Iterator[Node]) -> list[_Branch]:
    """Returns the roots of a thread's nodes, which are in pre-order."""
    roots: list[_Branch] = []
    path: list[_Branch] = []
    for node in nodes:
        method = forest.methods[node.frame]
        is_folded = node.context_id is None
        name = f"{method.name}, {counted(node.n_contexts, 'context')}" if is_folded else method.name
        if node.line is not None:
            name += f"  (line {node.line})"
        branch = _Branch(name, node.weight, node.inclusive, node.n_contexts, is_folded)
        del path[node.level - 1 :]
        (path[-1].children if path else roots).append(branch)
        path.append(branch)
    return roots


def _lines(roots: Sequence[_Branch], total: int) -> Iterator[str]:
    """Yields a line for each branch; a stack, since a recursion may be deeper than Python's."""
    waiting = _guided(roots, "")
    while waiting:
        branch, before, below = waiting.pop()
        own = " " * 6 if branch.is_folded else _share(branch.own, total)
        yield f"{_share(branch.inclusive, total)} {own}  {before}{branch.name}"
        waiting += _guided(branch.children, below)


def _guided(branches: Sequence[_Branch], guide: str) -> list[tuple[_Branch, str, str]]:
    """Returns siblings, the last one first, with what stands before each and before its children.

    >>> a, b = _Branch("a", 1, 2, 1, False), _Branch("b", 1, 3, 1, False)
    >>> [(branch.name, before, below) for branch, before, below in _guided([a, b], "│ ")]
    [('a', '│ └─', '│   '), ('b', '│ ├─', '│ │ ')]
    >>> [(branch.name, before, below) for branch, before, below in _guided([a], "│ ")]
    [('a', '│ ', '│ ')]
    """
    ordered = sorted(branches, key=lambda branch: branch.order)
    if len(ordered) == 1:
        return [(ordered[0], guide, guide)]
    last = len(ordered) - 1
    guided = [
        (branch, guide + ("└─" if i == last else "├─"), guide + ("  " if i == last else "│ "))
        for i, branch in enumerate(ordered)
    ]
    return guided[::-1]


def _share(weight: int, total: int) -> str:
    """Returns a percentage, six characters wide.

    >>> _share(1, 3), _share(0, 0)
    ('  33.3', '   0.0')
    """
    return f"{100 * weight / total if total else 0.0:6.1f}"


def _sum(roots: Sequence[_Branch]) -> int:
    return sum(root.inclusive for root in roots)
