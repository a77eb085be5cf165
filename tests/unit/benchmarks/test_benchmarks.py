"""The benchmarks' own parts: no JVM, no network, no time taken."""

from __future__ import annotations

import dataclasses
import tomllib
from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks import alike, java_sources, overhead, publish
from benchmarks.catalogue import FOLDER, load
from benchmarks.measure import Sample
from benchmarks.prepare import read_checksums
from benchmarks.recording import Recording
from jvmscope.queries.identity.digest import TreeDigest
from jvmscope.schema.options import probes_named

if TYPE_CHECKING:
    from pathlib import Path


def _sample(ms: float) -> Sample:
    return Sample(
        status=0,
        wall_ms=ms,
        cpu_ms=2 * ms,
        peak_rss_bytes=1 << 20,
        stdout_sha256="",
        steady_ms=ms / 10,
        steady_cpu_ms=ms / 20,
        stderr="",
    )


def _recording(ms: float) -> Recording:
    return Recording(
        program=_sample(ms),
        total_ms=2 * ms,
        n_nodes=100,
        arena_bytes=6400,
        run_bytes=1,
        status="complete",
        limits=[],
    )


def _costs() -> list[overhead.Cost]:
    return [
        overhead.Cost("one", "whole", [_sample(100)], [_recording(200)]),
        overhead.Cost("two", "whole", [_sample(100)], [_recording(800)]),
        overhead.Cost("one", "steady", [_sample(100)], [_recording(300)]),
    ]


def test_every_workload_has_its_files_and_expected_output() -> None:
    expected = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))
    for workload in load():
        assert all((FOLDER / source).is_file() for source in workload.sources)
        assert "small" in expected[workload.name]
        assert {"small", "default"} <= set(workload.sizes)


def test_a_fetched_jar_has_a_checksum() -> None:
    artifacts = {name.rsplit("-", 1)[0] for name in read_checksums()}
    for workload in load():
        for coordinate in workload.coordinates:
            artifact = coordinate.split(":")[1]
            assert any(known.startswith(artifact) for known in artifacts), artifact


def test_an_unknown_workload_is_named() -> None:
    with pytest.raises(SystemExit, match="no workload 'nothing'"):
        load(["nothing"])


def test_generated_sources_are_always_the_same(tmp_path: Path) -> None:
    first = java_sources.generate(tmp_path / "a", 20)
    second = java_sources.generate(tmp_path / "b", 20)
    assert [path.read_text() for path in first] == [path.read_text() for path in second]
    assert len({path.parent for path in first}) == 4


def test_the_table_has_geometric_means() -> None:
    lines = overhead.table(_costs()).splitlines()
    assert len(lines) == 5
    means = [cell.strip() for cell in lines[-1].split("|")]
    assert means[4] == "**3.00**"
    assert means[8] == "**4.00**"
    assert "| 64 |" in lines[2]


def test_variants_stand_side_by_side_by_processor_time() -> None:
    costs = _costs()
    costs.append(overhead.Cost("one", "whole", [_sample(100)], [_recording(500)], variant="all"))
    assert overhead.table_of_variants(costs, "whole").splitlines() == [
        "| whole |  | all |",
        "| --- | --: | --: |",
        "| one | 2.00 | 5.00 |",
        "| two | 8.00 |  |",
        "| **geometric mean** | **4.00** | **5.00** |",
        "| **wall clock** | **4.00** | **5.00** |",
        "| **with ingest** | **8.00** | **10.00** |",
    ]


def test_object_probes_are_measured_alone_and_together() -> None:
    *alone, objects, everything = overhead.OBJECT_PROBES
    assert sorted(alone) == sorted([*probes_named("objects"), "lifetimes"])
    assert (objects, everything) == ("objects", "objects,lifetimes")
    assert "<!-- object-probes: begin -->" in publish.PAGE.read_text(encoding="utf-8")


def test_measurements_survive_json(tmp_path: Path) -> None:
    plan = overhead.Plan(java_home=tmp_path)
    overhead.write_json(tmp_path / "costs.json", _costs(), plan, {"jdk": "17"})
    costs, content = overhead.read_json(tmp_path / "costs.json")
    assert [dataclasses.asdict(cost) for cost in costs] == [
        dataclasses.asdict(cost) for cost in _costs()
    ]
    assert content["jdk"] == "17"


def test_what_changed_a_program_is_not_published() -> None:
    costs = _costs()
    overhead.refuse_problems(costs)
    costs[1].problems.append("status 1 instead of 0")
    with pytest.raises(SystemExit, match="two whole : status 1 instead of 0"):
        overhead.refuse_problems(costs)


def test_a_section_without_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="no markers of a"):
        publish.replace_section("text", "a", "new")


def _tree(place: list[int], content: list[int], *, internal: int = -1) -> TreeDigest:
    n = len(place)
    return TreeDigest(
        parent=np.zeros(n, dtype=np.int32),
        method=np.zeros(n, dtype=np.int32),
        thread=np.zeros(n, dtype=np.int32),
        size=np.ones(n, dtype=np.int32),
        n_calls=np.zeros(n, dtype=np.int64),
        place=np.array(place, dtype=np.uint64),
        content=np.array(content, dtype=np.uint64),
        is_internal=np.arange(n) == internal,
    )


def test_nodes_differ_by_place_and_by_content() -> None:
    a = _tree([1, 2, 3, 9], [10, 20, 30, 0], internal=3)
    b = _tree([1, 2, 4, 5], [10, 21, 40, 50])
    # 3 is only in a, 4 and 5 are only in b, 2 has another content; 9 is of a thread of the VM.
    assert alike.count_differing(a, b) == 4
    assert alike.count_differing(a, a) == 0
