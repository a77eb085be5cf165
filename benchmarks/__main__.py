"""The command line of the benchmarks."""

from __future__ import annotations

import argparse
import shutil
import tomllib
from pathlib import Path

from benchmarks import measure
from benchmarks.catalogue import FOLDER, Workload, load
from benchmarks.prepare import prepare, write_checksums

_EXPECTED = FOLDER / "expected.toml"


def main() -> None:
    """Runs one command; `overhead` if none is named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--java-home", type=Path, default=_java_home(), help="the JDK to use")
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("list", help="print the workloads")
    for name, text in (
        ("prepare", "fetch and build the workloads"),
        ("check", "run each workload once, bare, and compare what it prints"),
    ):
        command = commands.add_parser(name, help=text)
        command.add_argument("workloads", nargs="*")
        command.add_argument("--accept", action="store_true", help="write the new hashes")
        command.add_argument("--size", default="small")
    arguments = parser.parse_args()
    match arguments.command:
        case "list":
            for workload in load():
                print(f"{workload.name:10} {workload.title}")
        case "prepare" | "check":
            _prepare(arguments)


def _java_home() -> Path:
    java = shutil.which("java")
    return Path(java).resolve().parent.parent if java else Path("/")


def _prepare(arguments: argparse.Namespace) -> None:
    workloads = load(arguments.workloads)
    for workload in workloads:
        prepare(workload, java_home=arguments.java_home, accept=arguments.accept)
    if arguments.accept:
        write_checksums(workloads)
    if arguments.command == "check":
        _check(workloads, arguments)


def _check(workloads: list[Workload], arguments: argparse.Namespace) -> None:
    expected = tomllib.loads(_EXPECTED.read_text(encoding="utf-8")) if _EXPECTED.exists() else {}
    failed = []
    for workload in workloads:
        command = [str(arguments.java_home / "bin/java"), *workload.command(size=arguments.size)]
        sample = measure.run(command, timeout_seconds=120)
        known = expected.setdefault(workload.name, {})
        if arguments.accept and not sample.status:
            known[arguments.size] = sample.stdout_sha256
        same = sample.stdout_sha256 == known.get(arguments.size)
        good = same and not sample.status
        if not good:
            failed.append(workload.name)
        print(
            f"{workload.name:10} {sample.wall_ms:8.0f} ms {sample.peak_rss_bytes / 2**20:6.0f} MiB "
            f"{'ok' if good else f'status {sample.status}, output {same}: {sample.stderr[:800]}'}",
            flush=True,
        )
    if arguments.accept:
        _write_expected(expected)
    if failed:
        raise SystemExit(1)


def _write_expected(expected: dict[str, dict[str, str]]) -> None:
    text = "# SHA-256 of the standard output of each workload, by size\n"
    for name, hashes in sorted(expected.items()):
        text += f"\n[{name}]\n" + "".join(
            f'{size} = "{digest}"\n' for size, digest in sorted(hashes.items())
        )
    _EXPECTED.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
