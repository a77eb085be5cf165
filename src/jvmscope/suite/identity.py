"""The identity of a recording: a digest of all that can change the facts of its run.

The command and its options, the JVM, the recording's options, the environment that the suite file
sets, and the content of the files that the command runs or names as inputs. Not: timeouts, tags,
descriptions, what is expected, and where the suite lies on this machine.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import shutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmscope.collector.launch.jdk import JdkError, jdk_of_launcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jvmscope.suite.planning import Planned

__all__ = ["identities"]

_DIGITS = 32
_CLASS_PATH = ("-cp", "-classpath", "--class-path", "-p", "--module-path")


def identities(planned: Iterable[Planned]) -> dict[str, str]:
    """Returns the identities of recordings by name, 32 hexadecimal digits each.

    Files are read where this runs, once each; one that is not there counts as absent.
    """
    content, jvm = cache(_content), cache(_jvm)
    return {each.name: _identity(each, content, jvm) for each in planned}


def _identity(planned: Planned, content: Callable[[Path], str], jvm: Callable[[str], str]) -> str:
    facts: dict[str, Any] = {
        "words": planned.words[1:] if planned.has_launcher else planned.words,
        "jvm": jvm(planned.java),
        "directory": planned.directory,
        "environment": dict(planned.environment),
        "options": {name: str(value) for name, value in planned.options.items()},
        "files": {path: content(Path(path)) for path in sorted(_files(planned))},
    }
    text = json.dumps(facts, sort_keys=True).replace(json.dumps(planned.folder)[1:-1], "{suite}")
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _files(planned: Planned) -> Iterator[str]:
    """Yields the files and directories whose content belongs to a recording."""
    directory = Path(planned.directory)
    words = planned.words
    for before, word in itertools.pairwise(words):
        if before in _CLASS_PATH:
            for entry in word.split(os.pathsep):
                yield from _entries(directory, entry)
        elif before == "-jar" or word.startswith("-javaagent:"):
            yield str(directory / word.removeprefix("-javaagent:").partition("=")[0])
        elif word.startswith("@") and planned.has_launcher:
            yield str(directory / word[1:])
    if not planned.has_launcher:
        yield shutil.which(words[0]) or words[0]
    if planned.stdin:
        yield planned.stdin
    if "probe" in planned.options:
        yield planned.options["probe"]
    for pattern in planned.inputs:
        yield from _matching(Path(planned.folder), pattern)


def _entries(directory: Path, entry: str) -> Iterator[str]:
    """Yields what an entry of a class path names; `lib/*` are the jars in a directory."""
    if entry.endswith("*"):
        yield from map(str, (directory / entry[:-1]).glob("*.[jJ][aA][rR]"))
    elif entry:
        yield str(directory / entry)


def _matching(folder: Path, pattern: str) -> Iterator[str]:
    relative = Path(pattern)
    if relative.is_absolute():
        folder, relative = Path(relative.anchor), relative.relative_to(relative.anchor)
    yield from map(str, folder.glob(str(relative)))


def _content(path: Path) -> str:
    """Returns the digest of a file, or of all files of a directory, by name; else "absent"."""
    try:
        if path.is_dir():
            digest = hashlib.sha256()
            for file in sorted(each for each in path.rglob("*") if each.is_file()):
                name = file.relative_to(path).as_posix()
                digest.update(f"{name}\0{_content(file)}\n".encode(errors="surrogateescape"))
            return digest.hexdigest()
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return "absent"


def _jvm(java: str) -> str:
    """Returns what tells a JVM from another: its release file and the size of its libraries.

    A launcher that is not here, as on the machine that only shares out work, is its name.
    """
    launcher = java if "/" in java else shutil.which(java)
    try:
        home = Path(jdk_of_launcher(launcher or java).home)
        sizes = [(home / "lib" / name).stat().st_size for name in ("server/libjvm.so", "modules")]
        release = (home / "release").read_bytes()
    except (JdkError, OSError):
        return java
    return hashlib.sha256(release + repr(sizes).encode()).hexdigest()
