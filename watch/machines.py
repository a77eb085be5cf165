"""The Java VMs that run on this machine, and whether each can be attached to.

A VM is a process that has ``libjvm.so`` among its mapped files, or of another user's processes,
whose files only root may see, one whose program is named ``java``. What it runs is known from its
performance counters, or from its command line if it has none.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.errors import AgentError
from jvmscope.watch.perf_data import read_perf_data

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["OLDEST", "JavaVm", "find_vm", "find_vms", "is_stopped", "release_of", "vms_below"]

OLDEST = 17
"""The first release whose VMs can be watched."""

_PROC = Path("/proc")
_QUIT = 1 << 2  # SIGQUIT in the masks of /proc/PID/status
_REFUSES = "-XX:+DisableAttachMechanism"
_MODULE_PATH = re.compile(r"(?:^| )--module-path=(.*?)(?= -|$)")
_LIBRARY = re.compile(r"(?P<home>/.+)/lib/(?:\w+/)?libjvm\.so$", re.MULTILINE)
_JAVA_VERSION = re.compile(r'^JAVA_VERSION="(?P<version>[^"]+)"$', re.MULTILINE)
_OPTION_VARIABLES = ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")


@dataclass(frozen=True)
class JavaVm:
    """A process with a Java VM.

    Attributes:
        pid: its number here.
        inner_pid: its number in its own process namespace, as in a container.
        uid: the user that it acts for.
        version: the version of its JDK, such as ``17.0.15``; None if it is not known.
        main: its main class or jar; None if it is not known.
        home: the directory of its JDK; None if it is not known.
        name: its name, such as ``OpenJDK 64-Bit Server VM``; None if it is not known.
        build: the build of the VM, such as ``17.0.15+6-Debian``; None if it is not known.
        class_path: the class path that it was started with; None if it is not known.
        module_path: the module path that it was started with; None if there is none that is known.
        arguments: the options of the VM, with spaces between; None if they are not known.
        refusal: why it cannot be attached to; None if it can.
    """

    pid: int
    inner_pid: int
    uid: int
    version: str | None
    main: str | None
    home: str | None
    name: str | None
    refusal: str | None
    build: str | None = None
    class_path: str | None = None
    module_path: str | None = None
    arguments: str | None = None

    @property
    def root(self) -> Path:
        """The root directory that the VM sees."""
        return _PROC / str(self.pid) / "root"

    @property
    def is_stopped(self) -> bool:
        """Whether the process stands still, as by SIGSTOP, so that the VM answers nothing."""
        return _status(self.pid).get("State", "").split()[:1] in (["T"], ["t"])

    def expect_alive(self) -> None:
        """Refuses a VM that has ended.

        Raises:
            AgentError: it has.
        """
        try:
            self.root.readlink()
        except FileNotFoundError:
            raise AgentError(f"process {self.pid}: the VM has ended") from None
        except OSError:  # of another user
            return

    @property
    def release(self) -> int | None:
        """The release of Java, such as 17; None if it is not known."""
        return release_of(self.version or "")

    def expect_watchable(self) -> None:
        """Refuses a VM that cannot be attached to.

        Raises:
            AgentError: it cannot; with the reason and what to do.
        """
        if self.refusal is not None:
            raise AgentError(f"process {self.pid} cannot be watched: {self.refusal}")


def find_vms() -> list[JavaVm]:
    """Returns the VMs that run, by their numbers."""
    pids = sorted(int(path.name) for path in _PROC.iterdir() if path.name.isdecimal())
    return [vm for pid in pids if (vm := find_vm(pid)) is not None]


def find_vm(pid: int) -> JavaVm | None:
    """Returns the VM of a process; None if there is no such process, or it has no VM."""
    status = _status(pid)
    if not status or not _has_vm(pid):
        return None
    inner_pid = int(status.get("NSpid", str(pid)).split()[-1])
    uid = int(status["Uid"].split()[1])
    counters = _counters(pid, inner_pid, uid)
    words = _words(_PROC / str(pid) / "cmdline")
    home = counters.get("java.property.java.home") or _home(pid)
    version = counters.get("java.property.java.version") or _installed_version(pid, home)
    command = counters.get("sun.rt.javaCommand")
    main = command.split(" ")[0] if command else _main_of(words)
    refusal = _refusal(pid, uid, status, counters, version)
    return JavaVm(
        pid=pid,
        inner_pid=inner_pid,
        uid=uid,
        version=version,
        main=main,
        home=home,
        name=counters.get("java.property.java.vm.name"),
        refusal=refusal,
        build=counters.get("java.property.java.vm.version"),
        class_path=counters.get("java.property.java.class.path"),
        module_path=_module_path(counters),
        arguments=counters.get("java.rt.vmArgs"),
    )


def vms_below(pid: int) -> list[JavaVm]:
    """Returns the VMs among a process and the processes that it started, and these, and so on."""
    parents: dict[int, int] = {}
    for path in _PROC.iterdir():
        if path.name.isdecimal() and (status := _status(int(path.name))):
            parents[int(path.name)] = int(status["PPid"])
    family = {pid}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    return [vm for each in sorted(family) if (vm := find_vm(each)) is not None]


def is_stopped(pid: int) -> bool:
    """Tells whether a process was stopped, by a signal or a debugger."""
    return _status(pid).get("State", "").split()[:1] in (["T"], ["t"])


def _status(pid: int) -> dict[str, str]:
    """Returns the entries of ``/proc/PID/status``; none if the process has ended."""
    try:
        text = (_PROC / str(pid) / "status").read_text(errors="replace")
    except OSError:
        return {}
    entries = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return {} if entries.get("State", "").split()[:1] in (["Z"], ["X"]) else entries


def _has_vm(pid: int) -> bool:
    try:
        return b"/libjvm.so" in (_PROC / str(pid) / "maps").read_bytes()
    except PermissionError:
        words = _words(_PROC / str(pid) / "cmdline")
        return bool(words) and Path(words[0]).name == "java"
    except OSError:
        return False


def _counters(pid: int, inner_pid: int, uid: int) -> dict[str, str]:
    """Returns the counters of a VM; none if it has none.

    A VM that was killed leaves its file, and a process of another user may get its number.
    """
    try:
        files = (_PROC / str(pid) / "root" / "tmp").glob(f"hsperfdata_*/{inner_pid}")
        own = sorted(path for path in files if path.stat().st_uid == uid)
    except OSError:
        return {}
    return read_perf_data(own[0]) if own else {}


def _home(pid: int) -> str | None:
    """Returns the JDK whose VM a process has loaded, as it sees it; None: that is not known."""
    try:
        maps = os.fsdecode((_PROC / str(pid) / "maps").read_bytes())
    except OSError:
        return None
    found = _LIBRARY.search(maps)
    return found["home"] if found else None


def _installed_version(pid: int, home: str | None) -> str | None:
    """Returns the version that a JDK says of itself, of a VM without counters."""
    if home is None:
        return None
    try:
        path = _PROC / str(pid) / "root" / home.lstrip("/") / "release"
        found = _JAVA_VERSION.search(path.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return None
    return found["version"] if found else None


def release_of(version: str) -> int | None:
    """Returns the release of Java of a version; None: it says none.

    >>> release_of("17.0.15"), release_of("26-ea"), release_of("")
    (17, 26, None)
    """
    major = version.partition(".")[0].partition("-")[0]
    return int(major) if major.isdecimal() else None


def _module_path(counters: Mapping[str, str]) -> str | None:
    """Returns the module path; before Java 25 no counter has it, but the options do.

    >>> _module_path({"java.rt.vmArgs": "-Xmx1g --module-path=mods:my lib.jar -Djdk.module.main=m"})
    'mods:my lib.jar'
    >>> _module_path({"java.rt.vmArgs": "-Xmx1g"})
    """
    of_property = counters.get("java.property.jdk.module.path")
    found = _MODULE_PATH.findall(counters.get("java.rt.vmArgs", ""))
    return of_property or (found[-1] if found else None)


def _words(path: Path) -> list[str]:
    try:
        return os.fsdecode(path.read_bytes()).rstrip("\0").split("\0")
    except OSError:
        return []


_TAKE_VALUES = frozenset(
    {
        *("-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path"),
        *("--add-modules", "--limit-modules", "--enable-native-access", "--patch-module"),
        *("--add-exports", "--add-opens", "--add-reads", "--source"),
    }
)
"""The launcher's options whose value is the next word."""


def _main_of(words: list[str]) -> str | None:
    """Returns the main class or jar that a command line names.

    >>> _main_of(["java", "-Xmx1g", "-cp", "a.jar", "app.Main", "x"])
    'app.Main'
    >>> _main_of(["java", "-jar", "app.jar"]), _main_of(["java"])
    ('app.jar', None)
    >>> _main_of(["java", "--add-opens", "java.base/java.lang=ALL-UNNAMED", "app.Main"])
    'app.Main'
    """
    rest = iter(words[1:])
    for word in rest:
        if word in _TAKE_VALUES:
            next(rest, None)
        elif word in ("-jar", "-m", "--module"):
            return next(rest, None)
        elif not word.startswith(("-", "@")):
            return word
    return None


def _refusal(
    pid: int, uid: int, status: dict[str, str], counters: dict[str, str], version: str | None
) -> str | None:
    """Returns why a VM cannot be attached to; None if it can."""
    if os.geteuid() not in (0, uid):
        return f"it belongs to another user (uid {uid}): run jvmscope as that user"
    if _refuses_attach(pid, counters):
        return f"it was started with {_REFUSES}: start it without that option"
    if not int(status.get("SigCgt", "0"), 16) & _QUIT:
        return "it does not handle SIGQUIT: it is still starting, or was started with -Xrs"
    release = release_of(version or "")
    if release is not None and release < OLDEST:
        return f"it is Java {version}: watching needs Java {OLDEST} or newer"
    return None


def _refuses_attach(pid: int, counters: dict[str, str]) -> bool:
    """Tells whether a VM answers SIGQUIT by printing its threads, and by nothing else."""
    if capabilities := counters.get("sun.rt.jvmCapabilities"):
        return capabilities[0] != "1"
    variables = dict(
        word.partition("=")[::2] for word in _words(_PROC / str(pid) / "environ") if "=" in word
    )
    words = _words(_PROC / str(pid) / "cmdline")
    options = [*words, *(o for name in _OPTION_VARIABLES for o in variables.get(name, "").split())]
    return _REFUSES in options
