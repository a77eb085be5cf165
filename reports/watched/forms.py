"""The forms in which the running methods were executed, over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.watched.histogram import series_of
from jvmscope.reports.watched.pairs import parse_pair

if TYPE_CHECKING:
    from jvmscope.queries import Engine
    from jvmscope.reports.watched.histogram import Bins

__all__ = ["FORMS", "forms_of"]

FORMS = ("interpreter", "compiled", "inlined", "native")
"""The forms, as ``/Code`` has them."""


def forms_of(engine: Engine, bins: Bins) -> list[tuple[float, ...]]:
    """Returns for each of the forms the samples in each bin whose topmost method ran in it."""
    pairs = (parse_pair(f"samples{{/Code/{form}}}") for form in FORMS)
    found = (series_of(engine, pair, bins).values for pair in pairs)
    return [tuple(value or 0.0 for value in values) for values in found]
