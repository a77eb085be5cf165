"""Libraries that programs of the tests use, from Maven Central; fetched once, and checked."""

from __future__ import annotations

import hashlib
import os
import shutil
from typing import TYPE_CHECKING

import pytest
from oracle.laboratory import BUILD
from oracle.toolchain import alone

from benchmarks.prepare import fetch

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["library"]

_SHA256 = {
    "net.java.dev.jna:jna:5.18.1": (
        "260c4b1e22b1db9e110ee441c4f13ce115f841fa48c41d78750986214b395557"
    ),
}


def library(coordinate: str) -> Path:
    """The jar of ``group:artifact:version``; without Maven the test is skipped, but fails in CI."""
    _, artifact, version = coordinate.split(":")
    folder = BUILD / "libraries" / f"{artifact}-{version}"
    jar = folder / "lib" / f"{artifact}-{version}.jar"
    with alone(folder):
        if not jar.exists():
            if shutil.which("mvn") is None and not os.environ.get("CI"):
                pytest.skip("no Maven to fetch a library")
            fetch([coordinate], folder)
    assert hashlib.sha256(jar.read_bytes()).hexdigest() == _SHA256[coordinate]
    return jar
