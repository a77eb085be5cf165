"""Running COMMAND as if `jvmscope record` were not there: streams, signals, exit status."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.collector.launch.unreached import LOOK_S

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["CommandEnd", "run_command"]

# Signals of the terminal reach COMMAND by themselves; sent by a process, they are passed on.
_FORWARDED = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGUSR1,
    signal.SIGUSR2,
)
_WAITED = {*_FORWARDED, signal.SIGCHLD}
_OF_TERMINAL = (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP)
_SI_KERNEL = 0x80
_POLL_S = 1.0
_KILL_AFTER_S = 10.0


@dataclass(frozen=True)
class CommandEnd:
    """How COMMAND ended: `status`, or `signal` if one killed it; `pid` was its process."""

    pid: int
    status: int | None
    signal: int | None
    has_timed_out: bool

    @property
    def shell_status(self) -> int:
        """The exit status as a shell shows it: 128 + n for a signal n."""
        return 128 + self.signal if self.signal is not None else self.status or 0


def run_command(
    program: str,
    argv: Sequence[str],
    environment: dict[str, str],
    *,
    timeout_s: float | None,
    others: Callable[[], list[int]],
    look: Callable[[], None] | None = None,
) -> CommandEnd:
    """Runs `program` to its end, in this process group and with this process's streams.

    Args:
        program: path of the executable file.
        argv: its arguments, name first.
        environment: its environment.
        timeout_s: after this time it is sent SIGTERM, and ten seconds later SIGKILL.
        others: further processes to be ended by a timeout (JVMs below a script).
        look: called every `LOOK_S` seconds, and after the end.

    Raises:
        OSError: it cannot be started.
    """
    strays: list[int] = []
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _WAITED)
    handlers = _catch_strays(strays)
    try:
        pid = _spawn(program, argv, environment, before)
        return _wait(pid, strays, timeout_s, others, look)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _catch_strays(strays: list[int]) -> dict[signal.Signals, Any]:
    """Notes signals that another thread of this process takes, which our mask does not cover.

    Returns:
        The handlers so far. Ignored signals stay ignored, since COMMAND inherits that.
    """
    handlers = {}
    for number in _FORWARDED:
        handler = signal.getsignal(number)
        if handler is not signal.SIG_IGN and handler is not None:
            handlers[number] = handler
            signal.signal(number, lambda stray, _frame: strays.append(stray))
    return handlers


def _spawn(program: str, argv: Sequence[str], environment: dict[str, str], mask: set[int]) -> int:
    # Python ignores these two, and exec would keep them ignored.
    defaults = [signal.SIGPIPE, signal.SIGXFSZ]
    try:
        return os.posix_spawn(program, list(argv), environment, setsigmask=mask, setsigdef=defaults)
    except OSError as error:
        if error.errno != errno.ENOEXEC:
            raise
    # A script without `#!`: as execvp and every shell do.
    return os.posix_spawn(
        "/bin/sh",
        ["sh", program, *argv[1:]],
        environment,
        setsigmask=mask,
        setsigdef=defaults,
    )


def _wait(
    pid: int,
    strays: list[int],
    timeout_s: float | None,
    others: Callable[[], list[int]],
    look: Callable[[], None] | None,
) -> CommandEnd:
    deadline = None if timeout_s is None else time.monotonic() + timeout_s
    to_send = signal.SIGTERM
    has_timed_out = False
    while True:
        if look is not None:
            look()
        ended, code = os.waitpid(pid, os.WNOHANG)
        if ended:
            status = os.waitstatus_to_exitcode(code)
            killer = -status if status < 0 else None
            return CommandEnd(pid, None if killer else status, killer, has_timed_out)
        now = time.monotonic()
        if deadline is not None and now >= deadline:
            has_timed_out = True
            for target in (pid, *others()):
                _send(target, to_send)
            deadline = now + _KILL_AFTER_S
            to_send = signal.SIGKILL
        pause = _POLL_S if deadline is None else min(_POLL_S, max(0.0, deadline - now))
        arrived = signal.sigtimedwait(_WAITED, pause if look is None else min(pause, LOOK_S))
        while strays:
            stray = strays.pop()
            if stray not in _OF_TERMINAL or not _is_in_foreground():
                _send(pid, stray)
        if arrived is None or arrived.si_signo == signal.SIGCHLD:
            continue
        if arrived.si_code != _SI_KERNEL:
            _send(pid, arrived.si_signo)


def _is_in_foreground() -> bool:
    """Whether a terminal sends its signals to this process group, and so to COMMAND as well."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)


def _send(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
