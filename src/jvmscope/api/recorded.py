"""Recordings with the Python API."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from jvmscope.actions.recording import record_once
from jvmscope.commands.record import command, record_options
from jvmscope.errors import AgentError, did_you_mean
from jvmscope.output.console import Console

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmscope.api.run import Run

__all__ = ["Recording", "record_command"]

# How often to record, and what to say, a program decides by itself.
_NOT_OPTIONS = ("color", "help", "progress", "quiet", "repeat", "verbose")


@dataclass(frozen=True)
class Recording:
    """The result of a recording.

    Attributes:
        status: the program's exit status; 128 + n if signal n ended it.
        runs: the directories of the runs, one for each JVM, in the order in which they started.
    """

    status: int
    runs: tuple[Path, ...]

    def open(self) -> Run:
        """Opens the only run.

        Raises:
            AgentError: there are several runs; ``jvmscope.open`` opens each.
        """
        from jvmscope.api.run import Run

        if len(self.runs) > 1:
            names = ", ".join(str(run) for run in self.runs)
            raise AgentError(f"the command started {len(self.runs)} JVMs; open one of {names}")
        return Run(self.runs[0])


def record_command(
    words: Sequence[str | os.PathLike[str]], options: Mapping[str, Any], *, is_quiet: bool
) -> Recording:
    """Records a command with options of ``jvmscope record``; see ``jvmscope.record``."""
    if isinstance(words, str) or not words:
        raise TypeError(
            f'a command is a list of words, such as ["java", "-cp", …]; found {words!r}'
        )
    line = [*_words_of(options), "--", *(os.fspath(word) for word in words)]
    try:
        chosen = dict(command.make_context("record", line).params)
    except click.ClickException as error:
        raise ValueError(f"record: {error.format_message()}") from None
    has_xml = chosen.pop("xml")
    asked = {name: value for name, value in chosen.items() if name not in {*_NOT_OPTIONS, "words"}}
    console = _Listener(verbosity=-1 if is_quiet else 0)
    made = record_once(chosen["words"], record_options(**asked), console, has_xml=has_xml)
    if not made.runs:
        raise AgentError(console.warnings[-1] if console.warnings else "no run was written")
    return Recording(made.status, tuple(made.runs))


@dataclass(frozen=True)
class _Listener(Console):
    """A console that remembers its warnings."""

    warnings: list[str] = field(default_factory=list)

    def warn(self, message: str) -> None:
        self.warnings.append(message)
        super().warn(message)


def _words_of(options: Mapping[str, Any]) -> list[str]:
    """Returns options as the words of a command line.

    >>> _words_of({"probes": ["receivers", "order"], "max_memory": "1GiB", "xml": True})
    ['--probes', 'receivers,order', '--max-memory', '1GiB', '--xml']
    >>> _words_of({"include": ["app/*", "lib/*"], "tag": {"commit": "1f2a"}, "timeout": None})
    ['--include', 'app/*', '--include', 'lib/*', '--tag', 'commit=1f2a']
    """
    known = {_name_of(param): param for param in command.params if isinstance(param, click.Option)}
    known = {name: param for name, param in known.items() if name not in _NOT_OPTIONS}
    words = []
    for key, value in options.items():
        name = key.rstrip("_")  # from_
        if name not in known:
            hint = did_you_mean(name, known) or f"options: {', '.join(sorted(known))}"
            raise TypeError(f"record has no option {key!r}; {hint}")
        words += _option(known[name], value)
    return words


def _name_of(option: click.Option) -> str:
    long = next(word for word in option.opts if word.startswith("--"))
    return long.removeprefix("--").replace("-", "_")


def _option(option: click.Option, value: Any) -> list[str]:
    flag = next(word for word in option.opts if word.startswith("--"))
    if value is None or value is False:
        return []
    if value is True:
        return [flag]
    if isinstance(value, Mapping):
        value = [f"{key}={text}" for key, text in value.items()]
    if isinstance(value, Iterable) and not isinstance(value, str | os.PathLike):
        several = [str(each) for each in value]
        if not option.multiple:
            return [flag, ",".join(several)] if several else []
        return [word for each in several for word in (flag, each)]
    return [flag, str(value)]
