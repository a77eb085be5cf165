"""The programs of `tests/programs/transparency`: compiled, and run bare and recorded."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from integration.recording import Recorder, compile_java
from oracle.laboratory import BUILD
from oracle.oracles import run_bare
from oracle.toolchain import PROGRAMS, agent_library

from jvmscope.collector.launch.flags import UserSettings, chosen_flags
from support.warm_dump import warm_dump

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from oracle.toolchain import Jdk

__all__ = ["BATTERY", "Outcomes", "compile_battery", "run_both"]

BATTERY = PROGRAMS / "transparency"
_IDENTITY = re.compile(r"@[0-9a-f]{1,8}(?![0-9a-f])")
_HIDDEN = re.compile(r"(?<=\$\$Lambda)[$/0-9a-fx]+|/0x[0-9a-f]+")


@dataclass(frozen=True)
class Outcomes:
    """Status, standard output and standard error of a program, bare and recorded."""

    bare: tuple[int, str, str]
    recorded: tuple[int, str, str]


def compile_battery(jdk: Jdk, directory: Path) -> tuple[Path, Path]:
    """The folder with the compiled programs, and the library of their natives."""
    sources = {path.stem: path.read_text(encoding="utf-8") for path in BATTERY.glob("*.java")}
    classes = compile_java(jdk, directory / "classes", ("-g", "-parameters"), **sources)
    return classes, agent_library(jdk, "library", BUILD, folder=BATTERY)


def run_both(
    jdk: Jdk,
    directory: Path,
    *words: str,
    options: Sequence[str] = (),
    recording: tuple[str, ...] = (),
) -> Outcomes:
    """Runs a main class with arguments, with the same options of the VM, bare and recorded.

    The bare VM is given what deterministic mode pins as well; in what the program says of its
    command line that is left out.
    """
    recorder = Recorder(directory, jdk, warm_dump(jdk))
    recorder.environment["JAVA_HOME"] = ""
    command = ["-cp", "classes", *options, *words]
    pins = chosen_flags(UserSettings(list(options)), intrinsics="")
    bare = run_bare([jdk.java, *pins, *command], directory, environment=recorder.environment)
    recorded = recorder.record(jdk.java, *command, options=("-q", *recording))
    texts = [bare.stdout.decode(), bare.stderr.decode(), recorded.stdout, recorded.stderr]
    for separator in (", ", " "):
        texts[0] = texts[0].replace(separator.join([*pins, ""]), "")
    texts = [_HIDDEN.sub("", _IDENTITY.sub("@", text)) for text in texts]
    return Outcomes((bare.status, texts[0], texts[1]), (recorded.status, texts[2], texts[3]))
