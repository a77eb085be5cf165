"""Fetches, checks and builds what the workloads need; done once, kept under .build/workloads."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import xml.sax.saxutils
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import java_sources
from benchmarks.catalogue import FOLDER, Workload

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["fetch", "prepare", "read_checksums", "write_checksums"]

_CHECKSUMS = FOLDER / "checksums.sha256"
_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"


def prepare(workload: Workload, *, java_home: Path, accept: bool = False) -> None:
    """Makes `workload` ready to run; does nothing if it is.

    Args:
        workload: what to prepare.
        java_home: the JDK that compiles; the classes it writes run on 17 and later.
        accept: whether jars without a known checksum are taken.

    Raises:
        SystemExit: a jar differs from its checksum.
    """
    marker = workload.build / "ready"
    recipe = _recipe(workload)
    if marker.exists() and marker.read_text(encoding="utf-8") == recipe:
        return
    shutil.rmtree(workload.build, ignore_errors=True)
    workload.build.mkdir(parents=True)
    if workload.coordinates:
        fetch(workload.coordinates, workload.build)
        if not accept:
            _verify(workload)
    classes = workload.build / "classes"
    classes.mkdir()
    (workload.build / "compiled").mkdir()
    if workload.generate == "java-sources":
        java_sources.generate(workload.build / "sources")
    if workload.generate == "unpack":
        for jar in workload.jars():
            shutil.unpack_archive(jar, workload.build / "sources", "zip")
    if workload.sources:
        files = [str(FOLDER / source) for source in workload.sources]
        path = workload.fill("{lib}") or "."
        _run([java_home / "bin/javac", "--release", "17", "-cp", path, "-d", classes, *files])
    for step in workload.setup:
        filled = [workload.fill(text) for text in step]
        _run([java_home / "bin/java", "-cp", workload.fill("{lib}"), *filled])
    marker.write_text(recipe, encoding="utf-8")


def _recipe(workload: Workload) -> str:
    """Returns what the prepared state depends on, as text."""
    digest = hashlib.sha256(repr(workload).encode())
    files = [*(FOLDER / "shared").iterdir(), *(FOLDER / workload.name).glob("*")]
    for path in sorted({*files, *(FOLDER / source for source in workload.sources)}):
        digest.update(path.read_bytes())
    digest.update(Path(java_sources.__file__).read_bytes())
    return digest.hexdigest()


def fetch(coordinates: Sequence[str], folder: Path) -> Path:
    """Returns a directory with jars and what they depend on, fetched with Maven if need be.

    Args:
        coordinates: ``group:artifact:version``, with a classifier or without.
        folder: where to keep them; the jars are in ``lib``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    dependencies = ""
    for coordinate in coordinates:
        tags = zip(
            ("groupId", "artifactId", "version", "classifier"),
            map(xml.sax.saxutils.escape, coordinate.split(":")),
            strict=False,
        )
        content = "".join(f"<{tag}>{text}</{tag}>" for tag, text in tags)
        dependencies += f"<dependency>{content}</dependency>"
    pom = folder / "pom.xml"
    pom.write_text(
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>benchmarks</groupId><artifactId>workload</artifactId><version>1</version>"
        f"<packaging>pom</packaging><dependencies>{dependencies}</dependencies></project>",
        encoding="utf-8",
    )
    _run(["mvn", "-B", "-q", "-f", pom, _COPY, f"-DoutputDirectory={folder / 'lib'}"])
    return folder / "lib"


def _verify(workload: Workload) -> None:
    known = read_checksums()
    for jar in workload.jars():
        if known.get(jar.name) != _sha256(jar):
            msg = f"{jar}: SHA-256 is not the one in {_CHECKSUMS.name}"
            raise SystemExit(msg)


def read_checksums() -> dict[str, str]:
    """Returns the committed SHA-256 of each jar by file name."""
    if not _CHECKSUMS.exists():
        return {}
    lines = _CHECKSUMS.read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


def write_checksums(workloads: list[Workload]) -> None:
    """Adds the jars that `workloads` have now to the committed checksums."""
    known = read_checksums()
    for workload in workloads:
        known |= {jar.name: _sha256(jar) for jar in workload.jars()}
    text = "".join(f"{digest}  {name}\n" for name, digest in sorted(known.items()))
    _CHECKSUMS.write_text(text, encoding="utf-8")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _run(command: list[str | Path]) -> None:
    done = subprocess.run(
        [os.fspath(part) for part in command], capture_output=True, text=True, check=False
    )
    if done.returncode:
        msg = f"{command[0]} failed with {done.returncode}:\n{done.stdout}{done.stderr}"
        raise SystemExit(msg)
