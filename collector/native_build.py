"""Builds the library that counts native code, from collector/native with the machine's C compiler.

The build runs this file as a script, before anything is installed: nothing but the standard
library. Without a compiler or a JDK's headers it says what is missing and succeeds, since all else
works without the library.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

__all__ = [
    "LIBRARY",
    "MissingTool",
    "build",
    "digest_of_sources",
    "is_built_from",
    "other_machine",
]

LIBRARY = "libjvmscope-native.so"
"""The name of the library, beside the agent's jar."""

_MARK = "jvmscope-sources:"
_MACHINE = "x86_64"
_OPTIONS = (
    *("-std=c11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Wpedantic"),
    *("-fPIC", "-fvisibility=hidden", "-shared"),
)
_LIBRARIES = ("-ldl", "-lpthread")


class MissingTool(Exception):
    """Something that building needs is not there; the message says what."""


def digest_of_sources(native: Path) -> str | None:
    """Returns the digest of what the library is made of; None: that is not there, as in a wheel."""
    sources = sorted((native / "src").glob("*"))
    if not sources:
        return None
    digest = hashlib.sha256(" ".join(_OPTIONS).encode())
    for path in sources:
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:32]


def is_built_from(library: Path, digest: str) -> bool:
    """Returns whether a library was built from the sources with a digest."""
    return f"{_MARK}{digest}".encode() in library.read_bytes()


def other_machine() -> str | None:
    """Returns this machine in words, if the library is not made for it."""
    if sys.platform == "linux" and platform.machine() == _MACHINE:
        return None
    return f"{sys.platform} on {platform.machine()}"


def build(native: Path, library: Path) -> None:
    """Builds the library, unless it is that of the sources.

    Raises:
        MissingTool: there is no compiler, no JDK with headers, or the processor is another one.
        CalledProcessError: the compiler failed, and has said why.
    """
    digest = digest_of_sources(native)
    if digest is None:
        raise MissingTool(f"no sources in {native}")
    if library.exists() and is_built_from(library, digest):
        return
    machine = other_machine()
    if machine is not None:
        raise MissingTool(f"Linux on {_MACHINE}; this is {machine}")
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        raise MissingTool("a C compiler")
    headers = _headers()
    sources = sorted(str(path) for path in (native / "src").glob("*.[cS]"))
    made = library.with_name(f".{library.name}.{os.getpid()}")
    command = [compiler, *_OPTIONS, f'-DSOURCES="{_MARK}{digest}"']
    command += [f"-I{headers}", f"-I{headers / 'linux'}", *sources, "-o", str(made), *_LIBRARIES]
    try:
        subprocess.run(command, check=True)
        made.replace(library)
    finally:
        made.unlink(missing_ok=True)


def _headers() -> Path:
    """Returns the folder with the headers of a JDK: that of JAVA_HOME, or of `javac`."""
    javac = shutil.which("javac")
    homes = [os.environ.get("JAVA_HOME"), javac and Path(javac).resolve().parent.parent]
    for home in homes:
        if home and Path(home, "include", "jvmti.h").exists():
            return Path(home, "include")
    raise MissingTool("the headers of a JDK (include/jvmti.h)")


if __name__ == "__main__":
    try:
        build(Path(sys.argv[1]), Path(sys.argv[2]))
    except MissingTool as error:
        sys.stderr.write(f"jvmscope: `record --probes native` will not work: it needs {error}\n")
    except subprocess.CalledProcessError:
        sys.exit(1)
