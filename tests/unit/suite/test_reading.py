"""What is wrong with a suite file is said with its place and the nearest name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmscope.errors import SuiteError
from jvmscope.suite.planning import plan
from jvmscope.suite.reading import read_suite_file

if TYPE_CHECKING:
    from pathlib import Path

_GOOD = """\
schema = 1
name = "small"
[vars]
jar = "{suite}/a.jar"
[defaults]
runs = 2
record = { probes = ["receivers"] }
[jvm.old]
java = "java"
[[benchmark]]
name = "a"
command = ["-jar", "{jar}", "{size}"]
matrix = { size = ["small", "large"] }
"""


def _complaint(tmp_path: Path, text: str, *assignments: str) -> str:
    path = tmp_path / "suite.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SuiteError) as raised:
        plan(read_suite_file(path, assignments), {"EMPTY": ""})
    return str(raised.value).replace(f"{tmp_path}/", "")


def test_the_example_is_right(tmp_path: Path) -> None:
    path = tmp_path / "suite.toml"
    path.write_text(_GOOD, encoding="utf-8")

    assert len(plan(read_suite_file(path), {})) == 4


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ("schema = 1", "", "suite.toml:1:1: error: a suite file: schema = 1 is missing\n    1 | "),
        ("schema = 1", "schema = 2", "1:10: error: schema: this jvmscope reads suite files of"),
        ("schema = 1", "schema = ", "1:10: error: no TOML: invalid value"),
        ("runs = 2", "runs = 2\nruns = 3", "7:9: error: no TOML: cannot overwrite a value"),
        ('name = "small"', 'name = "a b"', "2:8: error: name: expected a name of letters"),
        ("[vars]", "[varz]", '3:2: error: a suite file has no key "varz"'),
        ("[vars]", "[varz]", 'did you mean "vars"?'),
        ("runs = 2", "rus = 2", '6:1: error: [defaults] has no key "rus"'),
        ("runs = 2", "runs = 0", "6:8: error: runs: expected an integer of at least 1, found 0"),
        (
            "runs = 2",
            "runs = true",
            "6:8: error: runs: expected an integer of at least 1, found tr",
        ),
        ("runs = 2", "timeout = 10", "6:11: error: timeout: expected a time span such as"),
        ("runs = 2", "matrix = {}", '6:1: error: "matrix" belongs into a [[benchmark]]'),
        ("runs = 2", "env = { A = 3 }", "6:13: error: env: expected a string, found 3"),
        ("runs = 2", "tags = []", "6:8: error: tags: expected at least one name, found none"),
        ("runs = 2", 'jvms = ["odl"]', '6:9: error: no JVM "odl"\n    6 | jvms = ["odl"]\n'),
        ("runs = 2", 'jvms = ["odl"]', 'did you mean "old"?'),
        ("runs = 2", 'stdin = "in.txt"', "6:9: error: there is no file "),
        ('["receivers"]', '["reciever"]', "7:21: error: no probe 'reciever'; did you mean \"rece"),
        ("probes =", "probs =", '7:12: error: record has no key "probs"'),
        ("{ probes", '{ recursion = "no", probes', "7:24: error: 'no' is not one of"),
        ("{ probes", "{ deterministic = 1, probes", "7:28: error: expected true or false, found 1"),
        ('java = "java"', "", "8:2: error: jvm: java is missing"),
        ('command = ["-jar", "{jar}", "{size}"]', "", "10:3: error: benchmark: command is missing"),
        ('["-jar", "{jar}", "{size}"]', '["-jar", 3]', "12:20: error: command: expected a string"),
        ('["-jar", "{jar}", "{size}"]', "[]", "12:11: error: command: expected a main class"),
        ("{size}", "{siz}", '12:30: error: no placeholder "{siz}"'),
        ("{size}", "{siz}", 'did you mean "size"?'),
        ("{suite}/a", "${JAR}", "4:8: error: the environment variable JAR is not set"),
        ('["small", "large"]', '"small"', "13:19: error: matrix: expected a list of values"),
        ('"large"]', '"small"]', "13:29: error: matrix: 'small' occurs twice"),
        ('"large"]', "[1]]", "13:29: error: matrix: expected a string, number or boolean"),
        ('"small", "large"', '"a/b", "a b"', "11:8: error: two runs would be called a-a_b-old-1"),
        ('"large"', f'"{"x" * 250}"', "11:8: error: a run would be called a-xxx"),
        ("matrix =", 'leave_out = [{ sise = "small" }]\nmatrix =', "13:16: error: the matrix has"),
        ("matrix =", 'leave_out = [{ size = "smal" }]\nmatrix =', "13:23: error: size is never"),
        ("matrix =", "expect = { exit = 256 }\nmatrix =", "13:19: error: exit: expected an exit"),
        ("matrix =", "expect = { exits = 1 }\nmatrix =", '13:12: error: expect has no key "exits"'),
        ("matrix =", 'expect = { stdout = "x" }\nmatrix =', "13:21: error: there is no file "),
        ("[jvm.old]", '[jvm."a/b"]', "jvm: expected a name of letters, digits and . _ + -, found"),
        ("runs = 2", 'inputs = [""]', "6:11: error: inputs: expected a pattern of files, such as"),
        ("runs = 2", 'inputs = ["/"]', "6:11: error: inputs: expected a pattern of files, such as"),
        ("runs = 2", 'inputs = ["s/**.c"]', "6:11: error: inputs: ** stands for whole directorie"),
        ("runs = 2", 'inputs = ["${EMPTY}"]', "6:11: error: inputs: expected a pattern of files"),
        ('"large"]', "nan]", "13:29: error: matrix: expected a string, number or boolean, found "),
        ("matrix =", "leave_out = [{}]\nmatrix =", "13:14: error: leave_out: expected at least on"),
        (
            "matrix =",
            'leave_out = [{ size = "small" }, { size = "large" }]\nmatrix =',
            "13:13: error: of a every combination of the matrix is left out",
        ),
        ("runs = 2", f"runs = {'9' * 5000}", "suite.toml: a number has too many digits"),
        ("runs = 2", f"timeout = 0x{'f' * 5000}", "timeout: expected a time span such as"),
        ("runs = 2", f"timeout.{'a.' * 3000}a = 1", "timeout: expected a time span such as"),
        ("runs = 2", f"runs = {'[' * 3000}", "suite.toml: lists or tables are nested too deeply"),
        (
            "matrix =",
            'expect = { stdout_sha256 = "12" }\nmatrix =',
            "13:28: error: stdout_sha256: ",
        ),
        (
            "matrix =",
            'expect = { stdout_matches = "(" }\nmatrix =',
            "invalid regular expression: miss",
        ),
    ],
)
def test_what_is_wrong_is_said_where_it_is(
    tmp_path: Path, right: str, wrong: str, complaint: str
) -> None:
    assert right in _GOOD

    assert complaint in _complaint(tmp_path, _GOOD.replace(right, wrong, 1))


def test_all_of_it_is_said_at_once_in_order(tmp_path: Path) -> None:
    text = _GOOD.replace("runs = 2", "runs = 0").replace('"small"\n', '"a b"\n')

    assert _complaint(tmp_path, text).splitlines() == [
        "suite.toml:2:8: error: name: expected a name of letters, digits and . _ + -, found 'a b'",
        '    2 | name = "a b"',
        "      |        ^~~~~",
        "suite.toml:6:8: error: runs: expected an integer of at least 1, found 0",
        "    6 | runs = 0",
        "      |        ^",
    ]


def test_a_name_that_is_there_twice_says_where_it_was_first(tmp_path: Path) -> None:
    text = f'{_GOOD}[[benchmark]]\nname = "a"\ncommand = ["B"]\n'

    complaint = _complaint(tmp_path, text)

    assert '15:8: error: the benchmark "a" occurs twice, first in line 11' in complaint


@pytest.mark.parametrize(
    ("assignment", "complaint"),
    [
        ("rums=3", '--set:1:1: error: no key "rums" can be set'),
        ("runs=none", "--set:1:8: error: expected an integer of at least 1, found 'none'"),
        ("matrix.sise=[1]", 'no benchmark has "sise" in its matrix'),
        ("expect.exits=3", 'expect has no key "exits"'),
        ("name=b", 'no key "name" can be set'),
    ],
)
def test_what_the_command_line_sets_is_checked(
    tmp_path: Path, assignment: str, complaint: str
) -> None:
    assert complaint in _complaint(tmp_path, _GOOD, assignment)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="cannot be read: No such file"):
        read_suite_file(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe4"')
    with pytest.raises(SuiteError, match="not UTF-8"):
        read_suite_file(tmp_path / "latin.toml")
