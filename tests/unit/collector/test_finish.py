"""What a recording tells of a run that is not whole."""

from __future__ import annotations

import signal
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jvmscope.collector.arena import RUNNING, ArenaHeader
from jvmscope.collector.finish import Finisher, _Ended
from jvmscope.collector.launch.process import CommandEnd
from jvmscope.collector.record_options import Messages
from jvmscope.schema.limits import LIMITS

# These are told where they are found: by the command's end, by the notice of folded calls, and
# where the release of a JDK or a guard is looked at. A watch is not recorded.
_TOLD_ELSEWHERE = {
    "memory",
    "time",
    "outlived",
    "killed",
    "unseen",
    "other",
    "unfinished",
    "lapse",
    "dropped",
    "unread",
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
        SimpleNamespace(),  # type: ignore[arg-type] # nobody asks how it began
        messages,
        jar=Path("agent.jar"),
        keeps_raw=False,
        keeps_unread=True,
        end=None,
        duration_s=None,
    )
    note: Any = SimpleNamespace(main="Main", pid=1, java_version="17")
    manifest: Any = SimpleNamespace(limits=["the reason"], limit_codes=[code], status="truncated")

    finisher._tell(note, manifest, None)

    assert told == ([] if code in _TOLD_ELSEWHERE else ["Main: the reason"])


@pytest.mark.parametrize("number", sorted(signal.valid_signals()))
def test_every_signal_that_kills_a_jvm_is_told(number: int) -> None:
    header = ArenaHeader(state=RUNNING, status=0, flags=0, used_bytes=0, java_major=17, pid=1)
    note: Any = SimpleNamespace(pid=1)
    end = CommandEnd(pid=1, status=None, signal=number, has_timed_out=False)
    ended = _Ended(header, note, end, was_alive=False, has_lost_native=False)
    (limit,) = ended.limits()
    assert limit.code == "killed"
    assert limit.text.removeprefix("the JVM was killed by ").lower().startswith("sig")
    assert ended.facts.signal == number
