"""Build hook: the wheel carries the agent's jar, which Maven builds from collector/agent.

If there is a C compiler, it also carries the library that counts native code, built from
collector/native, and is for the platform of that. An editable install builds neither: `make agent`
does, whenever a source changed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

_AGENT = Path("collector", "agent")
_PACKAGE = Path("src", "jvmscope", "collector")  # a link to the stage, or a folder in an sdist
_JAR = _PACKAGE / "jvmscope-agent.jar"
_SOURCES = _PACKAGE / "agent_sources.py"
_NATIVE = Path("collector", "native")
_LIBRARY = _PACKAGE / "libjvmscope-native.so"


class BuildWithAgent(build_py):
    """Builds the jar before the package data are collected."""

    def run(self) -> None:
        """Builds the jar if it is not that of the sources, then the package."""
        if not self.editable_mode:
            _build_agent()
            _build_library()
        super().run()


class DistributionOfPlatform(Distribution):
    """What is distributed; for one platform if the library is part of it."""

    def has_ext_modules(self) -> bool:
        """Returns whether the files are those of a platform, which decides where they go."""
        return _LIBRARY.exists()


class WheelOfPlatform(bdist_wheel):
    """A wheel for any Python, on the platform of the library if it has that."""

    def finalize_options(self) -> None:
        """Builds the library first, since all else depends on whether it is there."""
        _build_library()
        super().finalize_options()

    def get_tag(self) -> tuple[str, str, str]:
        """Returns the tags; manylinux with the newest version of glibc that the library needs."""
        if not _LIBRARY.exists():
            return super().get_tag()
        versions = re.findall(rb"GLIBC_2\.(\d+)", _LIBRARY.read_bytes())
        return "py3", "none", f"manylinux_2_{max(map(int, versions))}_x86_64"


def _build_agent() -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise SystemExit("error: building the agent needs Maven and a JDK >= 17: run `make agent`")
    if not _JAR.exists() or _tell_sources(str(_JAR)) == "stale":
        command = [maven, "-B", "-q", "-f", str(_AGENT / "pom.xml"), "-DskipTests", "package"]
        subprocess.run([*command, f"-Dagent.sources={_tell_sources()}"], check=True)
        shutil.copyfile(_AGENT / "target" / _JAR.name, _JAR)


def _build_library() -> None:
    """Builds the library; without a compiler, this says so and builds none."""
    script = _PACKAGE / "native_build.py"
    subprocess.run([sys.executable, str(script), str(_NATIVE), str(_LIBRARY)], check=True)


def _tell_sources(*words: str) -> str:
    """Returns what is printed about the sources of the jar."""
    command = [sys.executable, str(_SOURCES), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


setup(
    distclass=DistributionOfPlatform,
    cmdclass={"build_py": BuildWithAgent, "bdist_wheel": WheelOfPlatform},
)
