"""Questions to a run's database that the clock and Ctrl-C end."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from jvmscope.queries import interruptible

if TYPE_CHECKING:
    from collections.abc import Callable

    from duckdb import DuckDBPyConnection

    from jvmscope.queries import Deadline, Engine

__all__ = ["ask"]

_T = TypeVar("_T")


def ask(engine: Engine, work: Callable[[DuckDBPyConnection], _T], deadline: Deadline) -> _T:
    """Returns what some work with a connection to a run's database returns.

    Raises:
        LimitReached: the deadline came.
        KeyboardInterrupt: Ctrl-C; the work has ended.
    """
    deadline.left()
    connection = engine.connect()
    try:
        return interruptible(lambda: work(connection), connection.interrupt, deadline.at)
    except TimeoutError:
        raise deadline.error() from None
