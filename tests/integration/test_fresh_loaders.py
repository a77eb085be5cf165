"""Class loaders are asked for what they are asked for in a bare VM, and as often."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, jdks
from oracle.toolchain import PROGRAMS, Jdk

from jvmscope.queries import Engine

if TYPE_CHECKING:
    from pathlib import Path

_OBJECTS = "immutability,sharing,locking,zeroing,hashcodes,allocations"
_CALLS = """
    SELECT c.n_calls::INT
    FROM context AS c JOIN call_site AS site USING (call_site_id)
    JOIN method AS m ON m.method_id = site.caller_id
    WHERE site.name = 'loadClass' AND m.name = 'byContext'
"""
_N_SITES = 70
_MAIN = """
public class Main {
  static class Own extends ClassLoader {
    Own() { super(Main.class.getClassLoader()); }

    @Override public Class<?> loadClass(String name) throws ClassNotFoundException {
      if (!name.equals("Caller") && !name.startsWith("Late")) {
        return super.loadClass(name);
      }
      Class<?> found = findLoadedClass(name);
      if (found != null) {
        return found;
      }
      try (java.io.InputStream in = getResourceAsStream(name + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (java.io.IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Own own = new Own();
    Class<?> caller = own.loadClass("Caller");
    System.out.println(caller.getMethod("run", ClassLoader.class).invoke(null, own));
  }
}
"""
_ORDER = """
    SELECT site.name, o.n_calls
    FROM call_order AS o JOIN call_site AS site USING (call_site_id)
    JOIN method AS m ON m.method_id = site.caller_id JOIN class AS c USING (class_id)
    WHERE c.name = 'Caller' ORDER BY site."offset"
"""


@pytest.mark.parametrize("options", [(), ("--probes", _OBJECTS)], ids=["plain", "objects"])
@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_a_loader_is_asked_for_nothing_by_the_recording(
    jdk: Jdk, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """GIVEN a loader whose first class does not extend Object."""
    recorder = _recorder(jdk, tmp_path, "Fresh")
    command = [str(jdk.home / "bin" / "java"), "-cp", "classes", "Fresh"]
    bare = subprocess.run(
        command, cwd=recorder.directory, capture_output=True, text=True, check=True
    )
    outcome = recorder.record("java", "-cp", "classes", "Fresh", options=options)

    assert outcome.stdout == bare.stdout


@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_a_call_of_load_class_is_not_that_of_the_vm(jdk: Jdk, tmp_path: Path) -> None:
    """GIVEN a call for whose class the VM has to call a method of its name first."""
    recorder = _recorder(jdk, tmp_path, "Named")
    outcome = recorder.record("java", "-cp", "classes", "Named")

    with Engine(recorder.directory / outcome.run) as engine:
        assert list(engine.query(_CALLS).rows()) == [(1,)]


@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def test_the_order_of_calls_is_without_those_of_the_vm(jdk: Jdk, tmp_path: Path) -> None:
    """GIVEN calls of loadClass, and between them many that have the VM load classes first."""
    late = {f"Late{k}": f"class Late{k} {{ void run() {{}} }}" for k in range(_N_SITES)}
    calls = [
        f"try {{ {name} none = null; none.run(); }} catch (NullPointerException e) {{ sum++; }}"
        for name in late
    ]
    loads = 'sum += loader.loadClass("Caller") == Caller.class ? 1 : 0;'
    text = "\n".join(["int sum = 0;", loads, *calls, loads, "return sum;"])
    throws = "throws ClassNotFoundException"
    source = (
        f"public class Caller {{ public static int run(ClassLoader loader) {throws} {{{text}}} }}"
    )
    recorder = Recorder.of(jdk, tmp_path, Main=_MAIN, Caller=source, **late)
    outcome = recorder.record("java", "-cp", "classes", "Main", options=("--probes", "order"))

    assert outcome.stdout == f"{_N_SITES + 2}\n", outcome.stderr
    with Engine(recorder.directory / outcome.run) as engine:
        assert list(engine.query(_ORDER).rows()) == [("loadClass", 1), ("loadClass", 1)]


def _recorder(jdk: Jdk, directory: Path, name: str) -> Recorder:
    source = (PROGRAMS / "loaders" / f"{name}.java").read_text(encoding="utf-8")
    return Recorder.of(jdk, directory, **{name: source})
