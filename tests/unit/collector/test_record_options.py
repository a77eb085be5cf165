"""What of the options the agent is told."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from jvmscope.collector.record_options import RecordOptions
from jvmscope.errors import AgentError

if TYPE_CHECKING:
    from pathlib import Path


def test_patterns_in_any_script_are_lines_for_the_agent() -> None:
    options = RecordOptions(include=("päck/*",), start_at="p.C.m")
    options.check()
    assert {"include=päck/*", "from=p.C.m", "vm_threads=false"} <= set(options.agent_lines())


@pytest.mark.parametrize("pattern", ["a\nraw=/", "a\r", "a\0b", "caf\udce9", "a\u2028b"])
def test_what_is_no_line_of_text_is_refused(pattern: str) -> None:
    with pytest.raises(AgentError, match=r"--exclude '.*': expected one line of UTF-8"):
        RecordOptions(exclude=(pattern,)).check()


def test_what_the_library_for_native_code_cannot_do_is_refused() -> None:
    RecordOptions(start_at="p.Main.main").check()
    RecordOptions(probes=("native",), injection="env").check()
    with pytest.raises(AgentError, match="not together with --probes native"):
        RecordOptions(probes=("native", "order"), start_at="p.Main.main").check()


@pytest.mark.parametrize(
    ("options", "refused"),
    [
        ({}, "--no-tree: nothing is left to record; add --probes native"),
        ({"probes": ("native", "order")}, "--probes order: not together with --no-tree"),
        ({"probes": ("native", "native-spa")}, "two ways to count the same"),
        ({"probes": ("native",), "include": ("p/*",)}, "--include: not together with --no-tree"),
        ({"probes": ("native",), "max_bytes": 1}, "--max-memory: not together with --no-tree"),
        ({"probes": ("native",), "clock": "steps"}, "--clock: not together with --no-tree"),
        ({"probes": ("native",), "is_deterministic": False}, "--no-deterministic: not together"),
    ],
)
def test_without_calls_what_is_about_calls_is_refused(
    options: dict[str, Any], refused: str
) -> None:
    RecordOptions(probes=("native",), has_tree=False, has_vm_threads=True, select="x").check()
    with pytest.raises(AgentError, match=refused):
        RecordOptions(has_tree=False, **options).check()


def test_events_are_not_for_a_recording_with_calls() -> None:
    RecordOptions(probes=("native-spa",), has_tree=False).check()
    with pytest.raises(AgentError, match="--probes native-spa: needs --no-tree"):
        RecordOptions(probes=("native-spa",)).check()


def test_native_code_needs_no_jdk_of_its_own() -> None:
    assert RecordOptions(probes=("native",)).variant() == RecordOptions().variant()
    assert (
        RecordOptions(probes=("order", "native")).variant()
        == RecordOptions(probes=("order",)).variant()
    )


def test_a_method_cache_is_told_to_the_agent_and_prepared_for() -> None:
    options = RecordOptions(method_cache=(16, 256))

    assert "method_cache=16x256" in options.agent_lines()
    assert options.variant() == "method_cache=16x256"
    assert RecordOptions().variant() == ""


def test_a_consumer_is_told_to_the_agent_and_prepared_for(tmp_path: Path) -> None:
    places = (tmp_path / "a", tmp_path / "b.jar")
    options = RecordOptions(consumer="p.Watch", consumer_path=places, consumer_every=5)

    assert options.agent_lines()[:3] == [
        "consumer=p.Watch",
        f"consumer_path={places[0]}{os.pathsep}{places[1]}",
        "consumer_every=5",
    ]
    assert options.variant() == "consumer=any"
