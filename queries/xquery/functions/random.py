"""Random numbers, the same for the same seed (F&O 3.1, section 4.9)."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.registry import builtin
from jvmscope.queries.xquery.functions.signatures import parse_type
from jvmscope.queries.xquery.items.casts import atomic_to_string
from jvmscope.queries.xquery.items.functions import FunctionItem, MapItem
from jvmscope.queries.xquery.items.types import local_type

if TYPE_CHECKING:
    from jvmscope.queries.xquery.items.types import Atomic, Sequence

__all__ = ["generator"]


@builtin("fn:random-number-generator() as map(xs:string, item())")
@builtin("fn:random-number-generator($seed as xs:anyAtomicType?) as map(xs:string, item())")
def generator(seed: Atomic | None = None) -> MapItem:
    """Returns a number, the next generator and a function that permutes; no seed is one too."""
    text = "" if seed is None else f"{local_type(seed)} {atomic_to_string(seed)}"
    return _generator(text, 0)


def _generator(seed: str, step: int) -> MapItem:
    number = random.Random(f"{step} {seed}").random()  # noqa: S311 - no secrets

    def following() -> Sequence:
        return (_generator(seed, step + 1),)

    def permute(items: Sequence) -> Sequence:
        shuffled: list[Any] = list(items)
        random.Random(f"{step} {seed} permute").shuffle(shuffled)  # noqa: S311
        return shuffled

    any_items = parse_type("item()*")
    next_type = parse_type("map(xs:string, item())")
    return MapItem.from_entries(
        [
            ("number", (number,)),
            ("next", (FunctionItem(None, (), next_type, following),)),
            ("permute", (FunctionItem(None, (any_items,), any_items, permute),)),
        ]
    )
