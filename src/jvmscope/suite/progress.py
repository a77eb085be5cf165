"""What ``suite run`` tells while it runs: a bar or a line for each row, with the time left."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmscope.output.console import Console
    from jvmscope.schema.suite import Row

__all__ = ["telling", "time_left"]


@contextlib.contextmanager
def telling(console: Console, suite: str, n_todo: int) -> Iterator[Callable[[Row], None]]:
    """Returns what is to be called with each row that is finished.

    A row that is not recorded, or not with all its JVMs, and what a run lacks are warnings, however
    progress is shown.
    """
    started = time.monotonic()
    n_done = 0
    kind = console.progress_kind
    with contextlib.ExitStack() as stack:
        update: Callable[[int, int], None] = lambda _done, _total: None  # noqa: E731
        if kind == "bar":
            update = stack.enter_context(console.task(f"recording {suite}", says_rest=True))
            update(0, n_todo)

        def tell(row: Row) -> None:
            nonlocal n_done
            n_done += 1
            outcome = f"{row.name}: {row.status}"
            rest = time_left(time.monotonic() - started, n_done, n_todo)
            if row.status != "recorded":
                console.warn(f"{outcome}: {row.reason}")
            elif row.unreached:
                shown = ", ".join(row.unreached)
                console.warn(f"{row.name}: it started JVMs that were not recorded: {shown}")
            for limit in row.limits:
                console.warn(f"{row.name}: {limit}")
            if kind == "plain":
                console.say(f"[{n_done}/{n_todo}] {outcome}{rest}")
            update(n_done, n_todo)

        try:
            yield tell
        except (KeyboardInterrupt, SystemExit):
            console.warn(
                f"{suite}: ended after {n_done} of {n_todo}; run the same command again to continue"
            )
            raise


def time_left(elapsed_s: float, n_done: int, n_todo: int) -> str:
    """Returns how long the rest may take if it goes on as before.

    >>> time_left(60.0, 2, 6), time_left(60.0, 6, 6), time_left(30.0, 3, 5)
    (', about 2 min left', '', ', about 20 s left')
    """
    if n_done >= n_todo:
        return ""
    left_s = elapsed_s / n_done * (n_todo - n_done)
    if left_s < 90:
        return f", about {left_s:.0f} s left"
    if left_s < 90 * 60:
        return f", about {left_s / 60:.0f} min left"
    return f", about {left_s / 3600:.1f} h left"
