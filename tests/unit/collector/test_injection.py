"""Every way to `java` that a command may go leads to a shim, and no other way changes."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

import pytest
from support.fake_jdk import make_jdk

from jvmscope.collector.launch.injection import Injection, inject, inject_by_options
from jvmscope.collector.launch.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jvmscope.collector.launch.jdk import Jdk


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    with Workspace() as made:
        yield made


def jdk_with_tools(home: Path, version: str = "17.0.9") -> Jdk:
    """A JDK whose launchers count as native ones."""
    jdk = make_jdk(home, version=version)
    for name in ("java", "javac", "jcmd"):
        (home / "bin" / name).write_bytes(b"\x7fELF")
        (home / "bin" / name).chmod(0o755)
    return jdk


def path_of(injection: Injection) -> list[str]:
    return injection.environment["PATH"].split(os.pathsep)


def test_java_in_path_becomes_a_shim(workspace: Workspace, tmp_path: Path) -> None:
    jdk = jdk_with_tools(tmp_path / "jdk")
    environ = {"PATH": f"{tmp_path}/jdk/bin:/usr/bin"}
    injection = inject(workspace, ["java", "Main"], environ)
    home = workspace.path / "path"
    assert injection.program == str(home / "bin" / "java")
    assert path_of(injection) == [str(home / "bin"), f"{tmp_path}/jdk/bin", "/usr/bin"]
    assert "JAVA_HOME" not in injection.environment
    assert injection.homes == {"path": injection.likely}
    assert injection.likely is not None
    assert injection.likely.home == jdk.home


def test_a_script_gets_a_java_home(workspace: Workspace, tmp_path: Path) -> None:
    jdk_with_tools(tmp_path / "jdk")
    environ = {"PATH": f"{tmp_path}/jdk/bin:/usr/bin:/bin"}
    injection = inject(workspace, ["sh", "-c", "java"], environ)
    assert injection.program is not None
    assert injection.program.endswith("/sh")
    assert injection.environment["JAVA_HOME"] == str(workspace.path / "home")


def test_java_home_and_path_may_differ(workspace: Workspace, tmp_path: Path) -> None:
    jdk_with_tools(tmp_path / "old", "17.0.9")
    jdk_with_tools(tmp_path / "new", "25.0.1")
    environ = {"PATH": f"{tmp_path}/old/bin:/bin", "JAVA_HOME": f"{tmp_path}/new"}
    injection = inject(workspace, ["sh"], environ)
    assert injection.homes["path"].major == 17
    assert injection.homes["home"].major == 25
    assert injection.likely is injection.homes["home"]


def test_a_launcher_named_by_its_path_becomes_a_shim(workspace: Workspace, tmp_path: Path) -> None:
    jdk_with_tools(tmp_path / "jdk")
    named = f"{tmp_path}/jdk/lib/../bin/java"
    injection = inject(workspace, [named], {"PATH": "/nowhere"})
    assert injection.program == str(workspace.path / "named" / "bin" / "java")
    assert injection.homes["named"].home == str(tmp_path / "jdk")


def test_tools_that_path_finds_elsewhere_stay_there(workspace: Workspace, tmp_path: Path) -> None:
    """GIVEN a javac of another origin before the JDK, THEN the shims do not stand before it."""
    jdk_with_tools(tmp_path / "jdk")
    (tmp_path / "own").mkdir()
    own = tmp_path / "own" / "javac"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    inject(workspace, ["java"], {"PATH": f"{tmp_path}/own:{tmp_path}/jdk/bin"})
    assert sorted(path.name for path in (workspace.path / "path/bin").iterdir()) == ["java", "jcmd"]


def test_an_unknown_command_is_none(workspace: Workspace, tmp_path: Path) -> None:
    jdk_with_tools(tmp_path / "jdk")
    assert inject(workspace, ["nothing"], {"PATH": f"{tmp_path}/jdk/bin"}).program is None


def test_a_wrong_java_home_stays_wrong(workspace: Workspace, tmp_path: Path) -> None:
    jdk_with_tools(tmp_path / "jdk")
    environ = {"PATH": f"{tmp_path}/jdk/bin", "JAVA_HOME": "/nowhere"}
    injection = inject(workspace, ["java"], environ)
    assert injection.environment["JAVA_HOME"] == "/nowhere"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("java", "path"),
        ("other/bin/java", "other"),
        ("other/bin/javac", "other"),
        ("link", "other"),
        ("script", "home"),
        ("missing", "home"),
    ],
)
def test_options_are_for_the_jdk_that_is_started(
    tmp_path: Path, command: str, expected: str
) -> None:
    homes = {name: jdk_with_tools(tmp_path / name).home for name in ("path", "home", "other")}
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "java").symlink_to(tmp_path / "other" / "bin" / "java")
    (tmp_path / "script").write_text("#!/bin/sh\n")
    (tmp_path / "script").chmod(0o755)
    words = {"java": "java", "link": f"{tmp_path}/links/java"}
    environ = {"PATH": f"{tmp_path}/path/bin:/usr/bin:/bin", "JAVA_HOME": homes["home"]}
    word = words.get(command, f"{tmp_path}/{command}")
    injection = inject_by_options([word], environ)
    assert injection.likely is not None
    assert injection.likely.home == homes[expected]
    assert injection.environment == environ
