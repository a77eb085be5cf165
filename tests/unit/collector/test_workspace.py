"""The directory of a recording in progress."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from support.fake_jdk import make_jdk

from jvmscope.collector.launch.session import Settings, write_settings
from jvmscope.collector.launch.workspace import Workspace, clear_abandoned


@pytest.fixture(autouse=True)
def own_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = tmp_path / "t m p"
    directory.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(directory))
    return directory


def test_recordings_one_after_the_other_use_one_path(own_directory: Path) -> None:
    with Workspace() as first, Workspace() as second:
        assert first.path == own_directory / "jvmscope-0"
        assert second.path == own_directory / "jvmscope-1"
    with Workspace() as third:
        assert third.path == first.path
        assert third.arenas is None or third.arenas.is_dir()
    assert list(own_directory.iterdir()) == []
    assert third.arenas is None or not third.arenas.exists()


def test_what_a_killed_recording_left_is_removed(own_directory: Path) -> None:
    left = own_directory / "jvmscope-0"
    left.mkdir(mode=0o700)
    (left / "home").mkdir()
    memory = Path("/dev/shm")  # noqa: S108 - a file system
    arenas = Path(tempfile.mkdtemp(prefix="jvmscope-", dir=memory)) if memory.is_dir() else None
    if arenas is not None:
        (left / "arenas").write_bytes(os.fsencode(arenas))
    with Workspace() as workspace:
        assert workspace.path == left
        assert not (left / "home").exists()
        assert arenas is None or not arenas.exists()


def test_what_was_abandoned_is_cleared_and_nothing_else(own_directory: Path) -> None:
    left = own_directory / "jvmscope-7"
    left.mkdir(mode=0o700)
    (left / "lock").touch()
    (left / "home").mkdir()
    new = own_directory / "jvmscope-8"  # whose owner has not made its lock yet
    new.mkdir(mode=0o700)
    (own_directory / "jvmscope-notes").mkdir()

    with Workspace() as held:
        (held.path / "kept").touch()
        clear_abandoned()

        assert sorted(path.name for path in own_directory.iterdir()) == [
            "jvmscope-0",
            "jvmscope-8",
            "jvmscope-notes",
        ]
        assert (held.path / "kept").exists()


def test_a_directory_of_somebody_else_is_not_touched(own_directory: Path) -> None:
    open_to_all = own_directory / "jvmscope-0"
    open_to_all.mkdir(mode=0o777)
    open_to_all.chmod(0o777)
    (own_directory / "jvmscope-1").symlink_to("/")
    with Workspace() as workspace:
        assert workspace.path.name == "jvmscope-2"
    assert open_to_all.exists()


@pytest.mark.parametrize("name", ["päth", "a:b", "a=b", "a\rb"])
def test_a_path_that_the_vm_might_not_find_gets_a_plain_name(tmp_path: Path, name: str) -> None:
    odd = tmp_path / name
    odd.mkdir()
    (odd / "file").write_text("content")
    with Workspace() as workspace:
        assert workspace.plain(tmp_path / "a b", "link") == tmp_path / "a b"
        link = workspace.plain(odd, "link")
        assert link == workspace.path / "link"
        assert (link / "file").read_text() == "content"
        assert workspace.plain(odd, "link") == link  # several parts of a recording may need it
    assert (odd / "file").exists()


@pytest.mark.parametrize("name", ["other.jar", "ä/jvmscope-agent.jar"])
def test_an_agent_of_another_name_is_copied(tmp_path: Path, name: str) -> None:
    """The VM finds the jar for its boot loader by the name in the manifest, past links."""
    jar = tmp_path / name
    jar.parent.mkdir(exist_ok=True)
    jar.write_bytes(b"agent")
    own = tmp_path / "jvmscope-agent.jar"
    own.write_bytes(b"own")
    with Workspace() as workspace:
        found = workspace.agent(jar)
        assert (found.name, found.is_symlink()) == ("jvmscope-agent.jar", False)
        assert found.read_bytes() == b"agent"
        assert found.parent == workspace.path
        assert workspace.agent(own) == own


def test_a_fake_home_is_like_the_real_one_with_another_java(tmp_path: Path) -> None:
    jdk = make_jdk(tmp_path / "jdk")
    (tmp_path / "jdk/bin/jcmd").touch()
    with Workspace() as workspace:
        home = workspace.add_home("path", jdk)
        assert (home / "lib/modules").read_text() == "image"
        assert (home / "bin/jcmd").is_symlink()
        assert not (home / "bin/java").is_symlink()
        assert os.access(home / "bin/java", os.X_OK)


def test_the_shim_becomes_the_real_java_with_options_added(tmp_path: Path) -> None:
    """GIVEN a prepared JDK, WHEN its shim is called, THEN the real java gets our options."""
    jdk = make_jdk(tmp_path / "jdk")
    java = tmp_path / "jdk/bin/java"
    java.write_text('#!/bin/sh\necho $$ "$LC_CTYPE"; for word; do echo "$word"; done; exit 9\n')
    entry = tmp_path / "entry"
    entry.mkdir()
    (entry / "intrinsics.txt").write_text("-_min")
    (entry / "files.list").write_text("5 intrinsics.txt\nend\n")
    partial = tmp_path / "out.partial"
    partial.mkdir()
    with Workspace() as workspace:
        home = workspace.add_home("path", jdk)
        settings = Settings()
        settings.partial, settings.jar, settings.max_bytes = str(partial), "/agent.jar", 1 << 20
        settings.homes, settings.entries = {"path": jdk}, {jdk.home: str(entry)}
        settings.options = ["recursion=fold"]
        write_settings(str(workspace.path), settings)
        process = subprocess.Popen(
            [home / "bin/java", "-Xmx5m", "p.Main", "a b"],
            env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
            stdout=subprocess.PIPE,
            text=True,
        )
        output, _ = process.communicate()
        options = (workspace.path / "jvm-1.options").read_text().splitlines()
    lines = output.splitlines()
    assert process.returncode == 9
    assert lines[0].split() == [str(process.pid)]  # the same process, and no locale of ours
    assert lines[1] == "-Xmx5m"
    assert lines[2] == f"--patch-module=java.base={entry}/java.base.jar"
    assert "-Xms5m" in lines
    assert lines[-3:] == [f"-javaagent:/agent.jar={workspace.path}/jvm-1.options", "p.Main", "a b"]
    assert f"raw={partial}/jvm-1/raw" in options
    assert f"cache={entry}" in options
    assert "recursion=fold" in options
    assert (partial / "jvm-1/raw").is_dir()
