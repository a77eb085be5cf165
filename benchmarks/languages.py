"""Prepares suites/languages: compiles its programs, and writes the arguments that start each.

`python -m benchmarks.languages` is what `make suite` runs first. The argument file of a program,
``.build/languages/LANGUAGE/ALGORITHM-SIZE.args``, holds all that follows `java`, and in a comment
the hash of what that leads to; so a suite sees when a program has changed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import catalogue
from benchmarks.prepare import prepare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = [
    "BUILD",
    "FOLDER",
    "LANGUAGES",
    "PROGRAMS",
    "SHARED",
    "Language",
    "main",
    "prepare_languages",
    "sizes",
]

FOLDER = Path(__file__).parent.parent / "suites" / "languages"
BUILD = catalogue.BUILD.parent / "languages"
SHARED = BUILD / "classes" / "shared"
"""Where the compiled `languages.Work` is, which the programs of all languages call."""
PROGRAMS = (
    *("javac", "scalac", "kotlinc", "h2", "lucene", "saxon", "xsltc"),
    *("jackson", "antlr", "checkstyle", "rxjava", "pmd", "pekko"),
)


@dataclass(frozen=True, slots=True)
class Language:
    """One language of the suite.

    Attributes:
        name: of the language, and of the folder with its programs.
        suffix: of a program's file.
        compiler: the arguments of `java`, or of `javac`, that compile all programs; the files are
            appended. None: the language compiles a program when it runs it.
        start: the words after the class path that run a program.
        workload: the entry of the benchmarks' catalogue whose jars it runs on; None: none.
    """

    name: str
    suffix: str
    compiler: tuple[str, ...] | None
    start: Callable[[Path], str]
    workload: str | None

    def programs(self) -> list[Path]:
        """Its programs, one an algorithm, sorted."""
        return sorted((FOLDER / self.name).glob(f"*{self.suffix}"))

    @property
    def classes(self) -> Path:
        """Where its compiled programs are."""
        return BUILD / "classes" / self.name


def _name(program: Path) -> str:
    return program.stem


LANGUAGES = (
    Language("java", ".java", ("-Xlint:all", "-d", "{classes}"), _name, None),
    Language(
        "scala",
        ".scala",
        ("dotty.tools.dotc.Main", "-classpath", "{path}", "-d", "{classes}"),
        _name,
        "scala",
    ),
    Language(
        "kotlin",
        ".kt",
        (
            *("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect"),
            *("-jvm-target", "17", "-classpath", "{path}", "-d", "{classes}"),
        ),
        lambda program: f"{program.stem.lower()}.{program.stem}Kt",
        "kotlin",
    ),
    Language(
        "clojure",
        ".clj",
        ("-Dclojure.compile.path={classes}", "clojure.lang.Compile"),
        _name,
        "clojure",
    ),
    Language(
        "groovy",
        ".groovy",
        ("org.codehaus.groovy.tools.FileSystemCompiler", "-cp", "{path}", "-d", "{classes}"),
        _name,
        "groovy",
    ),
    Language("ruby", ".rb", None, lambda program: f"org.jruby.Main {program}", "jruby"),
    Language("python", ".py", None, lambda program: f"org.python.util.jython {program}", "jython"),
    Language(
        "javascript",
        ".js",
        None,
        lambda program: f"org.mozilla.javascript.tools.shell.Main {program}",
        "rhino",
    ),
)


def main() -> None:
    """Prepares all languages and all real programs; what is ready is left as it is."""
    java = shutil.which("javac")
    if java is None:
        sys.exit("jvmscope: no javac on the PATH: install a JDK >= 17")
    java_home = Path(os.path.realpath(java)).parents[1]
    prepare_languages(LANGUAGES, java_home=java_home)
    for workload in catalogue.load(list(PROGRAMS)):
        prepare(workload, java_home=java_home)
        for size in workload.sizes:
            _write_program(workload, size)


def prepare_languages(languages: Iterable[Language], *, java_home: Path) -> None:
    """Compiles the programs of languages, and writes the arguments that run them."""
    _compiled(
        SHARED,
        [java_home / "bin/javac", "-Xlint:all", "-d", SHARED],
        sorted((FOLDER / "shared").rglob("*.java")),
    )
    for language in languages:
        _prepare_language(language, java_home=java_home)


def sizes() -> dict[str, dict[str, int]]:
    """Returns n by algorithm and size."""
    return tomllib.loads((FOLDER / "sizes.toml").read_text(encoding="utf-8"))


def _prepare_language(language: Language, *, java_home: Path) -> None:
    """Compiles the programs of a language, and writes the arguments that run each."""
    options: list[str] = []
    run_path = [SHARED]
    jars: list[Path] = []
    if language.workload:
        (workload,) = catalogue.load([language.workload])
        prepare(workload, java_home=java_home)
        options = workload.options
        jars = workload.jars()
        entries = [entry for entry in workload.classpath if entry != "{build}/classes"]
        run_path += [Path(p) for entry in entries for p in workload.fill(entry).split(os.pathsep)]
    programs = language.programs()
    if language.compiler:
        filled = [
            word.format(classes=language.classes, path=_joined([*run_path, *jars]))
            for word in language.compiler
        ]
        command = _compiler_command(language, filled, java_home, [*run_path, *jars])
        words = [p.stem for p in programs] if language.name == "clojure" else programs
        _compiled(language.classes, command, programs, words)
        run_path.insert(0, language.classes)
    for program in programs:
        digest = _digest([program, *(FOLDER / "shared").rglob("*.java"), *jars])
        line = " ".join([*options, "-cp", _joined(run_path), language.start(program)])
        algorithm = program.stem.lower()
        for size, n in sizes()[algorithm].items():
            path = BUILD / language.name / f"{algorithm}-{size}.args"
            _write(path, f"# {digest}\n{line} {size}:{n}\n")


def _compiler_command(
    language: Language, words: list[str], java_home: Path, path: list[Path]
) -> list[str | Path]:
    if language.name == "java":
        return [java_home / "bin/javac", "-cp", _joined(path), *words]
    if language.name == "clojure":
        path = [FOLDER / language.name, language.classes, *path]
    return [java_home / "bin/java", "-cp", _joined(path), *words]


def _compiled(
    classes: Path,
    command: list[str | Path],
    sources: list[Path],
    words: Iterable[str | Path] | None = None,
) -> None:
    """Runs a compiler into an empty directory, unless it did so of the same sources."""
    marker = classes.with_suffix(".sha256")
    digest = _digest(sources) + " " + hashlib.sha256(repr(command).encode()).hexdigest()
    if marker.exists() and marker.read_text(encoding="utf-8") == digest:
        return
    print(f"compiling {classes.name}", file=sys.stderr, flush=True)
    marker.unlink(missing_ok=True)  # or a compiler that is ended leaves it beside no classes
    shutil.rmtree(classes, ignore_errors=True)
    classes.mkdir(parents=True)
    done = subprocess.run(
        [os.fspath(word) for word in [*command, *(words or sources)]],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"jvmscope: {classes.name} did not compile:\n{done.stdout}{done.stderr}")
    marker.write_text(digest, encoding="utf-8")


def _write_program(workload: catalogue.Workload, size: str) -> None:
    sources = [catalogue.FOLDER / source for source in workload.sources]
    arguments = [Path(workload.fill(text)) for text in workload.arguments]
    read = [each for each in arguments if catalogue.FOLDER in each.parents and each.is_file()]
    digest = _digest([*sources, *read, *workload.jars()])
    line = " ".join(workload.command(size=size))
    _write(BUILD / "programs" / f"{workload.name}-{size}.args", f"# {digest}\n{line}\n")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _joined(path: Iterable[Path]) -> str:
    return os.pathsep.join(dict.fromkeys(map(os.fspath, path)))


def _digest(files: Iterable[Path]) -> str:
    """Returns one SHA-256 of the names and contents of files, in the order of their names."""
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.name.encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


if __name__ == "__main__":
    main()
