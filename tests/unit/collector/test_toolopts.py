"""Options for every JVM through JAVA_TOOL_OPTIONS."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

import pytest

from jvmscope.collector.launch.launch_notes import read_launch_notes, read_starts
from jvmscope.collector.launch.session import Settings
from jvmscope.collector.launch.toolopts import adopt_jvms, running_jvms, tool_options

if TYPE_CHECKING:
    from pathlib import Path


def settings_in(directory: Path) -> Settings:
    settings = Settings()
    settings.partial = str(directory / "out.partial")
    settings.jar = "/a b/agent.jar"
    settings.max_bytes = 1 << 20
    settings.options = ["recursion=keep"]
    (directory / "out.partial").mkdir()
    return settings


def test_the_users_own_options_come_first(tmp_path: Path) -> None:
    (tmp_path / "entry").mkdir()
    (tmp_path / "entry/intrinsics.txt").write_text("-_min\n")
    settings = settings_in(tmp_path)
    entry = str(tmp_path / "entry")
    text = tool_options(settings, entry, tmp_path, {"JAVA_TOOL_OPTIONS": "-Xmx7m"})
    words = shlex.split(text)
    assert words[:2] == ["-Xmx7m", f"--patch-module=java.base={entry}/java.base.jar"]
    assert "-XX:ControlIntrinsic=-_min" in words
    assert "-Xss4096k" in words
    assert words[-1] == f"-javaagent:/a b/agent.jar={tmp_path}/jvm.options"
    lines = (tmp_path / "jvm.options").read_text().splitlines()
    assert f"raw={settings.partial}/pid-%{{pid}}/raw" in lines
    assert "recursion=keep" in lines
    assert [line[len("added=") :] for line in lines if line.startswith("added=")] == words[1:]


def test_what_a_command_line_may_contradict_is_not_pinned(tmp_path: Path) -> None:
    """With two collectors, or a largest heap below the initial one, no VM starts."""
    (tmp_path / "entry").mkdir()
    (tmp_path / "entry/intrinsics.txt").write_text("-_min\n")
    text = tool_options(settings_in(tmp_path), str(tmp_path / "entry"), tmp_path, {})
    unwanted = ("-Xm", "-XX:+Use", "-XX:MaxHeap")
    assert [word for word in shlex.split(text) if word.startswith(unwanted)] == []


def add_jvm(
    settings: Settings, pid: int, *, command: str, time_ns: int, is_launched: bool = True
) -> None:
    from pathlib import Path

    raw = Path(settings.partial, f"pid-{pid}", "raw")
    raw.mkdir(parents=True)
    text = f"java.home=/jdk\njava.version=17.0.1\nuser.dir=/here\nsun.java.command={command}\n"
    text += "sun.java.launcher=SUN_STANDARD\n" if is_launched else ""
    (raw / "vm.properties").write_text(text)
    os.utime(raw / "vm.properties", ns=(time_ns, time_ns))


def test_jvms_get_ordinals_by_their_start(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    settings.select = "p.*"
    settings.entries = {"/prepared jdk": "/entry"}
    (tmp_path / "jvm.options").write_text("cache=/entry\n")
    # Process numbers above the system's largest one.
    add_jvm(settings, 5_000_001, command="p.Late x", time_ns=3)
    add_jvm(settings, 5_000_002, command="p.Early", time_ns=1)
    add_jvm(settings, 5_000_003, command="", time_ns=2)
    add_jvm(settings, 5_000_004, command="q.Other", time_ns=2)
    assert running_jvms(tmp_path / "out.partial") == []
    adopt_jvms(settings, tmp_path, "sh")
    notes = read_launch_notes(tmp_path / "out.partial")
    assert [(note.ordinal, note.main) for note in notes] == [(1, "p.Early"), (2, "p.Late")]
    assert notes[1].command == ["java", "p.Late", "x"]
    assert "cannot pin" in notes[0].notes[0]
    assert (notes[0].java_home, notes[0].prepared_home) == ("/jdk", "/prepared jdk")
    assert not notes[0].is_alive()
    assert (notes[0].directory / "raw/options").read_text() == "cache=/entry\n"
    assert sorted(start.what for start in read_starts(tmp_path)) == [
        "passed",
        "recorded",
        "recorded",
        "unselected",
    ]


@pytest.mark.parametrize("is_launched", [False, True])
@pytest.mark.parametrize("command", ["", "p.Main x"])
def test_a_vm_without_a_launcher_goes_by_the_programs_name(
    tmp_path: Path, command: str, *, is_launched: bool
) -> None:
    settings = settings_in(tmp_path)
    (tmp_path / "jvm.options").write_text("")
    add_jvm(settings, 5_000_001, command=command, time_ns=1, is_launched=is_launched)
    adopt_jvms(settings, tmp_path, "host")
    mains = [note.main for note in read_launch_notes(tmp_path / "out.partial")]
    expected = command.split()[:1] or ([] if is_launched else ["host"])
    assert mains == expected
    assert [start.what for start in read_starts(tmp_path)] == ["recorded" if expected else "passed"]
