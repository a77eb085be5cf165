"""Why there is no value: a code for programs, and a sentence for people.

Whoever finds that something has no value knows the code; nobody reads it out of the sentence.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

__all__ = ["Reason", "ReasonCode"]


class ReasonCode(StrEnum):
    """What kind of reason it is."""

    NOT_RECORDED = "not-recorded"
    """The run lacks a table that the metric needs."""

    OUT_OF_SCOPE = "out-of-scope"
    """A table that the metric needs has no meaning in the scope."""

    FOLDED = "folded"
    """Calls were folded, and what the metric needs was lost."""

    FAILED = "failed"
    """The metric, or the run as a whole, could not be measured."""

    NOTHING = "nothing-to-measure"
    """The metric was computed and has no rows."""

    UNDEFINED = "undefined"
    """The metric was computed, and has no value: there is nothing to divide by."""

    NO_RUN = "no-run"
    """A suite has no run of the benchmark."""

    NOT_COMPARABLE = "not-comparable"
    """The metric's rows have no names that hold in another run."""

    NO_ROW = "no-such-row"
    """Another run has such a row of the metric, and this one, which was measured, has none."""


class Reason(NamedTuple):
    """Why there is no value."""

    code: ReasonCode
    text: str
