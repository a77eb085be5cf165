"""The identity of a recording: a digest of all that can change the facts of its run.

The command and its options, the JVM, the recording's options, the environment that the suite file
sets, and the content of the files that the command runs or names as inputs. Not: timeouts, tags,
descriptions, what is expected, and where the suite lies on this machine.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmscope.collector.launch.jdk import JdkError, is_below, jdk_of_launcher
from jvmscope.suite.code_files import CodeFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jvmscope.suite.planning import Planned

__all__ = ["identities", "idle_inputs"]

_DIGITS = 32


def identities(planned: Iterable[Planned], output: Path | None = None) -> dict[str, str]:
    """Returns the identities of recordings by name, 32 hexadecimal digits each.

    Files are read where this runs, once each; one that is not there counts as absent.

    Args:
        planned: the recordings.
        output: the directory in which the suite writes, whose content does not count; None: a URL.
    """
    code = CodeFiles()
    content = cache(partial(_content, output=output))
    jvm = cache(_jvm)
    return {each.name: _identity(each, code, content, jvm) for each in planned}


def _identity(
    planned: Planned,
    code: CodeFiles,
    content: Callable[[Path], str | None],
    jvm: Callable[[str], str],
) -> str:
    files = {str(path): content(path) for path in sorted(set(_files(planned, code)))}
    facts: dict[str, Any] = {
        "words": planned.words[1:] if planned.has_launcher else planned.words,
        "jvm": jvm(_executable(planned, planned.java)),
        "directory": planned.directory,
        "environment": dict(planned.environment),
        "options": {name: str(value) for name, value in planned.options.items()},
        "files": {path: digest for path, digest in files.items() if digest is not None},
    }
    text = json.dumps(facts, sort_keys=True).replace(json.dumps(planned.folder)[1:-1], "{suite}")
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _files(planned: Planned, code: CodeFiles) -> Iterator[Path]:
    """Yields the files and directories whose content belongs to a recording."""
    directory, words = Path(planned.directory), planned.words[1:]
    environment = {**os.environ, **planned.environment}
    if planned.has_launcher:
        yield from code.of_java(words, directory, environment)
    else:
        yield directory / _executable(planned, planned.words[0])
        yield from code.of_program(words, directory, environment)
    if planned.stdin:
        yield Path(planned.stdin)
    if "probe" in planned.options:
        yield Path(planned.options["probe"])
    for pattern in planned.inputs:
        yield from _matching(Path(planned.folder), pattern)


def _executable(planned: Planned, word: str) -> str:
    """Returns the file that a word starts in the directory and by the PATH of a recording.

    One that is not here, as on the machine that only shares out work, is its name.
    """
    if "/" in word:
        return str(Path(planned.directory) / word)
    path = planned.environment.get("PATH", os.environ.get("PATH", os.defpath))
    places = [str(Path(planned.directory) / place) for place in path.split(os.pathsep)]
    return shutil.which(word, path=os.pathsep.join(places)) or word


def idle_inputs(planned: Iterable[Planned]) -> list[str]:
    """Returns the patterns of inputs that match no file, each with its benchmark, in order."""
    found = {
        f"{each.benchmark}: {pattern}": None
        for each in planned
        for pattern in each.inputs
        if next(_matching(Path(each.folder), pattern), None) is None
    }
    return [*found]


def _matching(folder: Path, pattern: str) -> Iterator[Path]:
    relative = Path(pattern)
    if relative.is_absolute():
        folder, relative = Path(relative.anchor), relative.relative_to(relative.anchor)
    yield from folder.glob(str(relative))


def _content(path: Path, output: Path | None) -> str | None:
    """Returns the digest of a file, or of all files of a directory, by name; else "absent".

    None: it belongs to the output of the suite, which changes while it runs.
    """
    if output is not None and is_below(str(path), str(output)):
        return None
    try:
        if not path.is_dir():
            with path.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
        digest = hashlib.sha256()
        for file in sorted(each for each in path.rglob("*") if each.is_file()):
            found = _content(file, output)
            if found is not None:
                name = file.relative_to(path).as_posix()
                digest.update(f"{name}\0{found}\n".encode(errors="surrogateescape"))
        return digest.hexdigest()
    except OSError:
        return "absent"


def _jvm(java: str) -> str:
    """Returns what tells a JVM from another.

    A launcher that is not here, as on the machine that only shares out work, is its name.
    """
    try:
        return hashlib.sha256(jdk_of_launcher(java).identity()).hexdigest()
    except JdkError:
        return java
