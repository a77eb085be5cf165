"""What `record` tells the shim survives the file between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmscope.collector.launch.jdk import Jdk
from jvmscope.collector.launch.session import Settings, read_settings, write_settings

if TYPE_CHECKING:
    from pathlib import Path


def test_settings_are_read_back(tmp_path: Path) -> None:
    written = Settings()
    written.partial = "/a b/c\\n.partial"
    written.jar = "/odd\nname\\.jar"
    written.max_bytes = 5
    written.is_deterministic = False
    written.is_quiet = True
    written.named = "../own jdk/bin"
    written.path = "/bin:/x=y"
    written.options = ["include=p/*", "from=p.C.m(I)V"]
    written.homes = {"path": Jdk("/jdk 17", "17.0.1", frozenset(["java.base", "java.xml"]))}
    written.entries = {"/jdk 17": "/cache/17-x"}
    write_settings(str(tmp_path), written)
    read = read_settings(str(tmp_path))
    assert (read.partial, read.jar, read.path) == (written.partial, written.jar, written.path)
    assert read.named == written.named
    assert (read.max_bytes, read.java_home) == (5, None)
    assert (read.is_deterministic, read.is_quiet) == (False, True)
    assert (read.options, read.entries) == (written.options, written.entries)
    home = read.homes["path"]
    assert (home.home, home.major, len(home.modules)) == ("/jdk 17", 17, 2)


def test_no_settings_no_recording(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_settings(str(tmp_path))
