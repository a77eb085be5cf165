"""``classes.xml`` as tables, and what the trees are checked against."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmscope.schema.definitions import facts_of, tables
from jvmscope.schema.xml.reading.document import Document
from jvmscope.schema.xml.reading.grammar import Node, children
from jvmscope.schema.xml.reading.table_files import TooLargeError
from jvmscope.schema.xml.reading.tables_list import TablesList
from jvmscope.schema.xml.vocabulary import CLASSES_ROOT, elements, tables_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.schema.xml.reading.table_files import TableRows

__all__ = ["Classes", "ClassesDocument"]

_OWNER_OF = {"field": "class", "method": "class", "basic_block": "method", "call_site": "method"}
_OWNER_OF |= {"instruction": "basic_block", "block_segment": "basic_block"}
_NO_COUNT = -1


@dataclass
class Classes:
    """What the reader of the trees needs of the classes.

    The arrays are by key. ``expected`` are the sums that ``classes.xml`` gives, for
    ``callCount`` and ``bytecodeCount`` by method and ``executionCount`` by block, -1 where it
    gives none, with the line of each method and block.
    """

    path: Path
    run: str | None = None
    n_rows: dict[str, int] = field(default_factory=dict)
    caller_of_site: array[int] = field(default_factory=lambda: array("i"))
    method_of_block: array[int] = field(default_factory=lambda: array("i"))
    method_of_segment: array[int] = field(default_factory=lambda: array("i"))
    expected: dict[str, array[int]] = field(
        default_factory=lambda: {
            name: array("q") for name in ("callCount", "bytecodeCount", "executionCount")
        }
    )
    method_lines: array[int] = field(default_factory=lambda: array("i"))
    block_lines: array[int] = field(default_factory=lambda: array("i"))


class ClassesDocument(Document):
    """The reader of one ``classes.xml``.

    Args:
        path: the file.
        open_rows: opens a table of the run that is being made.
        report: called with the bytes read so far.
    """

    def __init__(
        self, path: Path, open_rows: Callable[[str], TableRows], report: Callable[[int], None]
    ) -> None:
        super().__init__(path, report)
        self.classes = Classes(path)
        self._listed = TablesList(self, tables_in(CLASSES_ROOT))
        self._open_rows = open_rows
        self._rows: dict[str, TableRows] = {}
        self._class: list[Any] = []
        self._interfaces: list[int] = []
        nothing = (-1, 0)  # largest, and its line
        self._references = dict.fromkeys(("super", "interface", "class", "field"), nothing)

    def read(self) -> Classes:
        """Returns what the trees are checked against; the tables' rows are written.

        Raises:
            RunError: the file is not a right ``classes.xml``.
        """
        self.parse(self._grammar())
        return self.classes

    def _grammar(self) -> Node:
        root = Node(CLASSES_ROOT, self._start_root, self._end_root)
        loaded = Node("class", self._start_class, self._end_class)
        method = Node("method", self._start_method)
        block = Node("basicBlock", self._start_block)
        children(
            root,
            (self._listed.node, "*"),
            (loaded, "*"),
            *((self._fact(table), "*") for table in facts_of(CLASSES_ROOT)),
        )
        children(
            loaded,
            (Node("interface", self._start_interface), "*"),
            (self._member("field"), "*"),
            (method, "*"),
        )
        children(
            method,
            (self._sum("callCount"), "?"),
            (self._sum("bytecodeCount"), "?"),
            (block, "*"),
            (self._member("call_site"), "*"),
        )
        children(
            block,
            (self._sum("executionCount"), "?"),
            (self._member("instruction"), "*"),
            (self._member("block_segment"), "*"),
        )
        return root

    def _member(self, table: str) -> Node:
        return Node(elements()[table].name, lambda attributes: self._add(table, attributes))

    def _sum(self, name: str) -> Node:
        sums = self.classes.expected[name]

        def end(text: str) -> None:
            sums[-1] = self.number(f"<dcg:{name}>", text)

        return Node(name, end=end, has_text=True)

    def _start_root(self, attributes: dict[str, str]) -> None:
        found = self.plain(CLASSES_ROOT, attributes, ["schemaVersion"], ["run"])
        self._listed.check_version(found["schemaVersion"])
        self.classes.run = found.get("run")

    def _rows_of(self, table: str) -> TableRows:
        if table not in self._rows:
            self._listed.check(table)
            self._rows[table] = self._open_rows(table)
        return self._rows[table]

    def _start_class(self, attributes: dict[str, str]) -> None:
        self._class = self._keyed("class", attributes)
        self._interfaces = []
        self._refer("super", self._class[4])

    def _start_interface(self, attributes: dict[str, str]) -> None:
        text = self.plain("interface", attributes, ["ref"], [])["ref"]
        key = self.number('the attribute "ref" of <dcg:interface>', text, (1 << 31) - 1)
        self._interfaces.append(key)
        if len(self._interfaces) > 65_535:
            self.reject("a class has more than 65535 interfaces")
        self._refer("interface", key)

    def _refer(self, what: str, key: int | None) -> None:
        if key is not None and key > self._references[what][0]:
            self._references[what] = (key, self.line)

    def _end_class(self, _text: str) -> None:
        row = [*self._class[:5], self._interfaces, *self._class[5:]]
        self._rows["class"].append(tuple(row))

    def _start_method(self, attributes: dict[str, str]) -> None:
        self._add("method", attributes)
        self.classes.method_lines.append(self.line)
        self.classes.expected["callCount"].append(_NO_COUNT)
        self.classes.expected["bytecodeCount"].append(_NO_COUNT)

    def _start_block(self, attributes: dict[str, str]) -> None:
        self._add("basic_block", attributes)
        self.classes.block_lines.append(self.line)
        self.classes.expected["executionCount"].append(_NO_COUNT)
        self.classes.method_of_block.append(self._rows["method"].n_rows - 1)

    def _fact(self, table: str) -> Node:
        element = elements()[table]
        columns = tables()[table].columns

        def start(attributes: dict[str, str]) -> None:
            values = self.values(element, attributes)
            for column, value in zip(columns, values, strict=True):
                if column.references is not None and isinstance(value, int):
                    self._refer(column.references, value)
            self._rows_of(table).append(tuple(values))

        return Node(element.name, start)

    def _keyed(self, table: str, attributes: dict[str, str]) -> list[Any]:
        values = self.values(elements()[table], attributes)
        rows = self._rows.get(table) or self._rows_of(table)
        expected = rows.n_rows
        if values[0] != expected:
            name = elements()[table].name
            self.reject(f"<dcg:{name}> has the id {values[0]}, expected {expected}, the next one")
        return values

    def _add(self, table: str, attributes: dict[str, str]) -> None:
        values = self._keyed(table, attributes)
        owner = _OWNER_OF[table]
        # A class is appended at its end, every other owner at its start.
        owner_rows = self._rows[owner].n_rows
        key = owner_rows if owner == "class" else owner_rows - 1
        values.insert(1, key)
        if table == "call_site":
            self.classes.caller_of_site.append(key)
        elif table == "block_segment":
            self.classes.method_of_segment.append(self._rows["method"].n_rows - 1)
        self._rows[table].append(tuple(values))

    def _relieve(self) -> None:
        try:
            for rows in self._rows.values():
                rows.relieve()
        except TooLargeError as error:
            self.reject(str(error))

    def _end_root(self, _text: str) -> None:
        for table in tables_in(CLASSES_ROOT):
            if self._listed.is_recorded(table):
                self.classes.n_rows[table] = self._rows_of(table).n_rows
        self._listed.check_rows(self.classes.n_rows)
        for what, (key, line) in self._references.items():
            table = "field" if what == "field" else "class"
            n_rows = self.classes.n_rows[table]
            if key >= n_rows:
                plural = "fields" if what == "field" else "classes"
                self.reject(f"the {what} {key} is not there: there are {n_rows} {plural}", line)


def _owner_is_second(table: str) -> bool:
    """Says that the table's second column is its owner, which ``_add`` relies on."""
    return tables()[table].columns[1].name == elements()[table].owner


assert all(_owner_is_second(table) for table in _OWNER_OF)  # noqa: S101
