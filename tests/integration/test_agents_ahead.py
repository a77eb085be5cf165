"""Agents that run before the recording's: what they load, start and end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import run_tool
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope

if TYPE_CHECKING:
    from oracle.toolchain import Jdk

# Of a module beside java.base: with instance fields, native methods, locks, and a superclass.
_AHEAD = """
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.IdentityHashMap;

public class Ahead implements ClassFileTransformer {
  private final IdentityHashMap<byte[], String> names = new IdentityHashMap<>();
  private final boolean changes;

  private Ahead(boolean changes) { this.changes = changes; }

  public static void premain(String arguments, Instrumentation instrumentation) {
    instrumentation.addTransformer(new Ahead("changing".equals(arguments)), true);
    Uses.all();
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
    synchronized (bytes) {
      synchronized (names) {
        names.put(bytes, name);
      }
    }
    if (name != null && (name.contains("jvmscope") || name.contains("CallingContext")
        || name.startsWith("jdk/internal/perf/"))) {
      System.out.println("asked about " + name);
    }
    return changes && name != null && name.contains("sun/management/") ? changed(bytes) : null;
  }

  /** Another name of the source file, so that the class is not the one that was prepared. */
  private static byte[] changed(byte[] bytes) {
    byte[] changed = bytes.clone();
    for (int k = 1; k + 4 < changed.length; k++) {
      if (Character.isLetter(bytes[k - 1]) && bytes[k] == '.' && bytes[k + 1] == 'j'
          && bytes[k + 2] == 'a' && bytes[k + 3] == 'v' && bytes[k + 4] == 'a') {
        changed[k + 3] = 'w';
      }
    }
    return changed;
  }
}
"""
_USES = """
import java.lang.management.ManagementFactory;
import javax.management.ObjectName;

public class Uses {
  static String all() {
    try {
      var server = ManagementFactory.getPlatformMBeanServer();
      var name = new ObjectName("java.lang:type=Runtime");
      long threads = ManagementFactory.getThreadMXBean().getThreadCount();
      for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
        var emitter = (javax.management.NotificationEmitter) collector;
        javax.management.NotificationListener listener = (event, back) -> { };
        emitter.addNotificationListener(listener, null, null);
        emitter.removeNotificationListener(listener);
      }
      var named = new javax.management.Attribute("a", 1);
      return server.isRegistered(name) + " " + (threads > 0) + " " + named + " "
          + ManagementFactory.getClassLoadingMXBean().isVerbose() + " "
          + name.getKeyProperty("type") + " " + name.equals(new ObjectName("java.lang:type=Other"));
    } catch (javax.management.JMException e) {
      return e.toString();
    }
  }
}
"""
_MAIN = """
public class Main {
  public static void main(String[] arguments) throws Exception {
    for (int i = 0; i < 3; i++) {
      System.out.println(Uses.all());
    }
    System.out.println(new javax.management.Attribute("b", 2).equals(Uses.all()));
  }
}
"""
# Its threads enter methods all the time, before and while the recording begins.
_STARTING = """
import java.util.HashMap;

public class Starting {
  static final Thread[] THREADS = new Thread[4];

  public static void premain(String how) throws Exception {
    for (int t = 0; t < THREADS.length; t++) {
      THREADS[t] = new Thread(Starting::run, "starting-" + t);
      THREADS[t].setDaemon(true);
      THREADS[t].start();
    }
    switch (String.valueOf(how)) {
      case "wait" -> await();
      case "exit" -> System.exit(3);
      case "throw" -> throw new Exception("no");
      default -> {}
    }
  }

  static void run() {
    HashMap<String, Integer> sums = new HashMap<>();
    for (int i = 0; i < 30_000; i++) {
      sums.merge("k" + i % 500, i, Integer::sum);
    }
  }

  static void await() throws InterruptedException {
    for (Thread thread : THREADS) {
      thread.join();
    }
  }

  public static void main(String[] arguments) throws Exception {
    await();
    System.out.println("joined");
  }
}
"""
_MERGED = """
    SELECT t.name, SUM(n_calls)::INTEGER
    FROM context JOIN method AS m USING (method_id) JOIN thread AS t USING (thread_id)
    WHERE m.name = 'merge' AND t.name LIKE 'starting-%' GROUP BY ALL ORDER BY ALL
"""
_OUTPUT = 3 * "true true a = 1 false Runtime false\n" + "false\n"
_MADE = "SELECT SUM(n_objects)::INTEGER FROM allocation WHERE type = 'javax/management/Attribute'"
_CALLS = """
    SELECT SUM(n_calls)::INTEGER
    FROM context JOIN method AS m USING (method_id) JOIN class AS c USING (class_id)
    WHERE c.name = 'javax/management/Attribute' AND m.name = '<init>'
"""
# In the collectors' class, which tells a native method of the first listener, and that it is gone.
_NOTIFIED = """
    SELECT m.name, SUM(n_calls)::INTEGER
    FROM context JOIN method AS m USING (method_id) JOIN class AS c USING (class_id)
    WHERE c.name = 'com/sun/management/internal/GarbageCollectorExtImpl'
      AND m.name IN ('addNotificationListener', 'setNotificationEnabled')
    GROUP BY m.name
"""
_ROUNDS = 3
_PROBES = (
    *OBJECT_PROBES.split(","),
    *(OBJECT_PROBES, "lifetimes", "receivers", "order", "handlers"),
)
# What has the VM make its modules itself, with lambdas, instead of reading them from an archive.
_MODULES = {
    "add-opens": ("--add-opens", "java.base/java.lang=ALL-UNNAMED"),
    "add-exports": ("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"),
    "add-modules": ("--add-modules", "jdk.unsupported"),
    "limit-modules": ("--limit-modules", "java.base,java.instrument,java.management"),
    "module-path": ("--module-path", "nothing"),
    "patch-module": ("--patch-module", "java.management=none"),
    "no archive": ("-Xshare:off",),
}


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"ahead-{jdk.version}")
    compile_java(jdk, directory / "agent", Ahead=_AHEAD, Uses=_USES)
    compile_java(jdk, directory / "classes", Main=_MAIN, Uses=_USES)
    compile_java(jdk, directory / "starting", Starting=_STARTING)
    for folder, name in (("agent", "Ahead"), ("starting", "Starting")):
        manifest = f"Premain-Class: {name}\nCan-Retransform-Classes: true\n"
        (directory / "manifest").write_text(manifest)
        jar = ("cfm", f"{name.lower()}.jar", "manifest", "-C", folder, ".")
        run_tool([jdk.tool("jar"), *jar], directory)
    return Recorder(directory, jdk, warm_dump(jdk))


@pytest.mark.parametrize("agent", ["ahead.jar", "ahead.jar=changing"])
@pytest.mark.parametrize("probes", ["", *_PROBES], ids=lambda probes: probes or "plain")
def test_classes_that_an_agent_loaded_ahead_count(
    recorder: Recorder, probes: str, agent: str
) -> None:
    """GIVEN an agent that is asked about classes, hashes and locks them, and changes some.

    THEN the classes that it loaded count, and it is asked about none of the recording's.
    """
    options = ("--probes", probes) if probes else ()
    outcome = recorder.record(
        "java", f"-javaagent:{agent}", "-cp", "classes", "Main", options=options
    )

    assert (outcome.status, outcome.stdout) == (0, _OUTPUT), outcome.stderr
    assert (outcome.manifest.status, outcome.manifest.limits) == ("complete", [])
    run = recorder.directory / outcome.run
    with jvmscope.open(run) as opened:
        assert list(opened.query(_CALLS, language="sql").rows()) == [(5,)]
        if "allocations" in probes:
            assert list(opened.query(_MADE, language="sql").rows()) == [(5,)]
        n_notified = dict(opened.query(_NOTIFIED, language="sql").rows())
        n_added = n_notified["addNotificationListener"]
        assert n_notified == {
            "addNotificationListener": n_added,
            "setNotificationEnabled": 2 * n_added,
        }


@pytest.mark.parametrize("how", ["go on", "wait"])
@pytest.mark.parametrize("probes", ["", f"{OBJECT_PROBES},lifetimes"], ids=["plain", "objects"])
def test_threads_that_an_agent_started_ahead_are_counted_whole(
    recorder: Recorder, probes: str, how: str
) -> None:
    """GIVEN threads that run before the recording begins, THEN it loses none of their calls."""
    options = ("--probes", probes) if probes else ()
    words = ("java", f"-javaagent:starting.jar={how}", "-cp", "starting", "Starting")
    for _ in range(_ROUNDS):
        outcome = recorder.record(*words, options=options)

        assert (outcome.status, outcome.stdout) == (0, "joined\n"), outcome.stderr
        assert (outcome.manifest.status, outcome.manifest.limits) == ("complete", [])
        with jvmscope.open(recorder.directory / outcome.run) as opened:
            found = list(opened.query(_MERGED, language="sql").rows())
        assert found == [(f"starting-{k}", 30_000) for k in range(4)]


@pytest.mark.parametrize(("how", "status"), [("exit", 3), ("throw", 134)])
def test_a_vm_that_an_agent_ahead_ends_is_told_as_one(
    recorder: Recorder, how: str, status: int
) -> None:
    words = ("java", f"-javaagent:starting.jar={how}", "-cp", "starting", "Starting")
    outcome = recorder.record(*words)

    assert (outcome.status, "joined" in outcome.stdout) == (status, False)
    assert "warning: Starting: the recording cannot be read: " in outcome.stderr
    assert outcome.manifest.status == "failed"


@pytest.mark.parametrize("options", _MODULES.values(), ids=_MODULES)
def test_runs_are_whole_however_modules_are_made(
    recorder: Recorder, options: tuple[str, ...]
) -> None:
    """GIVEN lambdas that the VM links before the recording begins, THEN the run lacks nothing."""
    words = ("java", *options, "-cp", "classes", "Main")
    outcome = recorder.record(*words, options=("--probes", f"{OBJECT_PROBES},lifetimes"))

    assert (outcome.status, outcome.stdout) == (0, _OUTPUT), outcome.stderr
    assert (outcome.manifest.status, outcome.manifest.limits) == ("complete", [])
