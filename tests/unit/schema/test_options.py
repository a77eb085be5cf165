"""The one table of recording options, and what is made from it, agree."""

from __future__ import annotations

from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import click
import pytest

from jvmscope.collector.record_options import RecordOptions
from jvmscope.commands.record import command
from jvmscope.schema.options import OPTIONS, RecordingOption

_JAVA = Path(__file__).parents[3] / "collector" / "agent" / "src" / "main" / "java"


def test_the_recorder_has_each_option_with_its_default() -> None:
    defaults: dict[str, Any] = {}
    for each in fields(RecordOptions):
        made = each.default_factory
        defaults[each.name] = each.default if made is MISSING else made()
    made_of_texts = {"runs": "runs", "max_bytes": "4GiB", "tags": ()}

    assert {each.field: each.default for each in OPTIONS} == defaults | made_of_texts


def test_the_command_line_means_the_defaults_of_the_recorder() -> None:
    context = command.make_context("record", ["--", "java"])
    fields_of = {each.field for each in OPTIONS}
    chosen = {name: value for name, value in context.params.items() if name in fields_of}

    assert RecordOptions(**{**chosen, "tags": {}}) == RecordOptions()


@pytest.mark.parametrize("each", OPTIONS, ids=lambda each: each.key)
def test_help_says_each_option(each: RecordingOption) -> None:
    (shown,) = (param for param in command.params if param.name == each.field)

    assert isinstance(shown, click.Option)
    assert shown.opts == list(each.words)
    assert shown.help == each.help


@pytest.mark.parametrize(
    "each", [each for each in OPTIONS if each.is_for_agent], ids=lambda each: each.key
)
def test_the_agent_reads_each_of_its_options(each: RecordingOption) -> None:
    """The agent refuses a name that it does not know, so each stands in its sources."""
    sources = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("agent", "probe")
        for path in (_JAVA / "io" / "jvmscope" / folder).glob("*.java")
    )

    assert f'"{each.key}"' in sources


# Why runs that differ in an option can be compared all the same.
_COMPARABLE = {
    "probes": "compare has a note of its own on them",
    "probe": "its tables are no metrics",
    "tree": "what one lacks is null, and compare has a note of its own",
    "native_clock": "each clock measures processor time",
    "consumer": "it reads what is counted",
    "consumer_every": "it reads what is counted",
    "max_memory": "compare has a note of its own on folded calls",
    "timeout": "a run that it ended is truncated",
    "select": "it chooses the VM that is recorded",
    "inject": "the VM is the same, and its options are in the manifest",
}


@pytest.mark.parametrize(
    "each", [each for each in OPTIONS if each.manifest is not None], ids=lambda each: each.key
)
def test_runs_with_other_options_are_not_compared_without_a_note(each: RecordingOption) -> None:
    changes = each.changes_counts or each.changes_own_table

    assert changes != (each.key in _COMPARABLE)
