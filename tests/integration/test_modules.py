"""`class.module` for every loader, kind of module and kind of class, against what the VM says."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, jdks
from oracle.toolchain import PROGRAMS
from support.warm_dump import warm_dump

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_SOURCES = PROGRAMS / "modules"
_PLACES = {"class path": ("-cp", "classes"), "module path": ("-cp", "classes", "-p", "own")}


@pytest.fixture(
    scope="module",
    params=[(jdk, place) for jdk in jdks() for place in _PLACES],
    ids=lambda each: f"jdk{each[0].version}-{each[1].replace(' ', '-')}",
)
def recorded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path]:
    """What the program says, and its run; with and without a module of its own at boot."""
    found, place = request.param
    jdk: Jdk = found
    directory = tmp_path_factory.mktemp("modules")
    javac = [jdk.tool("javac"), "-nowarn"]
    subprocess.run(
        [*javac, "-d", str(directory / "classes"), str(_SOURCES / "Modules.java")], check=True
    )
    own = [str(path) for path in sorted((_SOURCES / "own").rglob("*.java"))]
    subprocess.run([*javac, "-d", str(directory / "own"), *own], check=True)
    modules = "ALL-SYSTEM" + (",app.own" if place == "module path" else "")
    words = ("java", "--add-modules", modules, *_PLACES[place], "Modules", "own")
    outcome = Recorder(directory, jdk, warm_dump(jdk)).record(*words)
    assert outcome.status == 0, outcome.stderr
    return outcome.stdout, directory / outcome.run


def _rows(run: Path, query: str) -> list[tuple[object, ...]]:
    with jvmscope.open(run) as opened:
        return [tuple(row) for row in opened.query(query, language="sql").rows()]


def test_the_vm_says_the_same(recorded: tuple[str, Path]) -> None:
    said, run = recorded
    lines = [line.split(" ") for line in said.splitlines()]
    of_vm = {
        (loader.replace(".", "/"), name.replace(".", "/"), None if module == "-" else module)
        for loader, name, module in lines
    }
    query = "SELECT loader, name, module FROM class WHERE NOT is_hidden"
    of_run = {(re.sub(r"#\d+$", "", str(a)), b, c) for a, b, c in _rows(run, query)}

    assert {loader for loader, _, _ in of_vm} >= {"boot", "platform", "app"}
    assert of_vm - of_run == set()


def test_hidden_classes_are_in_the_modules_of_their_packages(recorded: tuple[str, Path]) -> None:
    """There are some by each loader, in modules of the JDK, of the program, and in none."""
    _, run = recorded
    query = """
        WITH seen AS (
            SELECT loader, module, is_hidden,
                regexp_replace(
                    name, IF(is_hidden, '(^|/)[^/]*/[^/]*$', '(^|/)[^/]*$'), ''
                ) AS package
            FROM class
        )
        SELECT DISTINCT loader, package, module FROM seen WHERE is_hidden
        EXCEPT
        SELECT loader, package, module FROM seen WHERE NOT is_hidden
    """
    kinds = """
        SELECT DISTINCT loader, module IN ('app.own', 'jdk.compiler', 'java.base', 'java.net.http')
        FROM class WHERE is_hidden
    """

    assert _rows(run, query) == []
    assert {("boot", True), ("platform", True), ("app", True), ("app", None)} <= set(
        _rows(run, kinds)
    )
