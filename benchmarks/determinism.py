"""How alike recordings of one program are: by hash, by node, and below `main` elsewhere.

    python -m benchmarks.determinism programs CLASSES PROGRAM... [--times 10] [--java-home DIR]
    python -m benchmarks.determinism workloads NAME... [--times 3] [--size small]

Each program, a main class in the directory CLASSES, is recorded several times; then once more from
another directory, with another environment and as another user, and compared below `main`. Each
workload of the catalogue is recorded several times, and every recording compared with the first.
"""

from __future__ import annotations

import argparse
import os
import pwd
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import alike
from benchmarks.catalogue import load
from benchmarks.prepare import prepare
from jvmscope.collector.launch.cache import cache_root
from jvmscope.schema.manifest import read_manifest

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["java_home", "main"]

_JVMSCOPE = str(Path(sys.executable).with_name("jvmscope"))
_ELSEWHERE = {"HOME": "/", "USER": "somebody", "LOGNAME": "somebody", "ELSEWHERE": "1" * 200}
_STRANGER = "nobody"
_PROGRAM_HEAD = """\
| program | contexts | recordings | distinct | below main, elsewhere |
| --- | --: | --: | --: | --- |"""
_WORKLOAD_HEAD = """\
| workload | contexts | recordings | distinct | topmost | nodes | below main | classes |
| --- | --: | --: | --: | --: | --: | --: | --: |"""


def main() -> None:
    """Prints one row for each program or workload."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    programs = commands.add_parser("programs", help="main classes in a directory")
    programs.add_argument("classes", type=Path)
    programs.add_argument("programs", nargs="+")
    programs.add_argument("--times", type=int, default=10)
    programs.set_defaults(run=_programs)
    workloads = commands.add_parser("workloads", help="workloads of the catalogue")
    workloads.add_argument("names", nargs="*")
    workloads.add_argument("--times", type=int, default=3)
    workloads.add_argument("--size", default="small")
    workloads.add_argument("--keep", type=Path, help="keep the runs, as NAME.1.run and so on")
    workloads.set_defaults(run=_workloads)
    for command in (programs, workloads):
        command.add_argument("--java-home", type=Path, default=java_home())
    options = parser.parse_args()
    run: Callable[[argparse.Namespace], None] = options.run
    run(options)


def _programs(options: argparse.Namespace) -> None:
    stranger = _stranger()
    print(f"elsewhere: {'user ' + stranger if stranger else 'the same user, by another name'}\n")
    print(_PROGRAM_HEAD)
    for program in options.programs:
        java = str(options.java_home / "bin" / "java")
        command = [java, "-cp", str(options.classes.resolve()), program]
        print(_program_row(program, command, options.times, stranger), flush=True)


def _program_row(program: str, command: list[str], times: int, stranger: str | None) -> str:
    with tempfile.TemporaryDirectory(prefix="jvmscope-determinism-") as scratch:
        runs = [Path(scratch, f"{i}.run") for i in range(times)]
        for run in runs:
            _record(run, command)
        away = Path(scratch, "away")
        away.mkdir()
        Path(scratch).chmod(0o755)
        if stranger:
            os.chown(away, pwd.getpwnam(stranger).pw_uid, -1)
        _record(away / "elsewhere.run", command, cwd=away, user=stranger)
        difference = alike.compare(runs[0], away / "elsewhere.run", below="main")
        verdict = "identical" if difference.is_none else f"{difference.n_topmost} topmost nodes"
        n_contexts = read_manifest(runs[0]).tables["context"].rows
        n_distinct = alike.distinct(runs)
    return f"| {program} | {n_contexts:,} | {times} | {n_distinct} | {verdict} |"


def _workloads(options: argparse.Namespace) -> None:
    print(_WORKLOAD_HEAD)
    for workload in load(options.names):
        prepare(workload, java_home=options.java_home)
        java = str(options.java_home / "bin" / "java")
        command = [java, *workload.command(size=options.size)]
        with tempfile.TemporaryDirectory(prefix="jvmscope-determinism-") as scratch:
            folder = options.keep or Path(scratch)
            runs = [folder / f"{workload.name}.{i}.run" for i in range(1, options.times + 1)]
            for run in runs:
                _record(run, command)
            print(_workload_row(workload.name, runs), flush=True)


def _workload_row(name: str, runs: list[Path]) -> str:
    """The most that any recording differs from the first."""
    whole = [alike.compare(runs[0], run) for run in runs[1:]]
    below = [alike.compare(runs[0], run, below="main") for run in runs[1:]]
    cells = [
        read_manifest(runs[0]).tables["context"].rows,
        len(runs),
        alike.distinct(runs),
        max(difference.n_topmost for difference in whole),
        max(difference.n_nodes for difference in whole),
        max(difference.n_nodes for difference in below),
        max(difference.n_classes for difference in whole),
    ]
    return f"| {name} | " + " | ".join(f"{cell:,}" for cell in cells) + " |"


def _record(
    run: Path, command: list[str], *, cwd: Path | None = None, user: str | None = None
) -> None:
    """Records a command; from another place if a directory is given.

    Raises:
        SystemExit: there is no whole run.
    """
    environment = {**os.environ, "JVMSCOPE_CACHE": cache_root(dict(os.environ))}
    identity: dict[str, Any] = {}
    if user:
        identity = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
    subprocess.run(
        [_JVMSCOPE, "record", "--quiet", "--force", "-o", str(run), "--", *command],
        cwd=cwd,
        env={**environment, **(_ELSEWHERE if cwd else {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
        **identity,
    )
    if not (run / "run.json").exists():
        raise SystemExit(f"{run}: not recorded: {' '.join(command)}")


def _stranger() -> str | None:
    """Another user who may read this interpreter and the cache; None if we cannot be one."""
    if os.geteuid() != 0:
        return None
    group = pwd.getpwnam(_STRANGER).pw_gid
    cache = cache_root(dict(os.environ))
    script = "import os, sys, jvmscope.cli; sys.exit(not os.access(sys.argv[1], os.R_OK | os.X_OK))"
    try:
        tried = subprocess.run(
            [sys.executable, "-c", script, cache],
            user=_STRANGER,
            group=group,
            extra_groups=[],
            capture_output=True,
            check=False,
        )
    except PermissionError:
        return None
    return None if tried.returncode else _STRANGER


def java_home() -> Path:
    java = subprocess.run(["which", "java"], capture_output=True, text=True, check=False)
    return Path(java.stdout.strip() or "/").resolve().parent.parent


if __name__ == "__main__":
    main()
