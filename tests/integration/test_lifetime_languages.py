"""Lifetimes of programs in other languages, against a collector that runs at every tick."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from integration.lives import collected, record, recorded
from integration.recording import Recorder, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS, run_tool
from support.long import IS_LONG
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

from benchmarks import catalogue
from benchmarks.prepare import prepare

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

pytestmark = pytest.mark.skipif(not IS_LONG, reason="compilers of four languages: long")

_SOURCES = PROGRAMS / "lifetimes"
# The name of the main class, and the words after `java` that compile it.
_LANGUAGES = {
    "scala": ("Lives", "-cp {jars} dotty.tools.dotc.Main -classpath {path} -d {out} Lives.scala"),
    "kotlin": (
        "Lives",
        (
            "-cp {jars} org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect "
            "-jvm-target 17 -classpath {path} -d {out} Lives.kt"
        ),
    ),
    "groovy": (
        "Lives",
        "-cp {jars} org.codehaus.groovy.tools.FileSystemCompiler -cp {out} -d {out} Lives.groovy",
    ),
    "clojure": ("lives", "-Dclojure.compile.path={out} -cp .:{path} clojure.lang.Compile lives"),
}


@pytest.mark.parametrize("jdk", jdks(), ids=lambda jdk: f"jdk{jdk.version}")
@pytest.mark.parametrize("language", _LANGUAGES)
def test_objects_of_other_languages_live_as_long(jdk: Jdk, language: str, tmp_path: Path) -> None:
    # GIVEN a program in another language, with its collections, closures and exceptions
    used = brief_jdk(jdk, BUILD)
    (workload,) = catalogue.load([language])
    prepare(workload, java_home=used.home)
    jars = os.pathsep.join(map(str, workload.jars()))
    main, words = _LANGUAGES[language]
    shutil.copytree(_SOURCES / "languages", tmp_path, dirs_exist_ok=True)
    out = tmp_path / "classes"
    run_tool([used.tool("javac"), "-d", str(out), str(_SOURCES / "Watch.java")])
    path = f"{out}{os.pathsep}{jars}"
    command = [word.format(jars=jars, path=path, out=out) for word in words.split()]
    run_tool([used.java, *command], tmp_path)
    recorder = Recorder(tmp_path, used, warm_dump(used))
    gone = collected(recorder, main, path=path)
    # WHEN it is recorded
    lived = recorded(record(recorder, main, path=path), 4 << 20, seen=gone)
    # THEN each object lives the same number of ticks
    assert lived.total() > 12
    assert lived == gone
