"""Builds small runs by hand, so that a test's numbers can be computed on paper.

    builder = RunBuilder()
    callee = builder.method("app/A", "f", blocks=[["return"]])
    main = builder.method("app/Main", "main", blocks=[["invokevirtual app/A.f:()V", "return"]])
    node = builder.thread("main").call(main, blocks=[1])
    node.call(callee, site=0, calls=3, blocks=[3])
    builder.write(tmp_path / "small.run")

With the tables of ``SEGMENTS`` among the probes, blocks are counted by segments as well: one ends
behind each instruction that is marked with ``!``, and ``thrown`` says how often one was the last.

Keys are given out in canonical order when the run is written.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.schema import (
    ExitFacts,
    MainFacts,
    Manifest,
    TableFacts,
    TableWriter,
    tables,
    write_manifest,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import TypeAlias

    _Derive: TypeAlias = Callable[[Mapping[str, list[dict[str, Any]]]], list[dict[str, Any]]]

__all__ = ["SEGMENTS", "Method", "Node", "RunBuilder"]

SEGMENTS = ("block_segment", "context_segment")
"""The tables of ``--exact-exceptions``."""

_SIZES = {"invokeinterface": 5, "invokedynamic": 5, "goto": 3, "ifeq": 3, "new": 3}
_ALLOCATING = ("new", "newarray", "anewarray", "multianewarray")
_DEFAULT_SIZE = {True: 3, False: 1}


@dataclass(eq=False)
class Method:
    """A method; a block is a list of opcodes, an invoke with its operand after a space.

    ``ends`` has the last instruction of each segment of a block, counted from the block's first.
    """

    class_name: str
    name: str
    descriptor: str
    loader: str
    blocks: list[list[str]]
    is_static: bool
    is_native: bool
    coverage: str
    max_locals: int
    is_public: bool
    ends: list[list[int]]

    def instructions(self) -> Iterator[tuple[int, int, str, str | None]]:
        """Yields (block index, offset, opcode, operand)."""
        offset = 0
        for index, block in enumerate(self.blocks):
            for text in block:
                opcode, _, operand = text.partition(" ")
                yield index, offset, opcode, operand or None
                offset += _SIZES.get(opcode, _DEFAULT_SIZE[opcode.startswith("invoke")])

    def sites(self) -> list[tuple[int, str, str]]:
        """Returns (offset, opcode, operand) of the invokes."""
        return [
            (offset, opcode, operand or "")
            for _, offset, opcode, operand in self.instructions()
            if opcode.startswith("invoke")
        ]


@dataclass(eq=False)
class Node:
    """A calling context; ``site`` counts the invokes of the parent's method, None is the VM.

    ``thrown`` has how often a block was left behind a segment, by their indices.
    """

    method: Method | None
    site: int | None = None
    calls: int = 0
    blocks: Sequence[int] = ()
    receivers: dict[str, int] = field(default_factory=dict)
    back_edges: list[tuple[int | None, Node, int]] = field(default_factory=list)
    is_folded: bool = False
    children: list[Node] = field(default_factory=list)
    allocated: list[tuple[int | None, str, int | None, int]] = field(default_factory=list)
    thrown: dict[tuple[int, int], int] = field(default_factory=dict)

    def call(
        self,
        method: Method,
        *,
        site: int | None = None,
        calls: int = 1,
        blocks: Sequence[int] | None = None,
        receivers: dict[str, int] | None = None,
        thrown: dict[tuple[int, int], int] | None = None,
    ) -> Node:
        """Adds a child; without ``blocks`` every block runs once a call."""
        counts = [calls] * len(method.blocks) if blocks is None else blocks
        node = Node(method, site, calls, counts, receivers or {}, thrown=thrown or {})
        self.children.append(node)
        return node

    def allocates(
        self, type_name: str, n_objects: int, *, size: int | None, instruction: int | None = None
    ) -> None:
        """Adds objects of a type and size, made by an instruction of the method or the VM."""
        self.allocated.append((instruction, type_name, size, n_objects))

    def runs(self, block: int, n_segments: int) -> list[int]:
        """Returns how often each segment of a block ran."""
        left = [self.thrown.get((block, segment), 0) for segment in range(n_segments)]
        return [self.blocks[block] - sum(left[:segment]) for segment in range(n_segments)]

    def fold(self, target: Node, *, site: int | None, calls: int) -> None:
        """Adds a back edge; its calls are part of the target's."""
        target.is_folded = True
        self.back_edges.append((site, target, calls))


@dataclass
class _Thread:
    name: str
    kind: str
    is_daemon: bool
    is_vm_internal: bool
    root: Node


class RunBuilder:
    """Collects methods, threads and their trees, and writes them as a run."""

    def __init__(self) -> None:
        self._methods: list[Method] = []
        self._threads: list[_Thread] = []
        self._supertypes: dict[str, tuple[str | None, tuple[str, ...]]] = {}
        self._abstract: set[str] = set()
        self._call_order: list[tuple[Node, Method, int, int, int, int]] = []
        self._branch_order: list[tuple[Node, Method, int, int, int]] = []
        self._derived: list[tuple[str, _Derive]] = []
        self._rows: dict[str, list[dict[str, Any]]] = {}
        self._ids: dict[int, int] = {}

    def method(
        self,
        class_name: str,
        name: str,
        descriptor: str = "()V",
        *,
        loader: str = "app",
        blocks: Sequence[Sequence[str]] = (),
        is_static: bool = False,
        is_native: bool = False,
        coverage: str = "full",
        max_locals: int = 1,
        is_public: bool = True,
    ) -> Method:
        """Adds a method, and its class if it is new."""
        code = [[text.removesuffix("!") for text in block] for block in blocks]
        ends = [
            [*(at for at, text in enumerate(block[:-1]) if text.endswith("!")), len(block) - 1]
            for block in blocks
        ]
        method = Method(
            class_name,
            name,
            descriptor,
            loader,
            code,
            is_static,
            is_native,
            coverage,
            max_locals,
            is_public,
            ends,
        )
        self._methods.append(method)
        return method

    def inherit(
        self,
        class_name: str,
        *interfaces: str,
        superclass: str | None = None,
        is_abstract: bool = False,
    ) -> None:
        """Gives a class its direct supertypes; all must have methods."""
        self._supertypes[class_name] = superclass, interfaces
        if is_abstract:
            self._abstract.add(class_name)

    def thread(
        self,
        name: str,
        *,
        kind: str = "platform",
        is_daemon: bool = False,
        is_vm_internal: bool = False,
    ) -> Node:
        """Adds a thread and returns the root of its tree."""
        root = Node(None)
        self._threads.append(_Thread(name, kind, is_daemon, is_vm_internal, root))
        return root

    def call_order(
        self, thread: Node, method: Method, site: int, *, calls: int, receivers: int, targets: int
    ) -> None:
        """Adds what a one-entry cache at a call site missed in a thread."""
        self._call_order.append((thread, method, site, calls, receivers, targets))

    def branch_order(
        self, thread: Node, method: Method, block: int, *, executions: int, changes: int
    ) -> None:
        """Adds how often the branch that ends a block changed its direction in a thread."""
        self._branch_order.append((thread, method, block, executions, changes))

    def derive(self, table: str, make: _Derive) -> None:
        """Has the rows of a table made of those of the others, by table, when a run is written."""
        self._derived.append((table, make))

    def write(
        self, run: Path, *, probes: Sequence[str] = (), status: Any = "complete", **manifest: Any
    ) -> Path:
        """Writes the run and returns its directory.

        Args:
            run: the directory, which must not exist.
            probes: tables to write beside those that every run has, as ``receiver``; with those
                of ``SEGMENTS``, bytecodes behind a throw do not count.
            status: the manifest's status.
            manifest: more values of the manifest.
        """
        self._collect(has_segments="context_segment" in probes)
        (run / "tables").mkdir(parents=True)
        facts: dict[str, TableFacts] = {}
        for name, table in tables().items():
            if table.recorded != "always" and name not in probes:
                continue
            rows = self._rows.get(name, [])
            with_schema = pa.Table.from_pylist(rows, schema=table.arrow_schema)
            writer = TableWriter(run / "tables" / f"{name}.parquet", table.arrow_schema)
            writer.write(with_schema)
            facts[name] = writer.close()
        values: dict[str, Any] = {
            "exit": ExitFacts("ended", 0),
            "main": MainFacts(self._main_class(), None),
            "command": ["java", "Main"],
            **manifest,
        }
        write_manifest(run, Manifest(status=status, tables=facts, **values))
        return run

    def _main_class(self) -> str | None:
        return next((m.class_name for m in self._methods if m.name == "main"), None)

    def _collect(self, *, has_segments: bool) -> None:
        self._has_segments = has_segments
        self._segments: dict[int, list[dict[str, Any]]] = {}
        self._rows = {name: [] for name in tables()}
        self._ids = {}
        self._first_instructions: dict[int, int] = {}
        self._collect_classes()
        self._collect_sites()
        for thread_id, thread in enumerate(self._threads):
            self._collect_thread(thread_id, thread)
        self._collect_references()
        self._collect_order()
        self._aggregate("thread_method", "method_id", ("n_calls", "n_bytecodes"))
        self._aggregate("thread_block", "basic_block_id", ("n_executions",))
        for table, make in self._derived:
            self._rows[table] = make(self._rows)

    def _collect_classes(self) -> None:
        classes = sorted({(m.class_name, m.loader) for m in self._methods})
        for class_id, (name, loader) in enumerate(classes):
            ids = {name: class_id for class_id, (name, _) in enumerate(classes)}
            superclass, interfaces = self._supertypes.get(name, (None, ()))
            row = _class_row(class_id, name, loader)
            row["super_id"] = ids[superclass] if superclass else None
            row["access_flags"] |= 0x400 if name in self._abstract else 0
            row["interface_ids"] = [ids[interface] for interface in interfaces]
            self._rows["class"].append(row)
            for method in self._methods:
                if (method.class_name, method.loader) == (name, loader):
                    self._collect_method(class_id, method)

    def _collect_method(self, class_id: int, method: Method) -> None:
        method_id = len(self._rows["method"])
        self._ids[id(method)] = method_id
        self._rows["method"].append(_method_row(method_id, class_id, method))
        first_block = len(self._rows["basic_block"])
        code = list(method.instructions())
        for index in range(len(method.blocks)):
            offsets = [offset for block, offset, _, _ in code if block == index]
            self._rows["basic_block"].append(
                {
                    "basic_block_id": first_block + index,
                    "method_id": method_id,
                    "index": index,
                    "first_offset": offsets[0],
                    "last_offset": offsets[-1],
                    "n_instructions": len(offsets),
                }
            )
            self._collect_segments(first_block + index, offsets, method.ends[index])
        self._first_instructions[id(method)] = len(self._rows["instruction"])
        for index, offset, opcode, operand in code:
            if opcode in _ALLOCATING:
                site = {"instruction_id": len(self._rows["instruction"]), "line": 1 + offset}
                self._rows["allocation_site"].append(site)
            self._rows["instruction"].append(
                {
                    "instruction_id": len(self._rows["instruction"]),
                    "basic_block_id": first_block + index,
                    "offset": offset,
                    "opcode": opcode,
                    "operand": operand,
                }
            )

    def _collect_segments(self, block_id: int, offsets: list[int], ends: list[int]) -> None:
        first = 0
        for index, end in enumerate(ends):
            key = len(self._rows["block_segment"])
            extent = {"first_offset": offsets[first], "last_offset": offsets[end]}
            row = {"block_segment_id": key, "basic_block_id": block_id, "index": index, **extent}
            self._rows["block_segment"].append({**row, "n_instructions": end + 1 - first})
            self._segments.setdefault(block_id, []).append(self._rows["block_segment"][-1])
            first = end + 1

    def _collect_sites(self) -> None:
        vm_callers = {
            id(node.method)
            for thread in self._threads
            for node in _walk(thread.root)
            if node.method and any(child.site is None for child in node.children)
        }
        self._sites: dict[tuple[int, int | None], int] = {}
        for method in sorted(self._methods, key=lambda method: self._ids[id(method)]):
            if id(method) in vm_callers:
                self._add_site(method, None, {})
            for index, (offset, opcode, operand) in enumerate(method.sites()):
                owner, _, member = operand.rpartition(".")
                name, _, descriptor = member.partition(":")
                values = {"owner": owner or None, "name": name, "descriptor": descriptor}
                self._add_site(method, index, {"offset": offset, "opcode": opcode, **values})

    def _add_site(self, method: Method, index: int | None, values: dict[str, Any]) -> None:
        site_id = len(self._rows["call_site"])
        self._sites[id(method), index] = site_id
        row = {"call_site_id": site_id, "caller_id": self._ids[id(method)], **values}
        self._rows["call_site"].append(row)

    def _collect_thread(self, thread_id: int, thread: _Thread) -> None:
        root_id = len(self._rows["context"])
        self._rows["thread"].append(
            {
                "thread_id": thread_id,
                "name": thread.name,
                "kind": thread.kind,
                "start_order": thread_id,
                "root_context_id": root_id,
                "is_daemon": thread.is_daemon,
                "is_vm_internal": thread.is_vm_internal,
            }
        )
        self._collect_node(thread.root, None, thread_id, [])

    def _collect_node(
        self, node: Node, parent: Node | None, thread_id: int, path: list[Node]
    ) -> None:
        context_id = len(self._rows["context"])
        self._ids[id(node)] = context_id
        above = [self._ids[id(other)] for other in path if other.method is node.method]
        row = {
            "context_id": context_id,
            "parent_id": self._ids[id(parent)] if parent else None,
            "thread_id": thread_id,
            "method_id": self._ids[id(node.method)] if node.method else None,
            "call_site_id": self._site_id(parent, node.site),
            "depth": len(path),
            "size": 0,
            "n_calls": node.calls,
            "n_bytecodes": self._collect_blocks(context_id, node),
            "ancestor_id": above[-1] if above and node.method else None,
            "is_folded": node.is_folded,
        }
        self._rows["context"].append(row)
        for child in sorted(node.children, key=lambda child: self._sibling_key(node, child)):
            self._collect_node(child, node, thread_id, [*path, node])
        row["size"] = len(self._rows["context"]) - context_id

    def _site_id(self, parent: Node | None, site: int | None) -> int | None:
        if parent is None or parent.method is None:
            return None
        return self._sites[id(parent.method), site]

    def _sibling_key(self, parent: Node, child: Node) -> tuple[bool, int, int]:
        site = self._site_id(parent, child.site)
        return site is None, site or 0, self._ids[id(child.method)]

    def _collect_blocks(self, context_id: int, node: Node) -> int:
        if node.method is None:
            return 0
        method_id = self._ids[id(node.method)]
        blocks = [row for row in self._rows["basic_block"] if row["method_id"] == method_id]
        n_bytecodes = 0
        for block, count in zip(blocks, node.blocks, strict=True):
            n_in_segments = self._collect_runs(context_id, node, block)
            n_in_block = count * int(block["n_instructions"])
            n_bytecodes += n_in_segments if self._has_segments else n_in_block
            if count:
                self._rows["context_block"].append(
                    {
                        "context_id": context_id,
                        "basic_block_id": block["basic_block_id"],
                        "n_executions": count,
                    }
                )
        return n_bytecodes

    def _collect_runs(self, context_id: int, node: Node, block: dict[str, Any]) -> int:
        """Adds how often the segments of a block ran, and returns their bytecodes."""
        segments = self._segments[block["basic_block_id"]]
        n_bytecodes = 0
        for row, n in zip(segments, node.runs(block["index"], len(segments)), strict=True):
            n_bytecodes += n * int(row["n_instructions"])
            if n:
                key = {"context_id": context_id, "block_segment_id": row["block_segment_id"]}
                self._rows["context_segment"].append({**key, "n_executions": n})
        return n_bytecodes

    def _collect_references(self) -> None:
        class_ids = {row["name"]: row["class_id"] for row in self._rows["class"]}
        nodes = [node for thread in self._threads for node in _walk(thread.root)]
        for node in sorted(nodes, key=lambda node: self._ids[id(node)]):
            context_id = self._ids[id(node)]
            for name, calls in sorted(node.receivers.items()):
                row = {"context_id": context_id, "class_id": class_ids[name], "n_calls": calls}
                self._rows["receiver"].append(row)
            self._collect_allocated(context_id, node, class_ids)
            for site, target, calls in node.back_edges:
                self._rows["back_edge"].append(
                    {
                        "context_id": context_id,
                        "call_site_id": self._site_id(node, site),
                        "target_context_id": self._ids[id(target)],
                        "n_calls": calls,
                    }
                )

    def _collect_allocated(self, context_id: int, node: Node, class_ids: dict[str, int]) -> None:
        unknown = 1 << 62  # behind all others
        rows = []
        for instruction, type_name, size, n_objects in node.allocated:
            row = {"context_id": context_id, "type": type_name, "size_bytes": size}
            row["instruction_id"] = None
            if instruction is not None:
                row["instruction_id"] = self._first_instructions[id(node.method)] + instruction
            row["class_id"] = class_ids.get(type_name.lstrip("[").removeprefix("L").rstrip(";"))
            rows.append({**row, "n_objects": n_objects})

        def order(row: dict[str, Any]) -> tuple[Any, ...]:
            ids = (row[name] for name in ("instruction_id", "class_id", "size_bytes"))
            instruction, class_id, size = (unknown if each is None else each for each in ids)
            return instruction, row["type"], class_id, size

        self._rows["allocation"] += sorted(rows, key=order)

    def _collect_order(self) -> None:
        threads = {id(thread.root): number for number, thread in enumerate(self._threads)}
        for root, method, site, calls, receivers, targets in self._call_order:
            row = {"thread_id": threads[id(root)], "call_site_id": self._sites[id(method), site]}
            misses = {"n_receiver_misses": receivers, "n_target_misses": targets}
            self._rows["call_order"].append({**row, "n_calls": calls, **misses})
        for root, method, block, executions, changes in self._branch_order:
            (block_row,) = (
                row
                for row in self._rows["basic_block"]
                if (row["method_id"], row["index"]) == (self._ids[id(method)], block)
            )
            (instruction_id,) = (
                row["instruction_id"]
                for row in self._rows["instruction"]
                if row["basic_block_id"] == block_row["basic_block_id"]
                and row["offset"] == block_row["last_offset"]
            )
            row = {"thread_id": threads[id(root)], "instruction_id": instruction_id}
            counts = {"n_executions": executions, "n_changes": changes}
            self._rows["branch_order"].append({**row, **counts})

    def _aggregate(self, table: str, key: str, measures: Sequence[str]) -> None:
        source = "context" if table == "thread_method" else "context_block"
        threads = {row["context_id"]: row["thread_id"] for row in self._rows["context"]}
        sums: dict[tuple[int, int], list[int]] = {}
        for row in self._rows[source]:
            if row[key] is None:
                continue
            total = sums.setdefault((threads[row["context_id"]], row[key]), [0] * len(measures))
            for index, measure in enumerate(measures):
                total[index] += row[measure]
        self._rows[table] = [
            {"thread_id": thread_id, key: other, **dict(zip(measures, total, strict=True))}
            for (thread_id, other), total in sorted(sums.items())
        ]


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _walk(child)


def _class_row(class_id: int, name: str, loader: str) -> dict[str, Any]:
    return {
        "class_id": class_id,
        "name": name,
        "loader": loader,
        "module": "java.base" if loader == "boot" else None,
        "interface_ids": [],
        "access_flags": 0x21,
        "major_version": 61,
        "size_bytes": 100,
        "is_interface": False,
        "is_hidden": "$$Lambda/" in name,
    }


def _method_row(method_id: int, class_id: int, method: Method) -> dict[str, Any]:
    code = list(method.instructions())
    return {
        "method_id": method_id,
        "class_id": class_id,
        "name": method.name,
        "descriptor": method.descriptor,
        "access_flags": (0x1 if method.is_public else 0)
        | (0x8 if method.is_static else 0)
        | (0x100 if method.is_native else 0),
        "is_static": method.is_static,
        "is_native": method.is_native,
        "is_abstract": False,
        "max_stack": 1,
        "max_locals": method.max_locals,
        "size_bytes": code[-1][1] + 1 if code else 0,
        "n_parameters": 0,
        "n_integer_parameters": 0,
        "n_floating_parameters": 0,
        "n_reference_parameters": 0,
        "coverage": method.coverage,
    }
