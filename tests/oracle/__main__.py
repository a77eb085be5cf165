"""Compares programs by hand: python -m oracle PROGRAM… [JDK VERSION]; no PROGRAM: all of them."""

from __future__ import annotations

import sys

from oracle.compare import Comparison, compare_blocks, compare_segments, render
from oracle.compare_trees import compare_trees
from oracle.facts import check_facts, read_facts, unstable_methods
from oracle.laboratory import Case, recording_of, witnessed_by
from oracle.recorded import read_recorded
from oracle.toolchain import find_jdks, programs


def _show(what: str, comparison: Comparison) -> None:
    n = len(comparison.differences)
    sys.stdout.write(f"{what}: {comparison.n_compared} compared, {n} differ\n")
    for text in comparison.not_counted:
        sys.stdout.write(f"  not counted: {text}\n")
    if n:
        sys.stdout.write(render(comparison.differences) + "\n")


def _compare(case: Case) -> None:
    main = case.program.main_class
    sys.stdout.write(f"\n{case.program.name} on JDK {case.found_jdk.version}\n")
    seen = witnessed_by(case, library=True)
    facts = read_facts(case.program.source)
    skip = unstable_methods(facts, main, seen.steps)
    for text in [*check_facts(facts, main, seen.steps, seen.tree), *seen.tree.anomalies]:
        sys.stdout.write(f"  oracle: {text}\n")
    recording = recording_of(case, "--exact-exceptions")
    if recording.outcome != seen.outcome:
        sys.stdout.write(f"recorded: {recording.outcome}\noracle: {seen.outcome}\n")
    recorded = read_recorded(recording.run, library=True)
    _show("blocks", compare_blocks(recorded, seen.steps, application=True, skip=skip))
    _show("bytecodes", compare_segments(recorded, seen.steps, skip=skip))
    for what in (True, False):
        n, found = compare_trees(recorded, seen.tree, main, application=what, prune=skip)
        scope = "the application's" if what else "the whole"
        _show(f"{scope} tree", Comparison(n, found, []))
    _show("library", compare_blocks(recorded, seen.steps, application=False, skip=skip))
    sys.stdout.flush()


def _main(words: list[str]) -> None:
    names = [word for word in words if not word.isdigit()]
    versions = [int(word) for word in words if word.isdigit()]
    for program in [*programs(), *programs("exits")]:
        for jdk in find_jdks():
            is_chosen = not names or program.name in names
            if (
                is_chosen
                and jdk.version in (versions or [jdk.version])
                and (program.min_version <= jdk.version)
            ):
                _compare(Case(program, jdk))


if __name__ == "__main__":
    _main(sys.argv[1:])
