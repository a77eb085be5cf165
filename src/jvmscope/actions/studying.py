"""What ``jvmscope study overhead`` does around a study: its directory, its progress, its end."""

from __future__ import annotations

import datetime as dt
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jvmscope.collector import agent_jar
from jvmscope.errors import AgentError, RunError
from jvmscope.schema.studied import is_study
from jvmscope.watch.study import Study, StudyOptions, begin_study, held_study, run_study
from jvmscope.whole_files import unfinished

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jvmscope.output.console import Console

__all__ = ["StudyPlace", "new_study", "resumed_study", "study_overhead"]


class StudyPlace(NamedTuple):
    """Where a study is made: its directory now, and the study whose name it gets; None: its own."""

    path: Path
    replaced: Path | None = None


@contextmanager
def new_study(
    output: Path | None, command: Sequence[str], options: StudyOptions, *, is_forced: bool
) -> Iterator[StudyPlace]:
    """Makes a study of which nothing is done yet, and holds it; yields where it is.

    A study that it replaces is held, too, and stays until the new one takes its place.

    Args:
        output: the user's choice; None: a new name below ``runs``.
        command: the program, word by word.
        options: how it is studied.
        is_forced: whether a study that has the name is replaced.

    Raises:
        AgentError: something else has the name, or a study that may not be replaced.
    """
    path = output if output is not None else _new_name(Path(command[0]).name)
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        with _begun(path, command, options):
            yield StudyPlace(path)
        return
    if not is_forced:
        raise AgentError(
            f"{path}: exists already; --force replaces it, --resume {path} continues it"
        )
    if not is_study(path):
        raise AgentError(f"{path}: not a study, so --force does not replace it")
    _expect_startable(command[0])
    with held_study(path), unfinished(path.with_name(f"{path.name}.partial")) as partial:
        shutil.rmtree(partial, ignore_errors=True)  # a killed process may have left it
        with _begun(partial, command, options):
            yield StudyPlace(partial, path)


@contextmanager
def _begun(path: Path, command: Sequence[str], options: StudyOptions) -> Iterator[None]:
    try:
        begin_study(path, command, options)
    except OSError as error:
        raise AgentError(f"{path}: cannot be written: {error.strerror}") from None
    with held_study(path):
        yield


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


@contextmanager
def resumed_study(path: Path) -> Iterator[StudyOptions]:
    """Holds a study that can be gone on with; yields its options.

    Raises:
        RunError: there is no study, or it is complete.
        AgentError: another process works in it.
    """
    manifest = Study(path).manifest
    if manifest.state == "complete":
        raise RunError(f"{path}: the study is complete: nothing is left to do")
    try:
        options = StudyOptions.of_manifest(manifest.options)
    except KeyError as error:
        raise RunError(f"{path}: the options of the study lack {error}") from None
    with held_study(path):
        yield options


def study_overhead(place: StudyPlace, options: StudyOptions, console: Console) -> int:
    """Does what is left of a study, and prints its summary; returns the exit status.

    Raises:
        AgentError: the program cannot be studied, or has ended.
        RunError: the study is damaged.
    """
    from jvmscope.actions.reporting import form_of, write
    from jvmscope.actions.study_reporting import study_summary
    from jvmscope.cli import DONE, INTERRUPTED
    from jvmscope.output.results import Output

    jar = agent_jar()
    path = place.replaced or place.path
    try:
        with _telling(console, options.n_methods) as tell:
            ending = run_study(place.path, options, jar, tell, replaced=place.replaced)
    except AgentError as error:
        raise _with_what_stays(error, place) from None
    if ending == "interrupted":
        if _is_apart(place):
            console.say(f"interrupted; {path} stays as it was")
        else:
            console.say(f"interrupted; continue it with: jvmscope study overhead --resume {path}")
        return INTERRUPTED
    console.wrote(path)
    output = Output()
    write(study_summary(path), form_of(output), output, console)
    return DONE


def _is_apart(place: StudyPlace) -> bool:
    """Tells whether a study has not taken the place of the one that it was to replace."""
    return place.replaced is not None and place.path.exists()


def _with_what_stays(error: AgentError, place: StudyPlace) -> AgentError:
    """Returns an error that says what there is of a study; removes one of which is nothing."""
    if _is_apart(place):
        return AgentError(f"{error}\n{place.replaced} stays as it was, the new study is removed")
    path = place.replaced or place.path
    if not any(file.stat().st_size for file in path.glob("[op]*/**/*") if file.is_file()):
        shutil.rmtree(path)  # there is nothing of it, and nothing that says why
        return error
    return AgentError(
        f"{error}\nThe study stays in {path}; "
        f"continue it with: jvmscope study overhead --resume {path}"
    )


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
