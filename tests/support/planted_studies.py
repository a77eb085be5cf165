"""Studies of overhead whose effects are known, written without a VM."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmscope.watch.study import StudyManifest, StudyParts
from jvmscope.watch.study.manifest import write_study_manifest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["MS", "Planted", "write_planted", "write_study"]

MS = 1_000_000
_S = 1_000 * MS


def write_study(
    path: Path,
    rows: Mapping[str, list[tuple[Any, ...]]],
    *,
    state: str = "complete",
    reading: float = 60.0,
) -> Path:
    """Writes a study of one part with these rows, and returns its directory."""
    path.mkdir()
    manifest = StudyManifest(
        command=["java", "-cp", "shop.jar", "shop.Main"],
        options={"seed": 7, "reading": reading},
        state=state,
        jvm={"version": "17.0.1", "name": "OpenJDK 64-Bit Server VM", "home": "/jdk"},
        n_processors=2,
        tool={"name": "jvmscope", "version": "0"},
        started="2026-11-23T00:00:00Z",
    )
    write_study_manifest(path, manifest)
    StudyParts(path, []).add(manifest, rows)
    return path


@dataclass(frozen=True)
class Planted:
    """What is planted in a study.

    Attributes:
        n_methods: methods, each observed once; method n takes (n + 1) · 100 µs on average.
        n_calls: invocations of each in a reading, in each of two threads.
        overhead_ns: what the dynamic probe adds to the time that it measures itself, on average;
            every other time it is 100 ns less, else 100 ns more.
        overhead_step_ns: how much more that is from one method to the next.
        slowed: methods by what their time is multiplied with while the probe is in them.
        drift: what all times are multiplied with at the end of the control launch.
        noise: the standard deviation of a time, as a part of it. A method has the same times in
            every reading, in another order, so chance adds no effect to those that are planted.
    """

    n_methods: int = 6
    n_calls: int = 100
    overhead_ns: int = 1_500
    overhead_step_ns: int = 0
    slowed: Mapping[int, float] = field(default_factory=dict)
    drift: float = 1.0
    noise: float = 0.01


def write_planted(path: Path, planted: Planted, seed: int = 1) -> Path:
    """Writes a study with planted effects: a launch with every method observed, and a control."""
    return write_study(path, _Writer(planted, seed).rows)


class _Writer:
    def __init__(self, planted: Planted, seed: int) -> None:
        self._planted = planted
        self._chance = random.Random(seed)  # noqa: S311
        self._now = 0
        self._n_readings = 0
        self._times = [
            [
                (method + 1) * 100_000 * self._chance.gauss(1.0, planted.noise)
                for _ in range(planted.n_calls)
            ]
            for method in range(planted.n_methods)
        ]
        methods = range(planted.n_methods)
        self.rows: dict[str, list[tuple[Any, ...]]] = {
            "restart": [(0, False, 0, 0), (1, True, 0, 0)],
            "study_method": [(m, "shop/Main", f"m{m}", "()V", 1000, True) for m in methods],
            "cycle": [],
            "reading": [],
            "static_sample": [],
            "dynamic_sample": [],
            "compilation": [],
        }
        self._read(0, None, "S3")
        for method in methods:
            self._observe(method)
        self._read(0, None, "S10")
        self._read(1, None, "S3")
        self._read(1, None, "S10", factor=planted.drift)

    def _observe(self, method: int) -> None:
        inserted = self._now
        self._now += 10 * _S
        self.rows["compilation"].append((0, self._now, "shop/Main", f"m{method}", "()V", 4))
        self._read(0, method, "S6")
        removed = self._now
        # Quiet after 2 s, 3 s, …; half of that after removals.
        quiet = (2 + method) * _S
        cycle = (method, 0, method, inserted, quiet, removed, quiet // 2, None)
        self.rows["cycle"].append(cycle)
        self._now += 10 * _S
        self._read(0, method, "S8")

    def _read(self, restart: int, observed: int | None, step: str, factor: float = 1.0) -> None:
        reading, start = self._n_readings, self._now
        self._n_readings += 1
        for method in range(self._planted.n_methods):
            is_dynamic = step == "S6" and method == observed
            slowed = self._planted.slowed.get(method, 1.0) if is_dynamic else 1.0
            for thread in (1, 2):
                self._call(reading, method, thread, factor * slowed, is_dynamic=is_dynamic)
        self._now += 60 * _S
        # With the probe, 2 % of the processors more.
        used = 0.5 + 0.02 * (step == "S6") + 0.001 * (self._n_readings % 5)
        self.rows["reading"].append((reading, restart, observed, step, start, self._now, used))

    def _call(
        self, reading: int, method: int, thread: int, factor: float, *, is_dynamic: bool
    ) -> None:
        """Has a thread call a method many times, one call after the other."""
        planted, now = self._planted, self._now
        times = self._times[method].copy()
        self._chance.shuffle(times)
        for number, time_ns in enumerate(times):
            took = round(time_ns * factor)
            overhead = planted.overhead_ns + method * planted.overhead_step_ns
            overhead += 100 if number % 2 else -100
            entry = now + overhead // 3
            self.rows["static_sample"].append((reading, method, thread, entry, entry + took))
            end = now + took + overhead
            if is_dynamic:
                self.rows["dynamic_sample"].append((method, thread, now, end))
            now = end
