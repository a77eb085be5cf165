"""Reading again what a JVM left and could not be read when its recording ended."""

from __future__ import annotations

import dataclasses
import fcntl
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.collector import agent_jar, unread
from jvmscope.collector.completion import completed, keep_agent_log
from jvmscope.collector.ingest import IngestOptions, ingest
from jvmscope.collector.launch.injection import default_jdk
from jvmscope.collector.launch.jdk import JdkError
from jvmscope.collector.launch.launch_notes import prepared_home
from jvmscope.errors import RunError
from jvmscope.schema.manifest import Manifest, read_manifest, write_manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["recover"]


def recover(run: Path, progress: Callable[[int, int], object]) -> Manifest:
    """Writes the tables of a run that has only what its JVM left; returns its new manifest.

    The run stays as it is until all tables are there; then what the JVM left is removed.

    Args:
        run: a run with the status ``failed``.
        progress: called with (done, total), in bytes.

    Raises:
        RunError: there is nothing to recover, another process does so, the JDK that was recorded
            is not the one of JAVA_HOME or PATH, or the recording still cannot be read.
    """
    manifest = _recoverable(run)
    raw = run / "raw"
    if manifest.status != "failed":  # a process that recovered it was killed at the very end
        unread.discard(raw)
        return manifest
    java = _java(run)
    jar = agent_jar()
    with _held(run):
        try:
            unread.use_kept_jdk(raw)
            result = ingest(
                raw,
                run / "tables",
                run / "classes.zip",
                java=java,
                jar=jar,
                options=IngestOptions(has_tree=manifest.kind == "recorded"),
                progress=progress,
            )
            recovered = completed(_without_failure(manifest), result, run)
            keep_agent_log(run)
            write_manifest(run, recovered)
            unread.discard(raw)
        except (RunError, OSError) as error:
            raise RunError(f"{run}: the recording cannot be read: {error}") from None
    return recovered


def _recoverable(run: Path) -> Manifest:
    """Returns the manifest of a run that has what its JVM left."""
    manifest = read_manifest(run)
    raw = run / "raw"
    memory = unread.in_memory(raw)
    if memory is not None and not memory.exists():
        raise RunError(
            f"{run}: what its JVM left was kept in memory, in {memory}, and is gone, as after a "
            "restart of the machine; record again"
        )
    has_launch = (raw / unread.LAUNCH).is_file()
    if manifest.status != "failed" and not has_launch:
        raise RunError(f"{run}: there is nothing to recover, since its recording was read")
    if not has_launch:
        raise RunError(
            f"{run}: there is nothing to recover it from, since {raw} does not have what its JVM "
            "left; record again"
        )
    return manifest


def _java(run: Path) -> Path:
    """Returns ``java`` of the JDK that was recorded, if JAVA_HOME or PATH has it.

    A run may come from anybody, so a program that only the run names is not started.
    """
    note = run / "raw" / unread.LAUNCH
    home = prepared_home(note)
    if not home:
        raise RunError(f"{note}: damaged, since it does not name a JDK; record again")
    try:
        own = default_jdk(os.environ)
    except JdkError:
        own = None
    if own is None or not _is_same(own.home, home):
        found = "no JDK" if own is None else own.home
        raise RunError(
            f"{run}: recorded with the JDK in {home}, and JAVA_HOME and PATH lead to {found}: "
            "run it with JAVA_HOME set to that JDK"
        )
    return Path(own.home) / "bin" / "java"


def _is_same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _without_failure(manifest: Manifest) -> Manifest:
    """Returns the manifest without the limit that its recording could not be read."""
    limits = zip(manifest.limits, manifest.limit_codes, strict=True)
    left = [(text, code) for text, code in limits if code != "unread"]
    return dataclasses.replace(
        manifest,
        limits=[text for text, _ in left],
        limit_codes=[code for _, code in left],
    )


@contextmanager
def _held(run: Path) -> Iterator[None]:
    """Keeps other processes from recovering the same run."""
    directory = os.open(run / "raw", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(directory)
        raise RunError(f"{run}: another process recovers it now") from None
    try:
        yield
    finally:
        os.close(directory)
