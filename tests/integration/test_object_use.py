"""How objects are locked and asked for hash codes: worked out by hand, for `Uses.java`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope
from jvmscope.metrics.catalogue import catalogue, implementations
from jvmscope.queries import Engine
from jvmscope.schema import ALWAYS, tables

if TYPE_CHECKING:
    from pathlib import Path

    from integration.recording import Outcome
    from oracle.toolchain import Jdk

# Objects, those of several threads; entries by blocks and methods, waits, notifications; depth.
_LOCKS = {
    "Cloned": (1, 0, 1, 0, 0, 0, 1),
    "ClonedBelow": (3, 0, 6, 0, 0, 0, 1),
    "Mixed": (1, 0, 2, 2, 0, 0, 4),
    "Nested": (5, 0, 0, 1 + 2 + 3 + 4 + 5, 0, 0, 5),
    "Shared": (4, 3, 2 + 4 + 6 + 8, 0, 0, 0, 2),
    "Thrown": (1, 0, 3 + 2 + 1, 3 + 2 + 1, 0, 0, 3),
    "Timed": (1, 0, 2, 0, 2, 2, 1),
    "Waited": (1, 1, 6, 0, 1, 1, 3),
    "[C": (3, 0, 1 + 2 + 3, 0, 0, 0, 1),
    "[J": (2000, 0, 4000, 0, 0, 0, 2),
}

# Objects by the greatest number of their range of operations.
_OPERATIONS = {
    "Cloned": {1: 1},
    "ClonedBelow": {1: 1, 2: 1, 4: 1},  # 1, 2, 3
    "Mixed": {4: 1},
    "Nested": {1: 1, 2: 1, 4: 2, 8: 1},  # 1 to 5
    "Shared": {2: 1, 4: 1, 8: 2},  # 2, 4, 6, 8
    "Thrown": {16: 1},  # 12
    "Timed": {4: 1},  # two entries, two waits
    "Waited": {8: 1},  # six entries, one wait
    "[C": {1: 1, 2: 1, 4: 1},
    "[J": {1: 1999, 2048: 1},
}

# By depth: objects for which it is the deepest, and entries that reached it.
_DEPTHS = {
    "Cloned": {1: (1, 1)},
    "ClonedBelow": {1: (3, 6)},
    "Mixed": {1: (0, 1), 2: (0, 1), 3: (0, 1), 4: (1, 1)},
    "Nested": {1: (1, 5), 2: (1, 4), 3: (1, 3), 4: (1, 2), 5: (1, 1)},
    "Shared": {1: (0, 10), 2: (4, 10)},
    "Thrown": {1: (0, 6), 2: (0, 4), 3: (1, 2)},
    "Timed": {1: (1, 2)},
    "Waited": {1: (0, 2), 2: (0, 2), 3: (1, 2)},
    "[C": {1: (3, 6)},
    "[J": {1: (1999, 3999), 2: (1, 1)},
}

# By kind of call: objects, and calls.
_HASHES = {
    "CallsInherited": {"overridden": (1, 2), "default": (1, 2)},
    "CallsOwn": {"overridden": (1, 2)},  # one call, two bodies
    "CallsSuper": {"overridden": (1, 3), "default": (1, 3)},
    "Cloned": {"default": (2, 2)},
    "ClonedBelow": {"default": (1, 1)},
    # Own: 5 calls; in a record 2; by Objects 1, 1, 1; then 1; and 1.1 million.
    "Own": {"overridden": (7, 1_100_011), "identity": (1, 2)},
    "Plain": {"identity": (1, 1), "default": (3, 7)},
    "Point": {"overridden": (1, 2)},
    "[D": {"default": (1, 1)},
    "[F": {"default": (1, 2)},
}
_CALLS = {
    ("Own", "overridden"): {1: 4, 2: 1, 8: 1, None: 1},
    ("Own", "identity"): {2: 1},
    ("Plain", "default"): {1: 1, 2: 1, 4: 1},
    ("CallsSuper", "overridden"): {4: 1},
}

# Watched, locked, immutable, unshared, both. Those without fields are unshared, too.
_NEEDLESS = {
    "Cloned": (2, 1, 1, 1, 1),
    "ClonedBelow": (3, 3, 0, 3, 0),
    "Mixed": (1, 1, 0, 1, 0),
    "Nested": (5, 5, 0, 5, 0),
    "Shared": (4, 4, 0, 4, 0),
    "Thrown": (1, 1, 0, 1, 0),
    "Timed": (1, 1, 0, 1, 0),
    "Waited": (1, 1, 0, 0, 0),
}

_OWN = "type LIKE 'Uses$%' AND type NOT LIKE '%Lambda%' OR type IN ('[C', '[D', '[F', '[J')"
_NEEDLESS_QUERY = """
    SELECT class.name AS type, n_objects, n_locked, n_immutable, n_unshared, n_immutable_unshared
    FROM needless_lock JOIN class USING (class_id)
    WHERE class.name LIKE 'Uses$%' AND n_locked > 0
"""

# What the tables of one type say must agree.
_TOTALS = """
    SELECT type FROM object_lock AS o
    JOIN (SELECT type, class_id, SUM(n_objects) AS n FROM lock_operations GROUP BY ALL) AS p
        USING (type, class_id)
    JOIN (SELECT type, class_id, SUM(n_objects) AS n, SUM(n_entries) AS entries, MAX(depth) AS depth
          FROM lock_depth GROUP BY ALL) AS d USING (type, class_id)
    WHERE o.n_objects <> p.n OR o.n_objects <> d.n OR d.depth <> o.max_depth
       OR d.entries <> o.n_block_entries + o.n_method_entries
"""
_HASH_TOTALS = """
    SELECT type, kind FROM object_hash AS o
    JOIN (SELECT type, class_id, kind, SUM(n_objects) AS n FROM hash_calls GROUP BY ALL) AS c
        USING (type, class_id, kind)
    WHERE o.n_objects <> c.n OR o.n_calls < o.n_objects
"""


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"uses-{jdk.version}")
    source = (PROGRAMS / "objects" / "Uses.java").read_text(encoding="utf-8")
    compile_java(jdk, directory / "classes", Uses=source)
    outcome = Recorder(directory, jdk, warm_dump(jdk)).record(
        "java", "-cp", "classes", "Uses", options=("--probes", OBJECT_PROBES)
    )
    assert outcome.status == 0, outcome.stderr
    assert outcome.stdout == "done\n"
    return directory / outcome.run


def _rows(run: Path, query: str) -> list[tuple[object, ...]]:
    with jvmscope.open(run) as opened:
        rows = [tuple(row) for row in opened.query(query).rows()]
    return [(str(row[0]).removeprefix("Uses$"), *row[1:]) for row in rows]


# In what objects of the program's types, and of others that cannot have fields, states are kept.
_PLACES = """
    SELECT type, state, place, reason IS NULL FROM state_place
    WHERE type IN ('Uses$Cloned', '[J', '[F', 'java/lang/String') ORDER BY ALL
"""
_KEPT = [
    ("Cloned", "fields", "hidden field", True),
    ("Cloned", "hash codes", "hidden field", True),
    ("Cloned", "locks", "hidden field", True),
    ("[F", "hash codes", "table of weak references", False),
    ("[J", "locks", "table of weak references", False),
    ("java/lang/String", "fields", "nowhere", False),
    ("java/lang/String", "hash codes", "hidden field", True),
]
_UNSAID = """
    SELECT type FROM object_lock
    WHERE type NOT IN (SELECT type FROM state_place WHERE state = 'locks')
    UNION ALL
    SELECT type FROM object_hash
    WHERE type NOT IN (SELECT type FROM state_place WHERE state = 'hash codes')
    UNION ALL
    SELECT name FROM watched_class JOIN class USING (class_id)
    WHERE name NOT IN (SELECT type FROM state_place WHERE state = 'fields')
"""


def test_where_states_are_kept_is_said(run: Path) -> None:
    assert _rows(run, _PLACES) == _KEPT
    assert _rows(run, _UNSAID) == []


def test_objects_are_locked_as_often_as_the_program_does(run: Path) -> None:
    columns = "n_objects, n_shared_objects, n_block_entries, n_method_entries, n_waits"
    query = f"SELECT type, {columns}, n_notifications, max_depth FROM object_lock WHERE {_OWN}"
    assert {name: tuple(counts) for name, *counts in _rows(run, query)} == _LOCKS


def test_metrics_in_both_languages_agree(run: Path) -> None:
    with Engine(run) as engine:
        recorded = {name for name in engine.manifest.tables if tables()[name].recorded != ALWAYS}
        asked = [
            found
            for id_, found in implementations().items()
            if len(found) > 1 and recorded & {*catalogue()[id_].requires}
        ]
        for xquery, sql in asked:
            expected = engine.query(sql).arrow().to_pylist()
            assert engine.query(xquery).arrow().to_pylist() == expected, sql.id
    assert {"locking.objects", "hashcodes.types", "sharing.needless"} <= {
        sql.id for _, sql in asked
    }


def test_each_locked_object_is_needlessly_locked_or_not_or_not_known(run: Path) -> None:
    rows = jvmscope.measure([run], "sharing.needless", "locking.objects").arrow().to_pylist()
    values = {(row["metric"], row["measure"]): row["value"] for row in rows}
    parts = ("n_locked", "n_without_fields", "n_partly_watched", "n_unwatched")
    found = [values["sharing.needless", part] for part in parts]
    assert sum(found) == values["locking.objects", "n_objects"]
    assert values["sharing.needless", "n_unwatched"] > 0  # classes, for one


def test_objects_are_counted_by_their_operations(run: Path) -> None:
    query = f"SELECT type, max_operations, n_objects FROM lock_operations WHERE {_OWN}"
    found: dict[str, dict[object, object]] = {}
    for name, most, n_objects in _rows(run, query):
        found.setdefault(name, {})[most] = n_objects
    assert found == _OPERATIONS


def test_nesting_is_that_of_each_thread(run: Path) -> None:
    query = f"SELECT type, depth, n_objects, n_entries FROM lock_depth WHERE {_OWN}"
    found: dict[str, dict[object, object]] = {}
    for name, depth, n_objects, n_entries in _rows(run, query):
        found.setdefault(name, {})[depth] = (n_objects, n_entries)
    assert found == _DEPTHS


def test_static_methods_lock_the_class(run: Path) -> None:
    query = "SELECT type, n_entries FROM lock_depth WHERE type = 'java/lang/Class' AND depth = 3"
    assert _rows(run, query) == [("java/lang/Class", 1)]


def test_calls_for_hash_codes_are_told_by_what_they_reach(run: Path) -> None:
    query = f"SELECT type, kind, n_objects, n_calls FROM object_hash WHERE {_OWN}"
    found: dict[str, dict[object, object]] = {}
    for name, kind, n_objects, n_calls in _rows(run, query):
        found.setdefault(name, {})[kind] = (n_objects, n_calls)
    # An enum's hashCode asks Object's each time, or identityHashCode once (since JDK 21).
    color = found.pop("Color")
    assert color.pop("overridden") == (1, 2)
    assert color in ({"default": (1, 2)}, {"identity": (1, 1)})
    assert found == _HASHES


def test_objects_are_counted_by_their_calls(run: Path) -> None:
    query = f"SELECT type, kind, max_calls, n_objects FROM hash_calls WHERE {_OWN}"
    found: dict[object, dict[object, object]] = {}
    for name, kind, most, n_objects in _rows(run, query):
        found.setdefault((name, kind), {})[most] = n_objects
    assert {key: found[key] for key in _CALLS} == _CALLS


def test_locks_that_nothing_needs(run: Path) -> None:
    assert {name: tuple(counts) for name, *counts in _rows(run, _NEEDLESS_QUERY)} == _NEEDLESS


def test_tables_agree(run: Path) -> None:
    assert _rows(run, _TOTALS) == []
    assert _rows(run, _HASH_TOTALS) == []


_VIRTUAL = """
import java.util.concurrent.locks.LockSupport;

public class Virtual {
  static class Lock {}

  public static void main(String[] args) throws InterruptedException {
    Lock lock = new Lock();
    Thread[] threads = new Thread[20];
    for (int k = 0; k < threads.length; k++) {
      threads[k] = Thread.ofVirtual().unstarted(() -> {
        synchronized (lock) {
          LockSupport.parkNanos(100_000);  // may continue on another carrier
          synchronized (lock) {
            Thread.yield();
          }
        }
      });
    }
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
"""


# Each thread is the first that uses the fields of a class, so it asks the agent about them.
_CLASSES = 40
_DECLARED = "".join(f"static class C{n} {{ int a; Object b; }}\n" for n in range(_CLASSES))
_TOUCHED = "".join(
    f"case {n}: C{n} o{n} = new C{n}(); o{n}.b = o{n}; return o{n}.a;\n" for n in range(_CLASSES)
)
_CROWD = f"""
public class Crowd {{
  {_DECLARED}
  static int touch(int n) {{
    switch (n) {{
      {_TOUCHED}
      default: return n;
    }}
  }}

  public static void main(String[] args) throws InterruptedException {{
    Thread[] threads = new Thread[{_CLASSES}];
    for (int k = 0; k < threads.length; k++) {{
      int n = k;
      threads[k] = Thread.ofVirtual().unstarted(() -> touch(n));
    }}
    for (Thread thread : threads) {{
      thread.start();
    }}
    for (Thread thread : threads) {{
      thread.join();
    }}
    System.out.println("joined");
  }}
}}
"""


# The words of arrays are in a table, which is looked at while others add to it and move it.
_THREADS, _ARRAYS, _SHARED = 4, 20_000, 50
_RACE = f"""
public class Race {{
  static final short[][] SHARED = new short[{_SHARED}][1];

  public static void main(String[] args) throws InterruptedException {{
    Thread[] threads = new Thread[{_THREADS}];
    for (int k = 0; k < threads.length; k++) {{
      threads[k] = new Thread(Race::lockAll);
    }}
    for (Thread thread : threads) {{
      thread.start();
    }}
    for (Thread thread : threads) {{
      thread.join();
    }}
  }}

  static void lockAll() {{
    short[][] own = new short[{_ARRAYS}][];
    for (int round = 0; round < 3; round++) {{
      for (int n = 0; n < own.length; n++) {{
        own[n] = round == 0 ? new short[1] : own[n];
        synchronized (own[n]) {{
          own[n][0]++;
        }}
        if (n < SHARED.length) {{
          synchronized (SHARED[n]) {{
            SHARED[n][0]++;
          }}
        }}
      }}
    }}
  }}
}}
"""


def _recorded(directory: Path, name: str, source: str) -> Outcome:
    """A recording of a program with virtual threads."""
    newer = [jdk for jdk in jdks() if jdk.version >= 21]
    if not newer:
        pytest.skip("no JDK with virtual threads")
    compile_java(newer[0], directory / "classes", **{name: source})
    jdk = brief_jdk(newer[0], BUILD)
    return Recorder(directory, jdk, warm_dump(jdk)).record(
        "java", "-cp", "classes", name, options=("--probes", OBJECT_PROBES)
    )


def test_virtual_threads_may_wait_for_the_agent(tmp_path: Path) -> None:
    """A thread that left its carrier there would be awaited by the carrier, and all by main."""
    outcome = _recorded(tmp_path, "Crowd", _CROWD)
    assert (outcome.status, outcome.stdout) == (0, "joined\n"), outcome.stderr


def test_virtual_threads_have_their_own_nesting(tmp_path: Path) -> None:
    outcome = _recorded(tmp_path, "Virtual", _VIRTUAL)
    assert outcome.status == 0, outcome.stderr
    query = "SELECT type, depth, n_objects, n_entries FROM lock_depth WHERE type = 'Virtual$Lock'"
    lock = "Virtual$Lock"
    assert _rows(tmp_path / outcome.run, query) == [(lock, 1, 0, 20), (lock, 2, 1, 20)]


@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_no_lock_of_an_array_is_lost_in_a_race(jdk: Jdk, tmp_path: Path) -> None:
    """GIVEN threads that lock arrays thrice, THEN each is one object of three operations."""
    compile_java(jdk, tmp_path / "classes", Race=_RACE)
    brief = brief_jdk(jdk, BUILD)
    outcome = Recorder(tmp_path, brief, warm_dump(brief)).record(
        "java", "-cp", "classes", "Race", options=("--probes", OBJECT_PROBES)
    )
    assert outcome.status == 0, outcome.stderr
    run = tmp_path / outcome.run
    query = "SELECT type, n_objects, n_shared_objects, n_block_entries FROM object_lock"
    bins = "SELECT type, max_operations, n_objects FROM lock_operations WHERE n_objects > 0"
    n_own = _THREADS * _ARRAYS
    n_entries = 3 * (n_own + _THREADS * _SHARED)

    locked = [row[1:] for row in _rows(run, query) if row[0] == "[S"]
    assert locked == [(n_own + _SHARED, _SHARED, n_entries)]
    found = [row[1:] for row in _rows(run, bins) if row[0] == "[S"]
    assert sorted(found) == [(4, n_own), (16, _SHARED)]
