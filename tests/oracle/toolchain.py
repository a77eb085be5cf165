"""JDKs for the tests, and what is compiled with them: oracle agents and test programs."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from oracle.handmade import write_classes

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "BRIEF",
    "PROGRAMS",
    "Jdk",
    "MissingTool",
    "Program",
    "agent_library",
    "alone",
    "class_path",
    "digest",
    "find_jdks",
    "programs",
    "run_tool",
]

HERE = Path(__file__).parent
PROGRAMS = HERE.parent / "programs"
BRIEF = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")
"""Options of a compiler of a few lines, whose own code is not worth optimising."""

_VERSION = re.compile(r'^JAVA_VERSION="(\d+)', re.MULTILINE)


class MissingTool(RuntimeError):
    """A compiler or JDK that a test needs is not on this machine."""


@dataclass(frozen=True, order=True)
class Jdk:
    """A JDK with a compiler: its feature version and home."""

    version: int
    home: Path

    def tool(self, name: str) -> str:
        """The path of a program of the JDK."""
        return str(self.home / "bin" / name)

    @property
    def java(self) -> str:
        """The path of its `java`."""
        return self.tool("java")


@dataclass(frozen=True, order=True)
class Program:
    """A test program: source file, main class in JVM form, oldest JDK that compiles it."""

    source: Path
    main_class: str
    min_version: int

    @property
    def name(self) -> str:
        """The name of the source file without its suffix."""
        return self.source.stem


def _read_jdk(home: Path) -> Jdk | None:
    release = home / "release"
    if not (home / "bin" / "javac").exists() or not release.exists():
        return None
    match = _VERSION.search(release.read_text(encoding="utf-8"))
    return Jdk(int(match[1]), home.resolve()) if match else None


def _candidates() -> list[Path]:
    homes = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    javac = shutil.which("javac")
    if javac is not None:
        homes.append(Path(javac).resolve().parent.parent)
    return homes + sorted(Path("/usr/lib/jvm").glob("*"))


@functools.cache
def find_jdks() -> tuple[Jdk, ...]:
    """One JDK of each version to test with, oldest first.

    `JVMSCOPE_TEST_JDKS` names their homes, separated as in `PATH`; without it, 17 and 25 are
    looked for (`JAVA_HOME`, `PATH`, the system's JDK folder), and if neither is there, any other
    version from 17 on. Empty if the machine has none.
    """
    named = os.environ.get("JVMSCOPE_TEST_JDKS")
    homes = [Path(p) for p in named.split(os.pathsep) if p] if named else _candidates()
    found: dict[int, Jdk] = {}
    for home in homes:
        jdk = _read_jdk(home)
        if jdk is not None and jdk.version >= 17:
            found.setdefault(jdk.version, jdk)
    usual = {17, 25} & set(found)
    chosen = set(found) if named or not usual else usual
    return tuple(sorted(found[version] for version in chosen))


@functools.cache
def programs(folder: str = "") -> tuple[Program, ...]:
    """The test programs in order of name: of one sub-folder, or those of the top and `jdk21`."""
    found: list[Program] = []
    for sub in [folder] if folder else ["", "jdk21"]:
        version = 21 if sub == "jdk21" else 17
        sources = (PROGRAMS / sub).glob("*.java")
        found.extend(Program(source, source.stem, version) for source in sources)
    return tuple(sorted(found, key=lambda program: program.name))


def run_tool(command: list[str], directory: Path | None = None) -> None:
    """Runs a compiler, in `directory`; RuntimeError with what it printed if it fails."""
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        msg = f"{' '.join(command)}\nended with {done.returncode}:\n{done.stdout}{done.stderr}"
        raise RuntimeError(msg)


def digest(paths: list[Path], *more: str) -> str:
    """A name for what is made of these files and texts: other content, another name."""
    digest = hashlib.sha256("\0".join(more).encode())
    for path in sorted(paths):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Makes the other processes that want to make `path` wait, and makes its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f"{path.name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def agent_library(jdk: Jdk, name: str, build: Path, *, folder: Path = HERE) -> Path:
    """The shared library of a C file (`step_oracle`, …), compiled against this JDK's headers.

    Raises:
        MissingTool: there is no C compiler, or the JDK has no header files.
    """
    source = folder / f"{name}.c"
    include = jdk.home / "include"
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        msg = "no C compiler: install one (cc) to run the oracles"
        raise MissingTool(msg)
    if not (include / "jvmti.h").exists():
        msg = f"no jvmti.h in {include}: install the JDK's development files"
        raise MissingTool(msg)
    headers = [*HERE.glob("*.h"), include / "jvmti.h"]
    library = build / f"{name}-{digest([source, *headers])}.so"
    if not library.exists():
        with alone(library):
            _compile(compiler, source, include, library)
    return library


def _compile(compiler: str, source: Path, include: Path, library: Path) -> None:
    if library.exists():
        return
    system = "darwin" if sys.platform == "darwin" else "linux"
    made = library.with_suffix(f".{os.getpid()}")
    flags = ["-std=c11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]
    includes = [f"-I{include}", f"-I{include / system}"]
    run_tool([compiler, *flags, *includes, "-o", str(made), str(source), "-lpthread"])
    made.replace(library)


def class_path(jdk: Jdk, build: Path) -> Path:
    """A folder with every test program that the JDK can compile, and the hand-made classes."""
    sources = [p.source for folder in ("", "exits", "signals", "probes") for p in programs(folder)]
    sources = [s for s in sources if jdk.version >= 21 or s.parent.name != "jdk21"]
    makers = [HERE / "handmade.py", HERE / "classwriter.py"]
    folder = build / f"classes-{jdk.version}-{digest([*sources, *makers], str(jdk.home))}"
    if not folder.exists():
        with alone(folder):
            _compile_programs(jdk, sources, folder)
    return folder


def _compile_programs(jdk: Jdk, sources: list[Path], folder: Path) -> None:
    if folder.exists():
        return
    made = folder.with_suffix(f".{os.getpid()}")
    made.mkdir(parents=True)
    write_classes(made)
    options = ["-g", "-encoding", "UTF-8", "-cp", str(made), "-d", str(made)]
    run_tool([jdk.tool("javac"), *BRIEF, *options, *map(str, sources)])
    made.rename(folder)
