"""What the machine runs, as /proc tells it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from jvmscope.collector.launch.machine import (
    address_space,
    group_memory,
    machine_memory,
    may_start_java,
)

if TYPE_CHECKING:
    from pathlib import Path


def write_group(directory: Path, **values: str) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    for name, value in values.items():
        (directory / f"memory.{name}").write_text(f"{value}\n")


def test_a_container_has_less_memory_than_its_machine(tmp_path: Path) -> None:
    own, groups = tmp_path / "cgroup", tmp_path / "groups"
    assert group_memory(str(groups), str(own)) == []
    own.write_text("1:name=systemd:/\n0::/a/b\n")
    assert group_memory(str(groups), str(own)) == []
    write_group(groups / "a/b", max="max", current="4096")
    write_group(groups / "a", max="536870912", current="8192")
    assert group_memory(str(groups), str(own)) == [(536870912, 8192)]
    own.write_text("4:memory:/of/the/host\n0::/\n")
    write_group(groups / "memory", limit_in_bytes="1048576", usage_in_bytes="1024")
    assert group_memory(str(groups), str(own)) == [(1048576, 1024)]
    assert machine_memory() > 1 << 20


_ASK = """
from jvmscope.collector.launch.flags import UserSettings, chosen_flags
from jvmscope.collector.launch.machine import address_space, machine_memory
flags = chosen_flags(UserSettings([]), intrinsics="")
heaps = [flag for flag in flags if flag.startswith("-Xmx")]
print(address_space(), machine_memory() <= (address_space() or 2 * machine_memory()) // 2, *heaps)
"""


def test_limited_addresses_are_limited_memory(tmp_path: Path) -> None:
    """A heap of the size that we pin must fit into them: a bare VM's own choice would."""
    ask = [sys.executable, "-B", "-c", _ASK]
    limited = ["/bin/sh", "-c", 'ulimit -v 3145728; exec "$@"', "sh", *ask]
    output = subprocess.run(limited, check=True, capture_output=True, text=True).stdout
    assert output.split() == [str(3 << 30), "True", "-Xmx768m"]
    free = ["/bin/sh", "-c", 'ulimit -v unlimited; exec "$@"', "sh", *ask]
    output = subprocess.run(free, check=True, capture_output=True, text=True).stdout
    assert output.split()[:2] == ["None", "True"]
    assert address_space(str(tmp_path / "none")) is None


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
