"""Seccomp: a process of Linux gives up system calls, by a program that the kernel runs at each.

The program is of the classic BPF, as ``linux/filter.h`` and ``linux/seccomp.h`` have it: eight
bytes an instruction, one accumulator, jumps forward. It sees a call's number and arguments, and no
memory, so paths cannot be told apart: it refuses to open any file for writing.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from typing import TYPE_CHECKING

from jvmscope.confinement.syscalls import ARCHITECTURES, always, number

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["filter_program", "restrict"]

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE = 0, 4  # offsets in struct seccomp_data; arguments have eight bytes each
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_NO_PERMISSION, _NO_SUCH_CALL, _NO_TERMINAL = _ERROR | 1, _ERROR | 38, _ERROR | 25

_WRITING = 0o1 | 0o2 | 0o100 | 0o1000 | 0o20000000
"""O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, and the bit of O_TMPFILE: alike on both architectures."""
_OF_A_THREAD = 0x00010000  # CLONE_THREAD
_OWNERS = (8, 15)  # F_SETOWN, F_SETOWN_EX: whom signals are sent to
_QUESTIONS = (0x5401, 0x5413, 0x541B, 0x5450, 0x5451)  # TCGETS, TIOCGWINSZ, FIONREAD, FIO(N)CLEX
_FIRST_OF_X32 = 0x40000000
_FIRST_RECENT = 424  # numbered alike everywhere; libraries do without them

_SET_SECCOMP, _FILTER, _NO_NEW_PRIVILEGES = 22, 2, 38

_Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, operand


class _Program(ctypes.Structure):
    """``struct sock_fprog``."""

    _fields_ = (("n_instructions", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def restrict() -> bool:
    """Has this thread, and those that it starts, make no call that changes anything outside.

    Returns:
        Whether it is in force; where seccomp cannot be used, nothing has changed.
    """
    architecture = ARCHITECTURES.get(platform.machine())
    if not sys.platform.startswith("linux") or architecture is None:
        return False
    code = filter_program(architecture, os.getpid())
    libc = ctypes.CDLL(None, use_errno=True)
    program = _Program(len(code) // 8, code)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return False
    return bool(libc.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0) == 0)


def filter_program(architecture: int, process: int) -> bytes:
    """Returns the program for an architecture and a process, as the kernel takes it."""
    return b"".join(struct.pack("<HBBI", *one) for one in _instructions(architecture, process))


def _instructions(architecture: int, process: int) -> Iterator[_Instruction]:
    yield _LOAD, 0, 0, _ARCHITECTURE
    yield _EQUAL, 1, 0, architecture
    yield _RETURN, 0, 0, _NO_PERMISSION
    yield _LOAD, 0, 0, _NUMBER
    yield from _answer_if(_AT_LEAST, _FIRST_OF_X32, _NO_SUCH_CALL)
    for call in always(architecture):
        yield from _answer_if(_EQUAL, call, _ALLOW)
    own = [(_EQUAL, process, _ALLOW)]
    conditions = {
        "open": (1, [(_ANY_BIT, _WRITING, _NO_PERMISSION)], _ALLOW),
        "openat": (2, [(_ANY_BIT, _WRITING, _NO_PERMISSION)], _ALLOW),
        "clone": (0, [(_ANY_BIT, _OF_A_THREAD, _ALLOW)], _NO_PERMISSION),
        "fcntl": (1, [(_EQUAL, owner, _NO_PERMISSION) for owner in _OWNERS], _ALLOW),
        "ioctl": (1, [(_EQUAL, question, _ALLOW) for question in _QUESTIONS], _NO_TERMINAL),
        "kill": (0, own, _NO_PERMISSION),
        "tgkill": (0, own, _NO_PERMISSION),
        "prlimit64": (0, [(_EQUAL, 0, _ALLOW), *own], _NO_PERMISSION),
    }
    for name, (argument, answers, otherwise) in conditions.items():
        at = number(name, architecture)
        if at is not None:
            yield from _by_argument(at, argument, answers, otherwise)
    yield from _answer_if(_AT_LEAST, _FIRST_RECENT, _NO_SUCH_CALL)
    yield _RETURN, 0, 0, _NO_PERMISSION


def _answer_if(test: int, operand: int, answer: int) -> Iterator[_Instruction]:
    yield test, 0, 1, operand
    yield _RETURN, 0, 0, answer


def _by_argument(
    call: int, argument: int, answers: list[tuple[int, int, int]], otherwise: int
) -> Iterator[_Instruction]:
    """Yields what decides a call by the low half of an argument; the kernel reads no more of it."""
    yield _EQUAL, 0, 2 + 2 * len(answers), call
    yield _LOAD, 0, 0, 16 + 8 * argument
    for answer in answers:
        yield from _answer_if(*answer)
    yield _RETURN, 0, 0, otherwise
