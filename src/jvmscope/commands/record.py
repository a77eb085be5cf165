"""``jvmscope record``: a run of every JVM that a command starts."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jvmscope.options import RUN, Duration, completed, console_options

if TYPE_CHECKING:
    from jvmscope.collector.record import Recorded, RecordOptions
    from jvmscope.console import Console

__all__ = ["MemorySize", "command", "record_options"]

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_NAMED = "--probes "
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
        n_bytes = int(float(found[1]) * _UNITS[found[2]])
        if not 1 << 20 <= n_bytes <= 32 << 30:
            self.fail(f"{value!r} is not between 1MiB and 32GiB", param, ctx)
        return n_bytes


def _probe_names() -> list[str]:
    """Returns the probes that tables are recorded by, in alphabetical order.

    >>> _probe_names()[-2:]
    ['order', 'receivers']
    """
    from jvmscope.schema import tables

    options = {table.recorded for table in tables().values()}
    return sorted(text.removeprefix(_NAMED) for text in options if text.startswith(_NAMED))


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
        known = _probe_names()
        for name in names:
            if name not in known:
                hint = did_you_mean(name, known) or f"there are {', '.join(known)}"
                self.fail(f"no probe {name!r}; {hint}", param, ctx)
        return tuple(dict.fromkeys(names))


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
        found = re.fullmatch(r"(\d+)\s*(k?)(?:i?b)?\s*/\s*(\d+)", str(value).lower())
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
@click.option(
    "-o", "--output", type=RUN, help="The run to write, or the parent directory of several runs."
)
@click.option(
    "--runs",
    type=RUN,
    default=Path("runs"),
    show_default=True,
    help="Directory for runs without -o; each gets a new name.",
)
@click.option("--name", help="Name of the run in --runs.  [default: program and time]")
@click.option(
    "--include", multiple=True, metavar="GLOB", help="Count only in these classes, such as p/Main*."
)
@click.option("--exclude", multiple=True, metavar="GLOB", help="Do not count in these classes.")
@click.option(
    "--probes",
    type=_Probes(),
    default=(),
    metavar="NAME,…",
    help="Record more: probes such as receivers,order.",
)
@click.option(
    "--method-cache",
    type=_CacheShape(),
    is_flag=False,
    flag_value="4KiB/16",
    metavar="SIZE/BLOCKS",
    help="Simulate a processor's method cache.  [4KiB/16 if you give no value]",
)
@click.option("--consumer", metavar="CLASS", help="Pass the growing trees to a class of yours.")
@click.option(
    "--consumer-path",
    type=click.Path(path_type=Path, exists=True),
    multiple=True,
    metavar="PATH",
    help="Directory or jar with the classes of the consumer.",
)
@click.option(
    "--consumer-every",
    type=click.IntRange(min=1),
    default=10_000_000,
    show_default=True,
    metavar="N",
    help="Bytecodes that a thread executes between two calls of the consumer.",
)
@click.option(
    "--recursion",
    type=click.Choice(["keep", "fold"]),
    default="keep",
    help="fold: a recursive call counts in its ancestor.  [default: keep]",
)
@click.option(
    "--max-memory",
    "max_bytes",
    type=MemorySize(),
    default="4GiB",
    show_default=True,
    metavar="SIZE",
    help="Memory for nodes; when it is full, deeper calls are folded.",
)
@click.option("--timeout", type=Duration(), metavar="TIME", help="End COMMAND after this time.")
@click.option(
    "--tag", "tags", type=_Tag(), multiple=True, metavar="KEY=VALUE", help="Add a tag to the run."
)
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Record N times and report whether the runs are identical.",
)
@click.option(
    "--from", "start_at", metavar="METHOD", help="Start counting when p.C.m is first entered."
)
@click.option(
    "--clock",
    type=click.Choice(["real", "steps"]),
    default="real",
    help="steps: the program's time is the bytecodes that a thread executed.  [default: real]",
)
@click.option("--exact-exceptions", is_flag=True, help="Count exactly in blocks that throw.")
@click.option(
    "--vm-threads", "has_vm_threads", is_flag=True, help="Also keep the VM's own threads."
)
@click.option("--no-deterministic", is_flag=True, help="Do not pin the VM's options.")
@click.option("--select", metavar="PATTERN", help="Record only JVMs whose main class matches.")
@click.option(
    "--inject",
    "injection",
    type=click.Choice(["shim", "env"]),
    default="shim",
    help="env: reach JVMs through JAVA_TOOL_OPTIONS, not PATH and JAVA_HOME.  [default: shim]",
)
@click.option("--xml", is_flag=True, help="Also write the XML view into the run.")
@click.option("--force", is_flag=True, help="Replace an existing run.")
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
    if repeat > 1:
        from jvmscope.recording import record_repeatedly

        return record_repeatedly(words, options, repeat, console, has_xml=xml)
    from jvmscope.recording import record_once

    recorded = record_once(words, options, console, has_xml=xml)
    _say_what_next(recorded, console)
    return recorded.status


def record_options(
    *,
    no_deterministic: bool,
    exact_exceptions: bool,
    timeout: float | None,
    force: bool,
    tags: tuple[tuple[str, str], ...],
    **chosen: Any,
) -> RecordOptions:
    """Returns the options of a recording as the command line has them."""
    from jvmscope.collector.record import RecordOptions

    return RecordOptions(
        timeout_s=timeout,
        tags=dict(tags),
        is_deterministic=not no_deterministic,
        has_exact_exceptions=exact_exceptions,
        is_forced=force,
        **chosen,
    )


def _say_what_next(recorded: Recorded, console: Console) -> None:
    from jvmscope.schema.manifest import read_manifest

    readable = [run for run in recorded.runs if read_manifest(run).status != "failed"]
    if readable:
        first = shlex.quote(str(readable[0]))
        console.say(f"Next: jvmscope measure {first}")
        console.say(f"      jvmscope query {first} --sql 'SELECT * FROM thread'")
