"""Components of durations (F&O 3.1, section 8.3)."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.functions.registry import builtin

if TYPE_CHECKING:
    from collections.abc import Callable

    from elementpath import datatypes as ep

__all__: list[str] = []


def _signed(number: Any, size: Callable[[Any], Any]) -> Any:
    """Returns a component of a size, with the sign of the whole."""
    return size(abs(number)) if number >= 0 else -size(abs(number))


_COMPONENTS: dict[str, Callable[[ep.Duration], Any]] = {
    "years": lambda duration: _signed(duration.months, lambda months: months // 12),
    "months": lambda duration: _signed(duration.months, lambda months: months % 12),
    "days": lambda duration: _signed(duration.seconds, lambda seconds: int(seconds // 86_400)),
    "hours": lambda duration: _signed(
        duration.seconds, lambda seconds: int(seconds % 86_400 // 3600)
    ),
    "minutes": lambda duration: _signed(
        duration.seconds, lambda seconds: int(seconds % 3600 // 60)
    ),
    "seconds": lambda duration: _signed(duration.seconds, lambda seconds: Decimal(seconds % 60)),
}


def _component(turn: Callable[[ep.Duration], Any]) -> Callable[[ep.Duration | None], Any]:
    return lambda arg: None if arg is None else turn(arg)


for _name, _turn in _COMPONENTS.items():
    _kind = "decimal" if _name == "seconds" else "integer"
    builtin(f"fn:{_name}-from-duration($arg as xs:duration?) as xs:{_kind}?")(_component(_turn))
