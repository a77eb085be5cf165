"""What an explanation says in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.faces.numbers import percent
from jvmscope.reports.wording import counted, plural

if TYPE_CHECKING:
    from jvmscope.reports.explaining.model import Explanation, LeftOut

__all__ = ["about", "all_or_none", "quality", "rate", "verdict"]


def rate(share: float | None) -> str:
    """Returns a share in percent, or n/a.

    >>> rate(0.5), rate(None)
    ('50 %', 'n/a')
    """
    return "n/a" if share is None else f"{percent(share)} %"


def verdict(found: Explanation) -> str:
    """Returns whether there is a rule, and whether it is better than the base rate."""
    if not found.rule:
        return all_or_none(found) or (
            "There is no rule: no feature tells them apart better than the base rate of "
            f"{rate(found.base_rate)}."
        )
    total = found.all_left_out
    told = f"{found.n_better} of {counted(found.n_told, found.left_out_by)}"
    tested = (
        f"On {plural(found.left_out_by)} that it was not made from, its precision is "
        f"{rate(total.precision)} at a base rate of {rate(total.base_rate)}"
    )
    beats = f"it is above the base rate in {told}"
    if found.is_better:
        return f"The rule is better than the base rate. {tested}, and {beats}."
    if total.is_better is not True:
        return f"The rule is no better than the base rate. {tested}."
    return (
        f"The rule is not shown to be better than the base rate. {tested}, but {beats}, which "
        f"chance does in {rate(found.chance)} of cases."
    )


def all_or_none(found: Explanation) -> str:
    """Returns that all have the outcome, or none has; "" if only some have it."""
    many = counted(found.tree.n_objects, found.unit)
    if found.tree.n_with == found.tree.n_objects:
        return f"There is no rule: all of {many} have the outcome."
    if found.tree.n_with == 0:
        return f"There is no rule: none of {many} has the outcome."
    return ""


def about(found: Explanation) -> list[str]:
    """Returns what has to be known of the numbers."""
    params = ", ".join(f"{name}={value}" for name, value in found.params.items())
    many = counted(found.tree.n_objects, found.unit)
    where = counted(len(found.left_out), found.left_out_by)
    lines = [
        f"Outcome: {found.meaning}{f' ({params})' if params else ''}.",
        f"Weights: {plural(found.unit)}, not sites; a row of features is about one {found.row}.",
        f"Base rate: {rate(found.base_rate)} of {many} in {where}.",
    ]
    if found.n_unknown:
        lines.append(f"Left out: {counted(found.n_unknown, found.unit)}, since {found.unknown}.")
    return lines


def quality(total: LeftOut, words: str) -> tuple[str, str, str, str]:
    """Returns the cells that say how good a rule is somewhere."""
    return words, rate(total.precision), rate(total.coverage), rate(total.base_rate)
