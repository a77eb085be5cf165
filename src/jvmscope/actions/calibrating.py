"""What ``jvmscope calibrate`` does: finds the JDK, measures, and writes the file."""

from __future__ import annotations

import datetime as dt
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.collector import agent_jar
from jvmscope.errors import AgentError, RunError
from jvmscope.schema.calibration import read_calibration, write_calibration
from jvmscope.watch.calibrating import calibrate

if TYPE_CHECKING:
    from jvmscope.output.console import Console
    from jvmscope.schema.calibration import Calibration

__all__ = ["write_costs"]


def write_costs(
    java: Path | None, output: Path | None, n_vms: int, console: Console, *, is_forced: bool
) -> Path:
    """Measures what calls and objects cost, and writes it to a file, which is returned.

    Args:
        java: the program ``java``; None: that of the search path.
        output: the file; None: a name made of JDK, machine and date, below ``runs``.
        n_vms: how many VMs measure each form.
        console: where progress is shown.
        is_forced: whether a calibration that has the name is replaced.

    Raises:
        AgentError: there is no JDK, something else has the name, or the file cannot be written.
    """
    found = _found(java)
    if output is not None:
        _expect_free(output, is_forced=is_forced)
    jar = agent_jar()
    with console.task("calibrating", says_rest=True) as update:
        calibration = calibrate(found, jar, n_vms, update)
    path = output or Path("runs") / _name(calibration)
    try:
        write_calibration(path, calibration)
    except OSError as error:
        raise AgentError(f"{path}: cannot be written: {error.strerror}") from None
    return path


def _found(java: Path | None) -> Path:
    """Returns the path of the program ``java``."""
    if java is not None and java.exists():
        return java.absolute()
    found = shutil.which("java" if java is None else str(java))
    if found is None:
        where = "there is no java on the search path" if java is None else f"{java}: does not exist"
        raise AgentError(f"{where}: name the program java of a JDK, as /opt/jdk/bin/java")
    return Path(found)


def _expect_free(path: Path, *, is_forced: bool) -> None:
    if not path.exists():
        return
    if not is_forced:
        raise AgentError(
            f"{path}: exists already; --force replaces it", in_python={"--force": "force=True"}
        )
    try:
        read_calibration(path)
    except RunError:
        raise AgentError(f"{path}: not a calibration, so --force does not replace it") from None


def _name(calibration: Calibration) -> str:
    host = "".join(ch if ch.isalnum() or ch in "._-" else "-" for ch in calibration.machine["host"])
    date = dt.datetime.fromisoformat(calibration.made)
    return f"java-{calibration.jdk['version']}-{host}-{date:%Y%m%dT%H%M%SZ}.calibration"
