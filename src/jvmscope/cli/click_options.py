"""Options that several verbs share, each with one meaning."""

from __future__ import annotations

import functools
import math
import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click
from click.core import ParameterSource

from jvmscope.formats import FORMATS, ITEMS
from jvmscope.output.console import ColorChoice, Console, ProgressChoice
from jvmscope.output.results import Output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = [
    "LOCAL_PLACE",
    "OUTPUT",
    "PLACE",
    "RUN",
    "Duration",
    "FiniteRange",
    "answer_options",
    "calibration_option",
    "completed",
    "console_options",
    "cost_model_option",
    "given_options",
    "jobs_option",
    "limit_options",
    "metric_options",
    "output_options",
    "refine_options",
    "scope_option",
]


class _LocalPath(click.Path):
    """A path; opening what it names says what is wrong with it, but for URLs."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and "://" in value and not Path(value).exists():
            self.fail(f"{value} is a URL: copy it to a local directory, and name that", param, ctx)
        return super().convert(value, param, ctx)


class _FileOrStdout(_LocalPath):
    """A file to write, or None for ``-``, which is standard output as elsewhere."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return None if value == "-" else super().convert(value, param, ctx)


class _Place(click.ParamType[str]):
    """Where something is written that a stream cannot hold, so that ``-`` is not its name."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value == "-":
            self.fail("- is standard output, which cannot hold it: name a place", param, ctx)
        return str(value)


class _LocalPlace(_LocalPath):
    """A place that is a local path."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, Path):  # a default
            PLACE.convert(value, param, ctx)
        return super().convert(value, param, ctx)


RUN = _LocalPath(path_type=Path)
"""The type of an argument that names a run's directory; opening the run says what is wrong."""

OUTPUT = _FileOrStdout(path_type=Path)
"""The type of an option that names a file to write instead of standard output."""

PLACE = _Place()
"""The type of an option that names what to write, a directory or a URL."""

LOCAL_PLACE = _LocalPlace(path_type=Path)
"""The type of an option that names a local path to write, which a stream cannot hold: a run."""

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "": 1.0}
_LONGEST = "100000h"
"""Eleven years. Python cannot wait for spans of centuries."""


class Duration(click.ParamType[float]):
    """A time span as ``30s``, ``10m`` or ``1.5h``, in seconds.

    Args:
        least: the shortest that is allowed, as text; None: any.
        most: the longest, likewise; eleven years unless given.

    >>> Duration().convert("10m", None, None), Duration("10ms", "10s").convert("1s", None, None)
    (600.0, 1.0)
    """

    name = "duration"

    def __init__(self, least: str | None = None, most: str = _LONGEST) -> None:
        self._least, self._most = least, most

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Returns the seconds of a time span."""
        if isinstance(value, float):
            return value
        seconds = _seconds_of(str(value))
        if not seconds:
            self.fail(
                f"{value!r} is not a time span; expected one such as 30s, 10m or 1h", param, ctx
            )
        if self._least is not None and seconds < (_seconds_of(self._least) or 0):
            self.fail(f"{value!r} is too short: expected {self._least} or more", param, ctx)
        if seconds > (_seconds_of(self._most) or 0):
            self.fail(f"{value!r} is too long: expected {self._most} or less", param, ctx)
        return seconds


def _seconds_of(text: str) -> float | None:
    """Returns the seconds of a time span; None: the text is none."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|)", text)
    return None if found is None else float(found[1]) * _SECONDS[found[2]]


class FiniteRange(click.FloatRange):
    """A number in a range, but neither ``nan``, which lies in every range of click, nor infinite.

    >>> FiniteRange(0, 1).convert("0.5", None, None)
    0.5
    """

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Returns the number."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return number


def completed(name: str) -> Callable[[click.Context, click.Parameter, str], list[Any]]:
    """Returns a function of ``jvmscope.cli.completing``, which is imported when a shell asks."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from jvmscope.cli import completing

        found: list[Any] = getattr(completing, name)(ctx, param, incomplete)
        return found

    return complete


def console_options(function: Callable[..., int]) -> Callable[..., int]:
    """Adds -v, -q, --color and --progress; the verb gets them as ``console``."""

    @click.option("-v", "--verbose", count=True, help="Print more details.")
    @click.option("-q", "--quiet", is_flag=True, help="Print only warnings and errors.")
    @click.option(
        "--color",
        type=click.Choice(get_args(ColorChoice)),
        default="auto",
        help="Whether to colour the output.  [default: auto, which respects NO_COLOR]",
    )
    @click.option(
        "--progress",
        type=click.Choice(get_args(ProgressChoice)),
        default="auto",
        help="How to show progress.  [default: auto]",
    )
    @functools.wraps(function)
    def verb(verbose: int, quiet: bool, color: Any, progress: Any, **kwargs: Any) -> int:
        _refuse_bytes(click.get_current_context())
        console = Console(verbosity=-1 if quiet else verbose, color=color, progress=progress)
        started = time.monotonic()
        status = function(console=console, **kwargs)
        console.detail(f"took {time.monotonic() - started:.2f} s")
        return status

    return verb


def _refuse_bytes(context: click.Context) -> None:
    """Refuses a text with bytes that are not UTF-8, which Python keeps as half characters.

    Names of files may have such bytes, and words of a command that is started.

    Raises:
        BadParameter: an option or argument has them.
    """
    texts_alone = (each for each in context.command.params if each.type is click.STRING)
    for parameter in texts_alone:
        value = context.params.get(parameter.name or "")
        texts = (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()
        for text in (each for each in texts if isinstance(each, str)):
            if not text.isascii() and not os.path.lexists(text):
                try:
                    text.encode()
                except UnicodeEncodeError as error:
                    found = f"U+{ord(text[error.start]):04X} at character {error.start + 1}"
                    message = f"expected text in UTF-8, found {found}"
                    raise click.BadParameter(message, context, parameter) from None


def output_options(function: Callable[..., int]) -> Callable[..., int]:
    """Adds --format, -o and --force; the verb gets them as ``output``."""
    return _output_options(function, FORMATS, "Format of the result.")


def answer_options(function: Callable[..., int]) -> Callable[..., int]:
    """Adds the options of ``output_options`` and the format ``items``, for an XQuery's."""
    help_ = "Format of the result; items: what an XQuery returns, serialized as it declares."
    return _output_options(function, (*FORMATS, ITEMS), help_)


def _output_options(
    function: Callable[..., int], formats: Iterable[str], help_: str
) -> Callable[..., int]:
    @click.option(
        "--format",
        "output_format",
        type=click.Choice(tuple(formats)),
        help=f"{help_}  [default: table on a terminal, else csv]",
    )
    @click.option(
        "-o", "--output", "output_file", type=OUTPUT, help="Write to a file instead of stdout."
    )
    @click.option("--force", is_flag=True, help="Overwrite the file.")
    @functools.wraps(function)
    def verb(
        output_format: str | None, output_file: Path | None, force: bool, **kwargs: Any
    ) -> int:
        output = Output(format=output_format, file=output_file, is_forced=force)
        output.check()
        return function(output=output, **kwargs)

    return verb


def limit_options(function: Callable[..., int]) -> Callable[..., int]:
    """Adds --limit and --timeout; the verb gets ``limit`` in rows and ``timeout`` in seconds."""
    limit = click.option(
        "--limit", type=click.IntRange(min=1), metavar="N", help="Stop after N rows."
    )
    timeout = click.option(
        "--timeout", type=Duration(), help="Stop after this time, such as 30s.", metavar="TIME"
    )
    return limit(timeout(function))


def cost_model_option(function: Callable[..., int]) -> Callable[..., int]:
    """Adds --cost-model; the verb gets the model as ``cost_model``, or None."""

    @click.option(
        "--cost-model",
        "path",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Compute cycles for the processor that FILE describes.  [default: --param model]",
    )
    @functools.wraps(function)
    def verb(path: Path | None, **kwargs: Any) -> int:
        model = None
        if path is not None:
            from jvmscope.queries import load_cost_model

            model = load_cost_model(path)
        return function(cost_model=model, **kwargs)

    return verb


def calibration_option(function: Callable[..., int]) -> Callable[..., int]:
    """Adds --calibration; the verb gets the ``Calibration`` as ``calibration``, or None."""

    @click.option(
        "--calibration",
        "calibration_file",
        type=RUN,
        metavar="FILE",
        help="Of a watch run with a recorded run beside it: estimate what calls and objects cost "
        "by a file of jvmscope calibrate.",
    )
    @functools.wraps(function)
    def verb(calibration_file: Path | None, **kwargs: Any) -> int:
        calibration = None
        if calibration_file is not None:
            from jvmscope.schema.calibration import read_calibration

            calibration = read_calibration(calibration_file)
        return function(calibration=calibration, **kwargs)

    return verb


def given_options() -> dict[str, Any]:
    """Returns the values of the options that the command line has, by their long names."""
    context = click.get_current_context()
    return {
        max(parameter.opts, key=len): context.params.get(parameter.name or "")
        for parameter in context.command.params
        if context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
    }


def jobs_option(function: Callable[..., int]) -> Callable[..., int]:
    """Adds --jobs; the verb gets ``jobs``, or None for as many as the machine bears."""
    return click.option(
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        help="Measure N runs at a time.  [default: the number of processors]",
    )(function)


def scope_option(
    default: str | None, shown: str | None = None
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Returns what adds --scope; the verb gets the ``Scope`` as ``scope``, or None.

    Args:
        default: the scope where none is given.
        shown: what the help says of the default, if it is not that.
    """

    def add(function: Callable[..., int]) -> Callable[..., int]:
        @click.option(
            "--scope",
            default=default,
            metavar="SCOPE",
            shell_complete=completed("scopes"),
            help="run, application, application+ (with everything that it calls), thread:NAME, or "
            f"subtree:CLASS.METHOD; * in names stands for any text.  [default: {shown or default}]",
        )
        @functools.wraps(function)
        def verb(scope: str | None, **kwargs: Any) -> int:
            from jvmscope.queries import parse_scope

            return function(scope=None if scope is None else parse_scope(scope), **kwargs)

        return verb

    return add


def refine_options(function: Callable[..., int]) -> Callable[..., int]:
    """Adds --refine with its threshold and budget.

    The verb gets ``refine``, a metric, empty for all, None if it was not given, and
    ``refine_threshold`` and ``refine_budget``.
    """
    options = (
        click.option(
            "--refine",
            is_flag=False,
            flag_value="",
            metavar="[METRIC]",
            help="Of a watch run: search for the resources that take most of a metric, from the "
            "whole program down.  [default metric: several]",
        ),
        click.option(
            "--refine-threshold",
            type=FiniteRange(0, 1, min_open=True),
            default=0.2,
            show_default=True,
            metavar="F",
            help="For --refine: the least share that matters.",
        ),
        click.option(
            "--refine-budget",
            type=click.IntRange(1),
            default=200,
            show_default=True,
            metavar="N",
            help="For --refine: how many foci are looked at, for each metric.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def metric_options(
    function: Callable[..., int], *, scope: Callable[..., Any] | None = None
) -> Callable[..., int]:
    """Adds what says which values are meant: -m, --scope, --param, --cost-model and --no-cache.

    The verb gets ``metrics``, ``scope``, ``assignments``, ``cost_model`` and ``no_cache``.

    Args:
        function: the verb.
        scope: another --scope than that whose default is the whole run.
    """
    options = (
        click.option(
            "-m",
            "--metric",
            "metrics",
            multiple=True,
            metavar="ID|GLOB|tag:T",
            shell_complete=completed("metrics"),
            help="Measure only these metrics; may be repeated.  [default: every metric]",
        ),
        scope or scope_option("run"),
        click.option(
            "--param",
            "assignments",
            multiple=True,
            metavar="NAME=VALUE",
            help="Set a parameter of the metrics.",
        ),
        cost_model_option,
        click.option(
            "--no-cache",
            is_flag=True,
            help="Neither read nor write cached values under RUN/metrics.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function
