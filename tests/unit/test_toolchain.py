"""What `make` says on a machine that lacks something and where it may not install it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

_SCRIPT = Path(__file__).parents[2] / ".ci" / "toolchain"


@pytest.mark.parametrize(
    ("args", "needs", "packages"),
    [
        (["java"], "a JDK >= 17 and Maven >= 3.6.3", "openjdk-17-jdk-headless maven"),
        (["c"], "a C compiler", "gcc libc6-dev"),
        (["browser"], "Chromium and its driver", "chromium chromium-driver"),
        (["python", "no-python"], "Python >= 3.11 with its venv module", "python3 python3-venv"),
    ],
)
def test_one_line_says_what_to_install(
    tmp_path: Path, args: list[str], needs: str, packages: str
) -> None:
    (tmp_path / "id").write_text("#!/bin/sh\necho 1000\n")
    (tmp_path / "id").chmod(0o755)
    bash, sed = shutil.which("bash"), shutil.which("sed")
    assert bash is not None
    assert sed is not None
    (tmp_path / "sed").symlink_to(sed)

    done = subprocess.run(
        [bash, str(_SCRIPT), *args],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert done.stderr == (
        f"jvmscope: please install {needs} "
        f"(on Debian or Ubuntu: sudo apt-get install {packages}), then run make again\n"
    )


@pytest.mark.parametrize(
    ("npx", "reason"),
    [
        (None, "without Node.js and npm"),
        ("#!/bin/sh\nexit 1\n", "npm cannot fetch what `npx biome` runs, so"),
    ],
)
def test_what_needs_node_is_left_out_without_it(
    tmp_path: Path, npx: str | None, reason: str
) -> None:
    bash = shutil.which("bash")
    assert bash is not None
    if npx is not None:
        (tmp_path / "npx").write_text(npx)
        (tmp_path / "npx").chmod(0o755)

    done = subprocess.run(
        [bash, str(_SCRIPT), "node", "npx biome"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert done.stderr == f"jvmscope: {reason} the style of the JavaScript code is left out\n"


@pytest.mark.parametrize("args", [[], ["rust"]])
def test_another_tool_is_bad_usage(args: list[str]) -> None:
    done = subprocess.run([str(_SCRIPT), *args], capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert done.stderr.startswith("jvmscope: usage: toolchain")
