"""What `record` tells the shim: a directory with a settings file, used while COMMAND runs.

The directory is `jvmscope-N` in the directory for temporary files, N being the lowest number
that no other recording uses: programs see its path in PATH and JAVA_HOME, and the same path
each time gives the same counts each time. The shim imports this module: nothing but `os`.
"""

from __future__ import annotations

import os

from jvmscope.collector.launch.jdk import Jdk

__all__ = ["Settings", "read_settings", "write_settings"]

_FILE = "settings"


class Settings:
    """What the shim has to know.

    Attributes:
        partial: directory that gets one `jvm-N` for each JVM.
        jar: the agent's jar; `jar_sha256` is its digest.
        variant: options of PrepareJdk, separated by blanks.
        native: the library that counts native code; empty: it is not counted.
        native_clock: how the library measures time.
        native_mode: `spa` if it follows the VM's events; empty: it does not.
        contention: the same library, if it tells of threads that wait for monitors; else empty.
        unseen: the same library, if it counts objects that no bytecode makes; else empty.
        snippets: directory with the class files of the user's own probe; empty: none.
        cache: the cache's directory.
        arenas: directory in memory for the arenas; empty if they go beside the raw files.
        max_bytes: the arena's limit.
        has_tree: whether calls are counted; else only native code is.
        is_deterministic: whether the VM's options are set for repeatable counts.
        is_quiet: whether the shim says nothing but errors.
        select: pattern that a JVM's main has to match to be recorded; empty: any.
        named: the directory of the launcher, as COMMAND names it; empty: it names none by a path.
        path, java_home: the user's own PATH and JAVA_HOME; None: not set.
        options: lines for the agent's options file.
        homes: JDK of each fake home.
        entries: cache entry of each JDK's home, as far as they are prepared already.
    """

    def __init__(self) -> None:
        self.partial = ""
        self.jar = ""
        self.jar_sha256 = ""
        self.variant = ""
        self.native = ""
        self.native_clock = ""
        self.native_mode = ""
        self.contention = ""
        self.unseen = ""
        self.snippets = ""
        self.cache = ""
        self.arenas = ""
        self.max_bytes = 0
        self.has_tree = True
        self.is_deterministic = True
        self.is_quiet = False
        self.select = ""
        self.named = ""
        self.path: str | None = None
        self.java_home: str | None = None
        self.options: list[str] = []
        self.homes: dict[str, Jdk] = {}
        self.entries: dict[str, str] = {}


_TEXTS = (
    "partial", "jar", "jar_sha256", "variant", "native", "native_clock", "native_mode",
    "contention", "unseen", "snippets", "cache", "arenas", "select", "named",
)  # fmt: skip
_CLAIMS = ("has_tree", "is_deterministic", "is_quiet")
_SEPARATOR = "\x1f"


def write_settings(directory: str, settings: Settings) -> None:
    """Writes the settings into `directory`."""
    lines = [f"{name}={_escape(getattr(settings, name))}" for name in _TEXTS]
    lines.append(f"max_bytes={settings.max_bytes}")
    lines += [f"{name}={int(getattr(settings, name))}" for name in _CLAIMS]
    if settings.path is not None:
        lines.append(f"path={_escape(settings.path)}")
    if settings.java_home is not None:
        lines.append(f"java_home={_escape(settings.java_home)}")
    lines += [f"option={_escape(option)}" for option in settings.options]
    for name, jdk in settings.homes.items():
        fields = (name, jdk.home, jdk.version, " ".join(sorted(jdk.modules)))
        lines.append(f"home={_escape(_SEPARATOR.join(fields))}")
    for home, entry in settings.entries.items():
        lines.append(f"entry={_escape(home + _SEPARATOR + entry)}")
    with open(os.path.join(directory, _FILE), "wb") as file:
        file.write(os.fsencode("\n".join(lines)))


def read_settings(directory: str) -> Settings:
    """The settings that are in `directory`.

    Raises:
        OSError: there are none: the recording is over.
    """
    with open(os.path.join(directory, _FILE), "rb") as file:
        text = os.fsdecode(file.read())
    settings = Settings()
    for line in text.split("\n"):
        key, _, escaped = line.partition("=")
        value = _unescape(escaped)
        if key in _TEXTS or key in ("path", "java_home"):
            setattr(settings, key, value)
        elif key == "max_bytes":
            settings.max_bytes = int(value)
        elif key in _CLAIMS:
            setattr(settings, key, value == "1")
        elif key == "option":
            settings.options.append(value)
        elif key == "home":
            name, home, version, modules = value.split(_SEPARATOR)
            settings.homes[name] = Jdk(home, version, frozenset(modules.split()))
        elif key == "entry":
            home, entry = value.split(_SEPARATOR)
            settings.entries[home] = entry
    return settings


def _escape(text: str) -> str:
    r"""`text` on one line.

    >>> _unescape(_escape("a\\b\nc")) == "a\\b\nc", _escape("a\nb")
    (True, 'a\\nb')
    """
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    return "\\".join(part.replace("\\n", "\n") for part in text.split("\\\\"))
