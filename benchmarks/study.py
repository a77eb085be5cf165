"""What dynamic probes cost in servers: `python -m benchmarks.study`.

Studies the programs of `workloads/served.toml`, each with its own load at a fixed rate, as
docs/study.md describes; a study that was ended is continued.

    python -m benchmarks.study -o studies                                # three hours a program
    python -m benchmarks.study -o studies --scale 0.1 served-h2          # half an hour
    python -m benchmarks.study -o studies --java-home /path/to/jdk25
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.catalogue import load
from benchmarks.prepare import prepare, write_checksums

if TYPE_CHECKING:
    from benchmarks.catalogue import Workload

_CATALOGUE = "served.toml"


def main() -> int:
    """Makes a study and its page for each program; returns 1 if one could not be studied."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.study", description=__doc__)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="all of served.toml if none")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--java-home", type=Path, default=os.environ.get("JAVA_HOME"))
    parser.add_argument("--scale", default="1", help="of the paper's waits")
    parser.add_argument("--methods", default="30")
    parser.add_argument("--size", default="default", help="the rate: small or default")
    parser.add_argument("--accept", action="store_true", help="take jars without a checksum")
    arguments = parser.parse_args()
    if arguments.java_home is None:
        parser.error("--java-home names the JDK, or JAVA_HOME")
    failed = [
        workload.name
        for workload in load(arguments.programs or None, catalogue=_CATALOGUE)
        if not _study(workload, arguments)
    ]
    for name in failed:
        print(f"{name}: could not be studied", file=sys.stderr)
    return 1 if failed else 0


def _study(workload: Workload, arguments: argparse.Namespace) -> bool:
    prepare(workload, java_home=arguments.java_home, accept=arguments.accept)
    if arguments.accept:
        write_checksums([workload])
    arguments.output.mkdir(parents=True, exist_ok=True)
    path = arguments.output / f"{workload.name}.study"
    verb = [sys.executable, "-m", "jvmscope"]
    if path.exists():
        words = ["--resume", str(path)]
    else:
        java = str(arguments.java_home / "bin" / "java")
        options = ["--scale", arguments.scale, "--methods", arguments.methods]
        command = [java, *workload.command(size=arguments.size)]
        words = ["-o", str(path), *options, "--", *command]
    if subprocess.run([*verb, "study", "overhead", *words], check=False).returncode:
        return False
    page = ["html", "-o", str(path.with_suffix(".html")), "--force"]
    return not subprocess.run([*verb, "report", str(path), *page], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
