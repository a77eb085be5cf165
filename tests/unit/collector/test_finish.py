"""What a recording tells of a run that is not whole."""

from __future__ import annotations

import datetime as dt
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jvmscope.collector.finish import Finisher
from jvmscope.collector.record_options import Messages, RecordOptions
from jvmscope.schema.limits import LIMITS

# These are told where they are found: by the command's end, by the notice of folded calls, and
# where the release of a JDK or a guard is looked at. A watch is not recorded.
_TOLD_ELSEWHERE = {
    "memory",
    "time",
    "outlived",
    "killed",
    "other",
    "unfinished",
    "lapse",
    "dropped",
}


@pytest.mark.parametrize("code", LIMITS)
def test_each_limit_that_takes_from_counts_is_told(code: str) -> None:
    told: list[str] = []
    messages = Messages(
        say=lambda _text: None,
        warn=told.append,
        task=lambda _text: nullcontext(lambda _done, _total: None),
        detail=lambda _text: None,
    )
    finisher = Finisher(
        RecordOptions(),
        messages,
        jar=Path("agent.jar"),
        keeps_raw=False,
        command=["java", "Main"],
        end=SimpleNamespace(),  # type: ignore[arg-type] # nobody asks how it ended
        directory="/",
        started=dt.datetime.now(dt.UTC),
        duration_s=1.0,
    )
    note: Any = SimpleNamespace(main="Main", pid=1, java_version="17")
    manifest: Any = SimpleNamespace(limits=["the reason"], limit_codes=[code], status="truncated")

    finisher._tell(note, manifest, None)

    assert told == ([] if code in _TOLD_ELSEWHERE else ["Main: the reason"])
