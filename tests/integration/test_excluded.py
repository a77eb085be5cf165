"""Classes that `--exclude` names: what others call in them, and what is taken for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from support.jdk_lambdas import SORTING
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope

if TYPE_CHECKING:
    from oracle.toolchain import Jdk

# Virtual calls that may reach the natives of Object: of two classes with bodies of their own, which
# are left out, or inherited ones, and of one without.
_SOURCE = """
public class Keys {
  static class Base implements Cloneable {
    Object copy() throws CloneNotSupportedException {
      return clone();
    }
  }

  static class Key extends Base {
    @Override public int hashCode() { return 7; }
    @Override public boolean equals(Object other) { return other instanceof Key; }
    @Override protected Object clone() { return new Key(); }
  }

  static class Sub extends Key {}

  static class Asking extends Key {
    @Override public int hashCode() { return super.hashCode(); }
  }

  static class Plain extends Base {}

  static int hash(Object object) {
    return object.hashCode();
  }

  public static void main(String[] args) throws CloneNotSupportedException {
    int sum = 0;
    for (Base base : new Base[] {new Key(), new Sub()}) {
      for (int k = 0; k < 5; k++) {
        sum += hash(base) + base.copy().hashCode();
        synchronized (base) {
          sum += System.identityHashCode(base) == System.identityHashCode(base) ? 1 : 0;
        }
      }
    }
    Plain plain = new Plain();
    for (int k = 0; k < 3; k++) {
      sum += hash(plain) == System.identityHashCode(plain) ? 1 : 0;
      plain.copy();
    }
    System.out.println(sum + new Asking().hashCode());
  }
}
"""
_NATIVES = """
    SELECT caller.name, m.name, SUM(c.n_calls)::BIGINT
    FROM context AS c JOIN method AS m USING (method_id) JOIN class AS k USING (class_id)
    JOIN context AS above ON above.context_id = c.parent_id
    JOIN method AS caller ON caller.method_id = above.method_id
    JOIN class AS calling ON calling.class_id = caller.class_id
    WHERE k.name = 'java/lang/Object' AND m.name IN ('hashCode', 'clone')
        AND calling.name LIKE 'Keys%'
    GROUP BY ALL ORDER BY ALL
"""
# Key has a hashCode, and so have those that call it by super: none is asked by Object's.
_ASKED = """
    SELECT type FROM object_hash
    WHERE kind = 'default' AND type IN ('Keys$Key', 'Keys$Sub', 'Keys$Asking')
"""


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"excluded-{jdk.version}")
    compile_java(jdk, directory / "classes", Keys=_SOURCE)
    return Recorder(directory, jdk, warm_dump(jdk))


@pytest.mark.parametrize("probes", [(), ("--probes", OBJECT_PROBES), ("--probes", "lifetimes")])
@pytest.mark.parametrize("excluded", [(), ("--exclude", "Keys$Key"), ("--exclude", "Keys$*")])
def test_natives_are_not_taken_for_methods_that_are_left_out(
    recorder: Recorder, excluded: tuple[str, ...], probes: tuple[str, ...]
) -> None:
    words = ("java", "-cp", "classes", "Keys")
    outcome = recorder.record(*words, options=(*excluded, *probes))
    assert (outcome.status, outcome.stdout) == (0, f"{21 * 7 + 10 + 3}\n"), outcome.stderr
    with jvmscope.open(recorder.directory / outcome.run) as run:
        found = [tuple(row) for row in run.query(_NATIVES, language="sql").rows()]
        if "object_hash" in run.tables:
            assert list(run.query(_ASKED, language="sql").rows()) == []
    if excluded == ("--exclude", "Keys$*"):  # copy is left out, so nobody sees what it calls
        found = [row for row in found if row[0] != "copy"]
        assert found == [("hash", "hashCode", 3)]
    else:
        assert found == [("copy", "clone", 3), ("hash", "hashCode", 3)]


def test_what_the_jdk_defines_at_run_time_is_counted_whatever_the_patterns_are(
    recorder: Recorder,
) -> None:
    compile_java(recorder.jdk, recorder.directory / "sorting", Sorting=SORTING)
    found = []
    for options in ((), ("--include", "Sorting*"), ("--include", "*"), ("--exclude", "java/*")):
        outcome = recorder.record("java", "-cp", "sorting", "Sorting", options=options)
        assert (outcome.status, outcome.stdout) == (0, "0\n"), outcome.stderr
        with jvmscope.open(recorder.directory / outcome.run) as run:
            calls = run.query(
                "SELECT SUM(n_calls)::BIGINT FROM context JOIN method USING (method_id) "
                "JOIN class AS c USING (class_id) WHERE c.name LIKE 'java/util/Comparator$$%'"
            )
            left_out = run.query("FROM exclusion WHERE reason LIKE '%--include%'")
            initialised = run.query(
                "SELECT DISTINCT c.name FROM context JOIN method AS m USING (method_id) "
                "JOIN class AS c ON c.class_id = m.class_id WHERE m.name = '<clinit>' ORDER BY ALL",
                scope="subtree:Sorting.main",
            )
            found.append((*calls.rows(), list(left_out.rows()), list(initialised.rows())))
        assert ("no class of the program" in outcome.stderr) == ("java/*" in options)
    assert found[0][0] > (20,)
    assert len(found[0][2]) > 10
    assert found == 4 * [found[0]]
