"""Synthetic runs for the tests of the XML view: every table, odd names, any shape of tree."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmscope.schema import (
    ALWAYS,
    ExitFacts,
    MainFacts,
    Manifest,
    TableWriter,
    tables,
    write_manifest,
)
from jvmscope.schema.definitions import facts_of, word_sets

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.schema.definitions import Column

Row = dict[str, Any]

_NATIVE = ("native_method", "native_time", "native_transition", "thread_time")
_PROBED = ("receiver", "method_cache", "call_order", "branch_order", "context_segment")


@dataclass
class Shape:
    """How large a synthetic run is, and what was recorded in it."""

    seed: int = 1
    n_classes: int = 5
    n_contexts: int = 60
    n_threads: int = 3
    n_blocks: int = 3
    chain: bool = False  # every context in the one before: as deep as it can be
    probes: bool = True
    names: tuple[str, ...] = ("run", "<init>", "lambda$main$0", "a\\b", 'quo"te<&>', "tab\there")
    status: str = "complete"
    rows: dict[str, list[Row]] = field(default_factory=dict)


def write_run(run_dir: Path, shape: Shape) -> dict[str, list[Row]]:
    """Writes a run of the shape and returns its rows by table."""
    rows = _static(shape) | _dynamic_of(shape)
    write_rows(run_dir, rows, shape)
    return rows


def write_rows(run_dir: Path, rows: dict[str, list[Row]], shape: Shape) -> None:
    """Writes given rows as a run."""
    (run_dir / "tables").mkdir(parents=True)
    facts = {}
    for name, table_rows in rows.items():
        schema = tables()[name].arrow_schema
        with TableWriter(run_dir / "tables" / f"{name}.parquet", schema) as writer:
            for start in range(0, len(table_rows), 50_000):
                part = table_rows[start : start + 50_000]
                columns = [
                    column(schema.field(key), [r[key] for r in part]) for key in schema.names
                ]
                writer.write(pa.RecordBatch.from_arrays(columns, names=schema.names))
            facts[name] = writer.close()
    write_manifest(
        run_dir,
        Manifest(
            status=shape.status,  # type: ignore[arg-type]
            tables=facts,
            exit=ExitFacts("exited", 3),
            main=MainFacts("demo/Main", 1 if len(rows["context"]) > 1 else None),
            command=["java", "-cp", "a b", "demo.Main", "<&\x00\\>", "caf\udce9"],
            jvm={"version": "17.0.1", "flags": ["-Xmx1g"], "options": {"a": None, "b": 1.5}},
            options={"exact_exceptions": shape.probes, "max_memory_bytes": 1 << 32},
            limits=["memory"],
            limit_codes=["memory"],
            n_exclusions=len(rows["exclusion"]),
            started="2026-01-01T00:00:00Z",
            duration_s=1.25,
        ),
    )


def column(field: pa.Field, values: list[Any]) -> pa.Array:
    """Returns a column of the field's type; strings may hold lone surrogates."""
    if pa.types.is_string(field.type) or pa.types.is_dictionary(field.type):
        encoded = [v if v is None else v.encode("utf-8", "surrogatepass") for v in values]
        return pa.array(encoded, pa.binary()).view(pa.string())
    return pa.array(values, field.type)


def _static(shape: Shape) -> dict[str, list[Row]]:
    chance = random.Random(shape.seed)  # noqa: S311
    rows: dict[str, list[Row]] = {
        name: [] for name in ("class", "field", "method", "basic_block", "instruction", "call_site")
    }
    rows["exclusion"] = []
    if shape.probes:
        rows["block_segment"] = []
        rows["allocation_site"] = []
    for class_id in range(shape.n_classes):
        _class(rows, class_id, shape, chance)
        for _ in range(chance.randrange(4)):
            _method(rows, class_id, shape, chance)
    _method(rows, shape.n_classes - 1, shape, chance)
    for name in shape.names[:2]:
        rows["exclusion"].append(
            {"class_name": name, "method_name": None, "descriptor": None, "reason": "too early"}
        )
    if shape.probes:
        _objects(rows, chance)
        _own_probe(rows)
    shape.rows = rows
    return rows


_OWN_TABLE = """/**
 * @table        {name}
 * @description  What was seen.
 * @within       context
 */
CREATE TABLE {name} (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node
    kind        VARCHAR NOT NULL,  -- "kind" & <more>
    n_seen      BIGINT NOT NULL    -- how often
);
"""


def _own_probe(rows: dict[str, list[Row]]) -> None:
    """Adds the definitions of a probe of the user's own, and what went wrong in it."""
    names = ("seen", "seen_again")
    rows["probe_table"] = [{"name": n, "ddl": _OWN_TABLE.format(name=n)} for n in names]
    rows["probe_failure"] = [
        {"snippet": "p/Own.see", "exception": text, "n_failures": n}
        for n, text in enumerate(("java.lang.Error: <&>", "java.lang.StackOverflowError"), 1)
    ]


def _rows_of_types(name: str, classes: list[Row], chance: random.Random) -> list[Row]:
    """Returns a row for an array of numbers, and one for each class, by their types."""
    types: list[tuple[str, int | None]] = [("[B", None)]
    types += [(row["name"], row["class_id"]) for row in classes]
    return [
        {column.name: _object_value(column, chance) for column in tables()[name].columns}
        | {"type": type_, "class_id": class_id}
        for type_, class_id in sorted(
            types, key=lambda each: (each[0].encode("utf-8", "surrogatepass"), each[1] or 0)
        )
    ]


def _objects(rows: dict[str, list[Row]], chance: random.Random) -> None:
    """Adds what probes of objects say of some classes and their instance fields."""
    for name in facts_of("classes"):
        owner = tables()[name].columns[0]
        if owner.name == "type":
            rows[name] = _rows_of_types(name, rows["class"], chance)
        if name in ("native_clock", "lifetime_log"):  # of one row
            columns = tables()[name].columns
            rows[name] = [{column.name: _object_value(column, chance) for column in columns}]
        if owner.references not in ("class", "field", "method"):
            continue
        rows[name] = []
        for row in rows[owner.references]:
            if chance.random() < 0.6 or not rows[name]:
                counts = {
                    column.name: _object_value(column, chance)
                    for column in tables()[name].columns[1:]
                }
                rows[name].append({owner.name: row[owner.name]} | counts)
        if owner.is_nullable:  # such as arrays of numbers
            rows[name].append({**rows[name][0], owner.name: None})


def _object_value(column: Column, chance: random.Random) -> int | str | None:
    """Returns what a table of objects may say in a column."""
    if column.is_nullable:
        return None
    if column.sql_type == "VARCHAR":
        return "[I"
    if words := word_sets().get(column.sql_type):
        return chance.choice(words.words)
    return 1 + chance.randrange(1 << 20)


def _behind(key: int, other: int | None) -> int | None:
    """Returns another key if it comes later, so that no class is its own superclass."""
    return other if other is not None and other > key else None


def _class(rows: dict[str, list[Row]], key: int, shape: Shape, chance: random.Random) -> None:
    name = chance.choice(shape.names)
    rows["class"].append(
        {
            "class_id": key,
            "name": f"p/C{key:06d}/{name}",
            "loader": chance.choice(("boot", "app", "")),
            "module": chance.choice((None, "java.base")),
            "super_id": _behind(key, chance.choice((None, chance.randrange(shape.n_classes)))),
            "interface_ids": [
                chance.randrange(shape.n_classes) for _ in range(chance.randrange(3))
            ],
            "access_flags": chance.randrange(65536),
            "major_version": 61,
            "source_file": chance.choice((None, "", f"{name}.java")),
            "size_bytes": chance.randrange(1 << 31),
            "is_interface": chance.random() < 0.3,
            "is_hidden": chance.random() < 0.3,
        }
    )
    for _ in range(chance.randrange(3)):
        rows["field"].append(
            {
                "field_id": len(rows["field"]),
                "class_id": key,
                "name": chance.choice(shape.names),
                "descriptor": "I",
                "access_flags": 2,
                "is_static": chance.random() < 0.5,
            }
        )


def _method(rows: dict[str, list[Row]], owner: int, shape: Shape, chance: random.Random) -> None:
    key = len(rows["method"])
    first_line = chance.choice((None, 12))
    coverage = chance.choice(("full", "full", "full", "leaf", "none", "calls", "sites"))
    rows["method"].append(
        {
            "method_id": key,
            "class_id": owner,
            "name": chance.choice(shape.names),
            "descriptor": "(IJ)V",
            "access_flags": 9,
            "is_static": chance.random() < 0.5,
            "is_native": False,
            "is_abstract": False,
            "max_stack": 2,
            "max_locals": 3,
            "size_bytes": 40,
            "first_line": first_line,
            "last_line": first_line,
            "n_parameters": 2,
            "n_integer_parameters": 2,
            "n_floating_parameters": 0,
            "n_reference_parameters": 0,
            "coverage": coverage,
        }
    )
    rows["call_site"].append(_site(rows, key, None, chance))
    for index in range(shape.n_blocks):
        _block(rows, key, index, shape, chance)


def _block(
    rows: dict[str, list[Row]], method: int, index: int, shape: Shape, chance: random.Random
) -> None:
    key = len(rows["basic_block"])
    extent = {"first_offset": 10 * index, "last_offset": 10 * index + 3, "n_instructions": 2}
    rows["basic_block"].append(
        {"basic_block_id": key, "method_id": method, "index": index, **extent}
    )
    for offset, opcode, operand in (
        (0, "ldc_w", chance.choice((*shape.names, None, ""))),
        (3, chance.choice(("invokevirtual", "invokeinterface")), "p/C.m:()V"),
    ):
        rows["instruction"].append(
            {
                "instruction_id": len(rows["instruction"]),
                "basic_block_id": key,
                "offset": 10 * index + offset,
                "opcode": opcode,
                "operand": operand,
            }
        )
    rows["call_site"].append(_site(rows, method, 10 * index + 3, chance))
    if shape.probes:
        key_of_site = rows["instruction"][-1]["instruction_id"]
        line = None if key % 3 == 0 else 10 + index
        rows["allocation_site"].append({"instruction_id": key_of_site, "line": line})
        rows["block_segment"].append(
            {
                "block_segment_id": len(rows["block_segment"]),
                "basic_block_id": key,
                "index": 0,
                **extent,
            }
        )


def _site(
    rows: dict[str, list[Row]], method: int, offset: int | None, chance: random.Random
) -> Row:
    named = offset is not None
    return {
        "call_site_id": len(rows["call_site"]),
        "caller_id": method,
        "offset": offset,
        "opcode": "invokevirtual" if named else None,
        "owner": "p/C" if named else None,
        "name": "m" if named else None,
        "descriptor": "()V" if named else None,
        "line": chance.choice((None, 7)) if named else None,
    }


def _dynamic_of(shape: Shape) -> dict[str, list[Row]]:
    chance = random.Random(shape.seed + 1)  # noqa: S311
    rows: dict[str, list[Row]] = {
        name: [] for name in ("thread", "context", "context_block", "back_edge")
    }
    if shape.probes:
        for name in (*_PROBED, *_others(), *_NATIVE):
            rows[name] = []
    sites = _by(shape.rows["call_site"], "caller_id")
    blocks = _by(shape.rows["basic_block"], "method_id")
    for thread_id in range(shape.n_threads):
        share = shape.n_contexts // shape.n_threads
        _thread(rows, thread_id, share, shape, chance, sites, blocks)
    rows |= _aggregates(rows)
    return rows


def _by(rows: list[Row], key: str) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row[key], []).append(row)
    return found


def _thread(  # noqa: PLR0917
    rows: dict[str, list[Row]],
    key: int,
    n: int,
    shape: Shape,
    chance: random.Random,
    sites: dict[int, list[Row]],
    blocks: dict[int, list[Row]],
) -> None:
    root = len(rows["context"])
    rows["thread"].append(
        {
            "thread_id": key,
            "name": chance.choice(shape.names),
            "kind": chance.choice(("platform", "virtual")),
            "start_order": key,
            "root_context_id": root,
            "is_daemon": chance.random() < 0.5,
            "is_vm_internal": chance.random() < 0.5,
        }
    )
    contexts = rows["context"]
    contexts.append(_context(root, None, key, None, None, 0, 0, None))
    path = [root]
    methods = shape.rows["method"]
    latest: dict[int, list[int]] = {}
    for context_id in range(root + 1, root + n):
        if not shape.chain:
            keep = chance.randrange(max(1, len(path) - 6), len(path) + 1)
            for done in path[keep:]:
                contexts[done]["size"] = context_id - done
                latest[contexts[done]["method_id"]].pop()
            del path[keep:]
        method = chance.randrange(len(methods))
        parent = contexts[path[-1]]
        site = None
        if parent["method_id"] is not None:
            site = chance.choice(sites[parent["method_id"]])["call_site_id"]
        stack = latest.setdefault(method, [])
        ancestor = stack[-1] if stack else None
        n_calls = chance.choice((1, 1, 7, 12345, (1 << 40)))
        context = _context(context_id, path[-1], key, method, site, len(path), n_calls, ancestor)
        contexts.append(context)
        _counts(rows, context, shape, chance, blocks.get(method, []))
        stack.append(context_id)
        path.append(context_id)
    for done in path:
        contexts[done]["size"] = len(contexts) - done
    if shape.probes:
        _orders(rows, key, shape, chance)


def _context(  # noqa: PLR0917
    key: int,
    parent: int | None,
    thread: int,
    method: int | None,
    site: int | None,
    depth: int,
    n_calls: int,
    ancestor: int | None,
) -> Row:
    return {
        "context_id": key,
        "parent_id": parent,
        "thread_id": thread,
        "method_id": method,
        "call_site_id": site,
        "depth": depth,
        "size": 1,
        "n_calls": n_calls,
        "n_bytecodes": 0,
        "ancestor_id": ancestor,
        "is_folded": False,
    }


def _others() -> list[str]:
    """Returns the probes' tables of contexts that this module knows only by their definitions."""
    return [
        name
        for name, table in tables().items()
        if table.recorded != ALWAYS
        and table.place is not None
        and table.place.within == "context"
        and name not in _PROBED
    ]


def _row_of(name: str, key: int, shape: Shape, blocks: list[Row]) -> list[Row]:
    """Returns a row for every third context, with null where it may be in every sixth."""
    if key % 3:
        return []
    keys = {
        "context": key,
        "basic_block": blocks[0]["basic_block_id"],
        "class": key % shape.n_classes,
        "instruction": 2 * blocks[0]["basic_block_id"],  # each block has two
        "method": shape.rows["method"][key % len(shape.rows["method"])]["method_id"],
    }
    row: Row = {}
    for column in tables()[name].columns:
        is_null = column.is_nullable and key % 6 == 0
        value: object = keys.get(column.references or "", 1 + key % 99)
        if column.sql_type == "VARCHAR":
            value = f"demo/Type{key % 7}"
        row[column.name] = None if is_null else value
    return [row]


def _counts(
    rows: dict[str, list[Row]],
    context: Row,
    shape: Shape,
    chance: random.Random,
    blocks: list[Row],
) -> None:
    key = context["context_id"]
    for block in blocks:
        if chance.random() < 0.8:
            n = chance.choice((1, 2, 99, 1 << 41))
            block_id = block["basic_block_id"]
            rows["context_block"].append(
                {"context_id": key, "basic_block_id": block_id, "n_executions": n}
            )
            context["n_bytecodes"] += n * block["n_instructions"]
            if shape.probes:  # the generator gives each block one segment, of the same key
                rows["context_segment"].append(
                    {"context_id": key, "block_segment_id": block_id, "n_executions": n}
                )
    if shape.probes and chance.random() < 0.3:
        class_id = chance.randrange(shape.n_classes)
        for received in (class_id, None)[: chance.randint(1, 2)]:  # None: arrays
            rows["receiver"].append({"context_id": key, "class_id": received, "n_calls": 1})
    if shape.probes and chance.random() < 0.3:
        kinds = [
            f"n_{what}_{how}" for what in ("call", "return", "catch") for how in ("hits", "misses")
        ]
        counts = {kind: chance.choice((0, 1, 1 << 40)) for kind in kinds}
        rows["method_cache"].append({"context_id": key, **counts})
    if shape.probes and blocks:
        for name in _others():
            rows[name] += _row_of(name, key, shape, blocks)
    if chance.random() < 0.1:
        context["is_folded"] = True
        rows["back_edge"].append(
            {
                "context_id": key,
                "call_site_id": None,
                "target_context_id": context["parent_id"],
                "n_calls": 4,
            }
        )


def _orders(rows: dict[str, list[Row]], thread: int, shape: Shape, chance: random.Random) -> None:
    for site in shape.rows["call_site"]:
        if site["offset"] is not None and chance.random() < 0.3:
            rows["call_order"].append(
                {
                    "thread_id": thread,
                    "call_site_id": site["call_site_id"],
                    "n_calls": 5,
                    "n_receiver_misses": 2,
                    "n_target_misses": 1,
                }
            )
    for instruction in shape.rows["instruction"][:1]:
        key = instruction["instruction_id"]
        rows["branch_order"].append(
            {"thread_id": thread, "instruction_id": key, "n_executions": 9, "n_changes": 0}
        )
    _native(rows, thread, shape)


def _native(rows: dict[str, list[Row]], thread: int, shape: Shape) -> None:
    """Adds what a thread did in native code: its first methods count as native."""
    for method in [*(row["method_id"] for row in shape.rows["method"][:2]), None]:
        owner = {"thread_id": thread, "method_id": method, "library": "libx.so"}
        calls = {"n_calls": 3 + thread, "n_exceptions": 1, "n_jni_calls": 2}
        rows["native_method"].append(owner | calls)
        rows["native_time"].append(owner | {"self_ns": 70})
    for kind, n in (("call", 4), ("native_method", 9)):
        rows["native_transition"].append({"thread_id": thread, "kind": kind, "n_transitions": n})
    rows["thread_time"].append({"thread_id": thread, "bytecode_ns": 500, "native_ns": 210})


def _aggregates(rows: dict[str, list[Row]]) -> dict[str, list[Row]]:
    thread_of = {}
    methods: dict[tuple[int, int], list[int]] = {}
    blocks: dict[tuple[int, int], int] = {}
    for context in rows["context"]:
        thread_of[context["context_id"]] = context["thread_id"]
        if context["method_id"] is not None:
            sums = methods.setdefault((context["thread_id"], context["method_id"]), [0, 0])
            sums[0] += context["n_calls"]
            sums[1] += context["n_bytecodes"]
    for row in rows["context_block"]:
        block = (thread_of[row["context_id"]], row["basic_block_id"])
        blocks[block] = blocks.get(block, 0) + row["n_executions"]
    return {
        "thread_method": [
            {"thread_id": t, "method_id": m, "n_calls": sums[0], "n_bytecodes": sums[1]}
            for (t, m), sums in sorted(methods.items())
        ],
        "thread_block": [
            {"thread_id": t, "basic_block_id": b, "n_executions": n}
            for (t, b), n in sorted(blocks.items())
        ],
    }
