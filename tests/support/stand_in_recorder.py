"""A stand-in for the process that records a benchmark: it writes a run without tables at once.

What it does is the last word of the command: ``ok``; ``fail``: exit status 1; ``wrong``: prints
something else; ``hang``: reports a time-out; ``never``: goes on until it is killed; ``crash``: ends
without a report; ``cut``: its run is truncated; ``two``: two runs; ``none``: no JVM;
``less``: one run, and a JVM that could not be recorded.

The file that the variable LEDGER names gets a line at its start: name of the run, process, and
the variable ATTEMPT.
"""

from __future__ import annotations

import json
import os
import sys


def main() -> None:
    """Does what a file orders."""
    with open(sys.argv[1], encoding="utf-8") as file:  # noqa: PTH123 - pathlib takes 10 ms
        order = json.load(file)
    what = order["words"][-1]
    if "LEDGER" in os.environ:
        workshop = os.path.basename(os.path.dirname(sys.argv[1]))  # noqa: PTH119, PTH120
        ledger = os.open(os.environ["LEDGER"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        name, attempt = workshop.rpartition("-")[0], os.environ.get("ATTEMPT", "0")
        os.write(ledger, f"{name} {os.getpid()} {attempt}\n".encode())
    print("hello" if what != "wrong" else "good bye", flush=True)  # noqa: T201
    if what == "never":
        os.read(order["life_line"], 1)
        sys.exit(9)
    if what == "crash":
        sys.exit("it crashed")
    names = {"two": ["a-1.run", "a-2.run"], "none": []}.get(what, [""])
    for name in names:
        run = os.path.join(order["output"], name)  # noqa: PTH118
        os.makedirs(run)  # noqa: PTH103
        status = "truncated" if what == "cut" else "complete"
        manifest = {"schema": 1, "status": status, "tables": {}, "duration_s": 0.5}
        manifest["limits"] = ["it was cut"] if what == "cut" else []
        with open(os.path.join(run, "run.json"), "w") as file:  # noqa: PTH118, PTH123
            json.dump(manifest, file)
    report = {
        "exit": 1 if what == "fail" else 0,
        "has_timed_out": what == "hang",
        "failure": "Other: its run cannot be written" if what == "less" else None,
        "runs": names,
        "messages": ["no run was written"] if what == "none" else [],
    }
    with open(order["report"], "w", encoding="utf-8") as file:  # noqa: PTH123
        json.dump(report, file)


if __name__ == "__main__":
    main()
