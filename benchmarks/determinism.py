"""How alike recordings of one program are: whole runs by hash, and below `main` elsewhere.

    python -m benchmarks.determinism CLASSES PROGRAM... [--times 10] [--java-home DIR]

Each PROGRAM, a main class in the directory CLASSES, is recorded several times; then once more from
another directory, with another environment and user name, and compared below `main`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

__all__ = ["main"]

_JVMSCOPE = str(Path(sys.executable).with_name("jvmscope"))
_ELSEWHERE = {"HOME": "/", "USER": "somebody", "LOGNAME": "somebody", "ELSEWHERE": "1" * 200}


def main() -> None:
    """Prints one row for each program: distinct sets of tables, and whether below main is alike."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("classes", type=Path)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--java-home", type=Path, default=None)
    options = parser.parse_args()
    java = str(options.java_home / "bin/java") if options.java_home else "java"
    print("| program | contexts | recordings | distinct | below main, elsewhere |")
    print("| --- | --: | --: | --: | --- |")
    for program in options.programs:
        command = [java, "-cp", str(options.classes.resolve()), program]
        print(_row(program, command, options.times), flush=True)


def _row(program: str, command: list[str], times: int) -> str:
    with tempfile.TemporaryDirectory(prefix="jvmscope-determinism-") as scratch:
        runs = [Path(scratch, f"{i}.run") for i in range(times)]
        for run in runs:
            _record(run, command)
        tables = [_tables(run) for run in runs]
        distinct = {json.dumps({k: v["sha256"] for k, v in t.items()}) for t in tables}
        elsewhere = Path(scratch, "elsewhere.run")
        (Path(scratch) / "away").mkdir()
        _record(elsewhere, command, cwd=Path(scratch, "away"), environment=_ELSEWHERE)
        check = [_JVMSCOPE, "check", "--below", "main"]
        alike = subprocess.run(
            [*check, str(runs[0]), str(elsewhere)], capture_output=True, check=False
        )
        verdict = {0: "identical", 1: "different"}.get(alike.returncode, "not compared")
        n_contexts = tables[0]["context"]["rows"]
    return f"| {program} | {n_contexts:,} | {times} | {len(distinct)} | {verdict} |"


def _record(
    run: Path,
    command: list[str],
    *,
    cwd: Path | None = None,
    environment: dict[str, str] | None = None,
) -> None:
    subprocess.run(
        [_JVMSCOPE, "record", "--quiet", "-o", str(run), "--", *command],
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )


def _tables(run: Path) -> dict[str, dict[str, object]]:
    return dict(json.loads((run / "run.json").read_text(encoding="utf-8"))["tables"])


if __name__ == "__main__":
    main()
