"""The agent's jar must be there, whole, and built from the sources of this checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from jvmscope import cli, collector
from jvmscope.collector import agent_jar, agent_sources
from jvmscope.errors import AgentError

_MANIFEST = "Manifest-Version: 1.0\r\nPremain-Class: io.jvmscope.agent.Agent\r\n{entries}\r\n"


def _write_jar(path: Path, manifest: str | None) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("io/jvmscope/agent/Agent.class", os.urandom(1000))
        if manifest is not None:
            archive.writestr("META-INF/MANIFEST.MF", manifest)
    return path


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout's folder `collector` with the agent's sources, and without a jar."""
    source = tmp_path / "agent" / "src" / "main" / "java" / "Agent.java"
    source.parent.mkdir(parents=True)
    source.write_text("class Agent {}")
    (tmp_path / "agent" / "pom.xml").write_text("<project/>")
    monkeypatch.setattr(collector, "_HERE", tmp_path)
    monkeypatch.delenv("JVMSCOPE_AGENT_JAR", raising=False)
    return tmp_path


def _build(checkout: Path) -> Path:
    entry = f"{agent_sources.ENTRY}: {agent_sources.digest_of_sources(checkout / 'agent')}\r\n"
    return _write_jar(checkout / "jvmscope-agent.jar", _MANIFEST.format(entries=entry))


def _truncate(jar: Path) -> None:
    jar.write_bytes(jar.read_bytes()[:-100])


def _make_unreadable(jar: Path) -> None:
    """Root may read any file, so it is one that is a directory."""
    jar.unlink()
    jar.mkdir()


_CHANGES = {
    "missing": (Path.unlink, "the agent was not built"),
    "empty": (lambda jar: jar.write_bytes(b""), "it is damaged"),
    "truncated": (_truncate, "it is damaged"),
    "text": (lambda jar: jar.write_text("<html>not found</html>"), "it is damaged"),
    "unreadable": (_make_unreadable, "it cannot be read: Is a directory"),
    "no manifest": (lambda jar: _write_jar(jar, None), "it has no manifest"),
    "no agent": (lambda jar: _write_jar(jar, "Main-Class: a.B\r\n"), "names no agent"),
    "older": (lambda jar: _write_jar(jar, _MANIFEST.format(entries="")), "not that of this"),
    "by hand": (
        lambda jar: _write_jar(jar, _MANIFEST.format(entries=f"{agent_sources.ENTRY}: unknown")),
        "not that of this checkout's sources",
    ),
}
"""What may be wrong with a jar, and what is said of it."""


def test_a_jar_of_these_sources_is_taken(checkout: Path) -> None:
    jar = _build(checkout)

    assert agent_jar() == jar


@pytest.mark.parametrize("name", _CHANGES)
def test_another_jar_is_one_error_that_says_what_to_do(
    checkout: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    change, said = _CHANGES[name]
    change(_build(checkout))

    assert cli.run(["record", "--", "java", "Main"]) == 125
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {checkout}/jvmscope-agent.jar: ")
    assert said in line
    assert line.endswith(": run `make agent`")


@pytest.mark.parametrize(
    "change",
    [
        lambda agent: (agent / "src/main/java/Agent.java").write_text("class Agent { }"),
        lambda agent: (agent / "src/main/java/Agent.java").rename(agent / "src/main/java/A.java"),
        lambda agent: (agent / "pom.xml").write_text("<project />"),
        lambda agent: (agent / "src/runtime").mkdir() or (agent / "src/runtime/B.java").touch(),
    ],
)
def test_any_change_of_a_source_makes_the_jar_stale(checkout: Path, change: object) -> None:
    _build(checkout)
    assert callable(change)
    change(checkout / "agent")

    with pytest.raises(AgentError, match="sources: run `make agent`"):
        agent_jar()


def test_what_is_not_in_the_jar_does_not_make_it_stale(checkout: Path) -> None:
    jar = _build(checkout)
    for name in ("agent/src/test/java/T.java", "agent/target/classes/A.class"):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).touch()
    os.utime(checkout / "agent" / "pom.xml")

    assert agent_jar() == jar


def test_without_sources_the_jar_that_was_installed_is_taken(checkout: Path) -> None:
    jar = _build(checkout)
    shutil.rmtree(checkout / "agent")
    assert agent_jar() == jar

    _truncate(jar)
    with pytest.raises(AgentError, match=r"it is damaged: .*: install jvmscope again"):
        agent_jar()


def test_a_jar_that_the_variable_names_may_be_any_agent(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = _write_jar(checkout / "own.jar", _MANIFEST.format(entries=""))
    monkeypatch.setenv("JVMSCOPE_AGENT_JAR", str(own))
    assert agent_jar() == own

    own.unlink()
    with pytest.raises(AgentError, match=r"own\.jar: .*No such file.*JVMSCOPE_AGENT_JAR must name"):
        agent_jar()


def test_the_script_prints_what_the_build_asks(checkout: Path) -> None:
    script = checkout / "agent_sources.py"
    shutil.copyfile(agent_sources.__file__, script)
    jar = _build(checkout)

    def printed(*words: str) -> str:
        command = [sys.executable, script, *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert printed() == f"{agent_sources.digest_of_sources(checkout / 'agent')}\n"
    assert printed(str(jar)) == ""
    _truncate(jar)
    assert printed(str(jar)) == "stale\n"
