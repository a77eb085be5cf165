"""What becomes of a run once what its JVM left has been read."""

from __future__ import annotations

import dataclasses
import shutil
from typing import TYPE_CHECKING

from jvmscope.collector.uncounted import uncounted
from jvmscope.schema.limits import CUTTING, Limit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmscope.collector.ingest import IngestResult
    from jvmscope.schema.manifest import Manifest

__all__ = ["completed", "keep_agent_log", "with_limits"]


def completed(manifest: Manifest, result: IngestResult, run: Path) -> Manifest:
    """Returns the manifest of a run with its tables.

    Args:
        manifest: what was known before: how the JVM ended, and the limits of its recording.
        result: what ingest made.
        run: where it made that.
    """
    lost = _lost(result)
    is_killed = manifest.exit is not None and manifest.exit.state == "killed"
    is_cut = is_killed or not CUTTING.isdisjoint(manifest.limit_codes) or bool(lost)
    limits = _left_out(result) + lost
    if manifest.kind == "recorded":
        limits += uncounted(run / "tables")
    return dataclasses.replace(
        with_limits(manifest, limits),
        status="truncated" if is_cut else "complete",
        tables=result.tables,
        files=result.files,
        main=result.main,
        jvm={**manifest.jvm, **result.vm},
        n_exclusions=result.n_exclusions,
    )


def with_limits(manifest: Manifest, limits: Sequence[Limit]) -> Manifest:
    """Returns the manifest with more limits behind its own."""
    return dataclasses.replace(
        manifest,
        limits=[*manifest.limits, *(limit.text for limit in limits)],
        limit_codes=[*manifest.limit_codes, *(limit.code for limit in limits)],
    )


def keep_agent_log(run: Path) -> None:
    """Copies the agent's messages out of the raw directory, if it had any.

    Raises:
        OSError: they cannot be written.
    """
    text = run / "raw" / "agent.txt"
    if text.exists() and text.stat().st_size:
        log = run / "log"
        log.mkdir(exist_ok=True)
        shutil.copyfile(text, log / "agent.txt")


def _left_out(result: IngestResult) -> list[Limit]:
    if not result.n_dropped:
        return []
    text = f"{result.n_dropped} nodes were left out: their classes were not logged"
    return [Limit("unlogged", text)]


def _lost(result: IngestResult) -> list[Limit]:
    """Returns what tables of objects and of classes lack."""
    limits = []
    if result.unlogged:
        tables = ", ".join(f"{name} ({count:,})" for name, count in result.unlogged.items())
        text = f"classes were not logged, and tables lack or do not name what was theirs: {tables}"
        limits.append(Limit("unlogged", text))
    if result.n_without_room:
        times = f"{result.n_without_room:,} times"
        text = (
            f"there was no memory, or no room on a stack, for what is known of an object, {times}"
        )
        limits.append(Limit("room", f"{text}: counts of objects are too small"))
    return limits
