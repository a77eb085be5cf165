"""The suite of languages: complete, and its expected output right by what is known elsewhere."""

from __future__ import annotations

import re

import pytest

from benchmarks import catalogue
from benchmarks.languages import FOLDER, LANGUAGES, PROGRAMS, sizes
from jvmscope.suite.planning import Planned, plan
from jvmscope.suite.reading import read_suite_file

SIZES = ("small", "default", "large")

KNOWN = {
    # OEIS A000170: ways to place n queens.
    "queens": {6: "4", 9: "352", 11: "2680"},
    # The Computer Language Benchmarks Game's outputs.
    "fannkuch": {9: "8629 30", 10: "73196 38"},
    "nbody": {500_000: "-0.169075164 -0.169096567"},
    "spectralnorm": {100: "1.274219991"},
    # Queued packets and held tasks, as the benchmark's versions in other languages check them.
    "richards": {1000: "2322 928", 10_000: "23246 9297"},
    # The prime counting function, and the largest primes below.
    "sieve": {2000: "303 1999", 100_000: "9592 99991", 5_000_000: "348513 4999999"},
}


def _planned(size: str) -> tuple[Planned, ...]:
    return plan(read_suite_file(FOLDER / "suite.toml", [f"vars.size={size}"]))


@pytest.mark.parametrize("size", SIZES)
def test_every_algorithm_in_every_language_is_validated(size: str) -> None:
    algorithms = set(sizes())
    assert len(algorithms) >= 10
    planned = [p for p in _planned(size) if "algorithm" in p.tags]
    for language in LANGUAGES:
        asked = {p.parameters["algorithm"] for p in planned if p.benchmark == language.name}
        written = {program.stem.lower() for program in language.programs()}
        assert asked == written == algorithms
    for each in planned:
        assert each.expect.stdout is not None
        line = each.expect.stdout.read_text(encoding="utf-8")
        assert re.fullmatch(rf"{each.parameters['algorithm']} {size} \S.*\n", line)


@pytest.mark.parametrize("size", SIZES)
def test_every_program_is_validated(size: str) -> None:
    planned = [p for p in _planned(size) if "program" in p.tags]
    assert [p.parameters["program"] for p in planned] == list(PROGRAMS)
    assert all(p.expect.stdout and p.expect.stdout.read_text(encoding="utf-8") for p in planned)


@pytest.mark.parametrize("algorithm", KNOWN)
def test_expected_output_is_what_others_know(algorithm: str) -> None:
    compared = 0
    for size, n in sizes()[algorithm].items():
        if n in KNOWN[algorithm]:
            text = (FOLDER / f"expected/{algorithm}-{size}.txt").read_text(encoding="utf-8")
            assert text == f"{algorithm} {size} {KNOWN[algorithm][n]}\n"
            compared += 1
    assert compared == len(KNOWN[algorithm])


def test_binary_trees_have_the_nodes_of_full_trees() -> None:
    for size, most in sizes()["binarytrees"].items():
        nodes = [2 ** (most + 2) - 1]
        nodes += [2 ** (most - d + 4) * (2 ** (d + 1) - 1) for d in range(4, most + 1, 2)]
        nodes += [2 ** (most + 1) - 1]
        text = (FOLDER / f"expected/binarytrees-{size}.txt").read_text(encoding="utf-8")
        assert text == f"binarytrees {size} {' '.join(map(str, nodes))}\n"


def test_dragged_variables_are_what_their_constraints_say() -> None:
    for size, n in sizes()["deltablue"].items():
        # A chain's two ends are equal: the head from 0 by 1, then the tail from there by n.
        chain = sum(_dragged(0, by=1)) + sum(_dragged(10, by=n))
        # Sources stay, so each destination follows; what is dragged itself does not stay.
        last = n - 1 + 10
        arrived = sum(3 * source + 7 for i in range(n) for source in _dragged(i, by=1))
        arrived += sum(scale * last + 7 for scale in _dragged(3, by=1))
        arrived += sum(13 * last + offset for offset in _dragged(7, by=2))
        arrived += sum(source for i in range(n) for source in _dragged(i + 10, by=1))
        total = sum(13 * (i + 20) + 27 for i in range(n))
        # A plan has the edit, and every constraint between it and what it changes.
        executed = 10 * (2 * (n + 1) + n * 2 + 2 * (n + 1) + n * 2)
        text = (FOLDER / f"expected/deltablue-{size}.txt").read_text(encoding="utf-8")
        assert text == f"deltablue {size} {chain} {arrived} {total} {executed}\n"


def _dragged(start: int, *, by: int) -> range:
    """Returns the values of a variable that is dragged."""
    return range(start + by, start + 10 * by + 1, by)


def test_actors_answer_what_was_sent() -> None:
    (workload,) = catalogue.load(["pekko"])
    for size, n in workload.sizes.items():
        # Each sender counts down from 100; of each pair one sees the odd numbers up to there.
        counter, pairs = n * sum(range(101)), n * sum(range(1, 101, 2))
        # Token i makes 100 + i hops from member i on, around ten that add their numbers.
        ring = 0
        for i in range(n):
            rounds, rest = divmod(100 + i, 10)
            ring += rounds * sum(range(10)) + sum((i + k) % 10 for k in range(rest))
        text = (FOLDER / f"expected/pekko-{size}.txt").read_text(encoding="utf-8")
        assert text == f"actors {{counter={counter}, pairs={pairs}, ring={ring}}}\n"
