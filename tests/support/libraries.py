"""Libraries that programs of the tests use, from Maven Central; fetched once, and checked."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

import pytest
from oracle.laboratory import BUILD
from oracle.toolchain import alone, digest

from benchmarks.prepare import fetch

__all__ = ["libraries", "library"]

_CHECKSUMS = Path(__file__).with_name("libraries.sha256")


def library(coordinate: str) -> Path:
    """The jar of ``group:artifact:version``; without Maven the test is skipped, but fails in CI."""
    _, artifact, version = coordinate.split(":")
    (jar,) = (jar for jar in libraries(coordinate) if jar.name == f"{artifact}-{version}.jar")
    return jar


def libraries(*coordinates: str) -> list[Path]:
    """The same of several, with the jars of all that they depend on."""
    folder = BUILD / "libraries" / digest([], *coordinates)
    lib = folder / "lib"
    with alone(folder):
        if not lib.exists():
            if shutil.which("mvn") is None and not os.environ.get("CI"):
                pytest.skip("no Maven to fetch a library")
            made = folder.with_suffix(f".{os.getpid()}")
            fetch(coordinates, made)
            made.rename(folder)
    lines = _CHECKSUMS.read_text(encoding="utf-8").splitlines()
    known = {name: checksum for checksum, name in (line.split() for line in lines)}
    jars = sorted(lib.iterdir())
    found = {jar.name: hashlib.sha256(jar.read_bytes()).hexdigest() for jar in jars}
    assert found == {name: known.get(name) for name in found}
    return jars
