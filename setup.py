"""Build hook: the wheel carries the agent's jar, which Maven builds from collector/agent.

An editable install does not build it: `make agent` does, whenever a Java source changed.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

_AGENT = Path("collector", "agent")
_JAR = Path("src", "jvmscope", "collector", "jvmscope-agent.jar")  # where the package is


class BuildWithAgent(build_py):
    """Builds the jar before the package data are collected."""

    def run(self) -> None:
        if not self.editable_mode:
            _build_agent()
        super().run()


def _build_agent() -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise SystemExit("error: building the agent needs Maven and a JDK >= 17: run `make agent`")
    built = _AGENT / "target" / _JAR.name
    sources = [_AGENT / "pom.xml", *(path for path in _AGENT.glob("src/**/*") if path.is_file())]
    if not _JAR.exists() or _JAR.stat().st_mtime < max(path.stat().st_mtime for path in sources):
        command = [maven, "-B", "-q", "-f", str(_AGENT / "pom.xml"), "-DskipTests", "package"]
        subprocess.run(command, check=True)
        shutil.copyfile(built, _JAR)


setup(cmdclass={"build_py": BuildWithAgent})
