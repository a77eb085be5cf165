"""A disk without room: each verb says so in a line, and leaves nothing half-written."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from jvmscope.cli import BUG, WRONG
from jvmscope.reports.exports.formats import EXPORT_FORMATS

if TYPE_CHECKING:
    from pathlib import Path

# No file may have more than some bytes, as if the disk had no more.
_LIMITED = """
import resource, signal, sys
from jvmscope.cli import run
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
sys.exit(run(sys.argv[2:]))
"""


def _run(directory: Path, n_bytes: int, *words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _LIMITED, str(n_bytes), *map(str, words)]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("n_bytes", [0, 50])
@pytest.mark.parametrize("kind", EXPORT_FORMATS)
def test_an_export_keeps_nothing(shapes: Path, tmp_path: Path, kind: str, n_bytes: int) -> None:
    ended = _run(tmp_path, n_bytes, "export", shapes, kind, "-o", "app.out")

    assert ended.returncode == WRONG, ended.stderr
    *progress, error = ended.stderr.splitlines()  # a busy machine gets as far as progress
    assert error.startswith("error: app.out")
    assert error.endswith("cannot be written: File too large")
    assert set(progress) <= {"exporting …"}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ("query", "SELECT COUNT(*) FROM context"),
        ("query", "count($cct//dcg:context)"),
        ("query", "SELECT 1", "--locked"),
        ("measure", "--no-cache"),
        ("measure",),
        ("check",),
        ("list", "tables"),
        ("report", "tree"),
        ("report", "summary"),
        ("report", "html", "-o", "page.html"),
    ],
)
def test_no_verb_ends_with_a_traceback(
    shapes: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """GIVEN that there is no directory for temporary files either."""
    verb = words[:2] if words[0] == "list" else words[:1]
    rest = words[len(verb) :]
    ended = _run(tmp_path, 0, *verb, shapes, *rest)

    assert ended.returncode != BUG, ended.stderr
    assert "Traceback" not in ended.stderr
    assert list(tmp_path.iterdir()) == []
