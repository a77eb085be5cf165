"""Synthetic runs of any size: random trees over a random class library, the same for a seed.

The shape is that of recorded ones: a few hot methods, sites with one target mostly, depths that
wander up to ninety, blocks of about five instructions.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from jvmscope.schema import Manifest, TableWriter, tables, word_sets, write_manifest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["write_synthetic"]

_BLOCKS, _SITES, _INSTRUCTIONS = 4, 3, 5  # of each method, of each method, of each block
_MAX_DEPTH = 90  # SaxonC's parser refuses elements 100 deep, libxml2 2,048


@dataclass(frozen=True)
class _Tree:
    """The contexts in pre-order; the root of the only thread is the first."""

    parent: Any
    method: Any
    site: Any
    depth: Any
    size: Any
    ancestor: Any


def write_synthetic(run: Path, n_contexts: int, *, seed: int = 1) -> None:
    """Writes a run with a given number of contexts, in one thread.

    Args:
        run: the directory to make.
        n_contexts: rows of the table ``context``.
        seed: decides everything else.
    """
    n_methods = max(100, min(60_000, n_contexts // 20))
    tree = _tree(n_contexts, n_methods, random.Random(seed))  # noqa: S311 - not a secret
    rng = np.random.default_rng(seed)
    calls = rng.geometric(0.02, n_contexts).astype(np.int64)
    calls[0] = 0
    columns = _static(n_methods, rng) | _dynamic(tree, calls, rng)
    (run / "tables").mkdir(parents=True)
    facts = {}
    for name, values in columns.items():
        schema = tables()[name].arrow_schema
        with TableWriter(run / "tables" / f"{name}.parquet", schema) as writer:
            arrays = [_array(values[field.name], field.type) for field in schema]
            writer.write(pa.Table.from_arrays(arrays, schema=schema))
            facts[name] = writer.close()
    write_manifest(run, Manifest(status="complete", tables=facts))


def _tree(n: int, n_methods: int, chance: random.Random) -> _Tree:
    targets = [int(n_methods * chance.random() ** 3) for _ in range(n_methods * _SITES)]
    parent, method, site = [-1] * n, [-1] * n, [-1] * n
    depth, size, ancestor = [0] * n, [1] * n, [-1] * n
    path = [0]
    called: list[set[tuple[int, int]]] = [set()]  # of each node on the path
    last_of: dict[int, list[int]] = {}
    for node in range(1, n):
        if len(path) > 1 and (chance.random() < 0.45 or len(path) > _MAX_DEPTH):
            for _ in range(min(len(path) - 1, 1 + int(chance.expovariate(1.2)))):
                above = path.pop()
                called.pop()
                last_of[method[above]].pop()
        caller = path[-1]
        parent[node], depth[node] = caller, len(path)
        if caller:
            site[node] = method[caller] * _SITES + chance.randrange(_SITES)
            shift = 0 if chance.random() < 0.9 else chance.randrange(8)
            method[node] = (targets[site[node]] + shift) % n_methods
        else:
            method[node] = chance.randrange(n_methods)
        while (site[node], method[node]) in called[-1]:  # one node a site and target
            method[node] = (method[node] + 1) % n_methods
        called[-1].add((site[node], method[node]))
        same = last_of.setdefault(method[node], [])
        ancestor[node] = same[-1] if same else -1
        same.append(node)
        path.append(node)
        called.append(set())
    for node in range(n - 1, 0, -1):
        size[parent[node]] += size[node]
    return _Tree(*(np.array(c, np.int32) for c in (parent, method, site, depth, size, ancestor)))


def _static(n_methods: int, rng: np.random.Generator) -> dict[str, dict[str, Any]]:
    n_classes = max(1, n_methods // 10)
    n_blocks, n_sites = n_methods * _BLOCKS, n_methods * _SITES
    opcodes = np.array(word_sets()["opcode"].words, dtype=object)
    methods, blocks, sites = (np.arange(n, dtype=np.int32) for n in (n_methods, n_blocks, n_sites))
    invokes = np.array(
        ["invokevirtual", "invokeinterface", "invokestatic", "invokespecial"], dtype=object
    )
    instructions = np.arange(n_blocks * _INSTRUCTIONS, dtype=np.int32)
    return {
        "class": {
            "class_id": np.arange(n_classes, dtype=np.int32),
            "name": [f"bench/C{n}" for n in range(n_classes)],
            "loader": ["app"] * n_classes,
            "module": [None] * n_classes,
            "super_id": [None] * n_classes,
            "interface_ids": [[]] * n_classes,
            "access_flags": [1] * n_classes,
            "major_version": [61] * n_classes,
            "source_file": [None] * n_classes,
            "size_bytes": [1000] * n_classes,
            "is_interface": [False] * n_classes,
            "is_hidden": [False] * n_classes,
        },
        "field": dict.fromkeys((c.name for c in tables()["field"].columns), ()),
        "method": {
            "method_id": methods,
            "class_id": np.minimum(methods // 10, n_classes - 1),
            "name": [f"m{n % 97}" for n in range(n_methods)],
            "descriptor": ["()V"] * n_methods,
            **{
                name: np.zeros(n_methods, np.int32)
                for name in (
                    "access_flags", "max_stack", "max_locals", "size_bytes", "n_parameters",
                    "n_integer_parameters", "n_floating_parameters", "n_reference_parameters",
                )
            },
            **{n: [False] * n_methods for n in ("is_static", "is_native", "is_abstract")},
            "first_line": [None] * n_methods,
            "last_line": [None] * n_methods,
            "coverage": ["full"] * n_methods,
        },
        "basic_block": {
            "basic_block_id": blocks,
            "method_id": blocks // _BLOCKS,
            "index": blocks % _BLOCKS,
            "first_offset": blocks % _BLOCKS * _INSTRUCTIONS,
            "last_offset": blocks % _BLOCKS * _INSTRUCTIONS + _INSTRUCTIONS - 1,
            "n_instructions": np.full(n_blocks, _INSTRUCTIONS, np.int32),
        },
        "instruction": {
            "instruction_id": instructions,
            "basic_block_id": instructions // _INSTRUCTIONS,
            "offset": instructions % (_BLOCKS * _INSTRUCTIONS),
            "opcode": opcodes[rng.integers(0, len(opcodes), len(instructions))],
            "operand": [None] * len(instructions),
        },
        "call_site": {
            "call_site_id": sites,
            "caller_id": sites // _SITES,
            "offset": sites % _SITES * _INSTRUCTIONS + _INSTRUCTIONS - 1,
            "opcode": invokes[rng.integers(0, len(invokes), n_sites)],
            "owner": ["bench/C0"] * n_sites,
            "name": ["m"] * n_sites,
            "descriptor": ["()V"] * n_sites,
            "line": [None] * n_sites,
        },
        "exclusion": dict.fromkeys((c.name for c in tables()["exclusion"].columns), ()),
    }  # fmt: skip


def _dynamic(tree: _Tree, calls: Any, rng: np.random.Generator) -> dict[str, dict[str, Any]]:
    n = len(tree.parent)
    contexts = np.arange(n, dtype=np.int32)
    # Each method's first two blocks run in each of its contexts, the second one more often.
    context = np.repeat(contexts[1:], 2)
    block = np.repeat(tree.method[1:] * _BLOCKS, 2) + np.tile(np.array([0, 1], np.int32), n - 1)
    executions = np.repeat(calls[1:], 2) * np.tile([1, 3], n - 1) + rng.integers(0, 2, 2 * (n - 1))
    bytecodes = np.zeros(n, np.int64)
    np.add.at(bytecodes, context, executions * _INSTRUCTIONS)
    by_method = {"n_calls": calls[1:], "n_bytecodes": bytecodes[1:]}
    return {
        "thread": {
            "thread_id": [0], "name": ["main"], "kind": ["platform"], "start_order": [0],
            "root_context_id": [0], "is_daemon": [False], "is_vm_internal": [False],
        },
        "context": {
            "context_id": contexts,
            "parent_id": _nullable(tree.parent),
            "thread_id": np.zeros(n, np.int32),
            "method_id": _nullable(tree.method),
            "call_site_id": _nullable(tree.site),
            "depth": tree.depth,
            "size": tree.size,
            "n_calls": calls,
            "n_bytecodes": bytecodes,
            "ancestor_id": _nullable(tree.ancestor),
            "is_folded": np.zeros(n, bool),
        },
        "context_block": {
            "context_id": context, "basic_block_id": block, "n_executions": executions,
        },
        "back_edge": dict.fromkeys((c.name for c in tables()["back_edge"].columns), ()),
        "thread_method": _sums("method_id", tree.method[1:], by_method),
        "thread_block": _sums("basic_block_id", block, {"n_executions": executions}),
    }  # fmt: skip


def _sums(key: str, keys: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    distinct, places = np.unique(keys, return_inverse=True)
    columns: dict[str, Any] = {"thread_id": np.zeros(len(distinct), np.int32), key: distinct}
    for name, column in values.items():
        totals = np.zeros(len(distinct), np.int64)
        np.add.at(totals, places, column)
        columns[name] = totals
    return columns


def _nullable(values: Any) -> pa.Array:
    return pa.array(values, pa.int32(), mask=values < 0)


def _array(values: Any, kind: pa.DataType) -> pa.Array:
    if pa.types.is_dictionary(kind):
        return pa.array(list(values), pa.string()).dictionary_encode().cast(kind)
    if isinstance(values, pa.Array):
        return values.cast(kind)
    return pa.array(values, kind)
