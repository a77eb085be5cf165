"""A run without some classes: the whole one, with what these classes call below their callers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope
from jvmscope.queries import Engine, broken_invariants

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_COUNTED = """
package app;

public class Main {
  public static class Base {
    int n;
    public Base() {}
    public Base(int n) { this.n = n; }
  }
  public static class Leaf extends Base implements Comparable<Leaf> {
    public Leaf() { super(); }
    public Leaf(int n) { super(check(n)); }
    static int check(int n) {
      if (n < 0) {
        throw new IllegalArgumentException("negative");
      }
      return n;
    }
    @Override public int compareTo(Leaf other) { return n - other.n; }
    @Override public String toString() { return "leaf"; }
  }
  static class Own extends lib.Ways {
    Own(int n) { super(n); }
  }
  public static class Task {
    public void run(int n) { new Leaf(n); }
  }

  public static int deep(int n) { return n <= 0 ? 1 / 0 : deep(n - 1); }

  public static void main(String[] args) {
    int sum = 0;
    for (int n = -1; n < 3; n++) {
      lib.Ways ways = n == 0 ? new Own(n + 1) : new lib.Ways(n + 1);
      for (Object each : new Object[] {new Leaf(1), ways, ways}) {
        sum += each.toString().length();
      }
      sum += ways.loop(new Task(), n) + ways.always(new Task(), n) + ways.nested(n);
      sum += ways.locked(n) + ways.closed(n) + lib.Lazy.value + lib.Huge.caught(n);
    }
    System.out.println(sum);
  }
}
"""
# Methods whose code leaves a few of the 65,535 bytes, and which would get something inserted: the
# 21,841 instructions have three bytes each.
_HUGE = f"""
package lib;

import app.Main;

public class Huge {{
  static int full(int n) {{
    try {{
      {"n++;" * 21_841}
    }} catch (ArithmeticException e) {{
      return 1;
    }}
    return n;
  }}
  @Override public int hashCode() {{
    int n = 0;
    {"n++;" * 21_841}
    return n;
  }}
  public static int caught(int n) {{
    try {{
      return Main.deep(n);
    }} catch (ArithmeticException e) {{
      return new Main.Leaf(1).compareTo(new Main.Leaf());
    }}
  }}
}}
"""
# Each way to catch, after which more is called; constructors that make objects of classes above.
_LEFT_OUT = {
    "lib/Ways": """
package lib;

import app.Main;

public class Ways extends Main.Leaf {
  final Main.Leaf[] made;

  public Ways(int n) {
    super(n);
    made = new Main.Leaf[] {new Main.Leaf(n), new Main.Leaf()};
    try {
      Main.deep(n);
    } catch (ArithmeticException e) {
      new Main.Base(n);
    }
  }

  @Override public String toString() { return made[0].toString().concat(made[1].toString()); }
  public int loop(Main.Task task, int n) {
    int caught = 0;
    for (int k = 0; k < 5; k++) {
      try {
        task.run(k - 3);
        task.run(n);
      } catch (IllegalArgumentException e) {
        caught += made[0].compareTo(made[1]) + 1;
      }
    }
    return caught;
  }
  public int always(Main.Task task, int n) {
    try {
      task.run(n);
      return Main.deep(1);
    } catch (ArithmeticException | IllegalArgumentException e) {
      return 1;
    } finally {
      new Main.Leaf(3);
    }
  }
  public int nested(int n) {
    try {
      try {
        return Main.deep(3);
      } catch (ArithmeticException e) {
        return new Main.Leaf(n).compareTo(made[0]);
      }
    } catch (RuntimeException e) {
      return new Main.Leaf().compareTo(made[0]);
    }
  }
  public synchronized int locked(int n) {
    try {
      synchronized (made) {
        new Main.Leaf(n);
      }
      synchronized (made) {
        return Main.deep(n);
      }
    } catch (RuntimeException e) {
      return made[1].compareTo(made[0]);
    }
  }
  public int closed(int n) {
    try (Closing other = new Closing()) {
      return Main.deep(n) + new Main.Leaf(n).compareTo(this);
    } catch (RuntimeException e) {
      return compareTo(made[1]);
    }
  }

  static class Closing implements AutoCloseable {
    final Main.Leaf leaf = new Main.Leaf(1);
    @Override public void close() { leaf.compareTo(new Main.Leaf()); }
  }
}
""",
    "lib/Lazy": """
package lib;

public class Lazy {
  public static int value;
  static {
    try {
      value = app.Main.deep(2);
    } catch (ArithmeticException e) {
      value = new app.Main.Leaf(1).compareTo(new app.Main.Leaf(2));
    }
  }
}
""",
}
_LEFT_OUT["lib/Huge"] = _HUGE
_OPTIONS = ("--probes", "receivers,order,objects")
_TREE = """
    SELECT context_id, parent_id, c.name, m.name || m.descriptor, m.coverage, n_calls, n_bytecodes
    FROM context JOIN method AS m USING (method_id) JOIN class AS c USING (class_id)
    ORDER BY context_id
"""
_OBJECTS = """
    SELECT type, SUM(n_objects)::BIGINT FROM allocation
    WHERE NOT (starts_with(type, '[') OR starts_with(type, 'lib/') OR type = 'java/lang/Object')
    GROUP BY ALL
"""
# Calls at each site by both probes, where they differ.
_ORDERED = """
    SELECT call_site_id, o.n, r.n
    FROM (SELECT call_site_id, SUM(n_calls) AS n FROM call_order GROUP BY ALL) AS o
    LEFT JOIN (
        SELECT c.call_site_id, SUM(r.n_calls) AS n
        FROM receiver AS r JOIN context AS c USING (context_id) GROUP BY ALL
    ) AS r USING (call_site_id)
    WHERE o.n IS DISTINCT FROM r.n
"""
_REASONS = """
    SELECT w.reason FROM watched_class AS w JOIN class AS c USING (class_id)
    WHERE c.name = $name
    UNION SELECT reason FROM state_place WHERE type = $name AND state = 'fields'
"""
_BY_TYPE = """
    SELECT type, SUM(n_objects)::BIGINT FROM {}
    WHERE starts_with(type, 'app/') AND instruction_id IS NOT NULL GROUP BY ALL
"""


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"left-out-{jdk.version}")
    compile_java(jdk, directory / "classes", **{"app/Main": _COUNTED, **_LEFT_OUT})
    return Recorder(directory, jdk, warm_dump(jdk))


def _record(recorder: Recorder, *options: str) -> Path:
    words = ("java", "-cp", "classes", "app.Main")
    outcome = recorder.record(*words, options=(*_OPTIONS, *options))
    assert (outcome.status, outcome.stdout) == (0, "113\n"), outcome.stderr
    assert outcome.manifest.status == "complete", outcome.manifest.limits
    return recorder.directory / outcome.run


@pytest.fixture(scope="module")
def whole(recorder: Recorder) -> Path:
    return _record(recorder)


@pytest.fixture(scope="module")
def part(recorder: Recorder) -> Path:
    return _record(recorder, "--include", "app/*")


@pytest.fixture(scope="module")
def folded(recorder: Recorder) -> Path:
    return _record(recorder, "--exclude", "lib/*", "--recursion", "fold")


def _paths(run: Path, *, is_whole: bool) -> Counter[tuple[object, ...]]:
    """Calls and bytecodes by the methods that are counted, from main down."""
    found: Counter[tuple[object, ...]] = Counter()
    with jvmscope.open(run) as opened:
        rows = list(opened.query(_TREE, scope="subtree:app/Main.main").rows())
    paths: dict[object, tuple[object, ...]] = {}
    left_out = set()
    for context, parent, owner, method, coverage, n_calls, n_bytecodes in rows:
        path = paths.get(parent, ())
        paths[context] = path
        if owner.startswith("lib/"):
            left_out.add(context)
        elif coverage == "full" or parent not in left_out:  # else its call is not counted
            paths[context] = (*path, f"{owner}.{method}")
            found["calls", paths[context]] += n_calls
            found["bytecodes", paths[context]] += n_bytecodes
    assert bool(left_out) == is_whole
    return found


def test_what_left_out_classes_call_is_below_their_callers(whole: Path, part: Path) -> None:
    found, expected = _paths(part, is_whole=False), _paths(whole, is_whole=True)
    assert len(expected) > 100
    assert found == expected


def test_objects_of_other_classes_are_all_counted(whole: Path, part: Path, folded: Path) -> None:
    objects = []
    for run in (whole, part, folded):
        with jvmscope.open(run) as opened:
            objects.append(dict(opened.query(_OBJECTS).rows()))
    assert objects[0]["app/Main$Leaf"] > 50
    assert objects == 3 * [objects[0]]


def test_lifetimes_are_of_the_same_objects(recorder: Recorder) -> None:
    run = _record(recorder, "--include", "app/*", "--probes", "allocations,lifetimes")
    with jvmscope.open(run) as opened:
        assert list(opened.query("FROM unfollowed_object WHERE n_unconstructed > 0").rows()) == []
        made, lived = (
            dict(opened.query(_BY_TYPE.format(table)).rows())
            for table in ("allocation", "object_lifetime")
        )
    assert lived == made


def test_the_tables_agree(part: Path, folded: Path) -> None:
    for run in (part, folded):
        with Engine(run) as engine:
            assert broken_invariants(engine) == []


def test_the_order_of_calls_is_that_of_sites(whole: Path, part: Path) -> None:
    rows = []
    for run in (whole, part):
        with jvmscope.open(run) as opened:
            assert list(opened.query(_ORDERED).rows()) == []
            rows += opened.query("SELECT COUNT(*) FROM call_order").rows()
    assert rows[0] > rows[1] > (1000,)


def test_objects_below_left_out_classes_have_that_as_their_reason(recorder: Recorder) -> None:
    run = _record(recorder, "--exclude", "app/Main$Base")
    with jvmscope.open(run) as opened:
        expected = {"app/Main$Base": "excluded by --include or --exclude"}
        expected["app/Main$Leaf"] = f"of a superclass: {expected['app/Main$Base']}"
        for name, reason in expected.items():
            assert list(opened.query(_REASONS, params={"name": name}).rows()) == [(reason,)]


_BIRTHS = {
    "app/Births": """
package app;

public class Births {
  public static class Part { public final int n; public Part(int n) { this.n = n; } }
  public static class Counted {
    public final Part part;
    public Counted(int n) { part = new Part(n); }
  }
  static lib.Holder kept;

  public static void main(String[] args) {
    int sum = 0;
    for (int n = 0; n < 5; n++) {
      kept = new lib.Holder(n);
      Object below = new lib.Below(n), twice = new lib.Twice(n), again = new lib.Twice();
      try {
        new lib.Failing(n);
      } catch (IllegalStateException e) {
        sum += kept.part.n;
      }
      new lib.Holder(1);
      sum += below.hashCode() == twice.hashCode() && again == null ? 1 : 2;
    }
    System.out.println(sum);
  }
}
""",
    "lib/Holder": """
package lib;

import app.Births.Part;

public class Holder {
  public final Part part;
  public Holder(int n) { part = new Part(n); }
  @Override public int hashCode() { return part.n; }
}
""",
    "lib/Below": """
package lib;

import app.Births.*;

public class Below extends Counted {
  final Part own;
  public Below(int n) {
    super(new Part(n).n);
    own = new Part(n);
  }
}
""",
    "lib/Twice": """
package lib;

import app.Births.Part;

public class Twice extends Holder {
  final Part own;
  public Twice(int n) {
    super(new Part(n + new Part(1).n).n);
    own = new Part(n);
  }
  public Twice() { this(new Part(3).n); }
}
""",
    "lib/Failing": """
package lib;

public class Failing {
  public Failing(int n) {
    new app.Births.Part(n);
    throw new IllegalStateException();
  }
}
""",
}
_NUMBERS = """
    SELECT type, SUM(n_objects)::BIGINT FROM {} WHERE starts_with(type, 'app/Births$')
        OR starts_with(type, 'lib/') AND instruction_id IS NOT NULL
    GROUP BY ALL
"""


def test_each_object_has_the_number_of_its_own_new(
    recorder: Recorder, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """GIVEN constructors that are left out, and make objects before, in and after super(...)."""
    own = Recorder(tmp_path_factory.mktemp("births"), recorder.jdk, recorder.dump)
    compile_java(own.jdk, own.directory / "classes", **_BIRTHS)
    probes = ("--exclude", "lib/*", "--probes", "allocations,lifetimes")
    outcome = own.record("java", "-cp", "classes", "app.Births", options=probes)
    assert (outcome.status, outcome.stdout) == (0, "20\n"), outcome.stderr
    with jvmscope.open(own.directory / outcome.run) as opened:
        lost = "FROM unfollowed_object WHERE n_unconstructed > 0 OR starts_with(type, 'lib/')"
        assert list(opened.query(lost).rows()) == []
        lived = dict(opened.query(_NUMBERS.format("object_lifetime")).rows())
    # Below makes 2 and Counted 1, Twice 3 and Holder 1, Twice() 1 more.
    n_parts = 5 * (1 + (2 + 1) + (3 + 1) + (1 + 3 + 1) + 1 + 1)
    names = ("Holder", "Below", "Twice", "Failing")
    expected = {f"lib/{name}": 5 * n for name, n in zip(names, (2, 1, 2, 1), strict=True)}
    assert lived == {"app/Births$Part": n_parts, **expected}
