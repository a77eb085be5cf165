"""The command line: runs a verb, and turns how it ends into an exit status."""

from __future__ import annotations

import atexit
import contextlib
import errno
import gc
import os
import shlex
import signal
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jvmscope.cli.imports import leave_out
from jvmscope.cli.verbs import Verbs
from jvmscope.errors import (
    JvmscopeError,
    LimitReached,
    WorkerFailed,
    is_worded_for_options,
    word_for_options,
)
from jvmscope.output.standard_streams import give_up_stdout, open_missing_streams, tell
from jvmscope.signals import Ended, cleaning_up

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "BUG",
    "DONE",
    "INTERRUPTED",
    "LIMITED",
    "NO",
    "RECORDING_FAILED",
    "WRONG",
    "main",
    "program",
    "run",
]

DONE = 0
NO = 1
"""The answer is no: a check failed, two runs differ."""
WRONG = 2
"""Bad usage, bad input, or an error in a query."""
LIMITED = 4
"""A limit was reached; the result is partial and says so."""
BUG = 70
RECORDING_FAILED = 125
INTERRUPTED = 130

_OF_SIGNALS = {128 + number for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
"""What a stream that cannot be written says; errors of files have their names."""

_REFUSED = {errno.ENAMETOOLONG, errno.EACCES, errno.EPERM}
"""What the system says of paths that nobody may use, or no file can have."""

_OBJECTS_BETWEEN_COLLECTIONS = 50_000
"""Importing and planning make many objects and few cycles; the default of 700 costs 8 % of it."""


@click.group(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with: jvmscope record -- java -cp CLASSPATH MAIN",
)
@click.version_option(package_name="jvmscope")
def program() -> None:
    """Record a JVM program once, exactly, and query the recording."""


def run(args: Sequence[str]) -> int:
    """Runs a verb and returns the exit status; what went wrong is said on stderr."""
    was_worded = is_worded_for_options()
    word_for_options(is_worded=True)
    try:
        return _run(args)
    finally:
        word_for_options(was_worded)


def _run(args: Sequence[str]) -> int:
    own_failure = RECORDING_FAILED if [*args[:1]] == ["record"] else WRONG
    status = DONE
    try:
        with cleaning_up(), program.make_context("jvmscope", list(args)) as context:
            status = program.invoke(context) or DONE
        sys.stdout.flush()
    except click.exceptions.Exit as error:
        status = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        tell("interrupted")
        status = INTERRUPTED
    except Ended as ended:
        tell(f"ended by {ended.name}")
        status = ended.status
    except click.ClickException as error:
        tell(_usage_error(error))
        status = own_failure
    except LimitReached as error:
        tell(f"error: {error}")
        status = LIMITED
    except WorkerFailed as error:
        tell(f"error: {error}")
        status = BUG
    except JvmscopeError as error:
        text = str(error)
        tell(text if ": error: " in text.partition("\n")[0] else f"error: {text}")
        status = own_failure
    except BrokenPipeError:  # of what click prints
        give_up_stdout()
    except Exception as error:  # a bug gets a traceback, a status of its own and an address
        if _is_of_the_system(error):
            return own_failure
        tell(traceback.format_exc().rstrip())
        tell("This is a bug in jvmscope. Please report it with the lines above and the command:")
        tell(f"  jvmscope {shlex.join(args)}")
        status = BUG
    return status


def _is_of_the_system(error: Exception) -> bool:
    """Says what is wrong where the system has no room, or refuses a path."""
    if not isinstance(error, OSError):
        return False
    if error.filename is not None:
        if error.errno in _REFUSED:
            tell(f"error: {error.filename}: {error.strerror}")
        return error.errno in _REFUSED
    if error.errno in _FULL:
        tell(f"error: stdout: cannot be written: {error.strerror}")
        give_up_stdout()
        return True
    if isinstance(error, FileNotFoundError) and "temporary directory" in str(error):  # tempfile's
        tell("error: no directory for temporary files can be written; set TMPDIR to one")
        return True
    if isinstance(error, FileNotFoundError) and not _has_directory():
        tell("error: the working directory is gone; change to another one")
        return True
    return False


def _has_directory() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return False
    return True


def main() -> None:
    """Runs the command line of this process."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    open_missing_streams()
    instruction = os.environ.get("_JVMSCOPE_COMPLETE")
    if instruction is not None:
        from jvmscope.cli.completing import answer

        sys.exit(answer(program, instruction))
    # Arrow imports these to ask what a list is: for 0.7 s where they are installed, and over and
    # over again where they are not.
    leave_out("pandas", "dateutil")
    status = run(sys.argv[1:])
    if status in _OF_SIGNALS:
        _leave(status)
    sys.exit(status)


def _leave(status: int) -> None:
    """Ends this process as Python does, but leaves its objects and its other threads alone.

    A signal may come while threads that the first one ends are awaited, and then they still work:
    Python would end them inside libraries, which abort the process (DuckDB 2.0), or tell what of
    theirs was not freed.
    """
    atexit._run_exitfuncs()  # noqa: SLF001 - there is no other way to have them run
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # nobody reads it, or it is closed
            stream.flush()
    os._exit(status)


def _usage_error(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.format_message()
    hint = f"\nMore: {context.command_path} --help" if context else ""
    return f"error: {error.format_message()}{hint}"
