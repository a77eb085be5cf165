"""Whether programs print the same recorded as bare: output, errors and status.

    python -m benchmarks.transparency [--libraries] [NAME...] --probes objects,lifetimes,native

Each workload of the catalogue runs twice bare and once recorded. Lines on standard error in which
two bare runs differ, such as those with the time of day, are compared without their digits.
"""

from __future__ import annotations

import argparse
import difflib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.catalogue import load
from benchmarks.determinism import java_home
from benchmarks.prepare import prepare
from benchmarks.recording import environment

__all__ = ["Printed", "differences", "main"]

_JVMSCOPE = str(Path(sys.executable).with_name("jvmscope"))
_HEAD = """\
| program | probes | lines of output | lines of errors | recorded |
| --- | --- | --: | --: | --- |"""
_VARYING = re.compile(r"@[0-9a-f]{5,8}\b|[0-9]+")


@dataclass(frozen=True, slots=True)
class Printed:
    """Exit status, standard output and standard error of one process."""

    status: int
    output: str
    errors: str


def main() -> None:
    """Prints one row for each program, and what differs on standard error; exits with 1 if any."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="programs of the catalogue; default: all")
    parser.add_argument("--libraries", action="store_true", help="of libraries.toml instead")
    parser.add_argument("--probes", action="append", help="of one recording each; repeatable")
    parser.add_argument("--size", default="small")
    parser.add_argument("--java-home", type=Path, default=java_home())
    parser.add_argument("--timeout", type=float, default=1800, help="seconds for each process")
    options = parser.parse_args()
    print(_HEAD)
    n_differing = 0
    catalogue = "libraries.toml" if options.libraries else "catalogue.toml"
    for workload in load(options.names, catalogue=catalogue):
        prepare(workload, java_home=options.java_home)
        command = [str(options.java_home / "bin/java"), *workload.command(size=options.size)]
        bare = [_run(command, options) for _ in range(2)]
        for probes in options.probes or ["objects"]:
            recorded = _run(_recording(command, probes), options)
            found = differences(bare, recorded)
            n_differing += bool(found)
            print(_row(workload.name, probes, recorded, found), flush=True)
            print(*found, sep="\n", end="", file=sys.stderr, flush=True)
    sys.exit(n_differing > 0)


def _recording(command: list[str], probes: str) -> list[str]:
    options = ["record", "--quiet", "--force", "--probes", probes, "-o", "program.run"]
    return [_JVMSCOPE, *options, "--", *command]


def _run(command: list[str], options: argparse.Namespace) -> Printed:
    """Runs a command in an empty directory."""
    with tempfile.TemporaryDirectory(prefix="jvmscope-transparency-") as scratch:
        done = subprocess.run(
            command,
            cwd=scratch,
            env=environment(options.java_home),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="backslashreplace",
            timeout=options.timeout,
            check=False,
        )
    return Printed(done.returncode, done.stdout, done.stderr)


def differences(bare: list[Printed], recorded: Printed) -> list[str]:
    """The lines that are not in both, as a diff has them; where bare runs vary, without digits."""
    expected = bare[0]
    found = []
    if recorded.status != expected.status:
        found.append(f"status {recorded.status} instead of {expected.status}")
    for stream in ("output", "errors"):
        texts = [getattr(printed, stream) for printed in [*bare, recorded]]
        if any(text != texts[0] for text in texts[1:-1]):
            texts = [_VARYING.sub("#", text) for text in texts]
        lines = difflib.unified_diff(
            texts[0].splitlines(), texts[-1].splitlines(), "bare " + stream, "recorded", n=0
        )
        found += list(lines)
    return found


def _row(name: str, probes: str, recorded: Printed, found: list[str]) -> str:
    n_output, n_errors = (len(text.splitlines()) for text in (recorded.output, recorded.errors))
    verdict = f"{len(found)} lines of a diff" if found else "the same"
    return f"| {name} | `{probes}` | {n_output:,} | {n_errors:,} | {verdict} |"


if __name__ == "__main__":
    main()
