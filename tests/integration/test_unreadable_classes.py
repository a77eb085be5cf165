"""A class that the agent cannot read runs as it is, and the run says that it lacks it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder

from jvmscope.schema.manifest import read_manifest

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_MAIN = """
public class Main {
  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 0) {
      System.out.println(Junk.value());
      return;
    }
    try (var in = Main.class.getResourceAsStream("Junk.class")) {
      Class<?> type = new Loader().define(in.readAllBytes());
      var value = type.getDeclaredMethod("value");
      value.setAccessible(true);
      System.out.println(value.invoke(null));
    }
  }
}
class Loader extends ClassLoader {
  Class<?> define(byte[] bytes) {
    return defineClass(null, bytes, 0, bytes.length);
  }
}
class Junk {
  static int value() { return 7; }
}
"""


def _utf8(text: bytes) -> bytes:
    return b"\x01" + len(text).to_bytes(2, "big") + text


@pytest.mark.parametrize("words", [(), ("define",)], ids=["by name", "without a name"])
def test_a_class_with_junk_in_its_annotations_is_missed(
    jdk: Jdk, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """GIVEN an attribute as obfuscators leave it, which the VM does not look into."""
    recorder = Recorder.of(jdk, tmp_path, Main=_MAIN)
    path = recorder.directory / "classes" / "Junk.class"
    file = path.read_bytes()
    assert _utf8(b"SourceFile") in file
    junk = file.replace(_utf8(b"SourceFile"), _utf8(b"RuntimeVisibleAnnotations"))
    path.write_bytes(junk)
    outcome = recorder.record("java", "-cp", "classes", "Main", *words)
    manifest = read_manifest(recorder.directory / outcome.run)

    assert outcome.stdout == "7\n"
    assert (manifest.status, manifest.limit_codes) == ("truncated", ["class_log"])
