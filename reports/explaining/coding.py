"""Features as small whole numbers, so that few rows stand for all objects.

A number becomes its place among cut points, a text its place among the values that several
programs have. A split is at a cut point or by a value, so that it reads as a condition of SQL that
holds for exactly the same rows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Coding", "Condition", "Value", "codings_of"]

Value: TypeAlias = "int | str | bool"

_MOST_CUTS = 32
_MOST_VALUES = 24


@dataclass(frozen=True, slots=True)
class Condition:
    """What a split asks of a row.

    Attributes:
        feature: the column.
        relation: ``at most``, which unknown values are, too; ``above``; ``is``; or ``is not``,
            as unknown values are.
        value: what it is compared with.
        has_unknown: whether values are unknown in any row.
    """

    feature: str
    relation: str
    value: Value
    has_unknown: bool = False

    @property
    def opposite(self) -> Condition:
        """The condition that holds where this one does not."""
        opposites = {"at most": "above", "above": "at most", "is": "is not", "is not": "is"}
        return Condition(self.feature, opposites[self.relation], self.value, self.has_unknown)

    @property
    def text(self) -> str:
        """The condition in words.

        >>> Condition("size_bytes", "at most", 24).text, Condition("is_array", "is not", True).text
        ('size_bytes ≤ 24', 'not is_array')
        >>> Condition("depth", "at most", 9, has_unknown=True).text
        '(depth ≤ 9 or unknown)'
        >>> Condition("package", "is", "java/util").text
        'package = java/util'
        """
        if self.value is True:
            return self.feature if self.relation == "is" else f"not {self.feature}"
        sign = {"at most": "≤", "above": ">", "is": "=", "is not": "≠"}[self.relation]
        text = f"{self.feature} {sign} {self.value if self.value != '' else '(none)'}"
        may_be_unknown = self.relation == "at most" and self.has_unknown
        return f"({text} or unknown)" if may_be_unknown else text

    @property
    def sql(self) -> str:
        """The condition in SQL; where it is null, it does not hold.

        >>> Condition("depth", "at most", 9, has_unknown=True).sql
        '(depth <= 9 OR depth IS NULL)'
        >>> Condition("package", "is not", "o'clock").sql
        "package IS DISTINCT FROM 'o''clock'"
        """
        if self.relation == "at most" and self.has_unknown:
            return f"({self.feature} <= {self.value} OR {self.feature} IS NULL)"
        if self.value is True:
            return self.feature if self.relation == "is" else f"{self.feature} IS NOT TRUE"
        signs = {"at most": "<=", "above": ">", "is": "=", "is not": "IS DISTINCT FROM"}
        return f"{self.feature} {signs[self.relation]} {_literal(self.value)}"

    def holds(self, value: Value | None) -> bool:
        """Returns whether it holds for a value of the feature; None: unknown."""
        if self.relation in {"is", "is not"}:
            return (value == self.value) == (self.relation == "is")
        is_low = value is None or (not isinstance(value, str) and value <= int(self.value))
        return is_low == (self.relation == "at most")


@dataclass(frozen=True, slots=True)
class Coding:
    """How a feature is coded.

    Attributes:
        feature: the column.
        is_number: whether values are ordered.
        values: the cut points; or the values that have a code of their own, by falling number of
            objects. The code is the place, from 1; a text or truth that is unknown or any
            other has 0, an unknown number that of the smallest.
        has_unknown: whether values are unknown in any row.
    """

    feature: str
    is_number: bool
    values: tuple[Value, ...]
    has_unknown: bool

    @property
    def sql(self) -> str:
        """The expression of a row's code."""
        sign = "<=" if self.is_number else "="
        cases = [
            f"WHEN {self.feature} {sign} {_literal(value)} THEN {code}"
            for code, value in enumerate(self.values, 1)
        ]
        rest = len(self.values) + 1 if self.is_number else 0
        unknown = f"WHEN {self.feature} IS NULL THEN {int(self.is_number)}"
        return f"CASE {' '.join([unknown, *cases])} ELSE {rest} END"

    def at(self, code: int) -> Condition:
        """Returns the condition that holds for codes of at most this; or for this one."""
        relation = "at most" if self.is_number else "is"
        return Condition(self.feature, relation, self.values[code - 1], self.has_unknown)


def codings_of(
    features: Iterable[str], counts: Mapping[str, Mapping[str, Counter[Value | None]]]
) -> list[Coding]:
    """Returns the codings of the features that tell rows apart.

    Args:
        features: the columns, in their order.
        counts: how many objects have each value, by feature, then by program.
    """
    found = []
    for feature in features:
        total: Counter[Value | None] = Counter()
        programs: defaultdict[Value | None, int] = defaultdict(int)
        for counted in counts[feature].values():
            total.update(counted)
            for value in counted:
                programs[value] += 1
        has_unknown = total.pop(None, None) is not None
        known = {value: n for value, n in total.items() if value is not None}
        is_number = not any(isinstance(value, str | bool) for value in known)
        if is_number:
            numbers = {int(value): n for value, n in known.items()}
            values: tuple[Value, ...] = _cuts(numbers, has_unknown=has_unknown)
        elif any(isinstance(value, bool) for value in known):
            values = (True,) if True in known and (has_unknown or False in known) else ()
        else:
            shared = {str(v): n for v, n in known.items() if programs[v] > 1}
            values = tuple(sorted(shared, key=lambda value: (-shared[value], value))[:_MOST_VALUES])
        if values:
            found.append(Coding(feature, is_number, values, has_unknown))
    return found


def _cuts(counts: Mapping[int, int], *, has_unknown: bool) -> tuple[int, ...]:
    """Returns values at which to split: all but the last one, or so many quantiles of objects.

    >>> _cuts({8: 5, 16: 1, 24: 2}, has_unknown=False)
    (8, 16)
    """
    values = sorted(counts)
    if not has_unknown:
        values = values[:-1]
    if len(values) <= _MOST_CUTS:
        return tuple(values)
    total = sum(counts.values())
    upto = dict(zip(sorted(counts), accumulate(counts[v] for v in sorted(counts)), strict=True))
    found: dict[int, int] = {}
    for value in values:
        found.setdefault(upto[value] * _MOST_CUTS // total, value)
    return tuple(found.values())


def _literal(value: Value) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    return "'" + value.replace("'", "''") + "'"
