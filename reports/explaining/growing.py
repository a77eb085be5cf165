"""A decision tree that separates objects with an outcome from the others, as a rule to read.

Objects are the weight, and those with the outcome weigh as much together as those without, so that
a rare outcome is looked for as well as a frequent one. A leaf belongs to the rule if the outcome is
more frequent there than among all objects.

A row stands for objects of both kinds, so the tree is one of regression on their share. Its splits
are those of a classification of the objects: the variance of a share is half of Gini's impurity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jvmscope.extras import extra
from jvmscope.reports.explaining.model import Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jvmscope.reports.explaining.coding import Condition
    from jvmscope.reports.explaining.observations import Observations

__all__ = ["grow", "mask_of", "selected_by"]

_WHAT = "explain"
_LEAST_SHARE = 0.01
"""The least part of all weight that a leaf has."""
_LEAST_GAIN = 0.0025
"""The least variance that a split takes away; that of all objects is at most 0.25."""


@dataclass(frozen=True, slots=True)
class _Column:
    """A column that scikit-learn sees: a feature's code; or whether it is this one."""

    coding: int
    code: int | None = None


def grow(rows: Observations, depth: int) -> Node:
    """Returns the tree, without splits that do not change what is selected.

    Raises:
        JvmscopeError: scikit-learn is not installed.
    """
    tree_module = extra(_WHAT, "sklearn.tree")
    n_objects, n_with = int(rows.n_objects.sum()), int(rows.n_with.sum())
    columns = _columns(rows)
    if n_with in {0, n_objects} or not columns:
        return Node(n_objects, n_with, is_selected=False)
    having = rows.n_with / n_with
    weights = having + (rows.n_objects - rows.n_with) / (n_objects - n_with)
    tree = tree_module.DecisionTreeRegressor(
        max_depth=depth,
        min_weight_fraction_leaf=_LEAST_SHARE,
        min_impurity_decrease=_LEAST_GAIN,
        random_state=0,
    )
    tree.fit(_matrix(rows, columns), having / weights, sample_weight=weights)
    everything = np.ones(len(rows.program), bool)
    return _pruned(_node(tree.tree_, 0, rows, columns, everything))


def selected_by(node: Node, rows: Observations) -> NDArray[np.bool_]:
    """Returns which rows a tree selects."""
    if node.condition is None or node.yes is None or node.no is None:
        return np.full(len(rows.program), node.is_selected)
    holds = mask_of(node.condition, rows)
    return np.where(holds, selected_by(node.yes, rows), selected_by(node.no, rows))


def mask_of(condition: Condition, rows: Observations) -> NDArray[np.bool_]:
    """Returns for which rows a condition of a split holds."""
    place, coding = next(
        (place, coding)
        for place, coding in enumerate(rows.codings)
        if coding.feature == condition.feature
    )
    code = coding.values.index(condition.value) + 1
    codes = rows.codes[:, place]
    found: NDArray[np.bool_] = codes <= code if coding.is_number else codes == code
    return found


def _columns(rows: Observations) -> list[_Column]:
    """Returns the columns, without texts that fewer than two of these programs have.

    What only the program that is left out has in common with one of them is known from it.
    """
    found = []
    for place, coding in enumerate(rows.codings):
        if coding.is_number:
            found.append(_Column(place))
            continue
        for code, value in enumerate(coding.values, 1):
            having = np.unique(rows.program[rows.codes[:, place] == code])
            if value is True or len(having) > 1:
                found.append(_Column(place, code))
    return found


def _matrix(rows: Observations, columns: list[_Column]) -> NDArray[np.float32]:
    matrix = np.empty((len(rows.program), len(columns)), np.float32)
    for place, column in enumerate(columns):
        codes = rows.codes[:, column.coding]
        matrix[:, place] = codes if column.code is None else codes == column.code
    return matrix


def _node(
    tree: Any, index: int, rows: Observations, columns: list[_Column], mask: NDArray[np.bool_]
) -> Node:
    """Returns a node of scikit-learn's tree with the numbers of its objects, which are exact."""
    n_objects, n_with = int(rows.n_objects[mask].sum()), int(rows.n_with[mask].sum())
    is_more = n_with * int(rows.n_objects.sum()) > int(rows.n_with.sum()) * n_objects
    left, right = int(tree.children_left[index]), int(tree.children_right[index])
    if left < 0:
        return Node(n_objects, n_with, is_selected=is_more)
    column = columns[int(tree.feature[index])]
    coding = rows.codings[column.coding]
    code = column.code if column.code is not None else int(tree.threshold[index])
    condition = coding.at(code)
    holds = mask_of(condition, rows)
    yes, no = (left, right) if coding.is_number else (right, left)
    return Node(
        n_objects,
        n_with,
        is_selected=is_more,
        condition=condition,
        yes=_node(tree, yes, rows, columns, mask & holds),
        no=_node(tree, no, rows, columns, mask & ~holds),
    )


def _pruned(node: Node) -> Node:
    """Returns a tree in which leaves side by side differ in whether they are selected."""
    if node.yes is None or node.no is None:
        return node
    yes, no = _pruned(node.yes), _pruned(node.no)
    if yes.condition is None and no.condition is None and yes.is_selected == no.is_selected:
        return Node(node.n_objects, node.n_with, is_selected=yes.is_selected)
    return Node(node.n_objects, node.n_with, node.is_selected, node.condition, yes, no)
