"""JVMs that COMMAND started and that no shim saw, since they were named by a path of their own.

A HotSpot VM announces itself: while it runs there is a file named like its process in
``/tmp/hsperfdata_USER``. The directory is listed every now and then, which costs next to nothing;
a VM that ends within that time, or runs with ``-XX:-UsePerfData``, goes unseen.
"""

from __future__ import annotations

import os
import pwd
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from jvmscope.collector.launch.javaargs import parse_java_command

__all__ = ["LOOK_S", "JvmWatch"]

_RECORDERS = "io.jvmscope.agent.PrepareJdk"  # which the shim starts for a JDK that is new

LOOK_S = 0.05
"""How often to look, in seconds: a JVM that does nothing lives about as long."""


def _announcements() -> str:
    try:
        return f"/tmp/hsperfdata_{pwd.getpwuid(os.geteuid()).pw_name}"  # noqa: S108 - the VM's
    except KeyError:  # a user without a name
        return f"/tmp/hsperfdata_{os.geteuid()}"  # noqa: S108


@dataclass
class JvmWatch:
    """The JVMs below COMMAND, by their processes.

    Attributes:
        workspace: the recording's directory, whose shims are in the environment of all that
            COMMAND starts.
        directory: where JVMs announce themselves.
    """

    workspace: str
    directory: str | Path = field(default_factory=_announcements)
    _known: set[str] = field(default_factory=set)
    _seen: dict[int, list[str]] = field(default_factory=dict)
    _homes: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Leaves out the JVMs that run already."""
        self._known.update(self._listed())

    def look(self) -> None:
        """Notes the JVMs that were started since the last time."""
        for name in self._listed():
            if name not in self._known:
                self._known.add(name)
                self._note(name)

    def unreached(self, reached: set[int]) -> list[str]:
        """Returns the launchers and programs of JVMs that are not among the processes given."""
        counts = Counter(
            _described(words) for pid, words in self._seen.items() if pid not in reached
        )
        return [what if n == 1 else f"{what} ({n} times)" for what, n in counts.items()]

    def homes(self, reached: set[int]) -> set[str]:
        """Returns the homes of the JDKs of these JVMs, as far as they are known."""
        return {home for pid, home in self._homes.items() if pid not in reached}

    def _listed(self) -> list[str]:
        try:
            return [path.name for path in Path(self.directory).iterdir()]
        except OSError:
            return []

    def _note(self, name: str) -> None:
        try:
            process = Path("/proc") / name
            is_ours = os.fsencode(f"{self.workspace}/") in (process / "environ").read_bytes()
            words = os.fsdecode((process / "cmdline").read_bytes()).split("\0")[:-1]
        except OSError:  # it has ended, or is another user's
            return
        if is_ours and words and _RECORDERS not in words:
            self._seen[int(name)] = words
            launcher = process / "exe"
            with suppress(OSError):  # it has just ended
                path = launcher.readlink()
                if path.parts[-2:] == ("bin", "java"):
                    self._homes[int(name)] = str(path.parent.parent)


def _described(words: list[str]) -> str:
    """Returns a launcher and its program.

    >>> _described(["/opt/jdk/bin/java", "-Xmx1g", "-cp", "x.jar", "p.Main", "more"])
    '/opt/jdk/bin/java p.Main'
    """
    try:
        main = parse_java_command(words[1:]).main
    except (OSError, ValueError):
        main = None
    return " ".join(filter(None, (words[0], Path(main or "").name)))
