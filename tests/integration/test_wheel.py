"""The wheel that users install: for a platform if the library for native code is in it."""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from jvmscope.collector import agent_jar
from jvmscope.collector.native_library import native_library
from jvmscope.errors import AgentError

_CHECKOUT = Path(__file__).parents[2]
_BUILD = "from setuptools.build_meta import build_wheel; build_wheel('dist')"
_LIBRARY = "jvmscope/collector/libjvmscope-native.so"


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a copy of what is distributed, with the agent's jar and the library."""
    try:
        built = [agent_jar(), native_library()]
    except AgentError as error:
        pytest.skip(str(error))
    copy = tmp_path_factory.mktemp("wheel") / "sources"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", ":!tests", ":!docs", ":!suites", ":!benchmarks"],
        cwd=_CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a checkout")
    for name in listed.stdout.split("\0")[:-1]:
        if (_CHECKOUT / name).exists():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(_CHECKOUT / name, copy / name, follow_symlinks=False)
    for path in built:
        shutil.copy2(path, copy / "collector" / path.name)
    return copy


def _wheel(sources: Path, **environment: str) -> Path:
    shutil.rmtree(sources / "dist", ignore_errors=True)
    shutil.rmtree(sources / "build", ignore_errors=True)
    subprocess.run(
        [sys.executable, "-c", _BUILD],
        cwd=sources,
        env={**os.environ, **environment},
        capture_output=True,
        check=True,
    )
    (wheel,) = (sources / "dist").glob("*.whl")
    return wheel


def _facts(wheel: Path) -> tuple[list[str], dict[str, str]]:
    """Returns the names of the files, and what the file WHEEL says."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (about,) = (name for name in names if name.endswith(".dist-info/WHEEL"))
        lines = archive.read(about).decode().splitlines()
    return names, dict(line.split(": ", 1) for line in lines if line)


def test_a_wheel_with_the_library_is_for_its_platform(sources: Path) -> None:
    wheel = _wheel(sources)
    names, about = _facts(wheel)

    tutorial = (_CHECKOUT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    installed = re.findall(r"jvmscope-[^\s)]*\.whl", tutorial)
    assert [name for name in installed if not fnmatch.fnmatch(wheel.name, name)] == []
    assert installed
    assert about["Root-Is-Purelib"] == "false"
    assert re.fullmatch(r"py3-none-manylinux_2_\d+_x86_64", about["Tag"])
    assert [name for name in names if ".data/" in name] == []
    assert {_LIBRARY, "jvmscope/collector/jvmscope-agent.jar"} < {*names}
    assert {
        "jvmscope/schema/tables/native_method.sql",
        "jvmscope/schema/native_tables/thread.sql",
    } < {*names}


def test_a_wheel_without_the_library_is_for_any_platform(sources: Path) -> None:
    """GIVEN no C compiler, THEN the wheel has all but the library."""
    (sources / "collector" / "libjvmscope-native.so").unlink()
    names, about = _facts(_wheel(sources, CC="no-such-compiler"))

    assert (about["Root-Is-Purelib"], about["Tag"]) == ("true", "py3-none-any")
    assert "jvmscope/collector/jvmscope-agent.jar" in names
    assert _LIBRARY not in names
