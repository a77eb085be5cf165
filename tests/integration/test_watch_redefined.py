"""What another agent makes of a class while it has probes stays, with the probes and without."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from integration.recording import compile_java
from support.stepped_program import act, calls, end, line, watch

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_TOLD = """
    import java.util.Scanner;

    class Told {
      static String word() {
        return "old";
      }

      public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        System.out.println("ready");
        while (input.hasNextLine()) {
          input.nextLine();
          System.out.println(word());
        }
      }
    }
"""
_REDEFINING = """
    import java.lang.instrument.ClassDefinition;
    import java.lang.instrument.Instrumentation;
    import java.nio.file.Files;
    import java.nio.file.Path;

    class Redefining {
      public static void agentmain(String file, Instrumentation instrumentation) throws Exception {
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
          if (type.getName().equals("Told")) {
            byte[] made = Files.readAllBytes(Path.of(file));
            instrumentation.redefineClasses(new ClassDefinition(type, made));
          }
        }
      }
    }
"""


def _agent(jdk: Jdk, directory: Path) -> Path:
    classes = compile_java(jdk, directory, Redefining=_REDEFINING)
    manifest = directory / "manifest"
    manifest.write_text("Agent-Class: Redefining\nCan-Redefine-Classes: true\n")
    jar = [jdk.tool("jar"), "cfm", str(directory / "agent.jar"), str(manifest)]
    subprocess.run([*jar, "-C", str(classes), "Redefining.class"], check=True)
    return directory / "agent.jar"


@pytest.mark.parametrize("words", [("new",), ("new", "newer")])
def test_it_stays(jdk: Jdk, tmp_path: Path, words: tuple[str, ...]) -> None:
    versions = {}
    for word in ("old", *words):
        (tmp_path / word).mkdir()
        source = _TOLD.replace('"old"', f'"{word}"')
        versions[word] = compile_java(jdk, tmp_path / word, Told=source)
    (tmp_path / "agent").mkdir()
    agent = _agent(jdk, tmp_path / "agent")
    java = [str(jdk.home / "bin" / "java"), "-cp", str(versions["old"]), "Told"]
    process = subprocess.Popen(java, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert line(process) == "ready"
        watcher = watch(process, tmp_path / "a.watch", "Told.word")
        assert act(process) == "old"
        for word in words:
            load = [jdk.tool("jcmd"), str(process.pid), "JVMTI.agent_load", str(agent)]
            made = versions[word] / "Told.class"
            subprocess.run([*load, str(made)], check=True, capture_output=True)
            assert act(process) == word
        end(watcher)

        assert act(process) == words[-1]
    finally:
        process.kill()
        process.communicate()
    assert calls(tmp_path / "a.watch") == {"Told.word": 1 + len(words)}
