"""What a suite file asks for: matrix, JVMs, placeholders, and who wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmscope.errors import SuiteError
from jvmscope.suite.identity import identities
from jvmscope.suite.planning import Expectation, plan
from jvmscope.suite.reading import read_suite_file
from jvmscope.suite.selection import select

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from jvmscope.suite.planning import Planned


def _plan(
    folder: Path, text: str, *assignments: str, environment: Mapping[str, str] | None = None
) -> tuple[Planned, ...]:
    path = folder / "suite.toml"
    path.write_text(f"schema = 1\n{text}", encoding="utf-8")
    return plan(read_suite_file(path, assignments), environment or {})


def _one(folder: Path, text: str, *assignments: str, **environment: str) -> Planned:
    (planned,) = _plan(folder, text, *assignments, environment=environment)
    return planned


_A = '[[benchmark]]\nname = "a"\ncommand = ["Main"]\n'


def test_what_is_not_said_has_defaults(tmp_path: Path) -> None:
    planned = _one(tmp_path, _A)

    assert planned.name == "a-1"
    assert planned.words == ("java", "Main")
    assert planned.directory == str(tmp_path)
    assert planned.timeout_s is None
    assert planned.expect == Expectation(exit=0)
    assert (planned.tags, planned.options, planned.stdin, planned.jvm) == ((), {}, None, None)


@pytest.mark.parametrize("java", ["java", "/usr/bin/java", "{env.HOME}/bin/java"])
def test_a_launcher_in_a_command_is_told(tmp_path: Path, java: str) -> None:
    """Java would take it for the main class; but it may be the first argument of a program."""
    text = _A.replace('["Main"]', f'["{java}", "Main"]')
    with pytest.raises(SuiteError, match="command: expected what follows java, such as"):
        _plan(tmp_path, text, environment={"HOME": "/home/a"})
    planned = _one(tmp_path, f'{text}program = "env"\n', HOME="/home/a")
    assert planned.words[0] == "env"
    assert planned.words[1].endswith("java")


def test_command_line_wins_over_benchmark_over_defaults(tmp_path: Path) -> None:
    text = """
        [defaults]
        jvm_args = ["-Xmx1g"]
        timeout = "1m"
        env = { A = "1", B = "1", C = "1" }
        record = { recursion = "fold", max_memory = "1GiB" }
        [[benchmark]]
        name = "a"
        command = ["Main"]
        jvm_args = ["-Xmx2g", "-Xint"]
        timeout = "2m"
        env = { B = "2", C = "2" }
        record = { recursion = "keep" }
    """
    planned = _one(tmp_path, text, "timeout=3m", "env.C=3", "record.probes=['order']")

    assert planned.words == ("java", "-Xmx2g", "-Xint", "Main")
    assert planned.timeout_s == 180
    assert planned.environment == {"A": "1", "B": "2", "C": "3"}
    assert planned.options == {"recursion": "keep", "max_bytes": 1 << 30, "probes": ("order",)}


def test_a_matrix_is_every_combination_but_those_left_out(tmp_path: Path) -> None:
    text = """
        [[benchmark]]
        name = "a"
        command = ["Main", "{size}", "{n}", "{warm}"]
        matrix = { size = ["s", "l"], n = [1, 2], warm = [true] }
        leave_out = [{ size = "l", n = 2 }]
    """
    planned = _plan(tmp_path, text)

    assert [each.name for each in planned] == ["a-s-1-true-1", "a-s-2-true-1", "a-l-1-true-1"]
    assert planned[1].words == ("java", "Main", "s", "2", "true")
    assert planned[1].parameters == {"size": "s", "n": 2, "warm": True}
    assert [each.name for each in _plan(tmp_path, text, 'matrix.size=["m"]')] == [
        "a-m-1-true-1",
        "a-m-2-true-1",
    ]


def test_each_runs_on_each_jvm_as_often_as_is_said(tmp_path: Path) -> None:
    text = f"""
        [jvm.old]
        java = "java"
        [jvm.new]
        java = "{{suite}}/jdk/bin/java"
        jvm_args = ["-Xint"]
        {_A}
        jvm_args = ["-ea"]
        runs = 2
        [[benchmark]]
        name = "b"
        command = ["Main"]
        jvms = ["old"]
    """
    planned = _plan(tmp_path, text)

    names = ["a-old-1", "a-old-2", "a-new-1", "a-new-2", "b-old-1"]
    assert [each.name for each in planned] == names
    assert planned[3].words == (f"{tmp_path}/jdk/bin/java", "-Xint", "-ea", "Main")
    assert (planned[3].jvm, planned[3].invocation) == ("new", 2)


def test_placeholders_are_filled_in(tmp_path: Path) -> None:
    text = """
        [vars]
        lib = "{suite}/lib"
        jar = "{lib}/${NAME}-${VERSION:-1.0}.jar"
        [[benchmark]]
        name = "a"
        command = ["-jar", "{jar}", "-o", "{scratch}/{name}", '{"x": {}}', "{{size}}"]
        directory = "work/{name}"
        env = { HERE = "{suite}" }
    """
    planned = _one(tmp_path, text, NAME="app", VERSION="")

    jar = f"{tmp_path}/lib/app-1.0.jar"
    words = ("java", "-jar", jar, "-o", "{scratch}/a", '{"x": {}}', "{size}")
    assert planned.words == words
    assert planned.directory == str(tmp_path / "work" / "a")
    assert planned.environment == {"HERE": str(tmp_path)}
    assert _one(tmp_path, text, "vars.jar=x.jar").words[2] == "x.jar"


def test_a_program_may_stand_for_the_launcher(tmp_path: Path) -> None:
    planned = _one(tmp_path, f'{_A}program = "./run.sh"\njvm_args = ["-Xint"]\n')

    assert planned.words == ("./run.sh", "Main")
    assert not planned.has_launcher


def test_files_are_found_beside_the_suite_file(tmp_path: Path) -> None:
    (tmp_path / "out-s.txt").write_text("x")
    text = f"""{_A}
        matrix = {{ size = ["s"] }}
        expect = {{ stdout = "out-{{size}}.txt", stdout_sha256 = "{"AB" * 32}", exit = 3 }}
        stdin = "out-{{size}}.txt"
    """
    planned = _one(tmp_path, text)

    assert planned.stdin == str(tmp_path / "out-s.txt")
    assert planned.expect == Expectation(3, tmp_path / "out-s.txt", stdout_sha256="ab" * 32)


def _identity(planned: Planned) -> str:
    return identities([planned])[planned.name]


@pytest.mark.parametrize(
    ("change", "changes_facts"),
    [
        ("jvm_args = ['-Xint']", True),
        ("env = { A = '1' }", True),
        ("directory = 'lib'", True),
        ("record = { recursion = 'fold' }", True),
        ("record = { clock = 'steps' }", True),
        ("inputs = ['lib/*.txt']", True),
        ("java = '/usr/bin/other'", True),
        ("timeout = '1s'", False),
        ("tags = ['x']", False),
        ("description = 'x'", False),
        ("expect = { exit = 1, stdout_matches = 'x' }", False),
    ],
)
def test_identity_is_of_what_can_change_the_facts(
    tmp_path: Path, change: str, changes_facts: bool
) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "data.txt").write_text("1")
    before = _identity(_one(tmp_path, _A))

    after = _identity(_one(tmp_path, f"{_A}{change}\n"))

    assert (before != after) == changes_facts


def test_identity_does_not_depend_on_where_the_suite_lies(tmp_path: Path) -> None:
    found = set()
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "a.jar").write_text("1")
        text = '[[benchmark]]\nname = "a"\ncommand = ["-jar", "{suite}/a.jar"]\n'
        found.add(_identity(_one(folder, text)))

    assert len(found) == 1


_SELECTABLE = """
    [jvm.old]
    java = "java"
    [jvm.new]
    java = "java"
    jvm_args = ["-Xint"]
    [[benchmark]]
    name = "nbody"
    command = ["A"]
    matrix = { size = ["small", "large"] }
    tags = ["numeric"]
    [[benchmark]]
    name = "json"
    command = ["B"]
    tags = ["text"]
"""


@pytest.mark.parametrize(
    ("selections", "names"),
    [
        ([], 6),
        (["json"], ["json-old-1", "json-new-1"]),
        (["js*,jvm:new"], ["json-new-1"]),
        (["tag:text,jvm:old", "size=large,jvm:old"], ["nbody-large-old-1", "json-old-1"]),
        (["nbody-small-old"], ["nbody-small-old-1"]),
        (["nbody-small-old-1"], ["nbody-small-old-1"]),
        (["size=SMALL,tag:num*,jvm:n*"], ["nbody-small-new-1"]),
    ],
)
def test_selections(tmp_path: Path, selections: list[str], names: list[str] | int) -> None:
    found = [each.name for each in select(_plan(tmp_path, _SELECTABLE), selections)]

    assert (len(found) if isinstance(names, int) else found) == names


@pytest.mark.parametrize(
    ("selection", "complaint"),
    [
        ("jsn", 'no such benchmark\ndid you mean "json"'),
        ("tag:txt", 'no such tag\ndid you mean "text"'),
        ("jvm:ol", 'no such jvm\ndid you mean "old"'),
        ("size=smal", 'no such parameter\ndid you mean "size=small"'),
        ("json,size=small", "no benchmark matches all of it"),
    ],
)
def test_a_selection_of_nothing_is_an_error(tmp_path: Path, selection: str, complaint: str) -> None:
    with pytest.raises(SuiteError) as raised:
        select(_plan(tmp_path, _SELECTABLE), [selection])

    assert complaint in str(raised.value)
