"""``jvmscope calibrate`` with a program that answers as a VM does."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from jvmscope.commands.calibrate import command
from jvmscope.errors import AgentError
from jvmscope.schema.calibration import CALIBRATED_FORMS, read_calibration
from jvmscope.watch.calibrating import calibrate

if TYPE_CHECKING:
    from pathlib import Path

# Its cost is the number of the VMs of this form that were started before.
_JAVA = """#!/bin/sh
case "$*" in *-version)
    printf '    java.version = {version}\\n    java.vm.name = Stand-in VM\\n' >&2
    printf '    java.home = /jdk\\n    line.separator = \\\\n \\n' >&2; exit;;
esac
case "$*" in *-Xint*) file="$0.n";; *) file=/dev/null;; esac
echo "$JAVA_TOOL_OPTIONS" >> "$file"
{answer}
"""
# The log of its compiler is where it runs.
_LOG = """<task compile_id='1' method='io.jvmscope.calibration.Calls ofStatic (I)J'>
<{said} reason='any'/>
<task_done success='1'/></task>"""
_INLINED, _CALLED = (_LOG.format(said=said) for said in ("inline_success", "inline_fail"))
_LOGGED = f"""case "$*" in
*dontinline*) echo "{_CALLED}" ;; *) echo "{_INLINED}" ;;
esac > compilations.xml
"""
_SAID = 'echo "call static $(wc -l < "$file")"; [ "${0%/java}" ] || echo "work loop 2"'
_ANSWER = _LOGGED + _SAID


def _java(tmp_path: Path, answer: str = _ANSWER, version: str = "17.0.15") -> Path:
    java = tmp_path / "java"
    java.write_text(_JAVA.format(answer=answer, version=version))
    java.chmod(0o755)
    return java


def test_costs_are_means_over_vms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values 1, 2 and 3: 2 with t = 4.303 for two degrees of freedom, by the square root of 3."""
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Xint")
    java, told = _java(tmp_path), []
    found = calibrate(java, tmp_path / "agent.jar", 3, lambda *done: told.append(done))

    interpreted = next(cost for cost in found.costs if cost.form == "interpreter")
    assert interpreted.ns == 2
    assert interpreted.low_ns == 0
    assert interpreted.high_ns == pytest.approx(2 + 4.303 / 3**0.5)
    assert {cost.form for cost in found.costs} == {
        *CALIBRATED_FORMS,
        *(f"{form}_inlined" for form in CALIBRATED_FORMS[1:]),
    }
    assert found.jdk == {"version": "17.0.15", "name": "Stand-in VM", "home": "/jdk"}
    assert told == [(n, 27) for n in range(28)]
    assert (tmp_path / "java.n").read_text() == "\n" * 3, "options of the environment change forms"


@pytest.mark.parametrize(
    ("answer", "version", "message"),
    [
        ("echo nonsense", "17", "-Xint has not measured: status 0, it said: nonsense"),
        ("echo bad flag >&2; exit 1", "17", "status 1, it said: bad flag: use a HotSpot JDK"),
        (_SAID, "17", "ran static calls in tier_1 has not logged how it compiled them"),
        (_ANSWER, "11.0.2", "is of Java 11.0.2; expected 17 or newer"),
        (_ANSWER, "", "is not the program java of a JDK"),
    ],
)
def test_what_does_not_measure_is_an_error(
    answer: str, version: str, message: str, tmp_path: Path
) -> None:
    java = _java(tmp_path, answer, version)

    with pytest.raises(AgentError, match=message):
        calibrate(java, tmp_path / "agent.jar", 2, lambda _done, _all: None)


def test_only_what_was_inlined_counts_as_such(tmp_path: Path) -> None:
    """Nor is a call that was inlined one of the others; the interpreter inlines nothing."""
    for log, forms in (
        (_CALLED, {*CALIBRATED_FORMS}),
        (_INLINED, {CALIBRATED_FORMS[0], *(f"{form}_inlined" for form in CALIBRATED_FORMS[1:])}),
        (_CALLED.replace("any'/>", "any'/>\n<inline_success/>"), {CALIBRATED_FORMS[0]}),
    ):
        java = _java(tmp_path, f'echo "{log}" > compilations.xml\n{_SAID}')
        found = calibrate(java, tmp_path / "agent.jar", 2, lambda _done, _all: None)

        assert {cost.form for cost in found.costs if cost.what == "call"} == forms


def test_what_was_inlined_in_some_vms_counts_in_none(tmp_path: Path) -> None:
    log = tmp_path / "log"
    sometimes = f'[ -e {log} ] && echo "{_INLINED}" > compilations.xml'
    java = _java(tmp_path, f"{_LOGGED}{sometimes}\necho x > {log}\n{_SAID}")
    found = calibrate(java, tmp_path / "agent.jar", 2, lambda _done, _all: None)

    assert "tier_1" not in {cost.form for cost in found.costs if cost.what == "call"}


def test_a_program_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="cannot be started: No such file"):
        calibrate(tmp_path / "java", tmp_path / "agent.jar", 2, lambda _done, _all: None)


def _run(*words: object) -> object:
    return CliRunner().invoke(command, [*map(str, words), "-q", "--vms", "2"])


def test_a_file_is_replaced_only_by_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jvmscope.actions.calibrating.agent_jar", lambda: tmp_path / "agent.jar")
    java, file, other = _java(tmp_path), tmp_path / "a.calibration", tmp_path / "other"
    other.write_text("mine")
    first = _run(java, "-o", file)
    again = _run(java, "-o", file)

    assert first.exit_code == 0  # type: ignore[attr-defined]
    assert read_calibration(file).n_vms == 2
    assert "exists already" in str(again.exception)  # type: ignore[attr-defined]
    assert _run(java, "-o", file, "--force").exit_code == 0  # type: ignore[attr-defined]
    refused = _run(java, "-o", other, "--force")
    assert "not a calibration, so --force" in str(refused.exception)  # type: ignore[attr-defined]
    assert other.read_text() == "mine"


def test_without_a_name_it_is_that_of_jdk_machine_and_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jvmscope.actions.calibrating.agent_jar", lambda: tmp_path / "agent.jar")
    monkeypatch.setattr("platform.node", lambda: "a host")
    monkeypatch.chdir(tmp_path)
    _run(_java(tmp_path))

    (file,) = (tmp_path / "runs").iterdir()
    assert file.name.startswith("java-17.0.15-a-host-20")
    assert file.name.endswith("Z.calibration")


def test_a_signal_leaves_nothing(tmp_path: Path) -> None:
    """It comes while a VM measures, which would end by itself if it came before it was known."""
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    java = _java(tmp_path, f"echo $$ > {ready}; exec sleep 1000")
    jar = tmp_path / "agent.jar"
    words = (
        f"from jvmscope.actions import calibrating as c; c.agent_jar = lambda: c.Path({str(jar)!r})"
    )
    line = f"{words}; from jvmscope.__main__ import main; main()"
    command_line = [sys.executable, "-c", line, "calibrate", str(java), "-q", "-o", "a.calibration"]
    with subprocess.Popen(command_line, cwd=tmp_path) as process:
        pid = int(ready.read_text())
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 143
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)

    assert not [*tmp_path.glob("*.calibration*")]
