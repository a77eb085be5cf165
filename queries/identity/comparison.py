"""Whether two runs are identical, and where not: the topmost nodes that differ.

Runs are compared by content, never by key: one more class in one run renumbers everything, and
changes nothing. Threads that serve the VM are compared too, and told apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from jvmscope.errors import RunError
from jvmscope.queries.arrow_types import arrow_schema
from jvmscope.queries.first_rows import first_row
from jvmscope.queries.identity.differences import class_rows, lone_tables, table_rows, tree_rows
from jvmscope.queries.identity.digest import digest_tree
from jvmscope.queries.identity.native_alone import n_native_methods, native_rows
from jvmscope.queries.identity.row_names import is_measured
from jvmscope.queries.result import Result, ResultColumn
from jvmscope.schema.definitions import facts_of

if TYPE_CHECKING:
    from jvmscope.queries.engine import Engine
    from jvmscope.queries.identity.differences import Row

__all__ = ["Comparison", "compare_runs", "find_context"]

_COLUMNS = (
    ResultColumn("kind", "VARCHAR"),
    ResultColumn("is_vm_internal", "BOOLEAN"),
    ResultColumn("where", "VARCHAR"),
    ResultColumn("counts", "VARCHAR"),
    ResultColumn("a", "BIGINT"),
    ResultColumn("b", "BIGINT"),
    ResultColumn("size_a", "BIGINT", "node"),
    ResultColumn("size_b", "BIGINT", "node"),
)
_SCHEMA = arrow_schema(_COLUMNS)


@dataclass(frozen=True)
class Comparison:
    """What was found: rows of differences, and how many there are of each sort.

    ``differences`` has one row a difference. ``kind`` is ``calls`` or ``counts`` (a node is in
    both runs, and its calls, or only other counts, differ), ``only_a`` or ``only_b`` (a node, a
    class or a table is in one run), ``content`` (of a class) or ``rows`` (of a table).
    ``counts`` names each count of the node that differs with its values in a and b, as
    ``calls: 3 and 4; block 2 at offset 10: 5 and 7``, or the parts of a class that differ; it is
    null for all else. ``a`` and ``b`` are the calls, or for a table the rows that the other run
    has not; ``size_a`` and ``size_b`` the nodes of the subtree. Of two runs of native code alone,
    a row is a thread of one run, or a native method or kind of calls by JNI in a thread of both.
    ``n_nodes`` is how many of what ``compared`` names there are.
    """

    differences: Result
    n_nodes: int
    n_differing: int
    n_internal: int
    compared: str = "nodes"

    def __str__(self) -> str:
        """Returns the verdict in one line."""
        internal = f"; {self.n_internal} in threads of the VM" if self.n_internal else ""
        if self.is_identical:
            return f"identical: {self.n_nodes} {self.compared}{internal}"
        return (
            f"different: {self.n_differing} topmost differences in {self.n_nodes} "
            f"{self.compared}{internal}"
        )

    @property
    def is_identical(self) -> bool:
        """Whether nothing differs outside the threads that serve the VM."""
        return self.n_differing == 0


def compare_runs(
    a: Engine, b: Engine, below: str | None = None, limit: int | None = None
) -> Comparison:
    """Compares two runs.

    Args:
        a: one run.
        b: the other.
        below: ``main`` or CLASS.METHOD: compare only the subtrees of its first context.
        limit: deliver at most this many differences; all of them are counted.

    Raises:
        RunError: a run has no such context, or no tables, since its recording failed.
    """
    if below is None and a.manifest.kind == b.manifest.kind == "native":
        return _compare_native_code(a, b, limit)
    for run in (a, b):
        run.manifest.expect_tree(run.run)
    hashes = [_table_hashes(run) for run in (a, b)]
    if below is None and hashes[0] == hashes[1]:
        n_nodes = a.manifest.tables["context"].rows
        return Comparison(Result.of_table(_SCHEMA.empty_table(), _COLUMNS), n_nodes, 0, 0)
    common = hashes[0].keys() & hashes[1].keys()
    starts = [find_context(run, below) if below else None for run in (a, b)]
    trees = [digest_tree(run, common, start) for run, start in zip((a, b), starts, strict=True)]
    rows = tree_rows((a, trees[0]), (b, trees[1]), common)
    if below is None:
        rows += [*class_rows(a, b), *lone_tables(a, b), *table_rows(a, b)]
    else:
        rows += lone_tables(a, b, facts_of("context"))
    return _comparison(rows, limit, max(len(tree.place) for tree in trees))


def _compare_native_code(a: Engine, b: Engine, limit: int | None) -> Comparison:
    for run in (a, b):
        _expect_table(run, "native_method")
    n_methods = max(n_native_methods(run) for run in (a, b))
    return _comparison(native_rows(a, b), limit, n_methods, "native methods of threads")


def _comparison(
    rows: list[Row], limit: int | None, n_nodes: int, compared: str = "nodes"
) -> Comparison:
    """Returns the comparison of given differences, those of the VM's threads last."""
    rows.sort(key=lambda row: bool(row["is_vm_internal"]))
    n_internal = sum(1 for row in rows if row["is_vm_internal"])
    table = pa.Table.from_pylist(rows, schema=_SCHEMA)
    return Comparison(
        differences=Result(_COLUMNS, _SCHEMA, iter(table.to_batches()), limit),
        n_nodes=n_nodes,
        n_differing=len(rows) - n_internal,
        n_internal=n_internal,
        compared=compared,
    )


def _expect_table(run: Engine, name: str) -> None:
    if name not in run.manifest.tables:
        raise RunError(f"{run.run}: the recording failed, so there is nothing to compare")


def _table_hashes(run: Engine) -> dict[str, str]:
    _expect_table(run, "context")
    return {
        name: facts.sha256 for name, facts in run.manifest.tables.items() if not is_measured(name)
    }


def find_context(run: Engine, method: str) -> int:
    """Returns the first context of a method: ``main`` is the program's, else CLASS.METHOD.

    Raises:
        RunError: the method was not executed, or the run does not know its main method.
    """
    main = run.manifest.main
    if method == "main":
        if main.context_id is not None:
            return main.context_id
        if main.class_name is None:
            raise RunError(f"{run.run}: the run does not know its main class; name CLASS.METHOD")
        method = f"{main.class_name}.main"
    row = first_row(
        run.connect(),
        "SELECT MIN(x.context_id) FROM context AS x JOIN method AS m USING (method_id) "
        "JOIN class AS c USING (class_id) WHERE c.name || '.' || m.name = $method",
        {"method": method},
    )
    if row is None or row[0] is None:
        raise RunError(f"{run.run}: the method {method} was not executed")
    return int(row[0])
