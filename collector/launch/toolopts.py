"""The fallback without a shim: options that every JVM takes from JAVA_TOOL_OPTIONS.

For programs that start a JVM by a path of their own or inside their own process. It works for
one JDK only, the one found by JAVA_HOME or PATH, and every JVM prints a line about it.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.collector.launch.argfiles import join_environment
from jvmscope.collector.launch.flags import (
    UNPINNED_BY_VARIABLE,
    UserSettings,
    chosen_flags,
    environment_words,
)
from jvmscope.collector.launch.jdk import jdk_of_home
from jvmscope.collector.launch.machine import has_room, process_start_ticks
from jvmscope.collector.launch.metaspace import metaspace_options
from jvmscope.collector.launch.shim import (
    agent_lines,
    event_options,
    is_selected,
    native_option,
    options_without_tree,
)
from jvmscope.collector.launch.stacks import stack_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.collector.launch.session import Settings

__all__ = ["VARIABLE", "adopt_jvms", "running_jvms", "tool_options"]

VARIABLE = "JAVA_TOOL_OPTIONS"
_PREFIX = "pid-"
_PID = "%{pid}"
_OPTIONS = "jvm.options"
_UNPINNED = (
    "JAVA_TOOL_OPTIONS cannot pin the garbage collector and the heap: when references are cleared "
    "may vary"
)


def tool_options(
    settings: Settings, entry: str, workspace: Path, environ: Mapping[str, str]
) -> str:
    """The value of JAVA_TOOL_OPTIONS: the user's own options, then ours."""
    environment = dict(environ)
    own = environment.get(VARIABLE)
    raw = f"{settings.partial}/{_PREFIX}{_PID}/raw"
    native = [native_option(settings, raw, entry)] if settings.native else []
    if not settings.has_tree:
        text = "\n".join([*options_without_tree(settings), ""])
        (workspace / _OPTIONS).write_bytes(os.fsencode(text))
        return " ".join([*([own] if own else []), join_environment(native)])
    user = UserSettings(
        [
            *environment_words(environment, VARIABLE),
            *environment_words(environment, "_JAVA_OPTIONS"),
        ]
    )
    options_file = _write_options(settings, entry, raw, workspace)
    paths = [f"{entry}/java.base.jar"]
    if not settings.is_deterministic:
        paths.insert(0, f"{entry}/seeded.jar")
    added = [
        *event_options(settings, raw),
        *native,
        f"--patch-module=java.base={os.pathsep.join(paths)}",
        f"--patch-module=java.instrument={entry}/java.instrument.jar",
    ]
    if settings.is_deterministic:
        intrinsics = Path(entry, "intrinsics.txt").read_text(encoding="utf-8").strip()
        added += chosen_flags(user, intrinsics=intrinsics, unpinned=UNPINNED_BY_VARIABLE)
    added += user.without_archive(is_own=False)
    added += metaspace_options(user.settled)
    added += stack_options([], user.settled)
    added.append(f"-javaagent:{settings.jar}={options_file}")
    with options_file.open("ab") as file:
        file.write(os.fsencode("\n".join([*agent_lines("added", added), ""])))
    return " ".join([*([own] if own else []), join_environment(added)])


def _write_options(settings: Settings, entry: str, raw: str, workspace: Path) -> Path:
    """Writes the agent's options file for all JVMs."""
    lines = [f"raw={raw}", f"cache={entry}", f"max_bytes={settings.max_bytes}", *settings.options]
    if settings.arenas and has_room(settings.arenas, settings.max_bytes):
        lines.append(f"arena={settings.arenas}/{_PID}")
    path = workspace / _OPTIONS
    path.write_bytes(os.fsencode("\n".join([*lines, ""])))
    return path


def running_jvms(partial: Path) -> list[int]:
    """The processes of recorded JVMs that are alive."""
    pids = [int(directory.name[len(_PREFIX) :]) for directory in partial.glob(f"{_PREFIX}*")]
    return [pid for pid in pids if process_start_ticks(pid) is not None]


def adopt_jvms(settings: Settings, workspace: Path, program: str) -> None:
    """Gives each JVM's directory its ordinal and a note, as the shim would have done.

    Args:
        settings: of the recording.
        workspace: where the shim would have noted the starts.
        program: name of COMMAND, by which a JVM goes that no launcher started.
    """
    from jvmscope.collector.ingest.properties import parse_properties

    partial = Path(settings.partial)
    found = []
    for directory in partial.glob(f"{_PREFIX}*"):
        properties = directory / "raw" / "vm.properties"
        if properties.exists():
            text = properties.read_text(encoding="latin-1")
            found.append((properties.stat().st_mtime_ns, directory, parse_properties(text)))
    found.sort(key=lambda item: item[0])
    starts = []
    ordinal = 0
    for _, directory, values in found:
        words = _words(values, program)
        if not words:
            starts.append("passed 0 java")
            shutil.rmtree(directory)
        elif not is_selected(settings.select, words[0], ["java", *words]):
            starts.append(f"unselected 0 {words[0]}")
            shutil.rmtree(directory)
        else:
            ordinal += 1
            starts.append(f"recorded 0 {words[0]}")
            _adopt(directory, partial / f"jvm-{ordinal}", values, words, settings)
            options = (workspace / _OPTIONS).read_bytes()
            (partial / f"jvm-{ordinal}" / "raw" / "options").write_bytes(options)
    (workspace / "starts").write_text("".join(f"{line}\n" for line in starts), encoding="utf-8")


def _words(values: dict[str, str], program: str) -> list[str]:
    """Main class and arguments; empty: a launcher ran none, as for `java -version`.

    A program that loads the VM into its own process has none to tell, but runs Java.
    """
    words = values.get("sun.java.command", "").split()
    return words if words or values.get("sun.java.launcher") else [program]


def _adopt(
    directory: Path,
    target: Path,
    values: dict[str, str],
    words: list[str],
    settings: Settings,
) -> None:
    pid = int(directory.name[len(_PREFIX) :])
    arena = directory / "raw" / "arena"
    in_memory = Path(settings.arenas, str(pid))
    if settings.arenas and in_memory.exists():
        arena.symlink_to(in_memory)
    lines = [
        f"pid={pid}",
        f"started_ticks={process_start_ticks(pid) or 0}",
        f"home={values['java.home']}",
        *(f"prepared={home}" for home in settings.entries),
        f"version={values.get('java.version') or jdk_of_home(values['java.home']).version}",
        "kind=class",
        f"main={words[0]}",
        f"directory={values['user.dir']}",
        "argument=java",
        *(f"argument={word}" for word in words),
    ]
    if settings.is_deterministic and settings.has_tree:
        lines.append(f"note={_UNPINNED}")
    (directory / "launch").write_bytes(os.fsencode("\0".join(lines)))
    directory.rename(target)
