"""FLWOR expressions (XQuery 3.1, section 3.12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from jvmscope.queries.records import keyword_record
from jvmscope.queries.xquery.syntax.ast.base import Expression, Syntax

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast.base import Variable
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = [
    "Assignment",
    "Clause",
    "CountClause",
    "Flwor",
    "ForBinding",
    "ForClause",
    "GroupByClause",
    "GroupingKey",
    "LetClause",
    "OrderByClause",
    "OrderKey",
    "WhereClause",
    "WindowClause",
    "WindowCondition",
]


@keyword_record
class ForBinding(Syntax):
    """``$name as type allowing empty at $position in expression``."""

    at: int
    name: Name
    type: SequenceType | None
    allows_empty: bool
    position: Name | None
    expression: Expression
    variable: Variable | None = None
    position_variable: Variable | None = None


@keyword_record
class ForClause(Syntax):
    """``for`` with one binding: ``for $a …, $b …`` is two clauses."""

    binding: ForBinding


@keyword_record
class Assignment(Syntax):
    """``$name as type := expression``."""

    at: int
    name: Name
    type: SequenceType | None
    expression: Expression
    variable: Variable | None = None


@keyword_record
class LetClause(Syntax):
    """``let`` with one assignment."""

    assignment: Assignment


@keyword_record
class WindowCondition(Syntax):
    """``start`` or ``end``: variables of the item, its position, neighbours, and ``when``."""

    at: int
    item: Name | None
    position: Name | None
    previous: Name | None
    next: Name | None
    when: Expression
    item_variable: Variable | None = None
    position_variable: Variable | None = None
    previous_variable: Variable | None = None
    next_variable: Variable | None = None


@keyword_record
class WindowClause(Syntax):
    """``for tumbling|sliding window``; only_end: ``only end``."""

    at: int
    is_sliding: bool
    name: Name
    type: SequenceType | None
    expression: Expression
    start: WindowCondition
    window_end: WindowCondition | None
    only_end: bool
    variable: Variable | None = None


@keyword_record
class WhereClause(Syntax):
    """``where``."""

    condition: Expression


@keyword_record
class GroupingKey(Syntax):
    """``$name as type := expression collation "uri"``; without expression, of a bound variable.

    After analysis ``source`` is the variable that a key without expression reads.
    """

    at: int
    name: Name
    type: SequenceType | None
    expression: Expression | None
    collation: str | None
    variable: Variable | None = None
    source: Variable | None = None


@keyword_record
class GroupByClause(Syntax):
    """``group by``; after analysis ``regrouped`` pairs each variable before it with the one after.

    A variable that is not a key holds, after the clause, the concatenation over its group.
    """

    at: int
    keys: tuple[GroupingKey, ...]
    regrouped: tuple[tuple[Variable, Variable], ...] = ()


@keyword_record
class OrderKey(Syntax):
    """One key of ``order by``; empty_least None: the module's default, until it is analysed."""

    expression: Expression
    is_descending: bool
    empty_least: bool | None
    collation: str | None


@keyword_record
class OrderByClause(Syntax):
    """``(stable) order by``."""

    at: int
    is_stable: bool
    keys: tuple[OrderKey, ...]


@keyword_record
class CountClause(Syntax):
    """``count $name``."""

    at: int
    name: Name
    variable: Variable | None = None


Clause: TypeAlias = (
    ForClause | LetClause | WindowClause | WhereClause | GroupByClause | OrderByClause | CountClause
)


@keyword_record
class Flwor(Expression):
    """Clauses in order, and ``return``."""

    clauses: tuple[Clause, ...]
    result: Expression
