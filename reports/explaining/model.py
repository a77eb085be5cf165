"""What an explanation says, as plain values: the faces only show it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmscope.queries import Result
    from jvmscope.reports.explaining.coding import Condition

__all__ = ["Explanation", "LeftOut", "Node", "Part"]

_LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the tree; without a condition it is a leaf.

    Attributes:
        n_objects: the objects that reach it.
        n_with: those of them that have the outcome.
        is_selected: whether the outcome is more frequent here than among all objects.
        condition: what divides the objects.
        yes: those for which it holds.
        no: the others.
    """

    n_objects: int
    n_with: int
    is_selected: bool
    condition: Condition | None = None
    yes: Node | None = None
    no: Node | None = None

    @property
    def share(self) -> float | None:
        """The part of its objects that has the outcome; None of none."""
        return self.n_with / self.n_objects if self.n_objects else None


@dataclass(frozen=True, slots=True)
class Part:
    """A leaf with the conditions that lead to it, without those that others imply.

    A rule consists of the parts that are selected.
    """

    conditions: tuple[Condition, ...]
    n_objects: int
    n_with: int
    is_selected: bool

    @property
    def text(self) -> str:
        """The conditions in words."""
        return " and ".join(condition.text for condition in self.conditions)

    @property
    def sql(self) -> str:
        """The conditions in SQL."""
        return " AND ".join(condition.sql for condition in self.conditions)

    @property
    def lines(self) -> str:
        """The same with a line for each: a terminal cuts lines, and SQL has to be whole."""
        return "\n        AND ".join(condition.sql for condition in self.conditions)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a rule that was made without a program selects in it.

    Attributes:
        program: its name.
        n_objects: its objects.
        n_with: those that have the outcome.
        n_selected: those that the rule selects.
        n_selected_with: those of them that have the outcome.
    """

    program: str
    n_objects: int
    n_with: int
    n_selected: int
    n_selected_with: int

    @property
    def base_rate(self) -> float | None:
        """The part of the objects that has the outcome."""
        return _ratio(self.n_with, self.n_objects)

    @property
    def precision(self) -> float | None:
        """The part of the selected objects that has the outcome; None: none is selected."""
        return _ratio(self.n_selected_with, self.n_selected)

    @property
    def coverage(self) -> float | None:
        """The part of the objects with the outcome that is selected; None: there are none."""
        return _ratio(self.n_selected_with, self.n_with)

    @property
    def is_better(self) -> bool | None:
        """Whether precision is above the base rate; None: they are equal, or it cannot be told."""
        if not self.n_selected:
            return None
        here = self.n_selected_with * self.n_objects
        there = self.n_with * self.n_selected
        return None if here == there else here > there


@dataclass(frozen=True)
class Explanation:
    """A rule for an outcome, and how good it is.

    Precision is the part of the selected objects that has the outcome, coverage the part of those
    with the outcome that is selected, and the base rate the part of all objects that has it.

    Attributes:
        outcome: its name.
        meaning: what is said of an object that has it.
        unit: what is counted: objects, or fields of objects.
        row: what a row of the table of features is about.
        table: the SQL of this table.
        count: its column with how many have the outcome.
        scope: the part of the runs.
        unknown: why objects are left out whose outcome is not known; "": none are.
        n_unknown: how many these are.
        left_out_by: ``program`` or ``benchmark``: what is left out together.
        tree: the tree.
        left_out: for each program, what a rule that was made without it selects there.
    """

    outcome: str
    meaning: str
    unit: str
    row: str
    table: str
    count: str
    params: Mapping[str, int]
    scope: str
    unknown: str
    n_unknown: int
    left_out_by: str
    tree: Node
    left_out: tuple[LeftOut, ...]

    @property
    def base_rate(self) -> float | None:
        """The part of all objects that has the outcome."""
        return self.tree.share

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The leaves in the order of the tree."""
        return tuple(_parts(self.tree, ()))

    @property
    def rule(self) -> tuple[Part, ...]:
        """The leaves that the rule selects; none: there is no rule."""
        return tuple(part for part in self.parts if part.is_selected and part.conditions)

    @property
    def n_selected(self) -> int:
        """The objects that the rule selects."""
        return sum(part.n_objects for part in self.rule)

    @property
    def n_selected_with(self) -> int:
        """Those of them that have the outcome."""
        return sum(part.n_with for part in self.rule)

    @property
    def precision(self) -> float | None:
        """The rule's, on the objects that it was made from."""
        return _ratio(self.n_selected_with, self.n_selected)

    @property
    def coverage(self) -> float | None:
        """The rule's, on the objects that it was made from."""
        return _ratio(self.n_selected_with, self.tree.n_with)

    @cached_property
    def all_left_out(self) -> LeftOut:
        """The sums over the programs that were left out."""
        each = self.left_out
        return LeftOut(
            "all",
            sum(program.n_objects for program in each),
            sum(program.n_with for program in each),
            sum(program.n_selected for program in each),
            sum(program.n_selected_with for program in each),
        )

    @property
    def n_better(self) -> int:
        """Programs in which a rule made without them is better than their base rate."""
        return sum(program.is_better is True for program in self.left_out)

    @property
    def n_told(self) -> int:
        """Programs in which it is better or worse."""
        return sum(program.is_better is not None for program in self.left_out)

    @property
    def chance(self) -> float:
        """How probable so many better programs are if better and worse are equally so."""
        n = self.n_told
        return sum(math.comb(n, k) for k in range(self.n_better, n + 1)) / (1 << n)

    @property
    def is_better(self) -> bool:
        """Whether the rule is better than the base rate, on programs that it was not made from.

        It is if the precision over all of them is, and if it is in so many of them that chance
        would do it in at most 5 % of cases.
        """
        total = self.all_left_out
        return bool(self.rule) and total.is_better is True and self.chance <= _LEVEL

    @property
    def text(self) -> str:
        """The rule in words; "" if there is none."""
        return "\nor ".join(part.text for part in self.rule)

    @property
    def sql(self) -> str:
        """A query for the rows that the rule selects; "" if there is none."""
        if not self.rule:
            return ""
        if len(self.rule) == 1:
            conditions = [condition.sql for condition in self.rule[0].conditions]
        else:
            joined = "\n    OR ".join(f"({part.lines})" for part in self.rule)
            conditions = [f"({joined})" if self.unknown else joined]
        if self.unknown:
            conditions.insert(0, f"{self.count} IS NOT NULL")
        condition = "\n  AND ".join(conditions)
        return f"SELECT *\nFROM {self.table}\nWHERE {condition}\n"

    def rows(self) -> Result:
        """Returns a row for each leaf of the tree: its conditions, objects, and precision."""
        from jvmscope.reports.explaining.data import to_table  # it imports this module

        return to_table(self)

    def __repr__(self) -> str:
        """Returns what is explained, and whether that succeeds, in one line."""
        found = "better than" if self.is_better else "no better than"
        return f"<Explanation of {self.outcome}: {found} the base rate>"

    def _repr_markdown_(self) -> str:
        """Returns the page, for notebooks."""
        from jvmscope.reports.explaining.page import explanation_page  # it imports this module
        from jvmscope.reports.faces import to_markdown

        return to_markdown(explanation_page(self))


def _parts(node: Node, above: tuple[Condition, ...]) -> Iterator[Part]:
    if node.condition is None or node.yes is None or node.no is None:
        yield Part(_shortest(above), node.n_objects, node.n_with, node.is_selected)
        return
    yield from _parts(node.yes, (*above, node.condition))
    yield from _parts(node.no, (*above, node.condition.opposite))


def _shortest(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Returns the conditions without those that others imply.

    A limit further down the tree is the narrower one, and an equation replaces inequations.
    """
    equal = {each.feature for each in conditions if each.relation == "is"}
    last = {(each.feature, each.relation): each for each in conditions}
    return tuple(
        each
        for each in conditions
        if not (each.relation == "is not" and each.feature in equal)
        and (each.relation == "is not" or last[each.feature, each.relation] is each)
    )


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
