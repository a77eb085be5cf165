"""The system calls that a confined process may make, with their numbers on two architectures.

None of them can make, change or remove a file, reach another process or machine, start a program,
or give the process a right that it lacks. Some are allowed with certain arguments alone. What is
not listed is refused, and so is a call that only a later kernel has.
"""

from __future__ import annotations

__all__ = ["AARCH64", "ARCHITECTURES", "X86_64", "always", "number"]

X86_64, AARCH64 = 0xC000003E, 0xC00000B7
"""What the kernel calls them: ``AUDIT_ARCH_X86_64`` and ``AUDIT_ARCH_AARCH64``."""

ARCHITECTURES = {"x86_64": X86_64, "aarch64": AARCH64}
"""By the name of ``platform.machine()``."""

# name, number of x86-64, number of AArch64; - where an architecture lacks it
_ALWAYS = """
# reads of what is open or is allowed to be opened, and writes to what is open for writing
access 21 -, close 3 57, close_range 436 436, dup 32 23, dup2 33 -, dup3 292 24
faccessat 269 48, faccessat2 439 439, fadvise64 221 223
fdatasync 75 83, flock 73 32, fstat 5 80, fstatfs 138 44, fsync 74 82
getcwd 79 17, getdents 78 -, getdents64 217 61, lseek 8 62, lstat 6 -
newfstatat 262 79, pread64 17 67, preadv 295 69, preadv2 327 286, pwrite64 18 68
pwritev 296 70, read 0 63, readahead 187 213, readlink 89 -, readlinkat 267 78
readv 19 65, stat 4 -, statfs 137 43, statx 332 291, write 1 64, writev 20 66
# memory of the process
brk 12 214, get_mempolicy 239 236, madvise 28 233, mbind 237 235, mincore 27 232
mlock 149 228, mlock2 325 284, mmap 9 222, mprotect 10 226, mremap 25 216
msync 26 227, munlock 150 229, munmap 11 215, pkey_alloc 330 289, pkey_free 331 290
pkey_mprotect 329 288, set_mempolicy 238 237
# its threads
arch_prctl 158 -, exit 60 93, exit_group 231 94, futex 202 98, futex_waitv 449 449
get_robust_list 274 100, getcpu 309 168, gettid 186 178, membarrier 324 283
prctl 157 167, restart_syscall 219 128, rseq 334 293, sched_get_priority_max 146 125
sched_get_priority_min 147 126, sched_getaffinity 204 123, sched_getattr 315 275
sched_getparam 143 121, sched_getscheduler 145 120, sched_yield 24 124
set_robust_list 273 99, set_tid_address 218 96
# time
alarm 37 -, clock_getres 229 114, clock_gettime 228 113, clock_nanosleep 230 115
getitimer 36 102, gettimeofday 96 169, nanosleep 35 101, setitimer 38 103
time 201 -, timer_create 222 107, timer_delete 226 111, timer_getoverrun 225 109
timer_gettime 224 108, timer_settime 223 110, times 100 153
# signals to itself
pause 34 -, rt_sigaction 13 134, rt_sigpending 127 136, rt_sigprocmask 14 135
rt_sigreturn 15 139, rt_sigsuspend 130 133, rt_sigtimedwait 128 137
sigaltstack 131 132
# waiting for pipes
epoll_create 213 -, epoll_create1 291 20, epoll_ctl 233 21, epoll_pwait 281 22
epoll_wait 232 -, eventfd 284 -, eventfd2 290 19, pipe 22 -, pipe2 293 59
poll 7 -, ppoll 271 73, pselect6 270 72, select 23 -
# what it is, and its limits
capget 125 90, getegid 108 177, geteuid 107 175, getgid 104 176, getgroups 115 158
getpgid 121 155, getpgrp 111 -, getpid 39 172, getppid 110 173, getpriority 140 141
getrandom 318 278, getresgid 120 150, getresuid 118 148, getrlimit 97 163
getrusage 98 165, getsid 124 156, getuid 102 174, setrlimit 160 164, sysinfo 99 179
uname 63 160
"""

_BY_ARGUMENT = """
    # decided by their arguments (seccomp)
    clone 56 220, fcntl 72 25, ioctl 16 29, kill 62 129, open 2 -, openat 257 56, prlimit64 302 261
    tgkill 234 131
    # told to be absent, so that the C library falls back to an older call
    clone3 435 435, openat2 437 437
"""


def _parsed(table: str) -> dict[str, tuple[int | None, int | None]]:
    entries = ",".join(line for line in table.splitlines() if not line.strip().startswith("#"))
    words = [entry.split() for entry in entries.split(",") if entry.strip()]
    return {name: (_number(of_x86), _number(of_arm)) for name, of_x86, of_arm in words}


def _number(text: str) -> int | None:
    return None if text == "-" else int(text)


_CALLS = _parsed(_ALWAYS) | _parsed(_BY_ARGUMENT)


def number(name: str, architecture: int) -> int | None:
    """Returns a call's number; None where the architecture lacks it.

    >>> number("openat", X86_64), number("openat", AARCH64), number("open", AARCH64)
    (257, 56, None)
    """
    return _CALLS[name][0 if architecture == X86_64 else 1]


def always(architecture: int) -> list[int]:
    """Returns the numbers of the calls that are allowed whatever their arguments are, sorted."""
    found = (number(name, architecture) for name in _parsed(_ALWAYS))
    return sorted(call for call in found if call is not None)
