"""A VM may leave out anything that an event refers to: its row is written nevertheless."""

from __future__ import annotations

from pathlib import Path
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
from jvmscope.watch.probes import MovedMethods
from jvmscope.watch.rows import AGENT_THREAD, NOT_KNOWN, EventRows
from jvmscope.watch.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterable

_AGENT = Path(__file__).parents[3] / (
    "collector/agent/src/main/java/io/jvmscope/watch/WatchAgent.java"
)
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


def _write(run: Path, events: Iterable[str], fields: dict[str, Any], constants: Any = None) -> None:
    """Writes a watch run with one event of each given type, all with the same fields."""
    store = Store(run, Manifest(kind="watch", status="truncated", tables={}, options={}))
    rows = EventRows(store, MovedMethods())
    for name in events:
        chunk = SimpleNamespace(constants=constants or _Constants(), caches={})
        rows.append(SimpleNamespace(name=name, fields=fields, chunk=chunk))  # type: ignore[arg-type]
    store.flush()


@pytest.mark.parametrize("key", ["whole", "no class", "no name", "no descriptor", "none"])
def test_each_event_has_a_row(tmp_path: Path, key: str) -> None:
    _write(tmp_path, _EVENTS, _fields(key))

    with Engine(tmp_path) as engine:
        assert broken_watch_invariants(engine) == []
        asked = "SELECT class_name FROM stack_frame JOIN vm_method USING (vm_method_id)"
        found = {row for (row,) in engine.query(f"{asked} WHERE position = 0").rows()}
        assert found == {NOT_KNOWN if key in {"none", "no class"} else "app/A"}
        assert to_markdown(watch_page(engine, []))


@pytest.mark.parametrize("key", ["whole", "ours"])
def test_what_our_own_agent_does_has_no_row(tmp_path: Path, key: str) -> None:
    of_threads = {
        event: table.name
        for table in watch_tables().values()
        for event in table.events
        if "thread_id" in dict(table.origins)
    }
    assert len(of_threads) > 10
    _write(tmp_path, of_threads, _fields(key))

    with Engine(tmp_path) as engine:
        for table in set(of_threads.values()):
            ((n,),) = engine.query(f"SELECT COUNT(*) FROM {table}").rows()
            assert (n > 0) == (key == "whole"), table


def test_our_own_thread_has_the_name_that_the_agent_gives_it() -> None:
    assert f'"{AGENT_THREAD}"' in _AGENT.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["app.H/0x000000004113e400", "app.H+0x00007efe9813e000/248609774"])
def test_hidden_classes_are_in_their_package(tmp_path: Path, name: str) -> None:
    constants = _Constants()
    constants.value = lambda reference: (  # type: ignore[method-assign]
        {**_METHOD, "type": {"name": name}} if reference else None
    )
    fields = {"startTime": _START, "loadedClass": {"name": name}, "method": ("method", "x")}
    _write(tmp_path, ("jdk.ClassLoad", "jdk.Compilation"), fields, constants)

    known = jvm_name(name)
    assert known.startswith("app/H.0x")
    with Engine(tmp_path) as engine:
        for table in ("class_load", "vm_method"):
            named = {row for (row,) in engine.query(f"SELECT class_name FROM {table}").rows()}
            assert named == {known}, table
        paths = {row for (row,) in engine.query("SELECT path FROM resource").rows()}
    assert {"app", known, f"{known}/f"} <= paths
