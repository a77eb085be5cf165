"""Heaps of a recorded program are as the VM has them: it is asked to verify its own."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, compile_java
from oracle.laboratory import BUILD
from support.long import IS_LONG
from support.small_jdk import brief_jdk

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_VERIFIED = (
    "-Xmx64m",
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:+VerifyBeforeGC",
    "-XX:+VerifyAfterGC",
)
_PROGRAM = """
public class Rests {
  /** Some survive, so that objects are moved to the ends of regions; the VM fills what is left. */
  public static void main(String[] args) {
    Object[] kept = new Object[30_000];
    for (int i = 0; i < 400_000; i++) {
      Object made = i % 3 == 0 ? new Object() : new byte[i % 100 == 1 ? 20_000 : i % 40];
      if (i % 7 == 0) {
        kept[i * 31 % kept.length] = made;
      }
    }
    System.gc();
    System.out.println("verified");
  }
}
"""
# What makes the smallest object smaller than the smallest array, or not.
_LAYOUTS = {
    "compressed": (),
    "uncompressed": ("-XX:-UseCompressedClassPointers",),
    "compact": ("-XX:+UnlockExperimentalVMOptions", "-XX:+UseCompactObjectHeaders"),
}
_COLLECTORS = ("G1", *(("Serial", "Parallel", "Z", "Shenandoah") if IS_LONG else ()))


@pytest.fixture(scope="module")
def recorder(jdk: Jdk, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    directory: Path = tmp_path_factory.mktemp(f"heaps-{jdk.version}")
    brief = brief_jdk(jdk, BUILD)
    compile_java(jdk, directory / "classes", Rests=_PROGRAM)
    return Recorder(directory, brief)


@pytest.mark.parametrize("collector", _COLLECTORS)
@pytest.mark.parametrize("layout", _LAYOUTS)
def test_objects_that_fill_the_heap_keep_their_size(
    recorder: Recorder, layout: str, collector: str
) -> None:
    """GIVEN objects with words, WHEN the VM fills gaps between them, THEN it finds each object."""
    options = (f"-XX:+Use{collector}GC", *_LAYOUTS[layout], *_VERIFIED)
    java = (str(recorder.jdk.home / "bin" / "java"), *options)
    if subprocess.run([*java, "-version"], capture_output=True, check=False).returncode != 0:
        pytest.skip(f"this VM has no heap like that: {' '.join(options)}")
    outcome = recorder.record(*java, "-cp", "classes", "Rests", options=("--probes", OBJECT_PROBES))
    assert outcome.status == 0, (outcome.stdout, outcome.stderr)
    assert outcome.stdout.endswith("verified\n")  # after warnings of the VM about its archive
    assert outcome.manifest.status == "complete"
