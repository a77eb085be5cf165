"""How a study is made: the paper's numbers, unless others are given."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["PAPER_WAITS", "StudyOptions"]

PAPER_WAITS = {
    "warm_up": 300.0,
    "selection": 600.0,
    "reading": 60.0,
    "utilization": 30.0,
    "quiet_span": 20.0,
    "quiet_timeout": 60.0,
    "least_delay": 30.0,
    "most_delay": 90.0,
    "restart_after": 7200.0,
}
"""The waits of the paper in seconds (sections 4.2.2 and 4.3), by the names of the options."""


@dataclass(frozen=True)
class StudyOptions:
    """The options of a study; waits are in seconds, after scaling.

    Attributes:
        warm_up: how long a VM runs before anything is measured.
        selection: how long calls are counted to select methods; part of the first launch alone.
        reading: how long static samples are collected in S3, S6, S8 and S10.
        utilization: the first part of that, in which processor time is measured.
        quiet_span: how long no compilation may end for the compilers to be quiet.
        quiet_timeout: how long to wait for that.
        least_delay: the shortest random delay between two cycles.
        most_delay: the longest one.
        restart_after: how long a VM is used; the cycle that is under way is finished.
        n_methods: how many methods are observed, one a cycle.
        least_calls: how often a method is called in ``selection`` to be eligible.
        n_controls: how many more launches there are without dynamic measurement.
        seed: what the choice of methods and delays is made from.
        scale: what the waits that were not given are multiplied by.
        classes: patterns of the classes that get static probes, as in a probe; none: all of the
            program's class loaders.
        buffer_bytes: the most memory that buffers take in the VM, outside of its heap.
    """

    warm_up: float
    selection: float
    reading: float
    utilization: float
    quiet_span: float
    quiet_timeout: float
    least_delay: float
    most_delay: float
    restart_after: float
    n_methods: int = 30
    least_calls: int = 100
    n_controls: int = 1
    seed: int = 1
    scale: float = 1.0
    classes: tuple[str, ...] = ()
    buffer_bytes: int = 1 << 30

    @classmethod
    def scaled(
        cls, scale: float = 1.0, waits: Mapping[str, float | None] | None = None, **others: Any
    ) -> StudyOptions:
        """Returns the options with the paper's waits, multiplied, where no other is given.

        >>> options = StudyOptions.scaled(0.1, {"quiet_span": 5.0})
        >>> options.quiet_span, options.warm_up
        (5.0, 30.0)
        """
        given = {name: wait for name, wait in (waits or {}).items() if wait is not None}
        scaled: dict[str, Any] = {name: wait * scale for name, wait in PAPER_WAITS.items()}
        return cls(**{**scaled, **given, **others}, scale=scale)

    def as_manifest(self) -> dict[str, Any]:
        """Returns the options by name, as ``study.json`` has them."""
        return {**asdict(self), "classes": list(self.classes)}

    @classmethod
    def of_manifest(cls, options: Mapping[str, Any]) -> StudyOptions:
        """Returns the options that ``as_manifest`` was made from.

        Raises:
            KeyError: one is missing.
        """
        found = {each.name: options[each.name] for each in fields(cls)}
        return cls(**{**found, "classes": tuple(options["classes"])})
