"""A program of a test that does not end says where it waits, and is killed with all it started."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from integration.recording import compile_java, jdks
from support.hanging import kill_tree, tell_threads

if TYPE_CHECKING:
    from pathlib import Path

JDKS = jdks()
_WAITS = """
public class Waits {
  public static void main(String[] words) throws InterruptedException {
    System.out.println("up");
    forEver(new Object());
  }

  static void forEver(Object o) throws InterruptedException {
    synchronized (o) { o.wait(); }
  }
}
"""


def test_a_jvm_below_a_script_says_where_it_waits(tmp_path: Path) -> None:
    compile_java(JDKS[0], tmp_path / "classes", Waits=_WAITS)
    script = f"{JDKS[0].java} -cp classes Waits & wait"
    command = ["sh", "-c", script]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"

        assert tell_threads(process.pid) == 1

        told = ""
        while "at Waits.main(Waits.java" not in told:
            line = process.stdout.readline()
            assert line, told
            told += line
        kill_tree(process.pid)
        process.stdout.read()  # ends when nobody is left who could write
