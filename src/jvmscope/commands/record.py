"""``jvmscope record``: a run of every JVM that a command starts."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jvmscope.cli.click_options import LOCAL_PLACE, Duration, completed, console_options
from jvmscope.schema.options import OPTIONS, probes, probes_named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from click.shell_completion import CompletionItem

    from jvmscope.collector.record import RecordOptions
    from jvmscope.output.console import Console

__all__ = ["MemorySize", "command", "record_options", "say_what_next"]

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_MOST_BLOCKS = 4096


class MemorySize(click.ParamType[int]):
    """An amount of memory as ``512MiB`` or ``4GiB``, in bytes; ``4g`` and ``4GB`` mean the same.

    >>> MemorySize().convert("4GiB", None, None)
    4294967296
    """

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Returns the bytes of an amount of memory."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", str(value).lower())
        if found is None:
            self.fail(
                f"{value!r} is not an amount of memory; expected one such as 512MiB or 4GiB",
                param,
                ctx,
            )
        n_bytes = float(found[1]) * _UNITS[found[2]]  # infinite where there are too many digits
        if not 1 << 20 <= n_bytes <= 32 << 30:
            self.fail(f"{value!r} is not between 1MiB and 32GiB", param, ctx)
        return int(n_bytes)


class _Probes(click.ParamType[tuple[str, ...]]):
    """Probes, separated by commas."""

    name = "probes"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        from jvmscope.errors import did_you_mean

        if isinstance(value, tuple):
            return value
        names = [name.strip() for name in str(value).split(",")]
        known = probes()
        for name in names:
            if not set(probes_named(name)) <= set(known):
                hint = did_you_mean(name, known) or f"there are {', '.join(known)}"
                self.fail(f"no probe {name!r}; {hint}", param, ctx)
        return tuple(dict.fromkeys(each for name in names for each in probes_named(name)))

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        """Returns the probes that begin like what follows the last comma, with what is before."""
        from click.shell_completion import CompletionItem

        before, comma, word = incomplete.rpartition(",")
        found = [name for name in probes() if name.startswith(word)]
        return [CompletionItem(f"{before}{comma}{name}") for name in found]


class _CacheShape(click.ParamType[tuple[int, int]]):
    """The size of a method cache and its number of blocks: ``4KiB/16``."""

    name = "cache"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Returns the number of blocks, and the bytes of each.

        >>> _CacheShape().convert("4KiB/16", None, None)
        (16, 256)
        """
        if isinstance(value, tuple):
            return value
        found = re.fullmatch(r"(\d{1,12})\s*(k?)(?:i?b)?\s*/\s*(\d{1,12})", str(value).lower())
        if found is None:
            self.fail(
                f"{value!r} is not a cache; expected size/blocks, such as 4KiB/16", param, ctx
            )
        n_bytes, n_blocks = int(found[1]) * (1024 if found[2] else 1), int(found[3])
        if not 1 <= n_blocks <= _MOST_BLOCKS:
            self.fail(f"{value!r}: expected from 1 to {_MOST_BLOCKS} blocks", param, ctx)
        if n_bytes % n_blocks or not 4 <= n_bytes // n_blocks <= 1 << 20:
            self.fail(f"{value!r}: expected blocks of 4 to {1 << 20} whole bytes", param, ctx)
        return n_blocks, n_bytes // n_blocks


class _Tag(click.ParamType[tuple[str, str]]):
    """KEY=VALUE."""

    name = "tag"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        key, equals, text = str(value).partition("=")
        if not equals or not key:
            self.fail(f"{value!r} is not KEY=VALUE", param, ctx)
        return key, text


_TYPES: dict[str, click.ParamType[Any]] = {
    "path": LOCAL_PLACE,
    "folder": click.Path(path_type=Path, exists=True, file_okay=False),
    "paths": click.Path(path_type=Path, exists=True),
    "probes": _Probes(),
    "cache": _CacheShape(),
    "size": MemorySize(),
    "span": Duration(),
    "number": click.IntRange(min=1),
    "pairs": _Tag(),
}
"""The types of values by the kinds of options; what is not here is a text, a choice or a flag."""


def _recording_options(function: Callable[..., int]) -> Callable[..., int]:
    """Adds the options of a recording, each under the name of its field in ``RecordOptions``."""
    for each in reversed(OPTIONS):
        more: dict[str, Any] = {}
        if each.kind == "flag":
            more["is_flag"] = True
        elif each.kind == "negative flag":
            more |= {"is_flag": True, "flag_value": False}
        elif each.given is not None:
            more |= {"is_flag": False, "flag_value": each.given}
        function = click.option(
            *each.words,
            each.field,
            type=click.Choice(each.choices) if each.choices else _TYPES.get(each.kind),
            default=Path(each.default) if each.kind == "path" and each.default else each.default,
            show_default=each.shows_default,
            multiple=each.kind in ("globs", "paths", "pairs"),
            metavar=each.metavar,
            help=each.help,
            **more,
        )(function)
    return function


@click.command(
    "record",
    context_settings={"allow_interspersed_args": False},
    options_metavar="[OPTIONS]",
)
@click.argument(
    "words",
    metavar="-- COMMAND",
    nargs=-1,
    type=click.UNPROCESSED,
    shell_complete=completed("files"),
)
@_recording_options
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Record N times and report whether the runs are identical.",
)
@click.option("--xml", is_flag=True, help="Also write the XML view into the run.")
@console_options
def command(
    *, words: tuple[str, ...], repeat: int, xml: bool, console: Console, **chosen: Any
) -> int:
    """Run COMMAND and write a run of every JVM that it starts.

    COMMAND is anything that finds Java through PATH or JAVA_HOME. It keeps its input and output,
    and its exit status becomes that of record; 125 means that the recording failed.

    \b
    jvmscope record -- java -cp classes p.Main
    jvmscope record -o app.run --probes receivers -- ./run.sh --fast
    """
    if not words:
        raise click.UsageError("no command to record: jvmscope record -- java -cp CLASSPATH MAIN")
    options = record_options(**chosen)
    if not options.has_tree and xml:
        raise click.UsageError("--xml: not together with --no-tree, which counts no calls")
    if repeat > 1:
        from jvmscope.actions.recording import record_repeatedly

        return record_repeatedly(words, options, repeat, console, has_xml=xml)
    from jvmscope.actions.recording import record_once

    recorded = record_once(words, options, console, has_xml=xml)
    say_what_next(recorded.runs, console)
    return recorded.status


def record_options(*, tags: tuple[tuple[str, str], ...], **chosen: Any) -> RecordOptions:
    """Returns the options of a recording as the command line has them."""
    from jvmscope.collector.record import RecordOptions

    return RecordOptions(tags=dict(tags), **chosen)


def say_what_next(runs: Sequence[Path], console: Console) -> None:
    """Names commands that show something of what was recorded."""
    from jvmscope.schema.manifest import read_manifest

    readable = [run for run in runs if read_manifest(run).status != "failed"]
    if readable:
        first = shlex.quote(str(readable[0]))
        metrics = " -m 'native.*'" if read_manifest(readable[0]).kind == "native" else ""
        console.say(f"Next: jvmscope measure {first}{metrics}")
        console.say(f"      jvmscope query {first} --sql 'SELECT * FROM thread'")
