"""Where temporary files go."""

from __future__ import annotations

import os
import tempfile

__all__ = ["temporary_directory"]


def temporary_directory() -> str:
    """Returns the directory for temporary files; where none can be written, the one of TMPDIR.

    Most work needs none after all, and what does says then that it cannot write there.
    """
    try:
        return tempfile.gettempdir()
    except FileNotFoundError:
        return os.environ.get("TMPDIR") or "/tmp"  # noqa: S108 - as tempfile would
