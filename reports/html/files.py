"""The files that pages are made of, and what their policies call them."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources

__all__ = ["ASSETS", "asset", "digest"]

ASSETS = resources.files("jvmscope.reports.html") / "assets"
"""The folder of markup, styles and scripts."""


def asset(name: str) -> str:
    """Returns the text of a file."""
    return (ASSETS / name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """Returns what a policy calls an inline script or style.

    >>> digest("alert(1)")
    "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"
    """
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
