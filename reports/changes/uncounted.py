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
_UNSEEN = """
    SELECT c.name || '.' || m.name || m.descriptor AS method, ANY_VALUE(e.reason)
    FROM run.method AS m
    JOIN run.class AS c USING (class_id)
    JOIN run.exclusion AS e
        ON e.class_name = c.name AND COALESCE(e.method_name, m.name) = m.name
        AND COALESCE(e.descriptor, m.descriptor) = m.descriptor
    WHERE m.coverage = 'none' AND NOT m.is_native
        AND NOT regexp_matches(COALESCE(c.module, ''), '^(java|jdk)[.]')
    GROUP BY ALL ORDER BY ALL
"""
_COUNTED = """
    SELECT DISTINCT c.name || '.' || m.name || m.descriptor
    FROM run.thread_method AS t
    JOIN run.method AS m USING (method_id)
    JOIN run.class AS c USING (class_id)
    WHERE m.coverage = 'full'
"""


def of_uncounted(pairs: Sequence[Pair], open_run: _Open) -> Iterator[Objection]:
    """Yields the methods of which B counted no blocks, unless A did not, either.

    B executed them, or may have done: where it could not even count calls, A executed them.

    Args:
        pairs: what is compared.
        open_run: opens a run.
    """
    for pair in pairs:
        if pair.a.run is None or pair.b.run is None:
            continue
        in_a, in_b = (_found(_UNCOUNTED, run, open_run) for run in (pair.a.run, pair.b.run))
        found = {name: reason for name, reason in in_b.items() if name not in in_a}
        found |= _unseen(pair.a.run, pair.b.run, open_run)
        names = sorted(found)
        if names:
            about = f"{pair.benchmark}: " if pair.benchmark is not None else ""
            why = f" ({found[names[0]]})" if found[names[0]] else ""
            more = f" and {counted(len(names) - 1, 'more method')}" if len(names) > 1 else ""
            text = f"{about}B: no bytecodes were counted of {names[0]}{why}{more}"
            yield Objection("unchecked", text)


def _unseen(a: Path, b: Path, open_run: _Open) -> dict[str, str | None]:
    """Returns the program's methods that A counted, and of which B does not know any call."""
    unseen = _found(_UNSEEN, b, open_run)
    if not unseen:
        return {}
    with open_run(a) as engine:
        counted_in_a = {name for (name,) in engine.connect().execute(_COUNTED).fetchall()}
    return {name: reason for name, reason in unseen.items() if name in counted_in_a}


def _found(query: str, run: Path, open_run: _Open) -> dict[str, str | None]:
    """Returns methods of a run and why they were not counted; none where it lacks tables."""
    with open_run(run) as engine:
        if not engine.manifest.tables.keys() >= _NEEDED:
            return {}
        return dict(engine.connect().execute(query).fetchall())
