"""The agent can be built from its sources with the newest JDK, whose compiler warns of more."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from integration.recording import jdks

_AGENT = Path(__file__).parents[2] / "collector" / "agent"
_PLANTED = """package io.jvmscope.agent;

final class Planted {
  Planted(java.util.List list) { list.add(null); }
}
"""
"""The compiler warns of a raw type and of an unchecked call."""


def test_with_the_newest_jdk(tmp_path: Path) -> None:
    """Warnings fail nobody's build, but there is none of code of ours; the tests of it pass."""
    if shutil.which("mvn") is None and not os.environ.get("CI"):
        pytest.skip("no Maven to build with")
    home = max(jdks(), key=lambda jdk: jdk.version).home
    shutil.copytree(_AGENT, tmp_path / "agent", ignore=shutil.ignore_patterns("target"))
    planted = tmp_path / "agent/src/main/java/io/jvmscope/agent/Planted.java"
    planted.write_text(_PLANTED, encoding="utf-8")

    built = subprocess.run(
        ["mvn", "--batch-mode", "package", "-Dagent.sources=planted"],
        cwd=tmp_path / "agent",
        env={**os.environ, "JAVA_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )

    assert built.returncode == 0, built.stdout[-5000:]
    warned = re.findall(r"(?:WARNING.*|javac\].*)/(\w+\.java):.*", built.stdout)
    assert set(warned) == {"Planted.java"}, built.stdout
    with zipfile.ZipFile(tmp_path / "agent/target/jvmscope-agent.jar") as jar:
        assert b"Jvmscope-Sources: planted" in jar.read("META-INF/MANIFEST.MF")
