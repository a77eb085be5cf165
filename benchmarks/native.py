"""What native code costs to follow, and how much of it programs execute: Tables I and II.

`python -m benchmarks.native` measures the programs of SUBSET: each bare, with IPA that only counts,
and with IPA that measures time, in turn; then, at its smaller size, bare and with SPA once. The
library is loaded as `jvmscope record --no-tree` loads it, without the launcher's own time. Named
programs are measured instead: workloads, ``LANGUAGE/ALGORITHM`` of suites/languages, or ``all``.

Every sample is written to the JSON file when it is there, and samples that are there are not taken
again: a run that was stopped is continued by the same command. `--publish` puts the tables of the
file into docs/native.md.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import shutil
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from benchmarks import catalogue, languages, measure, publish
from benchmarks.catalogue import BUILD
from benchmarks.overhead import geometric_mean
from benchmarks.prepare import prepare
from jvmscope.collector import agent_jar
from jvmscope.collector.ingest import IngestOptions, ingest
from jvmscope.collector.launch.cache import cache_root, prepared
from jvmscope.collector.launch.jdk import jdk_of_home
from jvmscope.collector.native_library import native_library

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.measure import Sample
    from jvmscope.collector.launch.jdk import Jdk

SUBSET = ("micro", "javac", "h2", "lucene", "saxon", "xsltc", "scala", "clojure", "jruby", "rhino")
PAGE = Path(__file__).parent.parent / "docs" / "native.md"

_BARE, _COUNTS, _TIMED, _SPA, _BARE_SMALL = "bare", "counts", "timed", "spa", "bare small"
_IN_TURN = (_BARE, _COUNTS, _TIMED)
_AGENT = {
    _COUNTS: "clock=none",
    _TIMED: "clock=timestamp",
    _SPA: "clock=timestamp,mode=spa",
}
_TIMEOUT_S = 900.0
_MOST_LOAD = 1.5  # a processor, with the measured program and the VM's own threads
_FACTS = """
    SELECT (SELECT SUM(native_ns) / SUM(native_ns + bytecode_ns)
            FROM '{tables}/thread_time.parquet'),
           (SELECT COALESCE(SUM(n_transitions) FILTER (WHERE kind <> 'native_method'), 0)
            FROM '{tables}/native_transition.parquet'),
           (SELECT COALESCE(SUM(n_transitions) FILTER (WHERE kind = 'native_method'), 0)
            FROM '{tables}/native_transition.parquet')
"""


@dataclass(slots=True)
class Program:
    """What was measured of a program.

    Attributes:
        name: of the workload, or ``LANGUAGE/ALGORITHM``.
        wall_ms, cpu_ms: the samples of each variant, in the order in which they were taken.
        facts: share of native execution, calls of Java by JNI, calls of native methods, by the
            variant that measured time last.
        problems: what was wrong, in words.
    """

    name: str
    wall_ms: dict[str, list[float]] = field(default_factory=dict)
    cpu_ms: dict[str, list[float]] = field(default_factory=dict)
    facts: tuple[float, int, int] | None = None
    problems: list[str] = field(default_factory=list)

    def has(self, variant: str, n: int = 1) -> bool:
        """Returns whether there are at least n samples of a variant."""
        return len(self.cpu_ms.get(variant, [])) >= n

    def is_whole(self) -> bool:
        """Returns whether there are samples of every variant."""
        return all(self.has(variant) for variant in (*_IN_TURN, _BARE_SMALL, _SPA))

    def overhead(self, variant: str, kind: str = "cpu_ms") -> float | None:
        """Returns by how much more a variant takes than the bare program, in percent."""
        bare = _BARE_SMALL if variant == _SPA else _BARE
        samples: dict[str, list[float]] = getattr(self, kind)
        if not samples.get(variant) or not samples.get(bare):
            return None
        # What else runs only ever adds time, so the least of each is the nearest.
        return 100 * (min(samples[variant]) / min(samples[bare]) - 1)


class Laboratory:
    """Runs programs with the library and without it.

    Attributes:
        jdk: the JDK that runs them.
    """

    def __init__(self, jdk: Jdk, size: str) -> None:
        self.jdk = jdk
        self._size = size
        self._library = native_library()
        self._entry = prepared(
            jdk,
            str(agent_jar()),
            "benchmarks",
            variant="--natives",
            root=cache_root(dict(os.environ)),
            spare=str(BUILD.parent / "native-cache"),
            say=print,
        )

    def command(self, name: str, variant: str) -> list[str]:
        """Returns the arguments of `java` for a program, at the size of the variant."""
        size = "small" if variant in (_SPA, _BARE_SMALL) else self._size
        if "/" in name:
            path = languages.BUILD / f"{name}-{size}.args"
            return path.read_text(encoding="utf-8").splitlines()[1].split()
        (workload,) = catalogue.load([name])
        return workload.command(size=size)

    def run(self, program: Program, variant: str) -> None:
        """Takes one sample."""
        with tempfile.TemporaryDirectory(prefix="native-") as folder:
            raw = Path(folder) / "raw"
            raw.mkdir()
            options = [self._agent(raw, variant)] if variant in _AGENT else []
            words = [self.jdk.java, *options, *self.command(program.name, variant)]
            sample = measure.run(words, timeout_seconds=_TIMEOUT_S)
            _note(program, variant, sample)
            if variant == _TIMED and sample.status == 0:
                program.facts = self._facts(raw)

    def _agent(self, raw: Path, variant: str) -> str:
        files = f"file={raw}/native,skipped={self._entry}/replaced-natives.txt"
        properties = f"properties={raw}/vm.properties"
        return f"-agentpath:{self._library}={files},{_AGENT[variant]},{properties}"

    def _facts(self, raw: Path) -> tuple[float, int, int]:
        (raw / "options").write_text("tree=false\n", encoding="utf-8")
        tables = raw.parent / "tables"
        ingest(
            raw,
            tables,
            raw.parent / "classes.zip",
            java=Path(self.jdk.java),
            jar=agent_jar(),
            options=IngestOptions(has_tree=False),
            progress=lambda _done, _total: None,
        )
        share, n_jni, n_calls = duckdb.connect().sql(_FACTS.format(tables=tables)).fetchall()[0]
        return float(share or 0), int(n_jni), int(n_calls)


def _note(program: Program, variant: str, sample: Sample) -> None:
    program.wall_ms.setdefault(variant, []).append(round(sample.wall_ms, 1))
    program.cpu_ms.setdefault(variant, []).append(round(sample.cpu_ms, 1))
    if sample.status != 0:
        program.problems.append(f"{variant}: status {sample.status}")


def measure_program(
    laboratory: Laboratory, program: Program, repetitions: int, keep: Callable[[], None]
) -> None:
    """Takes the samples that a program lacks; `keep` is called after each."""
    for turn in range(1, repetitions + 1):
        for variant in _IN_TURN:
            if not program.has(variant, turn):
                laboratory.run(program, variant)
                keep()
    for variant in (_BARE_SMALL, _SPA):
        if not program.has(variant):
            laboratory.run(program, variant)
            keep()


def _percent(value: float | None, digits: int = 1) -> str:
    return "" if value is None else f"{value:,.{digits}f} %"


def _mean_overhead(programs: Sequence[Program], variant: str, kind: str) -> str:
    found = [program.overhead(variant, kind) for program in programs]
    ratios = [1 + value / 100 for value in found if value is not None]
    return f"**{100 * (geometric_mean(ratios) - 1):,.1f} %**" if ratios else ""


def table_of_overhead(programs: Sequence[Program], *, has_elapsed: bool = True) -> str:
    """Returns Table I: what following native code costs each program.

    Args:
        programs: their samples.
        has_elapsed: whether elapsed time means anything: nothing else ran beside them.
    """
    kinds = ("cpu_ms", "wall_ms") if has_elapsed else ("cpu_ms",)
    columns = ["program", "bare, s", "IPA, counts", "IPA, timed", "SPA"]
    if has_elapsed:
        columns += ["elapsed: bare, s", "IPA, counts", "IPA, timed", "SPA"]
    lines = [columns, ["---", *["--:"] * (len(columns) - 1)]]
    for program in programs:
        cells = [program.name]
        for kind in kinds:
            samples: dict[str, list[float]] = getattr(program, kind)
            cells.append(f"{min(samples[_BARE]) / 1000:.2f}")
            cells += [_percent(program.overhead(v, kind)) for v in (_COUNTS, _TIMED, _SPA)]
        lines.append(cells)
    means = ["**geometric mean**"]
    for kind in kinds:
        means += ["", *(_mean_overhead(programs, v, kind) for v in (_COUNTS, _TIMED, _SPA))]
    lines.append(means)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def table_of_natives(programs: Sequence[Program]) -> str:
    """Returns Table II: how much native code each program executes."""
    columns = ["program", "native execution", "JNI calls", "native method calls", "calls a second"]
    lines = [columns, ["---", *["--:"] * (len(columns) - 1)]]
    for program in programs:
        if program.facts is not None:
            share, n_jni, n_calls = program.facts
            per_second = 1000 * n_calls / statistics.median(program.cpu_ms[_BARE])
            cells = [program.name, _percent(100 * share, 2), f"{n_jni:,}", f"{n_calls:,}"]
            lines.append([*cells, f"{per_second:,.0f}"])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _known(path: Path, plan: dict[str, Any]) -> dict[str, Program]:
    """Returns what the file has of the same plan, by program."""
    if not path.exists():
        return {}
    content = json.loads(path.read_text(encoding="utf-8"))
    if content["plan"] != plan:
        path.rename(path.with_suffix(".old.json"))
        return {}
    return {one["name"]: Program(**one) for one in content["programs"]}


def _write(path: Path, plan: dict[str, Any], programs: Sequence[Program]) -> None:
    content = {
        "schema": 1,
        "plan": plan,
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "machine": measure.machine(),
        "programs": [dataclasses.asdict(program) for program in programs],
    }
    partial = path.with_suffix(".partial")
    partial.parent.mkdir(parents=True, exist_ok=True)
    partial.write_text(json.dumps(content, indent=1), encoding="utf-8")
    partial.replace(path)


def _pages(path: Path) -> dict[str, str]:
    """Returns the sections of docs/native.md that a file of samples makes."""
    content = json.loads(path.read_text(encoding="utf-8"))
    programs = [Program(**one) for one in content["programs"]]
    programs = [program for program in programs if program.is_whole()]
    plan, machine = content["plan"], content["machine"]
    about = (
        f"Java {plan['java']}, {machine['cores']} processors ({machine['processor']}), "
        f"{content['date'][:10]}, load average {machine['load_average']}; the least of "
        f"{len(programs[0].cpu_ms[_BARE])} samples, size {plan['size']} (SPA: small, one sample)."
    )
    is_quiet = float(machine["load_average"]) <= _MOST_LOAD * int(machine["cores"])
    if not is_quiet:
        about += " Elapsed time is left out, since other programs ran."
    return {
        "native overhead": f"{table_of_overhead(programs, has_elapsed=is_quiet)}\n\n{about}",
        "native share": table_of_natives(programs),
    }


def _names(asked: list[str]) -> list[str]:
    if asked != ["all"]:
        return asked or [*SUBSET]
    algorithms = sorted(languages.sizes())
    of_languages = [f"{each.name}/{name}" for each in languages.LANGUAGES for name in algorithms]
    return [*(workload.name for workload in catalogue.load()), *of_languages]


def _prepare(names: Sequence[str], jdk: Jdk) -> None:
    if any("/" in name for name in names):
        languages.main()
    for workload in catalogue.load([name for name in names if "/" not in name]):
        prepare(workload, java_home=Path(jdk.home))


def main() -> None:
    """Measures, prints both tables, and publishes them if asked to."""
    parser = argparse.ArgumentParser(prog="benchmarks.native", description=__doc__)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--size", default="default")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--json", type=Path, default=BUILD.parent / "native.json")
    parser.add_argument("--publish", action="store_true", help="put the tables into docs/native.md")
    arguments = parser.parse_args()
    java = shutil.which("java")
    if java is None:
        raise SystemExit("benchmarks.native: no java on the PATH")
    jdk = jdk_of_home(str(Path(os.path.realpath(java)).parents[1]))
    names = _names(arguments.programs)
    _prepare(names, jdk)
    plan = {"java": jdk.version, "size": arguments.size}
    known = _known(arguments.json, plan)
    programs = [known.get(name) or Program(name) for name in names]
    laboratory = Laboratory(jdk, arguments.size)
    others = [one for one in known.values() if one.name not in names]

    def keep() -> None:
        begun = [one for one in programs if one.has(_BARE)]
        _write(arguments.json, plan, [*others, *begun])

    for program in programs:
        measure_program(laboratory, program, arguments.repetitions, keep)
        print(_line(program), flush=True)
    for name, content in _pages(arguments.json).items():
        print(f"\n{content}")
        if arguments.publish:
            publish.write_section(PAGE, name, content)


def _line(program: Program) -> str:
    found = [f"{v} {_percent(program.overhead(v))}" for v in (_COUNTS, _TIMED, _SPA)]
    return "  ".join([f"{program.name:16}", *found, *program.problems])


if __name__ == "__main__":
    main()
