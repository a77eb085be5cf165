"""The directory of a recording in progress: fake JDK homes whose `java` is the shim."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Self

from jvmscope.errors import AgentError
from jvmscope.temporary_files import temporary_directory

if TYPE_CHECKING:
    from types import TracebackType

    from jvmscope.collector.launch.jdk import Jdk

__all__ = ["MEMORY", "SHIMMED_TOOLS", "Workspace", "clear_abandoned"]

# Tools of the JDK that run a program of the JDK in a VM of their own. Those that look at
# other VMs (jcmd, jps, jstack, ...) stay what they are.
SHIMMED_TOOLS = (
    "java",
    "jar",
    "jarsigner",
    "javac",
    "javadoc",
    "javap",
    "jdeprscan",
    "jdeps",
    "jlink",
    "jmod",
    "jpackage",
    "jshell",
    "jwebserver",
    "keytool",
    "serialver",
)
AGENT_JAR = "jvmscope-agent.jar"
_LONGEST_SHEBANG = 120
_SEPARATORS = frozenset(":=,'\"")  # of paths, options and, in variables, words
MEMORY = Path("/dev/shm")  # noqa: S108 - a file system in memory, not a file
_COLLECTOR = Path(__file__).resolve().parent.parent
_MOST_RECORDINGS = 10_000

# The package `jvmscope` itself is not imported: its imports are not for a shim.
_SHIM = """\
import sys
for name, path in (("jvmscope", []), ("jvmscope.collector", [{collector!r}])):
    module = sys.modules[name] = type(sys)(name)
    module.__path__ = path
from jvmscope.collector.launch.shim import main
main({session!r}, {home!r}, {tool!r}, sys.argv[1:])
"""


class Workspace:
    """A numbered directory that belongs to one recording at a time; removed at its end.

    Attributes:
        path: the directory.
        arenas: a directory of its own in memory, or None where there is no such file system.
    """

    def __init__(self) -> None:
        self.path, self._lock = _claim(_base())
        self.arenas: Path | None = None
        if MEMORY.is_dir() and os.access(MEMORY, os.W_OK):
            self.arenas = Path(tempfile.mkdtemp(prefix="jvmscope-", dir=MEMORY))
            (self.path / "arenas").write_bytes(os.fsencode(self.arenas))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _clear(self.path)
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)

    def plain(self, path: Path, name: str) -> Path:
        """`path`, or a link `name` to it where the VM might not find it under its own name.

        In a locale without a path's characters Java cannot name it, and some characters
        separate the parts of options. Whoever asks for the same path again gets the same link.
        """
        if _is_plain(path):
            return path
        link = self.path / name
        if not (link.is_symlink() and link.readlink() == path):
            link.symlink_to(path)
        return link

    def agent(self, jar: Path) -> Path:
        """`jar`, or a copy of it if that is not named as its manifest says.

        By the manifest's name the VM gives the jar to its boot loader, beside the file that links
        lead to. Otherwise the agent would be a class of the program's loader.
        """
        if jar.name == AGENT_JAR and _is_plain(jar):
            return jar
        copy = self.path / AGENT_JAR
        shutil.copyfile(jar, copy)
        return copy

    def add_home(self, name: str, jdk: Jdk) -> Path:
        """Makes a directory like the home of `jdk`, with shims for the tools that start VMs."""
        home = self.path / name
        (home / "bin").mkdir(parents=True)
        for entry in Path(jdk.home).iterdir():
            if entry.name != "bin":
                (home / entry.name).symlink_to(entry)
        for entry in (Path(jdk.home) / "bin").iterdir():
            if entry.name in SHIMMED_TOOLS:
                self._write_shim(home / "bin" / entry.name, name)
            else:
                (home / "bin" / entry.name).symlink_to(entry)
        return home

    def _write_shim(self, path: Path, home: str) -> None:
        program = _SHIM.format(
            collector=str(_COLLECTOR), session=str(self.path), home=home, tool=path.name
        )
        python = os.path.realpath(sys.executable)
        if " " not in python and len(python) < _LONGEST_SHEBANG:
            path.write_text(f"#!{python} -IS\n{program}", encoding="utf-8")
        else:
            script = self.path / f"{home}-{path.name}.py"
            script.write_text(program, encoding="utf-8")
            call = f"exec {_quoted(python)} -IS {_quoted(str(script))}"
            path.write_text(f'#!/bin/sh\n{call} "$@"\n', encoding="utf-8")
        path.chmod(0o755)


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


def _is_plain(path: Path) -> bool:
    text = str(path)
    return text.isascii() and text.isprintable() and not _SEPARATORS & set(text)


def _base() -> Path:
    """A directory for temporary files in which programs may be executed.

    Its path stands in PATH and in options of the VM, where `:` and `=` would end it.
    """
    candidates = [temporary_directory(), "/tmp", "/var/tmp", str(MEMORY)]  # noqa: S108
    for candidate in candidates:
        path = Path(candidate).resolve()
        if not _is_plain(path) or not os.access(path, os.W_OK | os.X_OK):
            continue
        if not os.statvfs(path).f_flag & os.ST_NOEXEC:
            return path
    raise AgentError(f"no directory for temporary files: tried {', '.join(candidates)}")


def _claim(base: Path) -> tuple[Path, int]:
    """The first `jvmscope-N` in `base` that no other recording holds, emptied, and its lock."""
    for number in range(_MOST_RECORDINGS):
        path = base / f"jvmscope-{number}"
        try:
            path.mkdir(mode=0o700)
        except FileExistsError:
            if not _is_ours(path):
                continue
        try:
            lock = os.open(path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except FileNotFoundError:
            continue  # its owner has just removed it
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_same = (path / "lock").stat().st_ino == os.fstat(lock).st_ino
        except OSError:
            is_same = False
        if is_same:
            _clear(path)
            return path, lock
        os.close(lock)
    raise AgentError(
        f"{base}: more than {_MOST_RECORDINGS} recordings at once; wait until one ends"
    )


def clear_abandoned() -> None:
    """Removes what recordings left that were killed: their files, and their nodes in memory.

    The next recordings would do so with the directories that they come to need.
    """
    for path in _base().glob("jvmscope-*"):
        if not path.name.removeprefix("jvmscope-").isdigit():
            continue
        with contextlib.suppress(OSError):
            if _is_ours(path):
                _clear_unless_held(path)


def _clear_unless_held(path: Path) -> None:
    lock = os.open(path / "lock", os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _clear(path)
        # Who has opened the lock by now finds it gone, and takes another directory.
        shutil.rmtree(path, ignore_errors=True)
    finally:
        os.close(lock)


def _is_ours(path: Path) -> bool:
    """Whether `path` is a directory that only this user can have made and can change."""
    try:
        status = path.lstat()
    except FileNotFoundError:  # its owner has just removed it
        return False
    return (
        stat.S_ISDIR(status.st_mode)
        and status.st_uid == os.getuid()
        and not status.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    )


def _clear(path: Path) -> None:
    """Removes what is in the directory, except the lock, and the arenas that belong to it."""
    note = path / "arenas"
    if note.exists():
        arenas = Path(os.fsdecode(note.read_bytes()))
        if arenas.parent == MEMORY and arenas.name.startswith("jvmscope-"):
            shutil.rmtree(arenas, ignore_errors=True)
    for entry in path.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        elif entry.name != "lock":
            entry.unlink(missing_ok=True)
