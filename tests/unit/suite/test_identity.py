"""The identity of a recording: of all that can change its facts, and of nothing else."""

from __future__ import annotations

import os
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from jvmscope.suite.identity import identities
from jvmscope.suite.planning import plan
from jvmscope.suite.reading import read_suite_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def _identity(folder: Path, *lines: str, output: Path | None = None) -> str:
    path = folder / "suite.toml"
    text = "\n".join(["schema = 1", "[[benchmark]]", 'name = "a"', *lines, ""])
    path.write_text(text, encoding="utf-8")
    (planned,) = plan(read_suite_file(path))
    return identities([planned], output)["a-1"]


def _jar(path: Path, attribute: str, value: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\r\n{attribute}: {value}\r\n")


def _executable(path: Path, text: str = "#!/bin/sh\n") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def _no_preparation(_folder: Path) -> None:
    return None


@dataclass(frozen=True)
class _Way:
    """A way to name code: lines of the benchmark, and a file that is then run."""

    lines: tuple[str, ...]
    file: str
    prepare: Callable[[Path], object] = _no_preparation


def _java(*words: str) -> tuple[str, ...]:
    return (f"command = {[*words]!r}",)


def _ways() -> dict[str, _Way]:
    """Returns each way of the launcher, and each where an argument file has its words."""
    paths = {
        "a.jar": "a.jar",
        "x:classes": "classes/p/Main.class",
        "lib/*": "lib/x.jar",
        ":a.jar": "a.jar",
    }
    options = ("-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path")
    words = {(option, path): file for option in options for path, file in paths.items()}
    joined = ("--class-path=", "--module-path=", "--upgrade-module-path=", "-Xbootclasspath/a:")
    words |= {(option + path,): file for option in joined for path, file in paths.items()}
    words |= {
        ("-Djava.class.path=a.jar",): "a.jar",
        ("--patch-module", "m=x:classes"): "classes/p/Main.class",
        ("--patch-module=m=x:classes",): "classes/p/Main.class",
        ("-javaagent:a.jar",): "a.jar",
        ("-javaagent:a.jar=x=y",): "a.jar",
        ("-agentpath:liba.so=x",): "liba.so",
        ("-XX:VMOptionsFile=vm.options",): "vm.options",
        ("-XX:Flags=vm.flags",): "vm.flags",
        ("-jar", "a.jar"): "a.jar",
        (): "p/Main.class",
        ("-cp", "a.jar:"): "p/Main.class",
    }
    ways = {}
    for each, file in words.items():
        rest = () if "-jar" in each else ("Main",)
        name = " ".join(each) or "default"
        ways[name] = _Way(_java(*each, *rest), file)
        text = " ".join([*each, *rest])

        def write(folder: Path, text: str = text) -> None:
            (folder / "a.args").write_text(text)

        ways[f"{name} in a file"] = _Way(_java("@a.args"), file, write)
    return ways


_WAYS = {
    **_ways(),
    "argument file": _Way(_java("@a.args", "x"), "a.args"),
    "source": _Way(_java("Main.java"), "Main.java", lambda at: (at / "Main.java").touch()),
    "source of an option": _Way(_java("--source", "17", "script"), "script"),
    "second source": _Way(
        _java("src/p/Main.java"),
        "src/q/Other.java",
        lambda at: (
            (at / "src" / "p").mkdir(parents=True),
            (at / "src" / "p" / "Main.java").write_text("package p;\n"),
        ),
    ),
    "manifest": _Way(
        _java("-jar", "lib/a.jar"),
        "lib/b c.jar",
        lambda at: _jar(at / "lib" / "a.jar", "Class-Path", "b%20c.jar"),
    ),
    "manifest of a manifest's": _Way(
        _java("-cp", "lib/*", "Main"),
        "c/p/Main.class",
        lambda at: (
            _jar(at / "lib" / "a.jar", "Class-Path", "../b.jar a.jar"),
            _jar(at / "b.jar", "Class-Path", "c/"),
        ),
    ),
    "manifest of an agent": _Way(
        _java("-javaagent:a.jar", "Main"),
        "boot.jar",
        lambda at: _jar(at / "a.jar", "Boot-Class-Path", "boot.jar"),
    ),
    "CLASSPATH": _Way((*_java("Main"), "env = { CLASSPATH = 'x:lib/*' }"), "lib/x.jar"),
    "JDK_JAVA_OPTIONS": _Way((*_java("Main"), "env = { JDK_JAVA_OPTIONS = '-cp a.jar' }"), "a.jar"),
    "JAVA_TOOL_OPTIONS": _Way(
        (*_java("Main"), "env = { JAVA_TOOL_OPTIONS = '-javaagent:a.jar' }"), "a.jar"
    ),
    "another directory": _Way((*_java("-cp", "a.jar", "Main"), "directory = 'd'"), "d/a.jar"),
    "classes of another directory": _Way((*_java("Main"), "directory = 'd'"), "d/Main.class"),
    "program": _Way((*_java("x"), "program = 'bin/run.sh'"), "bin/run.sh"),
    "program of a directory": _Way(
        (*_java("x"), "program = 'bin/run.sh'", "directory = 'd'"), "d/bin/run.sh"
    ),
    "program of a PATH": _Way(
        (*_java("x"), "program = 'run.sh'", "env = { PATH = '/none:{suite}/bin' }"),
        "bin/run.sh",
        lambda at: _executable(at / "bin" / "run.sh"),
    ),
    "program of a relative PATH": _Way(
        (*_java("x"), "program = 'run.sh'", "env = { PATH = 'bin' }", "directory = 'd'"),
        "d/bin/run.sh",
        lambda at: _executable(at / "d" / "bin" / "run.sh"),
    ),
    "words of a program": _Way((*_java("-cp", "a.jar", "x"), "program = 'env'"), "a.jar"),
    "inputs": _Way((*_java("Main"), "inputs = ['data/*.txt']"), "data/a.txt"),
}


@pytest.mark.parametrize("name", _WAYS)
def test_it_is_of_the_code_that_runs_however_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delenv("CLASSPATH", raising=False)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    (tmp_path / "at").mkdir()
    way, folder = _WAYS[name], tmp_path / "at"
    way.prepare(folder)
    file = folder / way.file
    file.parent.mkdir(parents=True, exist_ok=True)

    found = []
    for content in ("1", "2", "1"):
        file.write_text(content)
        (folder / "notes.txt").write_text(f"written {len(found)} times")
        found.append(_identity(folder, *way.lines))

    assert found[0] != found[1]
    assert found[0] == found[2]


def test_it_is_of_a_variable_of_the_caller_if_the_launcher_takes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLASSPATH", "a.jar")
    found = []
    for content in ("1", "2"):
        (tmp_path / "a.jar").write_text(content)
        found.append(
            [_identity(tmp_path, *_java(*words)) for words in (["M"], ["-cp", "b", "M"])],
        )

    assert found[0][0] != found[1][0]
    assert found[0][1] == found[1][1]


def test_it_is_of_the_jvm_that_the_benchmark_will_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, version in (("old", "17.0.1"), ("new", "25.0.1")):
        home = tmp_path / name
        _executable(home / "bin" / "java", "\x7fELF")
        (home / "lib").mkdir()
        (home / "lib" / "modules").write_text("1")
        (home / "release").write_text(f'JAVA_VERSION="{version}"\n')
    lines = (*_java("-jar", "a.jar"), "env = { PATH = '{suite}/jdk/bin' }")
    found = []
    for target in ("old", "new"):
        (tmp_path / "jdk").unlink(missing_ok=True)
        (tmp_path / "jdk").symlink_to(tmp_path / target)
        found.append(_identity(tmp_path, *lines))
    (tmp_path / "new" / "lib" / "modules").write_text("2")
    os.utime(tmp_path / "new" / "lib" / "modules", (1, 1))
    found.append(_identity(tmp_path, *lines))

    assert len(set(found)) == 3


def test_it_is_not_of_what_the_suite_writes(tmp_path: Path) -> None:
    output = tmp_path / "runs" / "suite"
    lines = (*_java("-cp", ".:x", "Main"), "inputs = ['**/*.json']")
    before = _identity(tmp_path, *lines, output=output)
    (output / ".work").mkdir(parents=True)
    (output / ".work" / "lock").touch()
    (output / "suite.lock.json").write_text("{}")

    assert _identity(tmp_path, *lines, output=output) == before
