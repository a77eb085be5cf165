"""``classes.xml`` as tables, and what the trees are checked against."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmscope.schema.definitions import tables_within
from jvmscope.schema.xml.reading.code_rows import CodeRows
from jvmscope.schema.xml.reading.document import Document
from jvmscope.schema.xml.reading.grammar import Node, children
from jvmscope.schema.xml.reading.table_files import TooLargeError
from jvmscope.schema.xml.reading.tables_list import TablesList
from jvmscope.schema.xml.vocabulary import CLASSES_ROOT, SUMMED_COUNTS, elements, tables_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.schema.xml.reading.table_files import TableRows

__all__ = ["Classes", "ClassesDocument"]

_NO_COUNT = -1
_NOBODY = -1
_SUPER = [attribute.column for attribute in elements()["class"].attributes].index("super_id")


@dataclass
class Classes:
    """What the reader of the trees needs of the classes.

    The arrays are by key. ``method_of`` are the methods that hold the rows of each table that
    contexts refer to. ``expected`` are the sums that ``classes.xml`` gives, for ``callCount`` and
    ``bytecodeCount`` by method and ``executionCount`` by block, -1 where it gives none; ``lines``
    are those of the methods and blocks, by table.
    """

    path: Path
    run: str | None = None
    n_rows: dict[str, int] = field(default_factory=dict)
    method_of: dict[str, array[int]] = field(default_factory=dict)
    expected: dict[str, array[int]] = field(
        default_factory=lambda: {
            name: array("q") for names in SUMMED_COUNTS.values() for name in names
        }
    )
    lines: dict[str, array[int]] = field(
        default_factory=lambda: {table: array("i") for table in SUMMED_COUNTS}
    )


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
        self._code: dict[str, CodeRows] = {}
        for table in tables_in(CLASSES_ROOT):  # each behind the one whose rows hold its own
            self._code[table] = CodeRows(self, table, self._code, self._rows_of)
        self._class: list[Any] = []
        self._interfaces: list[int] = []
        self._superclasses = array("i")  # of each class, _NOBODY where it has none
        self._class_lines = array("i")

    def read(self) -> Classes:
        """Returns what the trees are checked against; the tables' rows are written.

        Raises:
            RunError: the file is not a right ``classes.xml``.
        """
        self.parse(self._grammar())
        return self.classes

    def _grammar(self) -> Node:
        root = Node(CLASSES_ROOT, self._start_root, self._end_root)
        parts = [self._node(table) for table in tables_within(CLASSES_ROOT)]
        children(root, (self._listed.node, "*"), *((part, "*") for part in parts))
        return root

    def _node(self, table: str) -> Node:
        """Returns the node of a table's elements, with all that they hold."""
        code = self._code[table]
        node = Node(code.element.name, code.add)
        before: list[tuple[Node, str]] = []
        if table == "class":
            node.start, node.end = self._start_class, self._end_class
            before = [(Node("interface", self._start_interface), "*")]
        elif table in SUMMED_COUNTS:
            node.start = lambda attributes: self._start_summed(code, attributes)
            before = [(self._sum(name), "?") for name in SUMMED_COUNTS[table]]
        parts = [self._node(part) for part in tables_within(table)]
        children(node, *before, *((part, "*") for part in parts))
        return node

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
        self._class = self._code["class"].read(attributes)
        self._interfaces = []
        above = self._class[_SUPER]
        self._superclasses.append(_NOBODY if above is None else above)
        self._class_lines.append(self.line)

    def _start_interface(self, attributes: dict[str, str]) -> None:
        text = self.plain("interface", attributes, ["ref"], [])["ref"]
        key = self.number('the attribute "ref" of <dcg:interface>', text, (1 << 31) - 1)
        self._interfaces.append(key)
        if len(self._interfaces) > 65_535:
            self.reject("a class has more than 65535 interfaces")
        self._code["class"].refer("interface", "class", key)

    def _end_class(self, _text: str) -> None:
        row = [*self._class[:5], self._interfaces, *self._class[5:]]
        self._rows["class"].append(tuple(row))

    def _start_summed(self, code: CodeRows, attributes: dict[str, str]) -> None:
        code.add(attributes)
        self.classes.lines[code.table].append(self.line)
        for name in SUMMED_COUNTS[code.table]:
            self.classes.expected[name].append(_NO_COUNT)

    def _relieve(self) -> None:
        try:
            for rows in self._rows.values():
                rows.relieve()
        except TooLargeError as error:
            self.reject(str(error))

    def _end_root(self, _text: str) -> None:
        classes = self.classes
        for table, code in self._code.items():
            if self._listed.is_recorded(table):
                classes.n_rows[table] = self._rows_of(table).n_rows
            if code.methods is not None:
                classes.method_of[table] = code.methods
        self._listed.check_rows(classes.n_rows)
        for code in self._code.values():
            code.check_references(classes.n_rows)
        self._check_superclasses()

    def _check_superclasses(self) -> None:
        """Rejects a class that is its own superclass: who asks for all of them would never end."""
        is_checked = bytearray(len(self._superclasses))
        for first in range(len(self._superclasses)):
            path: dict[int, None] = {}
            key = first
            while key != _NOBODY and not is_checked[key]:
                if key in path:
                    reason = f"the class {key} is one of its own superclasses"
                    self.reject(reason, self._class_lines[key])
                path[key] = None
                key = self._superclasses[key]
            for each in path:
                is_checked[each] = True
