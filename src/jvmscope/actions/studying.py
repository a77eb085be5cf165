"""What ``jvmscope study overhead`` does around a study: its directory, its progress, its end."""

from __future__ import annotations

import datetime as dt
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.collector import agent_jar
from jvmscope.errors import AgentError, RunError
from jvmscope.watch.study import Study, StudyOptions, begin_study, run_study

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jvmscope.output.console import Console

__all__ = ["new_study", "resumed_study", "study_overhead"]


def new_study(
    output: Path | None, command: Sequence[str], options: StudyOptions, *, is_forced: bool
) -> Path:
    """Makes a study of which nothing is done yet; returns its directory.

    Args:
        output: the user's choice; None: a new name below ``runs``.
        command: the program, word by word.
        options: how it is studied.
        is_forced: whether a study that has the name is removed.

    Raises:
        AgentError: something else has the name, or a study that may not be removed.
    """
    path = output if output is not None else _new_name(Path(command[0]).name)
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        if not is_forced:
            raise AgentError(
                f"{path}: exists already; --force replaces it, --resume {path} continues it"
            )
        try:
            Study(path)
        except RunError:
            raise AgentError(f"{path}: not a study, so --force does not replace it") from None
        _expect_startable(command[0])
        shutil.rmtree(path)
    try:
        begin_study(path, command, options)
    except OSError as error:
        raise AgentError(f"{path}: cannot be written: {error.strerror}") from None
    return path


def _expect_startable(program: str) -> None:
    """Refuses a program that cannot be started, before what is there is removed for it."""
    agent_jar()
    if shutil.which(program) is None:
        raise AgentError(f"{program}: cannot be started: no such program")


def _new_name(program: str) -> Path:
    kept = "".join(ch if ch.isalnum() or ch in "._+$-" else "-" for ch in program)
    now = dt.datetime.now(dt.UTC)
    name = f"{kept.strip('.-') or 'vm'}-{now:%Y%m%dT%H%M%SZ}-{os.urandom(2).hex()}.study"
    return Path("runs") / name


def resumed_study(path: Path) -> StudyOptions:
    """Returns the options of a study that can be gone on with.

    Raises:
        RunError: there is no study, or it is complete.
    """
    manifest = Study(path).manifest
    if manifest.state == "complete":
        raise RunError(f"{path}: the study is complete: nothing is left to do")
    try:
        return StudyOptions.of_manifest(manifest.options)
    except (KeyError, TypeError) as error:
        raise RunError(f"{path}: the options of the study lack {error}") from None


def study_overhead(path: Path, options: StudyOptions, console: Console) -> int:
    """Does what is left of a study, and prints its summary; returns the exit status.

    Raises:
        AgentError: the program cannot be studied, or has ended.
    """
    from jvmscope.actions.reporting import form_of, write
    from jvmscope.actions.study_reporting import study_summary
    from jvmscope.cli import DONE, INTERRUPTED
    from jvmscope.output.results import Output

    jar = agent_jar()
    try:
        with _telling(console, options.n_methods) as tell:
            ending = run_study(path, options, jar, tell)
    except AgentError as error:
        if not any(file.stat().st_size for file in path.glob("[op]*/**/*") if file.is_file()):
            shutil.rmtree(path)  # there is nothing of it, and nothing that says why
            raise
        raise AgentError(
            f"{error}\nThe study stays in {path}; "
            f"continue it with: jvmscope study overhead --resume {path}"
        ) from None
    if ending == "interrupted":
        console.say(f"interrupted; continue it with: jvmscope study overhead --resume {path}")
        return INTERRUPTED
    console.wrote(path)
    output = Output()
    write(study_summary(path), form_of(output), output, console)
    return DONE


@contextmanager
def _telling(console: Console, n_methods: int) -> Iterator[Callable[[str, int], None]]:
    """Shows the progress of a study: a bar, or a line for each step."""
    if console.progress_kind == "bar":
        with console.task(f"observing {n_methods} methods", says_rest=True) as update:
            yield lambda _step, done: update(done, n_methods)
        return

    def tell(step: str, done: int) -> None:
        if console.progress_kind == "plain":
            console.say(f"{done} of {n_methods}: {step} …")

    yield tell
