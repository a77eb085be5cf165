"""Build hook: the wheel carries the agent's jar, which Maven builds from collector/agent.

An editable install does not build it: `make agent` does, whenever a Java source changed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

_AGENT = Path("collector", "agent")
_PACKAGE = Path("src", "jvmscope", "collector")  # a link to the stage, or a folder in an sdist
_JAR = _PACKAGE / "jvmscope-agent.jar"
_SOURCES = _PACKAGE / "agent_sources.py"


class BuildWithAgent(build_py):
    """Builds the jar before the package data are collected."""

    def run(self) -> None:
        """Builds the jar if it is not that of the sources, then the package."""
        if not self.editable_mode:
            _build_agent()
        super().run()


def _build_agent() -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise SystemExit("error: building the agent needs Maven and a JDK >= 17: run `make agent`")
    if not _JAR.exists() or _tell_sources(str(_JAR)) == "stale":
        command = [maven, "-B", "-q", "-f", str(_AGENT / "pom.xml"), "-DskipTests", "package"]
        subprocess.run([*command, f"-Dagent.sources={_tell_sources()}"], check=True)
        shutil.copyfile(_AGENT / "target" / _JAR.name, _JAR)


def _tell_sources(*words: str) -> str:
    """Returns what is printed about the sources of the jar."""
    command = [sys.executable, str(_SOURCES), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


setup(cmdclass={"build_py": BuildWithAgent})
