"""The name of a run: the user's, or one made of the program's."""

from __future__ import annotations

import datetime as dt
import os
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.collector.record_options import RecordOptions

__all__ = ["run_name"]

_LONGEST = 150
"""The most bytes of a program's name in a run's name."""


def run_name(command: Sequence[str], options: RecordOptions) -> str:
    """The run's name: the user's, or that of the program, with the time if it must be new.

    Raises:
        AgentError: the user's name is none for a file.
    """
    if options.name is not None:
        if "/" in options.name or options.name in ("", ".", ".."):
            raise AgentError(f"--name {options.name!r}: expected a name without `/`")
        return options.name.removesuffix(".run")
    base = _program_name(command)
    if options.output is not None:
        return base
    now = dt.datetime.now(dt.UTC)
    return f"{base}-{now:%Y%m%dT%H%M%SZ}-{os.urandom(2).hex()}"


def _program_name(command: Sequence[str]) -> str:
    """A short name for COMMAND: its Java program, or the command itself.

    >>> _program_name(["java", "-jar", "lib/avrora-1.7.jar"]), _program_name(["java", "p.Main"])
    ('avrora-1.7', 'Main')
    >>> _program_name(["./run all.sh"])
    'run-all'
    """
    from jvmscope.collector.launch.javaargs import parse_java_command

    name = Path(command[0]).name
    if name == "java":
        try:
            main = parse_java_command(list(command[1:])).main
        except OSError:
            main = None
        if main:
            name = main.rpartition("/")[2]
            if not name.endswith((".jar", ".java")):
                name = name.rpartition(".")[2]
    for suffix in (".jar", ".java", ".sh"):
        name = name.removesuffix(suffix)
    kept = "".join(ch if ch.isalnum() or ch in "._+$-" else "-" for ch in name)
    # With time and suffixes it may have 255 bytes.
    short = kept.encode(errors="replace")[:_LONGEST].decode(errors="ignore")
    return short.strip(".-") or "run"
