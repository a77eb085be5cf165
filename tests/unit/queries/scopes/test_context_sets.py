"""Sets of contexts: SQL selects by one what is in it, wherever its words and threads end."""

from __future__ import annotations

import random

import duckdb
import numpy as np
import pytest

from jvmscope.queries.scopes.context_sets import make_context_set
from jvmscope.queries.scopes.subtrees import covered, lineage, next_in_line


def _flags(kind: str, n: int, rng: random.Random) -> list[bool]:
    if kind == "range":
        first, end = sorted(rng.choices(range(n + 1), k=2))
        return [first <= key < end for key in range(n)]
    probability = {"none": 0.0, "few": 0.03, "half": 0.5, "most": 0.97, "all": 1.0}[kind]
    return [rng.random() < probability for _ in range(n)]


@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 128, 500])
@pytest.mark.parametrize("kind", ["none", "few", "half", "most", "all", "range"])
def test_the_rows_of_a_set_are_those_of_its_contexts(kind: str, n: int) -> None:
    rng = random.Random(f"{kind} {n}")  # noqa: S311 - the same cases each time
    is_in = _flags(kind, n, rng)
    roots = sorted({0, *rng.sample(range(n), min(n, 9))}) if n else []
    thread = [7 * sum(root <= key for root in roots) for key in range(n)]
    facts = [(rng.choice([None, *range(n)]), number) for number in range(3 * n)]
    connection = duckdb.connect()
    connection.execute("CREATE SCHEMA run")
    connection.execute(
        "CREATE TABLE run.context (context_id INTEGER, parent_id INTEGER, thread_id INTEGER)"
    )
    connection.execute("CREATE TABLE fact (of_context INTEGER, number INTEGER)")
    contexts = [(key, None if key in roots else 0, thread[key]) for key in range(n)]
    for table, rows in (("run.context", contexts), ("fact", facts)):
        if rows:
            places = ", ".join("?" for _ in rows[0])
            connection.executemany(f"INSERT INTO {table} VALUES ({places})", rows)

    found = make_context_set(connection, "main.found", np.array(is_in, np.bool_))

    inside = [(key, number) for key, number in facts if key is not None and is_in[key]]
    rows = connection.execute(f"FROM ({found.rows('fact', 'of_context')}) ORDER BY number")
    assert rows.fetchall() == inside
    with_thread = found.rows_with_thread("(FROM fact)", "of_context")
    rows = connection.execute(f"FROM ({with_thread}) ORDER BY number")
    assert rows.fetchall() == [(key, number, thread[key]) for key, number in inside]
    assert found.is_empty == (not any(is_in))


@pytest.mark.parametrize("seed", range(20))
def test_subtrees_and_their_lineage_in_blocks_of_any_size(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)  # noqa: S311 - the same cases each time
    monkeypatch.setattr("jvmscope.queries.scopes.subtrees._BLOCK_ROWS", rng.choice([1, 3, 10, 99]))
    parents: list[int | None] = [None]
    while len(parents) < 60:  # in pre-order: a parent is on the path to the context before
        path = [len(parents) - 1]
        while (above := parents[path[-1]]) is not None:
            path.append(above)
        parents.append(rng.choice([*path, *path, None]) if rng.random() < 0.9 else path[0])
    above_of = {key: _above(parents, key) for key in range(60)}
    size = np.array([sum(key in above_of[other] for other in range(60)) for key in range(60)])
    is_root = np.array([rng.random() < 0.1 for _ in range(60)])

    is_member, is_topmost = covered(is_root, size)
    is_line = lineage(is_member, is_topmost, size)
    places, following = next_in_line(is_line, size)

    members = {key for key in range(60) if any(is_root[each] for each in above_of[key])}
    line = {each for key in members for each in above_of[key]}
    assert set(np.flatnonzero(is_member)) == members
    assert set(np.flatnonzero(is_topmost)) == {
        key for key in members if parents[key] is None or parents[key] not in members
    }
    assert set(np.flatnonzero(is_line)) == line
    ends = {int(key + size[key]) for key in line} - line - {60}
    assert dict(zip(places.tolist(), following.tolist(), strict=True)) == {
        end: min((key for key in line if key >= end), default=60) for end in ends
    }


def _above(parents: list[int | None], key: int) -> set[int]:
    """Returns a context and all above it."""
    found = {key}
    while (parent := parents[key]) is not None:
        key = parent
        found.add(key)
    return found
