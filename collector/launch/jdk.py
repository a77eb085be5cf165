"""Finding the JDK behind a `java`, and what it is.

The shim imports this module for every JVM: nothing but `os` at module level.
"""

from __future__ import annotations

import os

__all__ = [
    "OLDEST",
    "Jdk",
    "JdkError",
    "find_in_path",
    "is_below",
    "jdk_of_home",
    "jdk_of_launcher",
    "unsuitable",
    "untried",
]

OLDEST = 17
TRIED = frozenset((17, 21, 25))
_NEEDED_MODULES = ("java.instrument", "jdk.unsupported")


class JdkError(Exception):
    """A Java launcher whose JDK cannot be found out or cannot be recorded."""


class Jdk:
    """A Java runtime on disk.

    Attributes:
        home: its directory, without symbolic links.
        version: `JAVA_VERSION` of its release file, such as `17.0.15`.
        major: the feature release, such as 17.
        modules: names of its modules; empty if the release file does not say.
    """

    __slots__ = ("home", "major", "modules", "version")

    def __init__(self, home: str, version: str, modules: frozenset[str]) -> None:
        self.home = home
        self.version = version
        self.major = _major_of(version)
        self.modules = modules

    @property
    def java(self) -> str:
        """The launcher itself."""
        return os.path.join(self.home, "bin", "java")

    def identity(self) -> bytes:
        """Bytes that differ between any two builds: release file, VM library, module image."""
        parts = [_contents(os.path.join(self.home, "release"))]
        for name in ("server/libjvm.so", "modules"):
            try:
                status = os.stat(os.path.join(self.home, "lib", name))
            except OSError:
                continue
            parts.append(f"{name} {status.st_size} {status.st_mtime_ns}".encode())
        return b"\0".join(parts)


def jdk_of_home(home: str) -> Jdk:
    """The JDK in the directory `home`.

    Raises:
        JdkError: there is none.
    """
    home = os.path.realpath(home)
    if not os.access(os.path.join(home, "bin", "java"), os.X_OK):
        raise JdkError(f"{home}: contains no bin/java")
    release = _release(os.path.join(home, "release"))
    version = release.get("JAVA_VERSION")
    if version is None:
        version = _properties(os.path.join(home, "bin", "java")).get("java.version", "")
    return Jdk(home, version, frozenset(release.get("MODULES", "").split()))


def jdk_of_launcher(java: str) -> Jdk:
    """The JDK whose launcher is `java`, through symbolic links and through wrapper scripts.

    A script (those of asdf, jenv, ...) is asked what `java.home` is; it must not
    find the shim, so the caller passes it with the shims taken out of PATH.

    Raises:
        JdkError: it does not lead to a JDK.
    """
    real = os.path.realpath(java)
    if _is_native(real):
        home = os.path.dirname(os.path.dirname(real))
        if os.path.exists(os.path.join(home, "lib", "libjli.so")) or os.path.exists(
            os.path.join(home, "lib", "modules")
        ):
            return jdk_of_home(home)
    home = _properties(java).get("java.home", "")
    if not home:
        raise JdkError(f"{java}: it does not report the directory of its JDK")
    return jdk_of_home(home)


def find_in_path(name: str, path: str, *, without: str) -> str | None:
    """The first executable file `name` in the directories of `path`, less those below `without`."""
    for directory in path.split(os.pathsep):
        candidate = os.path.join(directory or ".", name)
        if is_below(candidate, without):
            continue
        if os.access(candidate, os.X_OK) and os.path.isfile(candidate):
            return candidate
    return None


def is_below(path: str, directory: str) -> bool:
    """Whether `path` names something in `directory`, as written or with links followed.

    >>> is_below("/tmp/a/../a/b", "/tmp/a"), is_below("/tmp/ab", "/tmp/a")
    (True, False)
    """
    root = directory.rstrip("/") + "/"
    return (os.path.abspath(path) + "/").startswith(root) or (
        os.path.realpath(path) + "/"
    ).startswith(os.path.realpath(directory) + "/")


def unsuitable(jdk: Jdk, *, has_tree: bool = True) -> str | None:
    """Why `jdk` cannot be recorded, with its calls or without; None if it can."""
    where = f"{jdk.home} is Java {jdk.version or 'of an unknown version'}"
    if jdk.major < OLDEST:
        return f"{where}: recording needs Java {OLDEST} or newer; set JAVA_HOME or PATH to one"
    if not os.path.exists(os.path.join(jdk.home, "lib", "server", "libjvm.so")):
        return f"{where} without a HotSpot server VM, which is the only VM that can be recorded"
    for name in _NEEDED_MODULES if has_tree else ():
        if jdk.modules and name not in jdk.modules:
            return f"{where} without the module {name}, which the agent needs"
    return None


def untried(version: str) -> str | None:
    """A sentence if no test of ours runs on the release of `version`.

    >>> untried("23.0.2")
    'Java 23.0.2 was never tried, only 17, 21 and 25 were'
    >>> untried("17.0.15")
    """
    if _major_of(version) in TRIED:
        return None
    *tried, newest = sorted(TRIED)
    return f"Java {version} was never tried, only {', '.join(map(str, tried))} and {newest} were"


def _major_of(version: str) -> int:
    """The feature release.

    >>> _major_of("17.0.15"), _major_of("1.8.0_402"), _major_of("26-ea"), _major_of("")
    (17, 8, 26, 0)
    """
    numbers = "".join(ch if ch.isdigit() else " " for ch in version).split()
    if numbers[:1] == ["1"] and len(numbers) > 1:
        numbers = numbers[1:]
    return int(numbers[0]) if numbers else 0


def _release(path: str) -> dict[str, str]:
    """The `KEY="value"` lines of a release file; none if there is no such file."""
    entries = {}
    for line in os.fsdecode(_contents(path)).splitlines():
        key, equals, value = line.partition("=")
        if equals:
            entries[key.strip()] = value.strip().strip('"')
    return entries


def _contents(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def _is_native(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False


def _properties(java: str) -> dict[str, str]:
    """The system properties that `java -XshowSettings:properties` prints."""
    import subprocess

    try:
        result = subprocess.run(
            [java, "-XshowSettings:properties", "-version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=60,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise JdkError(f"{java}: cannot determine its version: {error}") from None
    found = {}
    for line in os.fsdecode(result.stderr).splitlines():
        key, equals, value = line.partition(" = ")
        if equals:
            found[key.strip()] = value.strip()
    if not found:
        raise JdkError(f"{java}: is not a working Java launcher (status {result.returncode})")
    return found
