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
from jvmscope.watch.class_names import jvm_name
from jvmscope.watch.rows import AGENT_THREAD, NOT_KNOWN, EventRows
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
_THREADS = {
    "whole": {"javaName": "main", "javaThreadId": 1, "osThreadId": 1},
    "no name": {},
    "ours": {"javaName": AGENT_THREAD, "javaThreadId": 2, "osThreadId": 2},
}


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


def test_what_our_own_agent_does_has_no_row(tmp_path: Path) -> None:
    of_threads = {
        event: table.name
        for table in watch_tables().values()
        for event in table.events
        if "thread_id" in dict(table.origins)
    }
    assert len(of_threads) > 10
    for key in ("whole", "ours"):
        run = tmp_path / f"{key}.watch"
        manifest = Manifest(kind="watch", status="truncated", tables={}, options={})
        store = Store(run, manifest)
        rows = EventRows(store)
        for name in of_threads:
            chunk = SimpleNamespace(constants=_Constants(), caches={})
            rows.append(SimpleNamespace(name=name, fields=_fields(key), chunk=chunk))  # type: ignore[arg-type]
        store.flush()
        with Engine(run) as engine:
            for table in set(of_threads.values()):
                ((n,),) = engine.query(f"SELECT COUNT(*) FROM {table}").rows()
                assert (n > 0) == (key == "whole"), table


@pytest.mark.parametrize("name", ["app.H/0x000000004113e400", "app.H+0x00007efe9813e000/248609774"])
def test_hidden_classes_are_in_their_package(tmp_path: Path, name: str) -> None:
    constants = _Constants()
    constants.value = lambda reference: (  # type: ignore[method-assign]
        {**_METHOD, "type": {"name": name}} if reference else None
    )
    store = Store(tmp_path, Manifest(kind="watch", status="truncated", tables={}, options={}))
    rows = EventRows(store)
    chunk = SimpleNamespace(constants=constants, caches={})
    fields = {"startTime": _START, "loadedClass": {"name": name}, "method": ("method", "x")}
    for event in ("jdk.ClassLoad", "jdk.Compilation"):
        rows.append(SimpleNamespace(name=event, fields=fields, chunk=chunk))  # type: ignore[arg-type]
    store.flush()

    known = jvm_name(name)
    assert known.startswith("app/H")
    with Engine(tmp_path) as engine:
        assert {row for (row,) in engine.query("SELECT class_name FROM class_load").rows()} == {
            known
        }
        assert {row for (row,) in engine.query("SELECT class_name FROM vm_method").rows()} == {
            known
        }
        paths = {row for (row,) in engine.query("SELECT path FROM resource").rows()}
    assert {"app", known, f"{known}/f"} <= paths
