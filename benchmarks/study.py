"""What dynamic probes cost in servers: `python -m benchmarks.study`.

Studies the programs of `workloads/served.toml`, each with its own load at a fixed rate, as
docs/study.md describes; a study that was ended is continued.

    python -m benchmarks.study -o studies --java-home /path/to/jdk17     # three hours a program
    python -m benchmarks.study -o studies --scale 0.1 served-h2          # half an hour
    python -m benchmarks.study -o studies --java-home /path/to/jdk17 --java-home /path/to/jdk25
    python -m benchmarks.study -o studies --publish-only                 # of what was studied
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import measure, publish
from benchmarks.catalogue import load
from benchmarks.prepare import prepare, write_checksums
from jvmscope.collector.launch.jdk import jdk_of_home

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.catalogue import Workload

PAGE = Path(__file__).parent.parent / "docs" / "study.md"
_SECTION = "studies"
_CATALOGUE = "served.toml"


def main() -> int:
    """Makes a study and its page for each program and JDK; returns 1 if one could not be made."""
    arguments = _parsed()
    failed = []
    if not arguments.publish_only:
        homes = {_release(home): home for home in arguments.java_home}
        for workload in load(arguments.programs or None, catalogue=_CATALOGUE):
            prepare(workload, java_home=next(iter(homes.values())), accept=arguments.accept)
            if arguments.accept:
                write_checksums([workload])
            failed += [
                f"{workload.name}, Java {release}"
                for release, home in homes.items()
                if not _study(workload, f"{workload.name}-{release}", home, arguments)
            ]
    for name in failed:
        print(f"{name}: could not be studied", file=sys.stderr)
    if arguments.publish or arguments.publish_only:
        for release, studies in _by_release(arguments.output).items():
            _publish(release, studies)
    return 1 if failed else 0


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.study",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="all of served.toml if none")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--java-home", type=Path, action="append", help="default: JAVA_HOME")
    parser.add_argument("--scale", default="1", help="of the paper's waits")
    parser.add_argument("--methods", default="30")
    parser.add_argument("--size", default="default", help="the rate: small or default")
    parser.add_argument("--accept", action="store_true", help="take jars without a checksum")
    parser.add_argument("--publish", action="store_true", help="put tables into docs/study.md")
    parser.add_argument("--publish-only", action="store_true", help="study nothing, do that")
    arguments = parser.parse_args()
    if arguments.java_home is None and "JAVA_HOME" in os.environ:
        arguments.java_home = [Path(os.environ["JAVA_HOME"])]
    if arguments.java_home is None and not arguments.publish_only:
        parser.error("--java-home names the JDK, or JAVA_HOME")
    return arguments


def _release(java_home: Path) -> str:
    return str(jdk_of_home(str(java_home)).version).partition(".")[0]


def _study(workload: Workload, name: str, java_home: Path, arguments: argparse.Namespace) -> bool:
    arguments.output.mkdir(parents=True, exist_ok=True)
    path = arguments.output / f"{name}.study"
    verb = [sys.executable, "-m", "jvmscope"]
    if path.exists():
        words = ["--resume", str(path)]
    else:
        java = str(java_home / "bin" / "java")
        options = ["--scale", arguments.scale, "--methods", arguments.methods]
        command = [java, *workload.command(size=arguments.size)]
        words = ["-o", str(path), *options, "--", *command]
    load = os.getloadavg()[0]
    if subprocess.run([*verb, "study", "overhead", *words], check=False).returncode:
        return False
    with (arguments.output / f"{name}.load").open("a") as stream:
        stream.write(f"{load:.1f} {os.getloadavg()[0]:.1f}\n")
    page = ["html", "-o", str(path.with_suffix(".html")), "--force"]
    return not subprocess.run([*verb, "report", str(path), *page], check=False).returncode


def _by_release(directory: Path) -> dict[str, list[Path]]:
    """Returns the studies by the release of Java in their names, each in the order of programs."""
    found: dict[str, list[Path]] = {}
    for path in sorted(directory.glob("*.study")):
        found.setdefault(path.stem.rpartition("-")[2], []).append(path)
    return found


def _publish(release: str, studies: Sequence[Path]) -> None:
    """Puts what the studies of a release found, side by side, into the page."""
    words = [sys.executable, "-m", "jvmscope", "report", *map(str, studies)]
    shown = [*words, "--format", "markdown", "--progress", "none"]
    page = subprocess.run(shown, check=True, capture_output=True, text=True).stdout
    loads = [each for path in studies for each in _loads(path.with_suffix(".load"))]
    about = measure.machine()
    machine = (
        f"{about['cores']} processors ({about['processor']}), {time.strftime('%Y-%m-%d')}, load "
        f"average before and after each study {min(loads):.1f} to {max(loads):.1f}, with the "
        "servers' own."
    )
    content = f"{page.partition(chr(10))[2].strip()}\n\n{machine}"
    publish.write_section(PAGE, f"{_SECTION}-{release}", content)


def _loads(path: Path) -> list[float]:
    return [float(word) for word in path.read_text(encoding="ascii").split()]


if __name__ == "__main__":
    sys.exit(main())
