"""The registry of compilers for clauses of FLWOR expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmscope.queries.xquery.evaluator.code import Frame
    from jvmscope.queries.xquery.items.types import Item

__all__ = ["STAGES", "Stage"]

Stage: TypeAlias = "Callable[[Iterable[Frame], Item], Iterable[Frame]]"
"""What a clause makes of the tuples before it."""

STAGES: dict[type[object], Callable[..., Stage]] = {}
"""By the clause's class; each module that compiles clauses adds its own."""
