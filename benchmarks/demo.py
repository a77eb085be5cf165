"""The demonstration: records Rhino running JavaScript, measures it and writes a small report."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks import catalogue
from benchmarks.prepare import prepare

__all__ = ["main"]

_FOLDER = Path("demo")


def main() -> None:
    """Records, measures and reports, each command shown before it runs."""
    java = shutil.which("java")
    if java is None:
        sys.exit("jvmscope: no java on the PATH: install a JDK >= 17")
    print("fetching and compiling Rhino, a JavaScript engine", file=sys.stderr, flush=True)
    (workload,) = catalogue.load(["rhino"])
    prepare(workload, java_home=Path(os.path.realpath(java)).parents[1])
    _FOLDER.mkdir(exist_ok=True)
    run, report = _FOLDER / "rhino.run", _FOLDER / "report.md"
    program = ["java", *workload.command(size="small")]
    _show("record", "-o", str(run), "--force", "--", *program)
    _show(
        "measure",
        str(run),
        "--scope",
        "application",
        "--format",
        "table",
    )
    _show("report", str(run), "summary", "--scope", "application", "-o", str(report), "--force")
    print(
        f"\nNext: jvmscope report {run} html -o demo/report.html, and docs/tutorial.md",
        file=sys.stderr,
    )


def _show(*args: str) -> None:
    print(f"\n$ jvmscope {shlex.join(args)}", file=sys.stderr, flush=True)
    subprocess.run([sys.executable, "-m", "jvmscope", *args], check=True)


if __name__ == "__main__":
    main()
