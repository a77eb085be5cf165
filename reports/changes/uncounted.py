"""Methods whose basic blocks one of two runs did not count, so that their bytecodes are missing.

The JVM's limit of 64 KB for a method may leave no room for counting. A method that grows beyond it
would seem to execute nothing, which every gate lets pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.changes.objections import Objection
from jvmscope.reports.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from jvmscope.queries import Engine
    from jvmscope.reports.changes.pairs import Pair

    _Open = Callable[[Path], AbstractContextManager[Engine]]

__all__ = ["of_uncounted"]

_NEEDED = frozenset({"class", "exclusion", "method", "thread_method"})
_UNCOUNTED = """
    SELECT c.name || '.' || m.name || m.descriptor AS method, ANY_VALUE(e.reason)
    FROM run.thread_method AS t
    JOIN run.method AS m USING (method_id)
    JOIN run.class AS c USING (class_id)
    LEFT JOIN run.exclusion AS e
        ON e.class_name = c.name AND e.method_name = m.name AND e.descriptor = m.descriptor
    WHERE m.coverage IN ('sites', 'calls')
    GROUP BY ALL ORDER BY ALL
"""


def of_uncounted(pairs: Sequence[Pair], open_run: _Open) -> Iterator[Objection]:
    """Yields the methods that B executed and counted no blocks of, unless A did not, either.

    Args:
        pairs: what is compared.
        open_run: opens a run.
    """
    for pair in pairs:
        if pair.a.run is None or pair.b.run is None:
            continue
        in_a, in_b = (_uncounted(run, open_run) for run in (pair.a.run, pair.b.run))
        names = [name for name in in_b if name not in in_a]
        if names:
            about = f"{pair.benchmark}: " if pair.benchmark is not None else ""
            why = f" ({in_b[names[0]]})" if in_b[names[0]] else ""
            more = f" and {counted(len(names) - 1, 'more method')}" if len(names) > 1 else ""
            text = f"{about}B: no bytecodes were counted of {names[0]}{why}{more}"
            yield Objection("unchecked", text)


def _uncounted(run: Path, open_run: _Open) -> dict[str, str | None]:
    """Returns the methods of which a run has calls and no blocks, and why."""
    with open_run(run) as engine:
        if not engine.manifest.tables.keys() >= _NEEDED:
            return {}
        return dict(engine.connect().execute(_UNCOUNTED).fetchall())
