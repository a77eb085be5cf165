"""The Java programs of suites/languages, whose output is what every other language must print."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from integration.recording import jdks
from oracle.toolchain import BRIEF

from benchmarks.languages import FOLDER, LANGUAGES, sizes

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.collector.launch.jdk import Jdk

_JAVA = LANGUAGES[0].programs()


@pytest.fixture(scope="module", params=jdks()[:1], ids=lambda jdk: f"jdk{jdk.version}")
def compiled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs the Java programs, but for class and size."""
    jdk: Jdk = request.param
    classes = tmp_path_factory.mktemp("classes")
    files = [*FOLDER.glob("shared/languages/*.java"), *_JAVA]
    command = [jdk.tool("javac"), *BRIEF, "-Xlint:all", "-Werror", "-d", classes, *files]
    subprocess.run(command, check=True, timeout=300)
    return [f"{jdk.home}/bin/java", "-cp", str(classes)]


@pytest.mark.parametrize("size", ["small", "default"])
@pytest.mark.parametrize("program", _JAVA, ids=lambda program: program.stem)
def test_java_prints_what_is_expected(compiled: list[str], program: Path, size: str) -> None:
    algorithm = program.stem.lower()
    argument = f"{size}:{sizes()[algorithm][size]}"
    printed = subprocess.run(
        [*compiled, program.stem, argument], capture_output=True, text=True, check=True, timeout=120
    )
    expected = FOLDER / f"expected/{algorithm}-{size}.txt"
    assert printed.stdout == expected.read_text(encoding="utf-8")
