"""From events to rows: what each column's ``@fields`` says, and the threads, methods and stacks.

Offsets of bytecodes are those of the class file, also in methods with probes (``probes.moved``).
These come again and again, so they are tables of their own. What was seen is remembered in bounded
memory: after very many others a stack gets a new number, and its frames are written once more. So
is a name that the store has left out since no row referred to it any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.schema.watched import watch_tables
from jvmscope.watch.class_names import jvm_name

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    from jvmscope.schema import Column
    from jvmscope.schema.watched import Origin, WatchTable
    from jvmscope.watch.flight import Event
    from jvmscope.watch.probes import MovedMethods
    from jvmscope.watch.store import Store

    Extractor = Callable[[Event], Any]

__all__ = ["AGENT_THREAD", "NOT_KNOWN", "EventRows"]

NOT_KNOWN = "(not known)"
"""Class and name of a method that the VM has thrown away before it told what it was."""

AGENT_THREAD = "jvmscope-watch"
"""The name of the thread of our agent in the VM, as `WatchAgent` has it."""

_CLASS_NAMES = ("class_name", "callee_class")
_MOST_STACKS = 50_000
_EVENT = "$event"
_START = "startTime"
_OFFSET = "bytecode_index"


class EventRows:
    """Appends the rows of events to the tables of a watch run.

    Args:
        store: the tables.
        moved: where the instructions of methods with probes are.
    """

    def __init__(self, store: Store, moved: MovedMethods) -> None:
        self._store = store
        self._named = _Named(store, moved)
        self._rules = {
            event: (table.name, tuple(self._extractors(table)), _thread_field(table))
            for table in watch_tables().values()
            for event in table.events
        }

    def new_classes(self) -> set[str]:
        """Returns the classes of methods that were named since this was last called."""
        found, self._named.new_classes = self._named.new_classes, set()
        return found

    @staticmethod
    def events_of(asked: Container[str]) -> frozenset[str]:
        """Returns the types of events of tables that were asked for.

        The VM has one stream for all: whoever records beside us may have it have others.

        Args:
            asked: the options that ask for tables, as in their definitions.
        """
        tables = (table for table in watch_tables().values() if table.asked in asked)
        return frozenset(event for table in tables for event in table.events)

    def append(self, event: Event) -> None:
        """Appends the row of an event, and those of the threads, methods and stacks in it.

        What the thread of our own agent does is none of the program's, and has no rows.
        """
        table, extractors, thread = self._rules[event.name]
        if thread is not None and self._named.is_ours(event, event.fields.get(thread)):
            return
        self._store.append(table, tuple([extract(event) for extract in extractors]))

    def _extractors(self, table: WatchTable) -> list[Extractor]:
        columns = {column.name: column for column in table.columns}
        found = [self._extractor(columns[name], origin) for name, origin in table.origins]
        for k, (name, _) in enumerate(table.origins):
            if name == _OFFSET:
                found[k] = self._original(table, found[k])
        return found

    def _original(self, table: WatchTable, extract: Extractor) -> Extractor:
        """Returns the extractor of an offset in the class file of the row's method."""
        origins = dict(table.origins)
        references = {column.name: column.references for column in table.columns}
        (method,) = [name for name in origins if references[name] == "vm_method"]
        path, callee = origins[method].path, origins.get("callee_name")

        def original(event: Event) -> Any:
            at = event.chunk.constants.at
            name = None if callee is None else at(event.fields, *callee.path)
            return self._named.original(event, event.fields.get(path[0]), extract(event), name)

        return original

    def _extractor(self, column: Column, origin: Origin) -> Extractor:
        if origin.event is not None:
            return lambda event: event.name == origin.event
        if origin.path == (_EVENT,):
            return lambda event: event.name.removeprefix("jdk.")
        if origin.is_stack:
            return lambda event: self._named.stack(event, event.fields.get(origin.path[0]))
        if column.references == "vm_thread":
            return lambda event: self._named.thread(event, event.fields.get(origin.path[0]))
        if column.references == "vm_method":
            return lambda event: self._named.method(event, event.fields.get(origin.path[0]))
        return _plain(column, origin)


def _thread_field(table: WatchTable) -> str | None:
    """Returns the field with the thread that an event is of; None: it is of none."""
    fields = dict(table.origins)
    return fields["thread_id"].path[0] if "thread_id" in fields else None


def _plain(column: Column, origin: Origin) -> Extractor:
    """Returns the extractor of a value that is a number, a text or a truth value."""
    path, least = origin.path, origin.least
    absent = None if column.is_nullable else _ABSENT[column.sql_type]
    is_class = column.name in _CLASS_NAMES

    def extract(event: Event) -> Any:
        value = event.chunk.constants.at(event.fields, *path)
        if value is None or (least is not None and value < least):
            return absent
        return jvm_name(value) if is_class else value

    return extract


_ABSENT: dict[str, Any] = {
    "VARCHAR": "",
    "BIGINT": 0,
    "INTEGER": 0,
    "BOOLEAN": False,
    "DOUBLE": 0.0,
}
"""What stands in a column that has no null, should the VM leave out its value."""


def _is_ours(event: Event, value: dict[str, Any]) -> int:
    at = event.chunk.constants.at
    return int(at(value, "javaName") == AGENT_THREAD)


def _method_of(event: Event, value: dict[str, Any]) -> tuple[str, str, str, bool]:
    """Returns class, name and descriptor of a method, and whether it is hidden."""
    at = event.chunk.constants.at
    return (
        jvm_name(at(value, "type", "name") or NOT_KNOWN),
        at(value, "name") or NOT_KNOWN,
        at(value, "descriptor") or "",
        bool(value.get("hidden")),
    )


class _Named:
    """The threads, methods and stacks that were seen, and their numbers."""

    def __init__(self, store: Store, moved: MovedMethods) -> None:
        self._store = store
        self._moved = moved
        self._threads: dict[tuple[Any, ...], int] = {}
        self._methods: dict[tuple[Any, ...], int] = {}
        self._stacks: dict[tuple[Any, ...], int] = {}
        self._next: dict[str, int] = {}
        self._n_dropped = 0
        self._classes: set[str] = set()
        self.new_classes: set[str] = set()
        store.on_names = self._keep

    def _keep(self, kept: Mapping[str, set[int]]) -> None:
        """Forgets the names that the store has left out."""
        for known, name in (
            (self._threads, "vm_thread"),
            (self._methods, "vm_method"),
            (self._stacks, "stack_frame"),
        ):
            for row in [row for row, number in known.items() if number not in kept[name]]:
                del known[row]
        self._n_dropped += 1

    def is_ours(self, event: Event, reference: Any) -> bool:
        """Whether a thread is that of our own agent."""
        return bool(self._once(event, "is ours", reference, _is_ours))

    def thread(self, event: Event, reference: Any) -> int | None:
        """Returns the number of a thread; None if there is none."""
        return self._once(event, "thread", reference, self._thread)

    def method(self, event: Event, reference: Any) -> int | None:
        """Returns the number of a method; None if there is none."""
        return self._once(event, "method", reference, self._method)

    def stack(self, event: Event, reference: Any) -> int | None:
        """Returns the number of a stack; None if there is none."""
        epoch = self._moved.epoch(event.fields[_START])
        return self._once(event, f"stack {epoch}", reference, self._stack)

    def original(
        self, event: Event, reference: Any, offset: int | None, callee: str | None
    ) -> int | None:
        """Returns where an instruction of a method is in the class file; None: it is not known."""
        value = event.chunk.constants.value(reference)
        if not isinstance(value, dict):
            return offset
        method = _method_of(event, value)[:3]
        return self._moved.original(method, event.fields[_START], offset, callee)

    def _once(
        self,
        event: Event,
        kind: str,
        reference: Any,
        number: Callable[[Event, dict[str, Any]], int | None],
    ) -> int | None:
        """Returns what a function makes of a constant, called once for each in a chunk."""
        cache = event.chunk.caches.setdefault(f"{kind} {self._n_dropped}", {})
        if reference in cache:
            found: int | None = cache[reference]
            return found
        value = event.chunk.constants.value(reference)
        result = number(event, value) if isinstance(value, dict) else None
        cache[reference] = result
        return result

    def _thread(self, event: Event, value: dict[str, Any]) -> int:
        at = event.chunk.constants.at
        java_id = at(value, "javaThreadId") or None
        os_id = at(value, "osThreadId") or None
        row = (
            at(value, "javaName") or at(value, "osName") or None,
            java_id if java_id is not None and java_id > 0 else None,
            os_id if os_id is not None and os_id > 0 else None,
            value.get("virtual"),
        )
        return self._numbered("vm_thread", self._threads, row)

    def _method(self, event: Event, value: dict[str, Any]) -> int:
        row = _method_of(event, value)
        if row[0] != NOT_KNOWN:
            self._note_class(row[0])
        return self._numbered("vm_method", self._methods, row)

    def _method_of_frame(self, event: Event, reference: Any) -> int:
        """Returns the number of a method, also where its version is gone.

        JDK 17 writes stacks with methods whose class was changed since, and not these methods.
        """
        found = self.method(event, reference)
        return self._method(event, {}) if found is None else found

    def _note_class(self, name: str) -> None:
        if name not in self._classes:
            if len(self._classes) >= _MOST_STACKS:
                self._classes.clear()
            self._classes.add(name)
            self.new_classes.add(name)

    def _numbered(self, table: str, known: dict[tuple[Any, ...], int], row: tuple[Any, ...]) -> int:
        if row not in known:
            known[row] = self._new(table)
            self._store.append(table, (known[row], *row))
        return known[row]

    def _new(self, table: str) -> int:
        """Returns a number that none had before."""
        self._next[table] = self._next.get(table, -1) + 1
        return self._next[table]

    def _stack(self, event: Event, value: dict[str, Any]) -> int | None:
        raw = value.get("frames") or ()
        callees = [None, *(self._name_of(event, frame) for frame in raw)]
        frames = tuple(
            self._frame(event, frame, callee) for frame, callee in zip(raw, callees, strict=False)
        )
        if not frames:
            return None
        if frames not in self._stacks:
            if len(self._stacks) >= _MOST_STACKS:
                self._stacks.clear()
            self._stacks[frames] = self._new("stack_frame")
            for position, frame in enumerate(frames):
                self._store.append("stack_frame", (self._stacks[frames], position, *frame))
        return self._stacks[frames]

    @staticmethod
    def _name_of(event: Event, frame: dict[str, Any]) -> str | None:
        value = event.chunk.constants.value(frame["method"])
        return _method_of(event, value)[1] if isinstance(value, dict) else None

    def _frame(self, event: Event, frame: dict[str, Any], callee: str | None) -> tuple[Any, ...]:
        form = event.chunk.constants.at(frame, "type") or ""
        index, line = frame["bytecodeIndex"], frame["lineNumber"]
        is_native = form == "Native"
        offset = index if index >= 0 and not is_native else None
        return (
            self._method_of_frame(event, frame["method"]),
            self.original(event, frame["method"], offset, callee),
            line if line > 0 and not is_native else None,
            form,
        )
