"""What the process that records a benchmark says of it; only ``record`` itself is a stand-in."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
from support.suites import write_suite_file

from jvmscope import cli
from jvmscope.suite import execution, open_suite

if TYPE_CHECKING:
    from pathlib import Path

_RECORDER = """
import json, pathlib, sys
from jvmscope.collector import record
from jvmscope.collector.record_options import Recorded

def stand_in(words, options, messages, keeps_unread):
    print("hello")
    options.output.mkdir()
    manifest = {{"schema": 1, "status": "complete", "tables": {{}}, "limits": {limits!r}}}
    (options.output / "run.json").write_text(json.dumps(manifest))
    messages.warn("the last message")
    return Recorded(runs=[options.output], **{facts!r})

record.record = stand_in
from jvmscope.suite.recorder import main
main(pathlib.Path(sys.argv[1]))
"""


@pytest.mark.parametrize(
    ("facts", "status", "reason"),
    [
        ({"status": 0, "exit": 0}, "recorded", None),
        ({"status": 125, "exit": 0, "failure": "cannot prepare\nJDK 8"}, "failed", "JDK 8"),
        ({"status": 3, "exit": 3, "failure": "its run is lost"}, "failed", "exit status 3,"),
        ({"status": 4, "exit": 143, "has_timed_out": True}, "timeout", "not done after"),
    ],
)
def test_a_recording_that_failed_is_no_recorded_row(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    facts: dict[str, object],
    status: str,
    reason: str | None,
) -> None:
    command = (sys.executable, "-c", _RECORDER.format(facts=facts, limits=[]))
    monkeypatch.setattr(execution, "RECORDER", command)
    file = write_suite_file(tmp_path, {"a": "ok"})
    out = tmp_path / "out"

    for expected in ("hello", "l", "hello"):  # also when it is judged again
        option = f"expect.stdout_matches={expected}"
        ended = cli.run(["suite", "run", str(file), "-o", str(out), "--set", option])
        assert ended == (cli.DONE if reason is None else cli.NO)
        (row,) = open_suite(out).rows
        assert row.status == status
        assert (reason or "") in (row.reason or "")
        kept = json.loads(
            (out / f"a-1.{'run' if row.runs else 'failed'}/log/suite.json").read_text()
        )
        assert kept["failure"] == facts.get("failure")


def test_what_a_whole_run_lacks_is_kept_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    limits = ["calls are folded", "no bytecodes were counted of a/B.f()V"]
    recorder = _RECORDER.format(facts={"status": 0, "exit": 0}, limits=limits)
    monkeypatch.setattr(execution, "RECORDER", (sys.executable, "-c", recorder))
    file = write_suite_file(tmp_path, {"a": "ok"})
    out = tmp_path / "out"

    assert cli.run(["suite", "run", str(file), "-o", str(out)]) == cli.DONE
    told = capfd.readouterr().err.splitlines()
    assert [line for line in told if line.startswith("warning: ")] == [
        f"warning: a-1: {limit}" for limit in limits
    ]
    again = ["suite", "run", str(file), "-o", str(out), "--set", "expect.stdout_matches=hello"]
    assert cli.run(again) == cli.DONE  # judged again, and not recorded again
    (row,) = open_suite(out).rows
    assert row.limits == tuple(limits)
    capfd.readouterr()
    assert cli.run(["suite", "list", str(out), "--format", "csv"]) == cli.DONE
    assert "; ".join(limits) in capfd.readouterr().out
