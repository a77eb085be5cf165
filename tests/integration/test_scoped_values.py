"""Scoped values stay bound, whatever the recording asks the VM meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, jdks
from oracle.laboratory import BUILD
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

if TYPE_CHECKING:
    from oracle.toolchain import Jdk

_FIRST = 25  # before, they were a preview
_PROBES = (
    *OBJECT_PROBES.split(","),
    *(f"{OBJECT_PROBES},lifetimes", "lifetimes", "native", "receivers", "order", "handlers"),
)
# Each binding is the first use of classes, of which the recording asks where their fields are.
_PROGRAM = """
    import java.util.ArrayList;
    import java.util.HashMap;
    import java.util.List;
    import java.util.concurrent.locks.ReentrantLock;
    import java.util.function.Supplier;

    class Scoped {
      static final ScopedValue<Object> USER = ScopedValue.newInstance();
      static final ScopedValue<Integer> DEPTH = ScopedValue.newInstance();

      static class Field { int number; Object other; }
      static final class Late extends Field { long more = 1; }
      record Pair(Object a, Object b) {}

      static Object use(Object made) {
        if (made instanceof Field field) {
          field.number++;
          field.other = field;
        }
        synchronized (made) {
          return made.hashCode() == System.identityHashCode(made);
        }
      }

      static void nest(int depth, List<Supplier<Object>> makers) {
        if (depth == makers.size()) {
          return;
        }
        ScopedValue.where(DEPTH, depth).run(() -> {
          Object used = use(makers.get(depth).get());
          nest(depth + 1, makers);
          System.out.println(DEPTH.get() + " " + USER.get() + " " + (used != null));
        });
      }

      public static void main(String[] arguments) throws Exception {
        List<Supplier<Object>> makers = List.of(
            Field::new, Late::new, () -> new Pair(1, 2), ArrayList::new, HashMap::new,
            Object::new, () -> new int[1], ReentrantLock::new, Thread::new, () -> makers(),
            StringBuilder::new, () -> new Exception());
        String name = ScopedValue.where(USER, "bob").call(() -> USER.get().toString());
        System.out.println(name);
        Runnable all = () -> ScopedValue.where(USER, "eve").run(() -> nest(0, makers));
        Thread.ofVirtual().start(all).join();
        all.run();
      }

      static Object makers() {
        return new Supplier<Object>() {
          public Object get() { return 1; }
        };
      }
    }
"""


@pytest.fixture(scope="module", params=[each for each in jdks() if each.version >= _FIRST])
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk: Jdk = brief_jdk(request.param, BUILD)
    recorder = Recorder.of(jdk, tmp_path_factory.mktemp("scoped"), Scoped=_PROGRAM)
    recorder.dump = warm_dump(jdk)
    return recorder


@pytest.mark.parametrize("probes", ["", *_PROBES], ids=lambda probes: probes or "plain")
def test_scoped_values_stay_bound(recorder: Recorder, probes: str) -> None:
    options = ("--probes", probes) if probes else ()

    outcome = recorder.record("java", "-cp", "classes", "Scoped", options=options)

    lines = [f"{depth} eve true" for depth in reversed(range(12))]
    assert (outcome.status, outcome.stdout.splitlines()) == (0, ["bob", *lines, *lines])
    assert (outcome.manifest.status, outcome.manifest.limits) == ("complete", [])
