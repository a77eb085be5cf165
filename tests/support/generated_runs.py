"""Small runs, generated: any shape of tree, with and without probes."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from xml_runs import Shape, write_run

from jvmscope.queries import Engine
from support.saxon_on_runs import SaxonOnRun

__all__ = ["Asked", "asked", "shapes"]


_NAMES = (
    ("run", "<init>", "main", "full"),  # of the queries' constants, and nothing that XML escapes
    ("run", "<init>", "lambda$main$0", "a\\b", 'quo"te<&>', "tab\there"),
)


@st.composite
def shapes(draw: Any) -> tuple[tuple[str, Any], ...]:
    """Returns the attributes of a shape, which can be hashed."""
    n_threads = draw(st.integers(1, 3))
    return (
        ("seed", draw(st.integers(1, 12))),
        ("n_classes", draw(st.integers(1, 4))),
        ("n_contexts", n_threads * draw(st.sampled_from((1, 2, 5, 14)))),
        ("n_threads", n_threads),
        ("n_blocks", draw(st.integers(0, 3))),
        ("chain", draw(st.booleans())),
        ("probes", draw(st.booleans())),
        ("names", draw(st.sampled_from(_NAMES))),
    )


@dataclass(frozen=True)
class Asked:
    """A run, and those who answer queries about it."""

    engine: Engine
    saxon: SaxonOnRun


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Where runs are until the tests end."""
    return tempfile.TemporaryDirectory(prefix="jvmscope-meaning-", ignore_cleanup_errors=True)


@lru_cache(maxsize=64)
def asked(shape: tuple[tuple[str, Any], ...]) -> Asked:
    """Returns a run of a shape, written once."""
    folder = Path(tempfile.mkdtemp(dir=_folder().name))
    write_run(folder / "a.run", Shape(**dict(shape)))
    (folder / "xml").mkdir()
    return Asked(Engine(folder / "a.run"), SaxonOnRun(folder / "a.run", folder / "xml"))
