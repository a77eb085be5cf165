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

from jvmscope.collector.begun import OF_JVMS, Begun
from jvmscope.errors import AgentError, RunError
from jvmscope.temporary_files import temporary_directory

if TYPE_CHECKING:
    from types import TracebackType

    from jvmscope.collector.launch.jdk import Jdk

__all__ = ["MEMORY", "SHIMMED_TOOLS", "Workspace", "clear_abandoned", "serves"]

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
_SERVED = "recording"
_BLOCK_BYTES = 512  # of st_blocks, whatever the file system's are

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
    """A numbered directory that belongs to one recording at a time.

    It is removed at its end, unless that is an interruption after which what the JVMs left has
    not been kept.

    Attributes:
        path: the directory.
        arenas: a directory of its own in memory, or None where there is no such file system.
        killed: directories of recordings that were killed and may be recovered, and the bytes of
            memory that are kept for each.
    """

    def __init__(self) -> None:
        self.killed: dict[Path, int] = {}
        self.path, self._lock = _claim(_base(), self.killed)
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
        is_ended = kind is None or issubclass(kind, AgentError)
        if is_ended or _wanted_by(self.path) is None:
            _clear(self.path)
            shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)

    def serve(self, partial: Path) -> None:
        """Notes where the recording is made, which may be recovered if its process is killed.

        Raises:
            OSError: there is no room for the note.
        """
        (self.path / _SERVED).write_bytes(os.fsencode(partial))

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


def _claim(base: Path, killed: dict[Path, int]) -> tuple[Path, int]:
    """The first `jvmscope-N` in `base` that no other recording needs, emptied, and its lock.

    Those that recordings need which were killed go into `killed`.
    """
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
        wanted = _wanted_by(path) if is_same else None
        if is_same and wanted is None:
            _clear(path)
            return path, lock
        os.close(lock)
        if wanted is not None:
            killed[wanted] = _memory_of(path)
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
        if _wanted_by(path) is not None:
            return
        _clear(path)
        # Who has opened the lock by now finds it gone, and takes another directory.
        shutil.rmtree(path, ignore_errors=True)
    finally:
        os.close(lock)


def serves(path: Path, partial: Path) -> bool:
    """Whether a directory is this user's workspace of the recording that is made in `partial`."""
    try:
        served = Path(os.fsdecode((path / _SERVED).read_bytes()))
        return _is_ours(path) and served.samefile(partial)
    except OSError:
        return False


def _wanted_by(path: Path) -> Path | None:
    """Where a recording was killed that may still be recovered from what is here; None: nowhere.

    The nodes of its trees are in memory, and some of its JVMs may go on.
    """
    try:
        partial = Path(os.fsdecode((path / _SERVED).read_bytes()))
        is_of_this = Begun.read(partial).workspace == str(path)
        has_jvms = any(entry.name.startswith(OF_JVMS) for entry in partial.iterdir())
    except (OSError, RunError):
        return None
    return partial if is_of_this and has_jvms else None


def _memory_of(path: Path) -> int:
    """The bytes of memory that the arenas of a workspace take."""
    arenas = _arenas_of(path)
    if arenas is None:
        return 0
    with contextlib.suppress(OSError):  # somebody recovers it just now
        return sum(arena.stat().st_blocks * _BLOCK_BYTES for arena in arenas.iterdir())
    return 0


def _arenas_of(path: Path) -> Path | None:
    """The directory in memory that belongs to a workspace; None: it has none."""
    try:
        arenas = Path(os.fsdecode((path / "arenas").read_bytes()))
    except FileNotFoundError:
        return None
    is_ours = arenas.parent == MEMORY and arenas.name.startswith("jvmscope-")
    return arenas if is_ours and arenas.is_dir() else None


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
    arenas = _arenas_of(path)
    if arenas is not None:
        shutil.rmtree(arenas, ignore_errors=True)
    for entry in path.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        elif entry.name != "lock":
            entry.unlink(missing_ok=True)
