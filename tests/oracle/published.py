"""Polymorphism of the are-we-fast-yet benchmarks, beside the tables that the project publishes.

    cd tests; AWFY_JAVA=…/are-we-fast-yet/benchmarks/Java python -m oracle.published [BENCHMARK…]

The project (github.com/smarr/are-we-fast-yet) is not part of this one. Its docs/metrics.md has the
figures of the benchmarks in SOMns, where every operation is a message to an object; its programs
in Java are the same, but for what the languages force. Prints a table, and ends with 1 if a
figure on which both languages must agree differs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from jvmscope.queries import Engine, Question, parse_scope
from oracle.toolchain import find_jdks

# Sites that apply a closure, which the project counts apart: they name a functional interface.
_CLOSURES = ("som/ForEachInterface", "som/TestInterface", "richards/ProcessFunction")

_SITES = f"""
SELECT s.owner IN {_CLOSURES} AS is_closure,
       COUNT(DISTINCT COALESCE(receiver.class_id, -1)) AS n_receivers,
       COUNT(DISTINCT node.method_id) AS n_targets,
       SUM(receiver.n_calls)::BIGINT AS n_calls
FROM receiver
JOIN run.context AS node USING (context_id)
JOIN run.call_site AS s USING (call_site_id)
GROUP BY s.call_site_id, s.owner
"""

Counts = dict[int, tuple[int, int]]
"""Sites and calls for each number of receivers, targets or closures above 1."""


class Found(NamedTuple):
    """Polymorphic sites: by receivers and by targets of methods, and by targets of closures."""

    receivers: Counts
    targets: Counts
    closures: Counts


_MONOMORPHIC = Found({}, {}, {})

# What is published; of closures only what both languages apply as one.
_PUBLISHED = {
    "Richards": Found({2: (2, 10_000)}, {}, {4: (1, 13_158_000)}),
    "DeltaBlue": Found(
        {2: (8, 480_130), 3: (8, 3_576_416), 4: (7, 840_146)},
        {2: (10, 936_150), 3: (4, 3_288_380)},
        {},
    ),
    "CD": Found({2: (3, 23_151_272)}, {2: (3, 23_151_272)}, {}),
    "Havlak": Found({2: (3, 2_720_556)}, {2: (2, 1_861_988)}, {}),
    "Json": Found({5: (2, 678_200)}, {}, {}),
    **dict.fromkeys(("Bounce", "List", "Mandelbrot", "NBody", "Permute"), _MONOMORPHIC),
    **dict.fromkeys(("Queens", "Sieve", "Storage", "Towers"), _MONOMORPHIC),
}
_SIZES = {"DeltaBlue": 12_000, "CD": 100}  # of the problem; of the others 1

# Figures that no difference of the languages touches: benchmark, table, number, sites, and calls
# of one iteration times iterations published (None: another size was published).
_AGREED = (
    ("Richards", "closures", 4, 1, 200),
    ("Richards", "targets", None, 0, None),
    ("DeltaBlue", "targets", 3, 4, 2),
    ("CD", "targets", 2, 3, None),
    ("Json", "targets", None, 0, None),
    *((name, "receivers", None, 0, None) for name, f in _PUBLISHED.items() if f is _MONOMORPHIC),
)


def _compile(sources: Path, classes: Path) -> None:
    (jdk, *_) = find_jdks()
    files = sorted(map(str, (sources / "src").rglob("*.java")))
    subprocess.run([jdk.tool("javac"), "-nowarn", "-d", str(classes), *files], check=True)


def _record(benchmark: str, classes: Path) -> Path:
    """Returns the run of one iteration; two benchmarks do not know the results of size 1."""
    (jdk, *_) = find_jdks()
    run = classes / f"{benchmark}.run"
    size = str(_SIZES.get(benchmark, 1))
    options = ["record", "-q", "-o", str(run), "--probes", "receivers", "--"]
    program = [jdk.java, "-cp", str(classes), "Harness", benchmark, "1", size]
    command = [sys.executable, "-m", "jvmscope", *options, *program]
    subprocess.run(command, check=False, capture_output=True)
    return run


def _found(run: Path) -> Found:
    """Returns the polymorphic sites of the application."""
    found: Found = Found(*(defaultdict(lambda: (0, 0)) for _ in Found._fields))
    with Engine(run) as engine:
        part = parse_scope("application")
        rows = list(engine.query(Question(_SITES, scope=part)).rows())
    for is_closure, n_receivers, n_targets, n_calls in rows:
        kinds = ((found.receivers, n_receivers), (found.targets, n_targets))
        for counts, n in ((found.closures, n_targets),) if is_closure else kinds:
            sites, calls = counts[n]
            counts[n] = sites + 1, calls + n_calls
    return Found(*({n: counts[n] for n in sorted(counts) if n > 1} for counts in found))


def _cell(counts: Counts) -> str:
    return "; ".join(f"{n}: {sites} ({calls:,})" for n, (sites, calls) in counts.items()) or "none"


def _disagreements(found: dict[str, Found]) -> list[str]:
    wrong = []
    for benchmark, kind, n, n_sites, n_iterations in _AGREED:
        if benchmark not in found:
            continue
        counts: Counts = getattr(found[benchmark], kind)
        sites, calls = counts.get(n, (0, 0)) if n else (len(counts), 0)
        published: Counts = getattr(_PUBLISHED[benchmark], kind)
        is_same = n_iterations is None or calls * n_iterations == published[n or 0][1]
        if sites != n_sites or not is_same:
            wrong.append(f"{benchmark}: {kind} {n}: {sites} sites, {calls:,} calls")
    return wrong


def _main(names: list[str]) -> int:
    sources = Path(os.environ["AWFY_JAVA"])
    found = {}
    sys.stdout.write(
        "| benchmark | table | published | recorded in Java |\n| --- | --- | --- | --- |\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        _compile(sources, Path(folder))
        for benchmark in names or list(_PUBLISHED):
            found[benchmark] = _found(_record(benchmark, Path(folder)))
            for kind in Found._fields:
                published = _cell(getattr(_PUBLISHED[benchmark], kind))
                ours = _cell(getattr(found[benchmark], kind))
                sys.stdout.write(f"| {benchmark} | {kind} | {published} | {ours} |\n")
                sys.stdout.flush()
    wrong = _disagreements(found)
    sys.stdout.write("".join(f"differs: {text}\n" for text in wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
