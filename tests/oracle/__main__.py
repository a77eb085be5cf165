"""Compares one program by hand: python -m oracle PROGRAM [JDK VERSION]."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from oracle.compare import Comparison, compare_blocks, compare_segments, render
from oracle.compare_trees import compare_trees
from oracle.facts import check_facts, read_facts, unstable_methods
from oracle.oracles import read_witnessed, run_witnessed
from oracle.recorded import read_recorded
from oracle.recording import record
from oracle.toolchain import Jdk, Program, class_path, find_jdks, programs

BUILD = Path(__file__).parents[2] / ".build" / "oracle"


def _show(what: str, comparison: Comparison) -> None:
    n = len(comparison.differences)
    sys.stdout.write(f"{what}: {comparison.n_compared} compared, {n} differ\n")
    for text in comparison.not_counted:
        sys.stdout.write(f"  not counted: {text}\n")
    if n:
        sys.stdout.write(render(comparison.differences) + "\n")


def _compare(program: Program, jdk: Jdk) -> None:
    folder = BUILD / "by-hand" / f"{program.name}-{jdk.version}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    classes = class_path(jdk, BUILD)
    main = program.main_class
    sys.stdout.write(f"\n{program.name} on JDK {jdk.version}\n")
    seen = read_witnessed(folder, run_witnessed(jdk, classes, main, build=BUILD, directory=folder))
    facts = read_facts(program.source)
    skip = unstable_methods(facts, main, seen.steps)
    for text in [*check_facts(facts, main, seen.steps, seen.trees), *seen.trees.anomalies]:
        sys.stdout.write(f"  oracle: {text}\n")
    run = folder / "a.run"
    outcome = record(jdk, classes, main, run=run, options=("--exact-exceptions",))
    if outcome != seen.outcome:
        sys.stdout.write(f"recorded: {outcome}\noracle: {seen.outcome}\n")
    recorded = read_recorded(run)
    _show("blocks", compare_blocks(recorded, seen.steps, application=True, skip=skip))
    _show("bytecodes", compare_segments(recorded, seen.steps, skip=skip))
    for what in (True, False):
        n, found = compare_trees(recorded, seen.trees, main, application=what, prune=skip)
        scope = "the application's" if what else "the whole"
        _show(f"{scope} tree", Comparison(n, found, []))
    _show("library", compare_blocks(recorded, seen.steps, application=False, skip=skip))


if __name__ == "__main__":
    for chosen in [*programs(), *programs("exits")]:
        for found_jdk in find_jdks():
            is_chosen = sys.argv[1:] in ([chosen.name], [chosen.name, str(found_jdk.version)])
            if is_chosen and chosen.min_version <= found_jdk.version:
                _compare(chosen, found_jdk)
