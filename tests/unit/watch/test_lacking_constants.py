"""A VM may leave out anything that an event refers to: its row is written nevertheless."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from jvmscope.queries import Engine
from jvmscope.queries.watch_invariants import broken_watch_invariants
from jvmscope.reports.faces import to_markdown
from jvmscope.reports.watched.page import watch_page
from jvmscope.schema import Manifest
from jvmscope.schema.watched import watch_tables
from jvmscope.watch.rows import NOT_KNOWN, EventRows
from jvmscope.watch.store import Store

if TYPE_CHECKING:
    from pathlib import Path

_START = 1_700_000_000_000_000_000
_EVENTS = [event for table in watch_tables().values() for event in table.events]
_METHOD = {"type": {"name": "app/A"}, "name": "f", "descriptor": "()V", "hidden": False}
_METHODS = {
    "whole": _METHOD,
    "no class": {**_METHOD, "type": None},
    "no name": {**_METHOD, "name": None},
    "no descriptor": {**_METHOD, "descriptor": None},
}  # and "none"
_THREADS = {"whole": {"javaName": "main", "javaThreadId": 1, "osThreadId": 1}, "no name": {}}


class _Constants:
    """What an event refers to, by kind and key."""

    def at(self, value: Any, *path: str) -> Any:
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def value(self, reference: Any) -> Any:
        kind, key = reference or ("", "")
        if kind == "stack":
            frame = {"type": "JIT compiled", "bytecodeIndex": 3, "lineNumber": 7}
            frames = [frame | {"method": ("method", key)}, frame | {"method": ("method", "whole")}]
            return {"frames": frames}
        return {"thread": _THREADS, "method": _METHODS}.get(kind, {}).get(key)


def _fields(key: str) -> dict[str, Any]:
    """Returns fields of every name that some event has for its threads, methods and stacks."""
    fields: dict[str, Any] = {"startTime": _START}
    for table in watch_tables().values():
        columns = {column.name: column for column in table.columns}
        for name, origin in table.origins:
            kind = str(columns[name].references).removeprefix("vm_")
            if origin.is_stack or kind in {"thread", "method"}:
                fields[origin.path[0]] = ("stack" if origin.is_stack else kind, key)
    return fields


@pytest.mark.parametrize("key", ["whole", "no class", "no name", "no descriptor", "none"])
def test_each_event_has_a_row(tmp_path: Path, key: str) -> None:
    store = Store(tmp_path, Manifest(kind="watch", status="truncated", tables={}, options={}))
    rows = EventRows(store)
    for name in _EVENTS:
        chunk = SimpleNamespace(constants=_Constants(), caches={})
        rows.append(SimpleNamespace(name=name, fields=_fields(key), chunk=chunk))  # type: ignore[arg-type]
    store.flush()

    with Engine(tmp_path) as engine:
        assert broken_watch_invariants(engine) == []
        asked = "SELECT class_name FROM stack_frame JOIN vm_method USING (vm_method_id)"
        found = {row for (row,) in engine.query(f"{asked} WHERE position = 0").rows()}
        assert found == {NOT_KNOWN if key in {"none", "no class"} else "app/A"}
        assert to_markdown(watch_page(engine, []))
