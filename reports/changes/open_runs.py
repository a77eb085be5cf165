"""The runs of a comparison, opened once for all the questions that are asked of them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from jvmscope.metrics.progress import size_of
from jvmscope.queries import Engine

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from jvmscope.schema.calibration import Calibration

__all__ = ["OpenRuns"]

_KEPT = 2  # a pair
_LARGEST_KEPT = 1_000_000  # contexts: opening a larger run is nothing beside what is asked of it


class OpenRuns:
    """Keeps the runs that were opened last, until others are or the block ends.

    What an engine has prepared for one question, as the relations of a scope, it has for the next.
    Large runs are opened for each question: two that keep what was prepared need too much memory.

    Args:
        beside: the recorded run that stands beside a watch run.
        calibration: what calls and objects cost in the VM of the watch runs, for estimates.
    """

    def __init__(
        self,
        beside: Mapping[Path, Path] | None = None,
        calibration: Calibration | None = None,
    ) -> None:
        self._kept: dict[Path, Engine] = {}
        self._beside = beside or {}
        self._calibration = calibration

    @property
    def recorded(self) -> tuple[Path, ...]:
        """The recorded runs that stand beside watch runs, each once."""
        return tuple(dict.fromkeys(self._beside.values()))

    def __enter__(self) -> OpenRuns:
        """Returns the runs; the block's end closes them."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Closes the runs."""
        while self._kept:
            self._kept.popitem()[1].close()

    @contextmanager
    def open(self, run: Path) -> Iterator[Engine]:
        """Has a run open within the block; at most two at a time.

        Raises:
            RunError: it is not a run.
        """
        if size_of(run) > _LARGEST_KEPT:
            with self._opened(run) as engine:
                yield engine
            return
        engine = self._kept.pop(run) if run in self._kept else self._opened(run)
        self._kept[run] = engine  # the last one again
        while len(self._kept) > _KEPT:
            self._kept.pop(next(iter(self._kept))).close()
        yield engine

    def _opened(self, run: Path) -> Engine:
        if self._beside or self._calibration:
            return Engine(run, beside=self._beside.get(run), calibration=self._calibration)
        return Engine(run)
