"""What works without the optional packages, and what says that it needs one."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import jvmscope
from jvmscope.extras import EXTRAS, extra, missing

if TYPE_CHECKING:
    from pathlib import Path

# The process has none of the packages, whether or not they are installed here.
_BARE = f"""
import sys
from jvmscope.cli.imports import leave_out
leave_out(*{sorted(EXTRAS)!r})
from jvmscope.cli import run
for line in sys.argv[1:]:
    status = run(line.split())
    print("status", status, line)
"""
_WORK = [
    "measure a.run",
    "measure a.run -m hotness.methods --format csv",
    "query a.run $methods[1]/@name",
    "query a.run --sql FROM/**/thread",
    "query a.run --locked $methods[1]/@name",
    "compare a.run b.run",
    "compare a.run b.run --tree",
    "check a.run b.run",
    "check a.run",
    "report a.run summary",
    "report a.run b.run summary",
    "report a.run b.run table",
    "report a.run tree",
    "report a.run b.run pca",
    "report a.run b.run plot",
    "export a.run speedscope -o a.json",
    "export a.run duckdb -o a.duckdb",
    "export a.run xml",
    "report a.run html -o a.html",
    "list metrics",
    "show hotness.methods",
]


@pytest.fixture(scope="module")
def bare(
    shapes: Path, tmp_path_factory: pytest.TempPathFactory
) -> subprocess.CompletedProcess[str]:
    """What commands say on two runs, in a process without the packages."""
    place = tmp_path_factory.mktemp("bare")
    for name in ("a.run", "b.run"):
        shutil.copytree(shapes, place / name)
    command = [sys.executable, "-c", _BARE, *_WORK]
    return subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)


def test_recording_and_asking_need_no_extra(bare: subprocess.CompletedProcess[str]) -> None:
    statuses = [line for line in bare.stdout.splitlines() if line.startswith("status ")]

    expected = [f"status 0 {line}" for line in _WORK]
    assert statuses == expected, bare.stderr
    assert "Traceback" not in bare.stderr


def test_what_has_no_value_without_an_extra_says_which(
    bare: subprocess.CompletedProcess[str],
) -> None:
    reason = "principal component analysis needs scikit-learn: pip install scikit-learn"

    assert reason in bare.stdout


@pytest.mark.parametrize("module", EXTRAS)
def test_a_package_that_is_missing_is_named(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    package, its_extra = EXTRAS[module]

    with pytest.raises(
        jvmscope.JvmscopeError, match=f"this needs {package}: pip install {package} .* {its_extra}"
    ):
        extra("this", module)
    assert missing("this", module, "json") is not None


def test_a_frame_says_what_it_needs(shapes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, module, None)
    with jvmscope.open(shapes) as run:
        with pytest.raises(jvmscope.JvmscopeError, match="pip install pandas"):
            run.query("FROM thread").df()
        with pytest.raises(jvmscope.JvmscopeError, match="pip install polars"):
            run.query("FROM thread").pl()
