"""``jvmscope.record``: the options of the command line, by their names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest

import jvmscope
from jvmscope.api import recorded
from jvmscope.collector.record import Recorded
from jvmscope.commands.record import command, record_options

if TYPE_CHECKING:
    from jvmscope.collector.record import RecordOptions

# A value of each option as Python has it, and the words of a command line that mean the same.
_VALUES: dict[str, tuple[Any, list[str]]] = {
    "output": (Path("x.run"), ["-o", "x.run"]),
    "runs": ("elsewhere", ["--runs", "elsewhere"]),
    "name": ("nightly", ["--name", "nightly"]),
    "include": (["a/*", "b/*"], ["--include", "a/*", "--include", "b/*"]),
    "exclude": ("a/*", ["--exclude", "a/*"]),
    "probes": (("receivers", "order"), ["--probes", "receivers,order"]),
    "probe": (Path(__file__).parent, ["--probe", str(Path(__file__).parent)]),
    "native_clock": ("none", ["--native-clock", "none"]),
    "method_cache": ("8KiB/32", ["--method-cache", "8KiB/32"]),
    "consumer": ("p.C", ["--consumer", "p.C"]),
    "consumer_path": ([Path(__file__)], ["--consumer-path", __file__]),
    "consumer_every": (1000, ["--consumer-every", "1000"]),
    "recursion": ("fold", ["--recursion", "fold"]),
    "max_memory": ("1GiB", ["--max-memory", "1GiB"]),
    "timeout": (90, ["--timeout", "90"]),
    "tag": ({"k": "v", "l": "w=x"}, ["--tag", "k=v", "--tag", "l=w=x"]),
    "from": ("p.C.m", ["--from", "p.C.m"]),
    "clock": ("steps", ["--clock", "steps"]),
    "exact_exceptions": (True, ["--exact-exceptions"]),
    "vm_threads": (True, ["--vm-threads"]),
    "no_deterministic": (True, ["--no-deterministic"]),
    "no_tree": (True, ["--no-tree"]),
    "select": ("p.*", ["--select", "p.*"]),
    "inject": ("env", ["--inject", "env"]),
    "force": (True, ["--force"]),
}
_OTHERS = {"color", "progress", "quiet", "repeat", "verbose", "xml"}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], RecordOptions]]:
    """What recordings were asked for; none is made."""
    found: list[tuple[list[str], RecordOptions]] = []

    def record_once(words: Any, options: Any, _console: Any, *, has_xml: bool) -> Recorded:
        assert not has_xml
        found.append((list(words), options))
        return Recorded(3, [Path("x.run")])

    monkeypatch.setattr(recorded, "record_once", record_once)
    return found


def test_every_option_has_a_value_here() -> None:
    options = [param for param in command.params if isinstance(param, click.Option)]

    assert {recorded._name_of(option) for option in options} == set(_VALUES) | _OTHERS


@pytest.mark.parametrize("name", _VALUES)
def test_an_option_means_what_it_means_to_the_command_line(
    name: str, asked: list[tuple[list[str], RecordOptions]]
) -> None:
    value, line = _VALUES[name]
    key = "from_" if name == "from" else name

    made = jvmscope.record(["java", "-cp", Path("a b"), "p.Main"], **{key: value})

    params = command.make_context("record", [*line, "--", "java"]).params
    chosen = {k: v for k, v in params.items() if k not in {*_OTHERS, "words"}}
    assert asked == [(["java", "-cp", "a b", "p.Main"], record_options(**chosen))]
    assert (made.status, made.runs) == (3, (Path("x.run"),))


def test_what_is_wrong_is_told(asked: list[tuple[list[str], RecordOptions]]) -> None:
    with pytest.raises(TypeError, match="no option 'prob'; did you mean \"probe\""):
        jvmscope.record(["java"], prob="receivers")
    with pytest.raises(TypeError, match="no option 'repeat'"):
        jvmscope.record(["java"], repeat=2)
    with pytest.raises(ValueError, match="no probe 'recievers'; did you mean \"receivers\""):
        jvmscope.record(["java"], probes="recievers")
    with pytest.raises(TypeError, match="a command is a list of words"):
        jvmscope.record("java -jar x.jar")
    with pytest.raises(TypeError, match="a command is a list of words"):
        jvmscope.record([])
    assert asked == []


def test_a_command_without_java_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(jvmscope.AgentError, match="started no Java"):
        jvmscope.record(["true"])


def test_a_recording_of_several_jvms_names_them() -> None:
    several = recorded.Recording(0, (Path("a.run"), Path("b.run")))

    with pytest.raises(jvmscope.AgentError, match=r"2 JVMs; open one of a\.run, b\.run"):
        several.open()
