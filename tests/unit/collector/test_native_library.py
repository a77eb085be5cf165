"""The library for native code is that of the sources beside it, or there is an error that helps."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest
from support.class_constants import class_constants

from jvmscope.collector import agent_jar
from jvmscope.collector.native_build import (
    LIBRARY,
    MissingTool,
    build,
    digest_of_sources,
    other_machine,
)
from jvmscope.collector.native_library import native_library
from jvmscope.errors import AgentError

_BUILDS = pytest.mark.skipif(
    other_machine() is not None or not (os.environ.get("CI") or shutil.which("cc")),
    reason="the library is for Linux on x86-64, and needs a C compiler",
)
_SOURCES = Path(__file__).parents[3] / "collector" / "native" / "src"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns a folder with sources, without a library."""
    (tmp_path / "native" / "src").mkdir(parents=True)
    (tmp_path / "native" / "src" / "agent.c").write_text("int one;", encoding="utf-8")
    return tmp_path


def test_without_a_library_the_error_says_how_to_build_one(folder: Path) -> None:
    with pytest.raises(AgentError, match="was not built: run `make agent`, which needs a C comp"):
        native_library(folder)


def test_without_sources_the_error_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="install a wheel for Linux on x86-64"):
        native_library(tmp_path)


def test_a_library_of_other_sources_is_refused(folder: Path) -> None:
    digest = digest_of_sources(folder / "native")
    library = folder / LIBRARY
    library.write_bytes(f"\x7fELF jvmscope-sources:{digest}".encode())
    assert native_library(folder) == library

    (folder / "native" / "src" / "agent.c").write_text("int two;", encoding="utf-8")
    with pytest.raises(AgentError, match="not that of this checkout's sources"):
        native_library(folder)


def test_the_tree_lies_where_the_library_reads_it() -> None:
    try:
        with ZipFile(agent_jar()) as jar:
            read = [
                class_constants(jar.read(f"runtime/jdk/internal/perf/{name}.class"))
                for name in ("ArenaLayout", "Arena")
            ]
    except AgentError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))
    text = (_SOURCES / "contexts.c").read_text(encoding="utf-8")
    of_library = dict(re.findall(r"#define (\w+) (\d+)$", text, re.MULTILINE))

    assert len(of_library) == 5
    known = read[0] | read[1]
    assert {name: int(value) for name, value in of_library.items()} == {
        name: known[name] for name in of_library
    }


def _compiler_with(options: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = folder / "cc-with-options"
    compiler.write_text(f'#!/bin/sh\nexec cc "$@" {options}\n', encoding="utf-8")
    compiler.chmod(0o700)
    monkeypatch.setenv("CC", str(compiler))


@_BUILDS
@pytest.mark.parametrize("level", ["-O0", "-O2", "-O3", "-Os"])
def test_the_library_is_built_without_a_warning(
    level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compiler that looks deeper finds more at one level than at another."""
    _compiler_with(f"-Werror -Wmaybe-uninitialized {level}", tmp_path, monkeypatch)
    build(_SOURCES.parent, tmp_path / LIBRARY)
    assert (tmp_path / LIBRARY).exists()


@_BUILDS
def test_the_warning_of_another_compiler_does_not_end_the_build(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = folder / "native" / "src" / "agent.c"
    source.write_text('int one = 1;\n#warning "a newer compiler has found something"\n')
    build(folder / "native", folder / LIBRARY)
    assert (folder / LIBRARY).exists()


def test_without_a_compiler_nothing_is_built(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    with pytest.raises(MissingTool, match="a C compiler"):
        build(folder / "native", folder / LIBRARY)
    assert not (folder / LIBRARY).exists()


def test_on_another_machine_building_and_recording_say_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIVEN a processor for which there is no code, THEN no compiler is asked for."""
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    with pytest.raises(MissingTool, match="Linux on x86_64; this is linux on aarch64"):
        build(folder / "native", folder / LIBRARY)
    with pytest.raises(AgentError, match="counted on Linux on x86-64; this is linux on aarch64"):
        native_library(folder)


def test_functions_of_threads_are_told_which() -> None:
    """GIVEN the current thread, THEN it is named.

    Asked of no thread, JDK 21 waits until no virtual thread is being mounted, and the one that is
    may wait for a lock that the current thread has: neither goes on.
    """
    unnamed = re.compile(r"\(\*\w+\)->(\w+)\(\w+, NULL\b")
    found = {
        f"{source.name}: {function}"
        for source in _SOURCES.glob("*.c")
        for function in unnamed.findall(source.read_text(encoding="utf-8"))
    }
    assert not found
