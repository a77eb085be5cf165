"""The java launcher's command line, as `java.c` and `args.c` read it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from jvmscope.collector.launch.argfiles import (
    join_environment,
    quote_argument,
    split_environment,
    words_of_file,
)
from jvmscope.collector.launch.javaargs import parse_java_command

if TYPE_CHECKING:
    from pathlib import Path

ADDED = ["-Xadded"]


@pytest.mark.parametrize(
    ("argv", "kind", "main", "arguments"),
    [
        (["p.Main"], "class", "p.Main", []),
        (["-cp", "a b.jar", "p.Main", "-version"], "class", "p.Main", ["-version"]),
        (["-classpath", "a", "--add-modules", "m", "Main"], "class", "Main", []),
        (["--class-path=a", "-p", "mods", "Main", "x"], "class", "Main", ["x"]),
        (["-jar", "app.jar", "-Xmx1g"], "jar", "app.jar", ["-Xmx1g"]),
        (["-jar", "-Xmx1g", "app.jar", "x"], "jar", "app.jar", ["x"]),
        (["-p", "mods", "-m", "m/p.Main", "x"], "module", "m/p.Main", ["x"]),
        (["--module=m/p.Main", "-x"], "module", "m/p.Main", ["-x"]),
        (["--module", "m", "@x"], "module", "m", ["@x"]),
        (["--source", "17", "script", "x"], "source", "script", ["x"]),
        (["--enable-native-access", "ALL-UNNAMED", "Main"], "class", "Main", []),
        (["-showversion", "Main"], "class", "Main", []),
        (["--patch-module", "java.base=x", "Main"], "class", "Main", []),
    ],
)
def test_the_program_is_found(argv: list[str], kind: str, main: str, arguments: list[str]) -> None:
    command = parse_java_command(argv)
    assert (command.kind, command.main, command.arguments) == (kind, main, arguments)


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["-version"],
        ["-Xmx1g", "-version", "Main"],
        ["--version"],
        ["-X"],
        ["-?"],
        ["--list-modules"],
        ["--describe-module", "java.base"],
        ["-d", "java.base"],
        ["--dry-run", "Main"],
        ["-Xshare:dump"],
        ["-cp"],
        ["-cp", "x"],
        ["--full-version"],
    ],
)
def test_without_a_program_nothing_is_added(argv: list[str]) -> None:
    command = parse_java_command(argv)
    assert command.kind == "none"
    assert command.with_options(ADDED) == argv


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["Main", "a"], ["-Xadded", "Main", "a"]),
        (["-cp", "x", "-Xmx1g", "Main"], ["-cp", "x", "-Xmx1g", "-Xadded", "Main"]),
        (["-jar", "a.jar", "x"], ["-Xadded", "-jar", "a.jar", "x"]),
        (["-jar", "-Xmx1g", "a.jar"], ["-jar", "-Xmx1g", "-Xadded", "a.jar"]),
        (["-p", "m", "-m", "m/M", "x"], ["-p", "m", "-Xadded", "-m", "m/M", "x"]),
        (["--module=m/M"], ["-Xadded", "--module=m/M"]),
        (["-javaagent:own.jar", "Main"], ["-javaagent:own.jar", "-Xadded", "Main"]),
    ],
)
def test_options_come_right_before_the_program(argv: list[str], expected: list[str]) -> None:
    assert parse_java_command(argv).with_options(ADDED) == expected


def test_a_source_file_is_a_program_if_it_exists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert parse_java_command(["Main.java"]).kind == "class"
    (tmp_path / "Main.java").touch()
    assert parse_java_command(["Main.java"]).kind == "source"


def test_an_argfile_with_options_only_stays(tmp_path: Path) -> None:
    file = tmp_path / "args"
    file.write_text("-cp 'x y'\n-Xmx1g # comment\n")
    command = parse_java_command([f"@{file}", "Main", "@x"])
    assert command.options == ["-cp=x y", "-Xmx1g"]
    assert command.with_options(ADDED) == [f"@{file}", "-Xadded", "Main", "@x"]


def test_an_argfile_with_the_program_is_opened(tmp_path: Path) -> None:
    file = tmp_path / "args"
    file.write_text('-cp x\n-Da="@@ b"\nMain one\n')
    command = parse_java_command(["-Xmx1g", f"@{file}", "two", "@three"])
    assert (command.main, command.arguments) == ("Main", ["one", "two", "@three"])
    expected = ["-Xmx1g", "-cp", "x", "-Da=@@ b", "-Xadded", "Main", "one", "two", "@three"]
    assert command.with_options(ADDED) == expected


def test_a_word_of_an_argfile_is_no_argfile(tmp_path: Path) -> None:
    file = tmp_path / "args"
    file.write_text("-cp @x Main\n")
    assert parse_java_command([f"@{file}"]).with_options(ADDED) == [
        "-cp",
        "@@x",
        "-Xadded",
        "Main",
    ]


def test_argfiles_can_be_disabled() -> None:
    command = parse_java_command(["--disable-@files", "-cp", "x", "@main"])
    assert (command.kind, command.main) == ("class", "@main")


def test_an_escaped_argfile_stays_escaped() -> None:
    command = parse_java_command(["@@main", "x"])
    assert command.main == "@main"
    assert command.with_options(ADDED) == ["-Xadded", "@@main", "x"]


def test_a_missing_argfile_is_the_launchers_business(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        parse_java_command([f"@{tmp_path}/none", "Main"])


def test_options_can_be_left_out_or_be_others(tmp_path: Path) -> None:
    patch = "--patch-module=java.base=x"
    drop = {patch: None}
    separate = parse_java_command(["-cp", "a", "--patch-module", "java.base=x", "Main"])
    assert separate.options == ["-cp=a", patch]
    assert separate.with_options(ADDED, replaced=drop) == ["-cp", "a", "-Xadded", "Main"]
    joined = parse_java_command([patch, "Main"])
    assert joined.with_options(ADDED, replaced=drop) == ["-Xadded", "Main"]
    file = tmp_path / "args"
    file.write_text("-Xmx1g --patch-module java.base=x\n")
    in_file = parse_java_command([f"@{file}", "Main"])
    assert in_file.with_options(ADDED, replaced=drop) == ["-Xmx1g", "-Xadded", "Main"]
    other = {patch: "-Xother"}
    assert separate.with_options(ADDED, replaced=other) == [
        "-cp",
        "a",
        "-Xother",
        "-Xadded",
        "Main",
    ]
    assert in_file.with_options(ADDED, replaced=other) == ["-Xmx1g", "-Xother", "-Xadded", "Main"]


_FORMS = (["-cp", "x"], ["-cp", "@@x"], ["@{file}"], ["@{file}", "@{file}"], ["-Da=@x", "-Xa"])
_PROGRAMS = (["Main"], ["@@Main", "x"], ["Main", "@x", "@@y", ""], ["@{program}", "@x", "#z"])


@pytest.mark.parametrize("options", _FORMS, ids=str)
@pytest.mark.parametrize("program", _PROGRAMS, ids=str)
def test_in_an_argfile_arguments_mean_what_they_meant(
    tmp_path: Path, options: list[str], program: list[str]
) -> None:
    names = {"file": f"{tmp_path}/options", "program": f"{tmp_path}/program"}
    (tmp_path / "options").write_text('-cp \'a b\' -Dq="\\"" -XX:x=y --add-opens @z')
    (tmp_path / "program").write_text("-Xin Main @a @@b")
    command = parse_java_command([word.format_map(names) for word in (*options, *program)])
    for replaced in ({}, {"-XX:x=y": None, "--add-opens=@z": "-XX:VMOptionsFile=@z"}):
        on_line = parse_java_command(command.with_options(ADDED, replaced=replaced))
        words = command.with_options(ADDED, replaced=replaced, in_argfile=True)
        (tmp_path / "all").write_text("\n".join(map(quote_argument, words)))
        in_file = parse_java_command([f"@{tmp_path}/all"])
        assert in_file.options == on_line.options
        assert (in_file.kind, in_file.main) == (on_line.kind, on_line.main)
        assert in_file.arguments == on_line.arguments


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r'-version -cp "c:\\java libs\\one.jar"', ["-version", "-cp", r"c:\java libs\one.jar"]),
        (
            'com.foo.Panda "Furious 5"\fand\t\'Shi Fu\' "escape\tprison"',
            ["com.foo.Panda", "Furious 5", "and", "Shi Fu", "escape\tprison"],
        ),
        ("line one #comment\n'line #2' #rest\r\n#all\nline 4 #eof", "line|one|line #2|line|4"),
        ('This is an "open quote \n    across line', "This|is|an|open quote |across|line"),
        (r'"two \\ and \n and \" "', ['two \\ and \n and " ']),
        ('"joined \\\n   lines"', ["joined lines"]),
        ("'a'='b\" c'", ['a=b" c']),
        ('-cp "" Main', ["-cp", "", "Main"]),
    ],
)
def test_argfiles_are_cut_as_the_launcher_cuts_them(
    tmp_path: Path, text: str, words: list[str] | str
) -> None:
    file = tmp_path / "args"
    file.write_text(text, newline="")
    assert words_of_file(str(file)) == (words.split("|") if isinstance(words, str) else words)


@pytest.mark.parametrize("word", ["plain", "", "a b", 'q"q', "b\\s", "n\nl", "# no", "tab\t"])
def test_quoted_arguments_are_read_back(tmp_path: Path, word: str) -> None:
    file = tmp_path / "args"
    file.write_text(f"-x {quote_argument(word)} -y")
    assert words_of_file(str(file)) == ["-x", word, "-y"]


def test_environment_options_are_cut_at_blanks() -> None:
    assert split_environment("") == []
    assert split_environment(" -a  '-b c'\n\"\" ") == ["-a", "-b c", ""]
    assert split_environment("a\x0bb c\u00a0d") == ["a", "b", "c\u00a0d"]


def test_environment_options_are_joined_as_they_are_cut() -> None:
    words = ["".join(each) for n in range(4) for each in itertools.product("a \t'\"", repeat=n)]
    assert split_environment(join_environment(words)) == words
    assert all(split_environment(join_environment([word])) == [word] for word in words)
    assert join_environment(["-Xmx1g", "-Da=@b"]) == "-Xmx1g -Da=@b"
