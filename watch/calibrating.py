"""What calls and objects cost in the VM of a JDK on this machine, measured in VMs of their own.

Each form has VMs whose options make all code run in it. A class of the agent's jar measures there,
and prints a line for each cost. Between two VMs of a form are those of all others, so that a slow
time of the machine is in all of them.

A call counts as inlined if the VM's compiler says so of the very loop that was measured, and as one
that was not inlined if it says that.
"""

from __future__ import annotations

import os
import platform
import subprocess
import tempfile
from collections import defaultdict
from datetime import UTC, datetime
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from jvmscope.children import run_child
from jvmscope.errors import AgentError
from jvmscope.schema.calibration import CALIBRATED_FORMS, Calibration, Cost
from jvmscope.temporary_files import temporary_directory
from jvmscope.watch.compiler_log import inlined_calls
from jvmscope.watch.machines import OLDEST, release_of
from jvmscope.watch.processor import processor_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

__all__ = ["LEAST_VMS", "MOST_VMS", "calibrate", "interval"]

LEAST_VMS, MOST_VMS = 2, 31
"""An interval needs two values; more than 31 would not make it much narrower."""

_PACKAGE = "io.jvmscope.calibration"
_MAIN = f"{_PACKAGE}.Calibration"
_START_S = 300.0
# Compressed class pointers and a young generation that pages are ready for; what C2 would not make
# cannot be measured. Collections are in another thread than the one whose time is read.
_ALL = (
    "-XX:+UseSerialGC", "-Xms64m", "-Xmx64m", "-Xmn32m", "-XX:+AlwaysPreTouch", "-Xbatch",
    "-XX:-DoEscapeAnalysis", "-XX:-UsePerfData", "-XX:CompileCommand=quiet",
)  # fmt: skip
_NOT_INLINED = f"-XX:CompileCommand=dontinline,{_PACKAGE}.Calls*::called*"
_LOG = "compilations.xml"
_LOGGED = ("-XX:+UnlockDiagnosticVMOptions", "-XX:+LogCompilation", f"-XX:LogFile={_LOG}")

# The two-sided 95 % quantiles of Student's t, for 1 to 30 degrees of freedom.
_T = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
)  # fmt: skip

_Key = tuple[str, str, str]


def calibrate(
    java: Path, jar: Path, n_vms: int, on_progress: Callable[[int, int], None]
) -> Calibration:
    """Measures what calls and objects cost.

    Args:
        java: the program ``java`` of a JDK.
        jar: the agent's jar.
        n_vms: how many VMs measure each form.
        on_progress: told how many VMs of how many are done.

    Raises:
        AgentError: ``java`` cannot be started, is older than 17, or does not measure.
    """
    java, jar = java.absolute(), jar.absolute()
    jdk = _jdk(java)
    forms = _forms()
    values: defaultdict[_Key, list[float]] = defaultdict(list)
    n_all = n_vms * len(forms)
    on_progress(0, n_all)
    for number in range(n_vms):
        for at, (form, options) in enumerate(forms.items()):
            for (what, kind), ns in _measured(java, jar, form, options).items():
                values[what, kind, form].append(ns)
            on_progress(number * len(forms) + at + 1, n_all)
    costs = tuple(
        Cost(*key, *interval(found)) for key, found in values.items() if len(found) == n_vms
    )
    made = datetime.now(UTC).isoformat(timespec="seconds")
    return Calibration(jdk, _machine(), made, n_vms, costs)


def interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Returns the mean of values and its 95 % interval by Student's t, none of them below 0.

    >>> interval([1.0, 3.0])[0], round(interval([1.0, 1.5, 2.0])[2], 2), interval([-1.0, 0.5])[:2]
    (2.0, 2.74, (0.0, 0.0))
    """
    mean = fmean(values)
    half = _T[len(values) - 2] * stdev(values) / sqrt(len(values))
    return max(0.0, mean), max(0.0, mean - half), max(0.0, mean + half)


def _forms() -> Mapping[str, Sequence[str]]:
    """Returns the options of the VM for each form."""
    forms: dict[str, Sequence[str]] = {CALIBRATED_FORMS[0]: ("-Xint",)}
    for tier, form in enumerate(CALIBRATED_FORMS[1:], 1):
        stop = (f"-XX:TieredStopAtLevel={tier}",)
        forms[form] = (*stop, _NOT_INLINED)
        forms[f"{form}_inlined"] = stop
    return forms


def _words(form: str) -> tuple[str, ...]:
    """Returns what the class is told to measure.

    C1 inlines by the classes that are loaded, C2 also by those that the call has seen; what C2 does
    with the former is that it checks no class at all.

    >>> _words("tier_1"), _words("tier_1_inlined"), _words("tier_4_inlined")
    ((), ('calls', 'bound'), ('calls',))
    """
    if not form.endswith("_inlined"):
        return ()
    return ("calls",) if form == f"{CALIBRATED_FORMS[-1]}_inlined" else ("calls", "bound")


def _run(command: Sequence[str], directory: str | None = None) -> tuple[int, str, str]:
    """Runs a VM; returns its status and what it wrote on stdout and stderr."""
    # Options of the user's would change the form.
    hidden = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    try:
        ended = run_child(command, env=environment, timeout_s=_START_S, cwd=directory)
    except OSError as error:
        raise AgentError(f"{command[0]}: cannot be started: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise AgentError(
            f"{command[0]}: has not ended within {_START_S:.0f} s: calibrate on an idle machine"
        ) from None
    out, errors = (said.decode(errors="replace") for said in (ended.stdout, ended.stderr))
    return ended.returncode, out, errors


def _measured(
    java: Path, jar: Path, form: str, options: Sequence[str]
) -> dict[tuple[str, str], float]:
    """Returns what one VM has measured in a form, without calls of which it is not known."""
    is_compiled = form != CALIBRATED_FORMS[0]
    more = (*options, *_LOGGED) if is_compiled else options
    # The VM writes its log where it runs, because it would replace a % in the name of a file.
    with tempfile.TemporaryDirectory(dir=temporary_directory()) as directory:
        command = [str(java), *_ALL, *more, "-cp", str(jar), _MAIN, *_words(form)]
        costs = _costs(_run(command, directory), java, options)
        if not is_compiled:
            return costs
        log = Path(directory, _LOG)
        text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    found = inlined_calls(text, _PACKAGE)
    return {
        (what, kind): ns
        for (what, kind), ns in costs.items()
        if what != "call" or _is_of(form, found.get(_loop(kind)), kind, java)
    }


def _costs(
    ended: tuple[int, str, str], java: Path, options: Iterable[str]
) -> dict[tuple[str, str], float]:
    """Returns the costs that a VM has printed."""
    status, out, errors = ended
    if status == 0:
        try:
            rows = [line.split() for line in out.splitlines()]
            return {(what, kind): float(ns) for what, kind, ns in rows}
        except ValueError:
            pass
    said = (errors.strip() or out.strip() or "nothing").splitlines()[0]
    raise AgentError(
        f"{java}: a VM with {' '.join(options)} has not measured: status {status}, "
        f"it said: {said}: use a HotSpot JDK of Java 17 or newer"
    )


def _loop(kind: str) -> str:
    """Returns the name of the loop that has calls of a kind.

    >>> _loop("static"), _loop("interface_2")
    ('ofStatic', 'ofInterface2')
    """
    return "of" + kind.title().replace("_", "")


def _is_of(form: str, calls: tuple[int, int] | None, kind: str, java: Path) -> bool:
    """Tells whether all calls of a loop were inlined in a form of inlined calls, or else none.

    >>> _is_of("tier_1_inlined", (1, 0), "static", Path("java"))
    True
    >>> [_is_of("tier_1", calls, "static", Path("java")) for calls in ((0, 1), (1, 0), (1, 1))]
    [True, False, False]
    """
    if calls is None or not any(calls):
        raise AgentError(
            f"{java}: a VM that ran {kind} calls in {form} has not logged how it compiled them: "
            "use a HotSpot JDK of Java 17 or newer"
        )
    n_inlined, n_called = calls
    return n_called == 0 if form.endswith("_inlined") else n_inlined == 0


def _jdk(java: Path) -> dict[str, str]:
    """Returns what the VM says of itself."""
    status, _, errors = _run([str(java), "-XshowSettings:properties", "-version"])
    settings = [line.partition(" = ") for line in errors.splitlines()]
    properties = {name.strip(): value.strip() for name, _, value in settings}
    version = properties.get("java.version", "")
    if status or not version:
        raise AgentError(f"{java}: is not the program java of a JDK: name that, as bin/java")
    if (release_of(version) or 0) < OLDEST:
        raise AgentError(f"{java}: is of Java {version}; expected {OLDEST} or newer")
    return {
        "version": version,
        "name": properties.get("java.vm.name", ""),
        "home": properties.get("java.home", ""),
    }


def _machine() -> dict[str, str | int]:
    """Returns what is known of this machine."""
    n_processors = len(os.sched_getaffinity(0))
    return {"host": platform.node(), "processor": processor_name(), "n_processors": n_processors}
