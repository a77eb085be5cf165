"""The command line of the benchmarks."""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any

from benchmarks import capacity, ingest, measure, overhead, publish, recording
from benchmarks.catalogue import BUILD, FOLDER, Workload, load
from benchmarks.prepare import prepare, write_checksums

_EXPECTED = FOLDER / "expected.toml"


def main() -> None:
    """Runs one command; `overhead` of all workloads if none is named."""
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
    _add_overhead(commands.add_parser("overhead", help="bare against recorded, in turn"))
    command = commands.add_parser("ingest", help="nodes a second from a raw recording to a run")
    command.add_argument("workloads", nargs="*", default=["saxon"])
    command.add_argument("--size", default="default")
    command.add_argument("--repetitions", type=int, default=3)
    command = commands.add_parser("capacity", help="nodes that are kept below a memory limit")
    command.add_argument("workloads", nargs="*", default=["math"])
    command.add_argument("--size", default="large")
    command.add_argument("--limit", action="append", help="--max-memory of a recording; repeatable")
    command = commands.add_parser("publish", help="write measurements into docs/performance.md")
    command.add_argument("files", nargs="+", type=Path)
    words = sys.argv[1:]
    arguments = parser.parse_args(words)
    if not arguments.command:
        arguments = parser.parse_args([*words, "overhead"])
    match arguments.command:
        case "list":
            for workload in load():
                print(f"{workload.name:10} {workload.title}")
        case "prepare" | "check":
            _prepare(arguments)
        case "overhead":
            _overhead(arguments)
        case "ingest":
            _ingest(arguments)
        case "capacity":
            _capacity(arguments)
        case "publish":
            _publish(arguments.files)


def _add_overhead(command: argparse.ArgumentParser) -> None:
    command.add_argument("workloads", nargs="*")
    command.add_argument("--size", default="default")
    command.add_argument("--repetitions", type=int, default=3)
    command.add_argument("--form", choices=["whole", "steady"], action="append")
    command.add_argument("--record-option", action="append", default=[], help="of jvmscope record")
    command.add_argument(
        "--probes", action="append", default=[], help="record with these, too; repeatable"
    )
    command.add_argument(
        "--object-probes",
        action="store_true",
        help="record with each probe of objects alone, and with all of them",
    )
    command.add_argument("--java-option", action="append", default=[], help="of both java commands")
    command.add_argument("--json", type=Path, default=BUILD / "overhead.json")
    command.add_argument(
        "--publish",
        action="store_true",
        help="write the table into docs/performance.md; with probes, of --object-probes only",
    )


def _overhead(arguments: argparse.Namespace) -> None:
    is_of_objects = arguments.object_probes
    if is_of_objects:
        arguments.probes = [*overhead.OBJECT_PROBES, *arguments.probes]
    plan = overhead.Plan(
        java_home=arguments.java_home,
        size=arguments.size,
        repetitions=arguments.repetitions,
        forms=tuple(arguments.form or ("whole", "steady")),
        record_options=tuple(arguments.record_option),
        java_options=tuple(arguments.java_option),
        variants={"no probe" if arguments.probes else "": ()}
        | {names: ("--probes", names) for names in arguments.probes},
    )
    words = ["overhead", *arguments.workloads, "--repetitions", str(plan.repetitions)]
    words += [word for form in plan.forms for word in ("--form", form)]
    words += ["--object-probes"] if is_of_objects else []
    named = arguments.probes[len(overhead.OBJECT_PROBES) * is_of_objects :]
    words += [word for names in named for word in ("--probes", names)]
    about = {
        "machine": measure.machine(),
        "jdk": _version(plan.java_home),
        "command": f"python -m benchmarks {shlex.join([*words, '--size', plan.size])}",
    }
    expected = _read_expected()
    costs: list[overhead.Cost] = []
    for options in plan.variants.values():
        recording.prepare_jdk(plan.java_home, [*plan.record_options, *options])
    for workload in load(arguments.workloads):
        prepare(workload, java_home=plan.java_home)
        known = expected.get(workload.name, {}).get(plan.size)
        costs += overhead.measure_cost(
            workload, plan, expected=known, say=lambda line: print(line, file=sys.stderr)
        )
        overhead.write_json(arguments.json, costs, plan, about)
    if arguments.probes:
        for form in plan.forms:
            print(overhead.table_of_variants(costs, form))
        if arguments.publish and is_of_objects:
            _publish_object_probes(arguments.json)
        return
    print(overhead.table(costs))
    if arguments.publish:
        _publish([arguments.json])


def _publish(files: list[Path]) -> None:
    """Writes the tables of measurements into docs/performance.md."""
    parts = []
    for file in files:
        costs, content = overhead.read_json(file)
        overhead.refuse_problems(costs)
        parts += [_about(content), overhead.table(costs)]
    publish.write_section(publish.PAGE, "overhead", "\n\n".join(parts))


def _publish_object_probes(file: Path) -> None:
    """Writes what each probe of objects costs into docs/performance.md."""
    costs, content = overhead.read_json(file)
    overhead.refuse_problems(costs)
    forms = dict.fromkeys(cost.form for cost in costs)
    parts = [_about(content), *(overhead.table_of_variants(costs, form) for form in forms)]
    publish.write_section(publish.PAGE, "object-probes", "\n\n".join(parts))


def _about(content: dict[str, Any]) -> str:
    """What is said above a table: the machine, when it was measured, and by which command."""
    about = ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in content["machine"].items())
    return f"{content['jdk']}; {about}; {content['date']}; `{content['command']}`:"


def _version(java_home: Path) -> str:
    release = (java_home / "release").read_text(encoding="utf-8")
    facts = dict(line.split("=", 1) for line in release.splitlines() if "=" in line)
    implementor = facts.get("IMPLEMENTOR", "").strip('"')
    return f"JDK {facts['JAVA_VERSION'].strip(chr(34))} ({implementor})"


def _ingest(arguments: argparse.Namespace) -> None:
    for workload in load(arguments.workloads):
        prepare(workload, java_home=arguments.java_home)
        speed = ingest.measure_ingest(
            workload,
            size=arguments.size,
            java_home=arguments.java_home,
            repetitions=arguments.repetitions,
        )
        times = ", ".join(f"{seconds:.2f}" for seconds in speed.seconds)
        print(
            f"{speed.workload:9} {speed.n_nodes:11,} nodes  {times} s  "
            f"{speed.nodes_per_second() / 1e6:.2f} M nodes/s"
        )


def _capacity(arguments: argparse.Namespace) -> None:
    recording.prepare_jdk(arguments.java_home)
    print(capacity.HEADER)
    for workload in load(arguments.workloads):
        prepare(workload, java_home=arguments.java_home)
        for limit in arguments.limit or ["4G", "1G"]:
            kept = capacity.measure_capacity(
                workload, size=arguments.size, java_home=arguments.java_home, limit=limit
            )
            print(capacity.row(kept), flush=True)


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
    expected = _read_expected()
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


def _read_expected() -> dict[str, dict[str, str]]:
    return tomllib.loads(_EXPECTED.read_text(encoding="utf-8")) if _EXPECTED.exists() else {}


def _write_expected(expected: dict[str, dict[str, str]]) -> None:
    text = "# SHA-256 of the standard output of each workload, by size\n"
    for name, hashes in sorted(expected.items()):
        text += f"\n[{name}]\n" + "".join(
            f'{size} = "{digest}"\n' for size, digest in sorted(hashes.items())
        )
    _EXPECTED.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
