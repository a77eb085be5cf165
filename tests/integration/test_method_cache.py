"""A simulated method cache: what it did in a program worked out by hand, and over a whole run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from support.small_jdk import brief_jdk

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

# A cache of four blocks of 16 bytes; every method has one block (words * 4 / 16 + 1), but large
# (17 words, 5 blocks). What was there before main, and where the ring begins, does not matter.
_CACHES = """
public class Caches extends Thread {
  static final RuntimeException FAILURE = new RuntimeException();

  static int small(int n) { return n + 1; }

  static int large(int n) {
    n += 100; n += 100; n += 100; n += 100; n += 100; n += 100; n += 100;
    n += 100; n += 100; n += 100; n += 100; n += 100; n += 100; n += 100;
    n += 100; n += 100; n += 100; n += 100; n += 100; n += 100; n += 100;
    return n;
  }

  static int deepest() { throw FAILURE; }

  static int deeper() { return deepest(); }

  static int deep() { return deeper(); }

  static int thrower() { return deep(); }

  static int work() {
    try {
      return thrower();
    } catch (RuntimeException e) {
      return small(1);
    }
  }

  // The cache of this thread is empty.
  @Override public void run() { // missed: [run]; its return goes to the root
    small(1); // missed: [run small]; returns to run, which is there
    small(1); // there; returns to run, which is there
    large(1); // missed, and leaves it empty; returns to run, which is missed: [run]
    small(1); // missed: [run small]; returns to run, which is there
  }

  static void inThread() throws InterruptedException {
    Thread thread = new Caches();
    thread.start();
    thread.join();
  }

  public static void main(String[] args) throws InterruptedException {
    // [main work thrower deep], deeper in main's place, deepest in work's: [deeper deepest thrower
    // deep]; missed by the catch: [deeper deepest work deep]; small: [deeper deepest work small];
    // returns to work, which is there, and that to main, missed: [main deepest work small].
    work();
    // work is there; [main thrower work small], [main thrower deep small], [main thrower deep
    // deeper], [deepest thrower deep deeper]; missed by the catch: [deepest work deep deeper];
    // [deepest work small deeper]; returns to work, which is there, and that to main, missed.
    work();
    inThread();
  }
}
"""
_COLUMNS = (
    "n_call_hits, n_call_misses, n_return_hits, n_return_misses, n_catch_hits, n_catch_misses"
)
# The rows of Caches in a thread, in the order of the tree, with the lines that called.
_ROWS = f"""
    SELECT m.name, row({_COLUMNS})
    FROM method_cache AS f JOIN context AS c USING (context_id) JOIN method AS m USING (method_id)
    JOIN class AS k USING (class_id) JOIN thread AS t USING (thread_id)
    WHERE k.name = 'Caches' AND m.name NOT IN ('<init>', '<clinit>', 'inThread', 'main')
      AND (t.name = 'main') = $is_main
    ORDER BY context_id
"""
# Contexts whose calls are not those that the cache was asked for.
_CALLS = """
    SELECT c.context_id, m.name, c.n_calls, f.n_call_hits + f.n_call_misses
    FROM context AS c JOIN method AS m USING (method_id)
    LEFT JOIN method_cache AS f USING (context_id)
    WHERE m.coverage = 'full' AND c.n_calls IS DISTINCT FROM f.n_call_hits + f.n_call_misses
"""
# Returns, catches and their sums that cannot be.
_SUMS = """
    SELECT c.context_id, m.name
    FROM method_cache AS f JOIN context AS c USING (context_id) JOIN method AS m USING (method_id)
    WHERE f.n_return_hits + f.n_return_misses > c.n_calls
"""


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    jdk: Jdk = request.param
    directory = tmp_path_factory.mktemp(f"cache-{jdk.version}")
    compile_java(jdk, directory / "classes", Caches=_CACHES)
    options = ("--method-cache", "64/4")
    outcome = Recorder(directory, brief_jdk(jdk, BUILD)).record(
        "java", "-cp", "classes", "Caches", options=options
    )
    assert outcome.status == 0, outcome.stderr
    assert outcome.manifest.options["method_cache"] == {"blocks": 4, "block_bytes": 16}
    return directory / outcome.run


def test_calls_returns_and_exceptions_by_hand(run: Path) -> None:
    with jvmscope.open(run) as opened:
        rows = list(opened.query(_ROWS, params={"is_main": True}).rows())

    missed = (0, 1, 0, 0, 0, 0)
    deep = [(name, missed) for name in ("thrower", "deep", "deeper", "deepest")]
    small = ("small", (0, 1, 1, 0, 0, 0))
    assert [(name, tuple(counts.values())) for name, counts in rows] == [
        ("work", (0, 1, 0, 1, 0, 1)),
        *deep,
        small,
        ("work", (1, 0, 0, 1, 0, 1)),
        *deep,
        small,
    ]


def test_a_thread_begins_with_an_empty_cache(run: Path) -> None:
    with jvmscope.open(run) as opened:
        rows = list(opened.query(_ROWS, params={"is_main": False}).rows())

    assert [(name, tuple(counts.values())) for name, counts in rows] == [
        ("run", (0, 1, 0, 0, 0, 0)),
        ("small", (0, 1, 1, 0, 0, 0)),
        ("small", (1, 0, 1, 0, 0, 0)),
        ("large", (0, 1, 0, 1, 0, 0)),
        ("small", (0, 1, 1, 0, 0, 0)),
    ]


@pytest.mark.parametrize("impossible", [_CALLS, _SUMS])
def test_the_cache_is_asked_at_every_call_of_the_run(run: Path, impossible: str) -> None:
    with jvmscope.open(run) as opened:
        assert list(opened.query(impossible).rows()) == []


def test_cycles_with_the_cache_are_between_those_without_and_with_a_perfect_one(run: Path) -> None:
    with jvmscope.open(run) as opened:
        values = [
            opened.measure("cycles.run", params={"cache": cache}).arrow()["value"][0].as_py()
            for cache in ("perfect", "recorded", "none")
        ]

    assert values[0] < values[1] < values[2]
