"""The files whose code a command runs, however its words, its variables or its jars name them.

With the launcher, the words are read as it reads them. What a script makes of its words is not
known: there, and among a program's own arguments, what looks like such an option is taken for one.
"""

from __future__ import annotations

import itertools
import os
import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.collector.launch.flags import OPTION_VARIABLES, environment_words
from jvmscope.collector.launch.javaargs import JavaCommand, parse_java_command

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["CodeFiles"]

_PATHS = ("--class-path", "--module-path", "--upgrade-module-path")
_WITH_NEXT = frozenset(("-cp", "-classpath", "-p", *_PATHS))
"""Options whose next word is a path of several entries."""
_JOINED = (*(f"{name}=" for name in _PATHS), "-Xbootclasspath/a:", "-Djava.class.path=")
_CLASS_PATH = ("-cp=", "-classpath=", "--class-path=", "-Djava.class.path=")
_PATCH = "--patch-module"
_ONE_FILE = ("-javaagent:", "-agentpath:", "-XX:VMOptionsFile=", "-XX:Flags=")
_VM_VARIABLES = ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")
_CLASSES = "*.class"
_PACKAGE = re.compile(rb"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)


class CodeFiles:
    """Finds the files whose code commands run; each directory and jar is looked at once."""

    def __init__(self) -> None:
        self._named_by = cache(_named_by)
        self._below = cache(_below)

    def of_java(
        self, words: Sequence[str], directory: Path, environment: Mapping[str, str]
    ) -> Iterator[Path]:
        """Yields files and directories of a command of the launcher, also such as are not there.

        Args:
            words: those behind the launcher.
            directory: the working directory.
            environment: all that the launcher will have.
        """
        given = [*_options_in(environment, "JDK_JAVA_OPTIONS"), *words]
        yield from (directory / word[1:] for word in given if word.startswith("@"))
        try:
            command = parse_java_command(given, str(directory))
        except OSError:  # the launcher will say so
            command = JavaCommand(given)
        expanded = [word.text for word in command.words]
        named = [*_named_in([*expanded, *_options_in(environment, *_VM_VARIABLES)], directory)]
        if command.kind != "jar" and not any(o.startswith(_CLASS_PATH) for o in command.options):
            named += self._by_default(command, directory, environment)
        if command.kind == "source" and command.main is not None:
            named += self._sources(directory / command.main)
        yield from self._with_named(named)

    def of_program(
        self, words: Sequence[str], directory: Path, environment: Mapping[str, str]
    ) -> Iterator[Path]:
        """Yields the same for a program that starts JVMs, as far as words and variables say it."""
        named = [*_named_in([*words, *_options_in(environment, *OPTION_VARIABLES)], directory)]
        if "CLASSPATH" in environment:
            named += _entries(environment["CLASSPATH"], directory)
        yield from self._with_named(named)

    def _by_default(
        self, command: JavaCommand, directory: Path, environment: Mapping[str, str]
    ) -> Iterable[Path]:
        """Returns where classes are looked for if no option says it."""
        if "CLASSPATH" in environment:
            return _entries(environment["CLASSPATH"], directory)
        # All that is there would include what a program writes.
        return self._below(directory, _CLASSES) if command.kind == "class" else ()

    def _sources(self, file: Path) -> Iterator[Path]:
        """Yields a source file and those that JDK 22 and later compile with it, by packages."""
        yield file
        with suppress(OSError):
            package = _PACKAGE.search(file.read_bytes())
            n_above = package[1].count(b".") + 1 if package else 0
            yield from self._below([*file.parents][: n_above + 1][-1], "*.java")

    def _with_named(self, paths: Iterable[Path]) -> Iterator[Path]:
        """Yields paths, and those that the manifests of jars among them name, each once."""
        todo, known = [*paths], set()
        while todo:
            path = todo.pop()
            if path not in known:
                known.add(path)
                yield path
                todo += self._named_by(path)


def _options_in(environment: Mapping[str, str], *names: str) -> list[str]:
    return [word for name in names for word in environment_words({**environment}, name)]


def _below(directory: Path, pattern: str) -> tuple[Path, ...]:
    try:
        return tuple(directory.rglob(pattern))
    except OSError:  # it changes now
        return ()


def _named_in(words: Sequence[str], directory: Path) -> Iterator[Path]:
    """Yields what the options among words name."""
    for before, word in itertools.pairwise(["", *words]):
        if before in _WITH_NEXT:
            yield from _entries(word, directory)
        elif before == _PATCH or word.startswith(f"{_PATCH}="):
            yield from _entries(word.removeprefix(f"{_PATCH}=").partition("=")[2], directory)
        elif before == "-jar":
            yield directory / word
        for prefix in _JOINED:
            if word.startswith(prefix):
                yield from _entries(word.removeprefix(prefix), directory)
        for prefix in _ONE_FILE:
            if word.startswith(prefix):
                yield directory / word.removeprefix(prefix).partition("=")[0]


def _entries(path: str, directory: Path) -> Iterator[Path]:
    """Yields the entries of a path; `lib/*` are the jars in a directory.

    An empty one is the working directory, where nobody says that all of it is code.
    """
    for entry in path.split(os.pathsep):
        if entry == "*" or entry.endswith("/*"):
            yield from (directory / entry[:-1]).glob("*.[jJ][aA][rR]")
        elif entry:
            yield directory / entry
        else:
            yield from _below(directory, _CLASSES)


def _named_by(path: Path) -> list[Path]:
    """Returns what the manifest of a jar names: its class path, and that of an agent."""
    if not path.is_file():
        return []
    from jvmscope.watch.class_files import Jar

    try:
        with path.open("rb") as file:
            jar = Jar(str(path), file, None)
            return [Path(each) for each in (*jar.class_path, *jar.boot_class_path)]
    except OSError:
        return []
