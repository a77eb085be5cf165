"""Declared types that the compiler can see to hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.compiler.values import LeafItem, NotCompiled, RowItem, Scalar
from jvmscope.queries.xquery.syntax.expanded_names import XS
from jvmscope.queries.xquery.syntax.types import (
    AnyItem,
    AtomicType,
    ItemSequence,
    KindTest,
    Occurrence,
)

if TYPE_CHECKING:
    from jvmscope.queries.xquery.compiler.values import Item, Rows
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = ["refuse_other_rows", "refuse_other_types"]


def refuse_other_rows(declared: SequenceType | None, rows: Rows, at: int) -> None:
    """Refuses a declared type unless a sequence is plainly of it, in number and kind.

    Raises:
        NotCompiled: the type may not hold, or items might be converted to it.
    """
    if declared is None:
        return
    refuse_other_types(declared, rows.item, at)
    assert isinstance(declared, ItemSequence)  # noqa: S101 - others are refused
    is_one = rows.is_single and not rows.conditions
    holds = {
        Occurrence.ANY: True,
        Occurrence.OPTIONAL: rows.is_single,
        Occurrence.ONE: is_one,
        Occurrence.MANY: is_one,
    }
    if not holds[declared.occurrence]:
        raise NotCompiled("a declared number of items that the value may not have", at)


def refuse_other_types(declared: SequenceType | None, item: Item, at: int) -> None:
    """Refuses a declared type unless every item is plainly of it, without a conversion.

    Raises:
        NotCompiled: the type may not hold, or values might be converted to it.
    """
    if declared is None:
        return
    if not isinstance(declared, ItemSequence):
        raise NotCompiled("a declared type", at)
    if (
        isinstance(item, Scalar)
        and item.is_optional
        and declared.occurrence in {Occurrence.ONE, Occurrence.MANY}
    ):
        raise NotCompiled("a value that may be absent, of a type that must be present", at)
    wanted = declared.item
    if isinstance(wanted, AnyItem):
        return
    if isinstance(wanted, AtomicType) and isinstance(item, Scalar):
        types = {"anyAtomicType"} if item.zero_type is not None else {item.type, "anyAtomicType"}
        holds = wanted.name.uri == XS and wanted.name.local in types
    elif isinstance(wanted, KindTest) and isinstance(item, (RowItem, LeafItem)):
        is_attribute = isinstance(item, LeafItem) and item.is_attribute
        holds = wanted.kind in {"node", "attribute" if is_attribute else "element"}
        holds = holds and wanted.type_name is None and wanted.name is None
    else:
        holds = False
    if not holds:
        raise NotCompiled("a declared type that may need a conversion", at)
