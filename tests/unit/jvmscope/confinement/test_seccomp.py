"""The filter of system calls, run on paper: on both architectures, for every call that there is."""

from __future__ import annotations

import os
import platform
import re
import struct
from pathlib import Path

import pytest

from jvmscope.confinement.seccomp import filter_program
from jvmscope.confinement.syscalls import AARCH64, ARCHITECTURES, X86_64, always, number

_INCLUDED = Path("/usr/include")
_HEADERS = {
    X86_64: [_INCLUDED / f"{folder}asm/unistd_64.h" for folder in ("x86_64-linux-gnu/", "")],
    AARCH64: [_INCLUDED / "asm-generic/unistd.h"],
}
_ALLOWED, _NO_PERMISSION, _NO_SUCH_CALL, _NO_TERMINAL = 0x7FFF0000, 0x50001, 0x50026, 0x50019
_SELF, _OTHER = 4711, 4712
_THREAD, _CHILD = 0x3D0F00, 17  # flags of pthread_create and of fork


def _answer(architecture: int, call: int, *arguments: int, on: int | None = None) -> int:
    """Runs the program as the kernel does; returns what it answers."""
    data = struct.pack("<IIQ", call & 0xFFFFFFFF, architecture if on is None else on, 0)
    data += struct.pack("<6Q", *(*arguments, *[0] * (6 - len(arguments))))
    program = filter_program(architecture, _SELF)
    accumulator, at = 0, 0
    while True:
        code, if_true, if_false, operand = struct.unpack_from("<HBBI", program, 8 * at)
        at += 1
        match code:
            case 0x20:
                (accumulator,) = struct.unpack_from("<I", data, operand)
            case 0x06:
                return int(operand)
            case 0x15:
                at += if_true if accumulator == operand else if_false
            case 0x35:
                at += if_true if accumulator >= operand else if_false
            case 0x45:
                at += if_true if accumulator & operand else if_false
            case _:
                raise AssertionError(code)


def _numbers(architecture: int) -> dict[str, int]:
    """Returns the calls of an architecture as the kernel's headers number them."""
    for path in _HEADERS[architecture]:
        if path.exists():
            found = re.findall(
                r"^#define __NR(?:3264)?_(\w+)\s+(\d+)",
                path.read_text(encoding="utf-8"),
                re.MULTILINE,
            )
            numbers = {name: int(number) for name, number in found}
            return {**numbers, "newfstatat": numbers.get("newfstatat", numbers.get("fstatat", -1))}
    pytest.skip("the kernel's headers are not installed")


@pytest.mark.parametrize("architecture", ARCHITECTURES.values(), ids=ARCHITECTURES)
def test_numbers_are_those_of_the_kernel(architecture: int) -> None:
    by_name = _numbers(architecture)

    names = {call: name for name, call in by_name.items()}
    assert set(always(architecture)) <= set(names)
    for name in ("clone", "fcntl", "ioctl", "kill", "openat", "prlimit64", "tgkill", "openat2"):
        assert number(name, architecture) == by_name[name]
    changing = re.compile(
        r"(un)?link|rename|mkdir|mknod|rmdir|trunc|chmod|chown|utime|.*xattr|(u|fs)?mount|pivot|chroot|"
        r"socket|connect|bind|listen|accept|send|recv|exec|fork|ptrace|process_|pidfd|io_|bpf|perf_|"
        r"keyctl|add_key|shm|msg|sem|mq_|memfd|splice|tee|vmsplice|copy_file|fallocate|sethost|setdomain"
        r"|settime|clock_set|adjtime|unshare|setns|kexec|init_mod|finit|delete_mod|reboot|swap|quota|"
        r"fanotify|inotify|open_by|userfault|landlock|seccomp|creat|sync_file|acct|iopl|ioperm|setuid"
    )
    allowed = [name for call, name in names.items() if call in always(architecture)]
    assert [name for name in allowed if changing.match(name)] == []


@pytest.mark.parametrize("architecture", ARCHITECTURES.values(), ids=ARCHITECTURES)
def test_every_other_call_is_refused(architecture: int) -> None:
    conditional = {
        number(name, architecture)
        for name in ("open", "openat", "clone", "fcntl", "ioctl", "kill", "tgkill", "prlimit64")
    }
    listed = set(always(architecture))
    for call in range(1024):
        answer = _answer(architecture, call)
        if call in listed:
            assert answer == _ALLOWED
        elif call not in conditional:
            assert answer == (_NO_SUCH_CALL if call >= 424 else _NO_PERMISSION)
    for call in (0x40000000, 0x40000002, 0x40000101, 0xFFFFFFFF):  # as x32 numbers them
        assert _answer(architecture, call) == _NO_SUCH_CALL


@pytest.mark.parametrize("architecture", ARCHITECTURES.values(), ids=ARCHITECTURES)
def test_files_are_opened_for_reading_alone(architecture: int) -> None:
    calls = [(number("openat", architecture), 2), (number("open", architecture), 1)]
    reading = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
    writing = (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_TMPFILE)
    for call, place in calls:
        if call is None:
            continue
        before = [0] * place
        assert _answer(architecture, call, *before, reading) == _ALLOWED
        for flag in writing:
            assert _answer(architecture, call, *before, reading | flag) == _NO_PERMISSION


@pytest.mark.parametrize("architecture", ARCHITECTURES.values(), ids=ARCHITECTURES)
def test_arguments_decide(architecture: int) -> None:
    def answers(name: str, *arguments: int) -> int:
        call = number(name, architecture)
        assert call is not None
        return _answer(architecture, call, *arguments)

    assert answers("clone", _THREAD) == _ALLOWED
    assert answers("clone", _CHILD) == _NO_PERMISSION
    assert answers("clone3") == answers("openat2") == _NO_SUCH_CALL
    assert answers("kill", _SELF, 6) == answers("tgkill", _SELF, _SELF, 6) == _ALLOWED
    assert answers("kill", _OTHER, 9) == answers("tgkill", _OTHER, _OTHER, 9) == _NO_PERMISSION
    assert answers("kill", 0, 9) == answers("kill", (1 << 64) - 1, 9) == _NO_PERMISSION
    assert answers("prlimit64", 0) == answers("prlimit64", _SELF) == _ALLOWED
    assert answers("prlimit64", _OTHER) == _NO_PERMISSION
    assert answers("ioctl", 1, 0x5401) == _ALLOWED
    assert answers("ioctl", 1, 0x5412) == answers("ioctl", 1, 0x40086602) == _NO_TERMINAL
    assert answers("fcntl", 1, 3) == _ALLOWED
    assert answers("fcntl", 1, 8) == answers("fcntl", 1, 15) == _NO_PERMISSION


def test_calls_of_another_architecture_are_refused() -> None:
    i386 = 0x40000003
    assert _answer(X86_64, 0, on=i386) == _NO_PERMISSION
    assert _answer(X86_64, 63, on=AARCH64) == _NO_PERMISSION


def test_this_machine_is_known() -> None:
    assert platform.machine() in ARCHITECTURES
