"""What the machine runs, as /proc tells it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from jvmscope.collector.launch.machine import may_start_java

if TYPE_CHECKING:
    from pathlib import Path


def test_a_shim_is_on_its_way_to_java(tmp_path: Path) -> None:
    script = tmp_path / "path/bin/java"
    script.parent.mkdir(parents=True)
    script.write_text("print(flush=True); input()\n")
    assert may_start_java(str(tmp_path)) == (False, False)
    command = [sys.executable, "-IS", str(script)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert may_start_java(str(tmp_path)) == (True, False)
        assert may_start_java(str(tmp_path.parent / "other")) == (False, False)
        process.communicate(b"\n")
    assert may_start_java(str(tmp_path)) == (False, False)


def test_a_forked_shell_may_be_on_its_way(tmp_path: Path) -> None:
    script = "exec 3<&0; (echo; read line <&3) & wait"
    with subprocess.Popen(
        ["/bin/sh", "-c", script],
        env={"PATH": f"{tmp_path}/path/bin:/usr/bin:/bin"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert may_start_java(str(tmp_path)) == (False, True)
        process.communicate(b"\n")
    assert may_start_java(str(tmp_path)) == (False, False)
