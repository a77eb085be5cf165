"""Runs programs of `suites/languages` recorded, under the oracle of allocations and bare.

``python -m oracle.allocation_programs`` prints the tables of docs/oracles.md.
"""

from __future__ import annotations

import shlex
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from support.forked import run_jvmscope
from support.warm_dump import warm_dump

import jvmscope
from benchmarks.languages import BUILD as LANGUAGES_BUILD
from benchmarks.languages import LANGUAGES, SHARED, prepare_languages
from oracle.allocations import UNSEEN, compare, read_reported, recorded_objects
from oracle.beforehand import stand_in
from oracle.laboratory import BUILD
from oracle.oracles import FLAGS, clean_environment, hashes_spent, run_bare
from oracle.toolchain import (
    BRIEF,
    PROGRAMS,
    agent_library,
    alone,
    class_path,
    digest,
    find_jdks,
    run_tool,
)

if TYPE_CHECKING:
    from oracle.allocations import Compared, Objects, Reported
    from oracle.toolchain import Jdk

__all__ = ["ALGORITHMS", "QUICK", "AllocationLab", "Found", "command_of"]

QUICK = ("java json", "java richards")
ALGORITHMS = (
    *(*QUICK, "java binarytrees"),
    *("scala deltablue", "scala json", "scala knucleotide"),
    *("kotlin json", "kotlin queens", "kotlin richards"),
    *("clojure binarytrees", "clojure json", "clojure spectralnorm"),
    *("javascript json", "javascript deltablue"),
)
"""Language and algorithm of the programs that are compared."""

# The serial collector has interpreted code allocate without the VM, which then tells of nothing.
_FLAGS = [*(flag for flag in FLAGS if "Serial" not in flag), "-XX:+UseG1GC", "-XX:-UseTLAB"]
_NO_BACKTRACES = "-XX:-StackTraceInThrowable"
_PART = "languages/Work.measured"
_OPTIONS = ("--force", "--probes", "allocations")
_TIMEOUT_S = 600


@dataclass(frozen=True)
class Found:
    """A program's objects below `main`, and in its part below `Work.measured`.

    `n_bytes` are those of the part in the run, `n_bytes_bare` those of a bare VM.
    """

    whole: Compared
    part: Compared
    n_bytes: int
    n_bytes_bare: int


def command_of(program: str) -> list[str]:
    """What follows `java` to run a program, given by language and algorithm, at size small.

    The oldest JDK compiles it, so that it runs on all.
    """
    language, algorithm = program.split()
    with alone(LANGUAGES_BUILD / "prepared"):
        chosen = [each for each in LANGUAGES if each.name == language]
        prepare_languages(chosen, java_home=find_jdks()[0].home)
    text = (LANGUAGES_BUILD / language / f"{algorithm}-small.args").read_text(encoding="utf-8")
    return shlex.split(text, comments=True)


class AllocationLab:
    """Compares the objects of programs on a JDK; all files are in a directory."""

    def __init__(self, jdk: Jdk, directory: Path) -> None:
        self.jdk = jdk
        self._directory = directory
        self._library = agent_library(jdk, "allocation_oracle", BUILD)
        self._classes = class_path(jdk, BUILD)
        _, printed = self._record("-cp", str(self._classes), "NextHash")
        self._n_hashes = hashes_spent(jdk, self._classes, int(printed), build=BUILD)

    def compare_main(self, name: str) -> Compared:
        """The objects below `main` of a small program."""
        words = ["-cp", str(self._classes), name]
        run, _ = self._record(*words)
        with jvmscope.open(run) as opened:
            return compare(recorded_objects(opened, f"{name}.main"), self.reported(name, words))

    def compare_algorithm(self, program: str, *layout: str) -> Found:
        """The objects of a program of the suite of languages, with options of objects' layout."""
        words = [*layout, *command_of(program)]
        main = next(word for word in words[words.index("-cp") + 2 :] if word[0] != "-")
        main = main.replace(".", "/")
        reported = self.reported(main, words)
        run, printed = self._record(*words)
        assert len(printed.split()) > 2, printed
        with jvmscope.open(run) as opened:
            objects = recorded_objects(opened, _PART)
            whole = compare(recorded_objects(opened, f"{main}.main"), reported)
        part = compare(objects, [row for row in reported if row.is_in_part])
        n_bytes = sum(size * n for (_, size), n in objects.items())
        return Found(whole, part, n_bytes, self._allocated(words))

    def _record(self, *words: str) -> tuple[Path, str]:
        run = self._directory / "a.run"
        done = run_jvmscope(
            ["record", "-o", str(run), *_OPTIONS, "--", self.jdk.java, _NO_BACKTRACES, *words],
            directory=self._directory,
            environment=clean_environment(),
            timeout_s=_TIMEOUT_S,
            dump=warm_dump(self.jdk),
        )
        assert done.returncode == 0, done.stderr.decode()
        return run, done.stdout.decode()

    def reported(self, main: str, words: list[str]) -> list[Reported]:
        """What the VM reports below `main` of a program, given by what follows `java`."""
        agents = [
            stand_in(self.jdk, BUILD, n_hashes=self._n_hashes),
            f"-agentpath:{self._library}=out=reported.tsv,main={main},part={_PART}",
        ]
        self._run(_FLAGS, agents, words)
        return read_reported(self._directory / "reported.tsv")

    def _allocated(self, words: list[str]) -> int:
        """The bytes that a bare VM says its thread allocated below `Work.measured`."""
        measured = str(_measuring_work(self.jdk))
        at = words.index("-cp") + 1
        path = words[at].replace(str(SHARED), measured)
        return int(self._run(["-Xint"], [], [*words[:at], path, *words[at + 1 :]]).split()[0])

    def _run(self, flags: list[str], agents: list[str], words: list[str]) -> str:
        command = [self.jdk.java, *flags, _NO_BACKTRACES, *agents, *words]
        outcome = run_bare(command, self._directory, timeout_s=_TIMEOUT_S)
        assert outcome.status == 0, outcome.stderr.decode()
        return outcome.stdout.decode()


def _measuring_work(jdk: Jdk) -> Path:
    """A folder with a `languages.Work` that prints what its second round allocates."""
    source = PROGRAMS / "allocations/measured/languages/Work.java"
    folder = BUILD / f"work-{jdk.version}-{digest([source], str(jdk.home))}"
    with alone(folder):
        if not folder.exists():
            made = folder.with_suffix(".made")
            shutil.rmtree(made, ignore_errors=True)
            run_tool([jdk.tool("javac"), *BRIEF, "-d", str(made), str(source)])
            made.rename(folder)
    return folder


def _main() -> None:
    lines = [
        "| program | JDK | objects | other | second round | other | bytes | bytes, bare |",
        "| --- | --: | --: | --: | --: | --: | --: | --: |",
    ]
    unseen: dict[str, Objects] = {rule: Counter() for rule in UNSEEN}
    for jdk in find_jdks():
        with tempfile.TemporaryDirectory() as folder:
            lab = AllocationLab(jdk, Path(folder))
            for program in ALGORITHMS:
                found = lab.compare_algorithm(program)
                lines.append(_row(program, jdk, found))
                for rule, objects in found.whole.unseen.items():
                    unseen[rule] += objects
    lines += [
        "",
        "| rule | the VM makes for itself | objects | types |",
        "| --- | --- | --: | --- |",
    ]
    for rule, objects in unseen.items():
        types = ", ".join(sorted({f"`{kind}`" for kind, _ in objects}))
        lines.append(f"| {rule} | {UNSEEN[rule]} | {objects.total():,} | {types} |")
    sys.stdout.write("\n".join(lines) + "\n")


def _row(program: str, jdk: Jdk, found: Found) -> str:
    numbers = [
        *(found.whole.n_recorded, found.whole.n_different),
        *(found.part.n_recorded, found.part.n_different),
        *(found.n_bytes, found.n_bytes_bare),
    ]
    cells = [program, str(jdk.version), *(f"{n:,}" for n in numbers)]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    _main()
