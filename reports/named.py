"""Names for keys of a run, as Java writes methods and call sites.

    class_id      class    java.util.HashMap
    method_id     method   java.util.HashMap.get(Object)
    context_id    method   of the context
    call_site_id  site     java.util.HashMap.get(Object):568, and calls: the name that it calls
    thread_id     thread   its name

Parameters' packages are left out, so different methods may look the same; keys tell them apart.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmscope.queries import thread_label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmscope.queries import Engine

__all__ = ["NAMED", "names_of"]

NAMED: Mapping[str, tuple[str, ...]] = {
    "class_id": ("class",),
    "method_id": ("method",),
    "context_id": ("method",),
    "call_site_id": ("site", "calls"),
    "thread_id": ("thread",),
}
"""By the name of a key, the columns that take its place."""

_SQL = {
    "class_id": "SELECT class_id, names.dotted(name) FROM run.class WHERE class_id IN {keys}",
    "method_id": """
        SELECT m.method_id, names.method(c.name, m.name, m.descriptor)
        FROM run.method AS m
        JOIN run.class AS c USING (class_id)
        WHERE m.method_id IN {keys}
    """,  # not names.methods(): runs of native code alone do not know the loaders of classes
    "context_id": f"""
        SELECT context_id, COALESCE(method, 'thread ' || {thread_label("thread.name")})
        FROM run.context
        LEFT JOIN names.methods() USING (method_id)
        LEFT JOIN run.thread USING (thread_id)
        WHERE context_id IN {{keys}}
    """,
    "call_site_id": """
        SELECT call_site_id, method || COALESCE(':' || site.line, ''), COALESCE(site.name, 'VM')
        FROM run.call_site AS site
        JOIN names.methods() AS caller ON caller.method_id = site.caller_id
        WHERE call_site_id IN {keys}
    """,
    "thread_id": f"""
        SELECT thread_id, {thread_label("name")} FROM run.thread WHERE thread_id IN {{keys}}
    """,
}
_PARAMETERS = re.compile(r"\([^)]*\)")
_PACKAGE = re.compile(r"[\w$]+\.")


def names_of(engine: Engine, key: str, values: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Returns what some keys of a run are called; without an entry is what the run does not have.

    Args:
        engine: the run.
        key: the name of the key, one of ``NAMED``.
        values: the keys.
    """
    if not values:
        return {}
    listed = f"({', '.join(str(int(value)) for value in values)})"
    found = engine.query(_SQL[key].format(keys=listed))
    return {row[0]: tuple(_short(name) for name in row[1:]) for row in found.rows()}


def _short(name: str) -> str:
    """Returns a name without its parameters' packages.

    >>> _short("java.util.List.add(int, java.lang.Object)")
    'java.util.List.add(int, Object)'
    """
    return _PARAMETERS.sub(lambda found: _PACKAGE.sub("", found[0]), name)
