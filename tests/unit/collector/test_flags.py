"""Which VM options deterministic mode adds, and what a user's own options take the place of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmscope.collector.launch.flags import (
    DETERMINISTIC_FLAGS,
    UserSettings,
    chosen_flags,
    left_alone,
)

if TYPE_CHECKING:
    from pathlib import Path


def chosen(*options: str) -> list[str]:
    return chosen_flags(UserSettings(list(options)), intrinsics="-_min,-_max")


def test_every_flag_has_a_reason_and_is_given_by_default() -> None:
    assert all(flag.reason for flag in DETERMINISTIC_FLAGS)
    assert len(chosen()) == len(DETERMINISTIC_FLAGS)
    assert "-XX:ControlIntrinsic=-_min,-_max" in chosen()


def test_locked_options_come_after_their_key() -> None:
    flags = chosen()
    assert flags.index("-XX:+UnlockDiagnosticVMOptions") < flags.index(
        "-XX:ControlIntrinsic=-_min,-_max"
    )
    assert flags.index("-XX:+UnlockExperimentalVMOptions") < flags.index("-XX:hashCode=3")


@pytest.mark.parametrize(
    ("option", "absent"),
    [
        ("-XX:+UseG1GC", "-XX:+UseSerialGC"),
        ("-XX:ActiveProcessorCount=7", "-XX:ActiveProcessorCount"),
        ("-XX:hashCode=5", "-XX:hashCode"),
        ("-XX:MaxRAMPercentage=50", "-Xm"),
        ("-Xmn10m", "-Xm"),
        ("-mx1g", "-Xmn"),
    ],
)
def test_a_users_choice_stands(option: str, absent: str) -> None:
    assert not [flag for flag in chosen(option) if flag.startswith(absent)]


def test_counts_depend_on_these_whatever_the_user_says() -> None:
    assert "-XX:-EliminateAutoBox" in chosen("-XX:+EliminateAutoBox")


def test_a_users_largest_heap_is_its_first_size_too() -> None:
    assert [flag for flag in chosen("-Xmx300m") if flag.startswith("-Xm")] == ["-Xms300m"]
    assert [flag for flag in chosen("-Xmx1g", "-Xmx2g") if flag.startswith("-Xm")] == ["-Xms2g"]
    assert not [flag for flag in chosen("-Xmx300m", "-Xms5m") if flag.startswith("-Xm")]


@pytest.mark.parametrize("name", ["AdaptiveSizePolicyWith", "MaximumCompactionOn"])
def test_what_calls_of_system_gc_do_is_no_choice_of_a_collector(name: str) -> None:
    for sign in "+-":
        assert "-XX:+UseSerialGC" in chosen(f"-XX:{sign}Use{name}SystemGC")


def test_no_intrinsics_no_option() -> None:
    flags = chosen_flags(UserSettings([]), intrinsics="")
    assert not [flag for flag in flags if "ControlIntrinsic" in flag]


def test_a_required_archive_becomes_optional() -> None:
    for option in ("-Xshare:on", "-XX:+RequireSharedSpaces"):
        assert UserSettings([option]).without_archive(is_own=True) == ["-Xshare:auto"]
    assert UserSettings([]).without_archive(is_own=True) == []


def test_what_a_file_asks_of_the_archive_is_taken_back_or_left_out(tmp_path: Path) -> None:
    file = tmp_path / "options"
    file.write_text("-XX:ArchiveClassesAtExit=a.jsa -XX:AOTMode=on -XX:AOTCache=a -Xmx1g")
    named = f"-XX:VMOptionsFile={file}"
    back = ["-XX:ArchiveClassesAtExit=", "-XX:AOTMode=off"]
    assert UserSettings([named]).without_archive(is_own=False) == back
    assert UserSettings([named]).without_archive(is_own=True) == []
    written = ["-XX:ArchiveClassesAtExit=a.jsa", "-XX:AOTMode=on", "-XX:AOTCache=a"]
    assert UserSettings([named, *written]).archive_options() == [*written, *written]


def test_a_soft_limit_of_the_heap_may_be_larger_than_ours() -> None:
    assert not [flag for flag in chosen("-XX:SoftMaxHeapSize=5g") if flag.startswith("-Xm")]


@pytest.mark.parametrize("option", ["-XX:+AggressiveHeap", "-XX:+UseStringDeduplication"])
def test_what_needs_another_collector_chooses_it(option: str) -> None:
    assert not [flag for flag in chosen(option) if flag.startswith("-XX:+UseSerial")]


def test_the_run_says_what_was_left_alone() -> None:
    found = ["-XX:ControlIntrinsic=-_min"]
    assert left_alone(UserSettings([]), found) == []
    assert len(left_alone(UserSettings(["-Xmx1g", "-XX:+UseZGC"]), found)) == 2


def test_the_run_says_that_intrinsics_were_not_found() -> None:
    assert "intrinsics are unknown" in left_alone(UserSettings([]), ["-Xss4m"])[0]


def test_a_limit_of_modules_lets_the_agent_in() -> None:
    assert UserSettings([]).limit_of_modules() is None
    assert UserSettings(["--limit-modules=java.se,java.instrument"]).limit_of_modules() is None
    limits = ["--limit-modules=java.sql", "--limit-modules=java.base"]
    assert UserSettings(limits).limit_of_modules() == "java.base,java.instrument"


@pytest.mark.parametrize(
    ("option", "first"),
    [("-XX:+AutoCreateSharedArchive", 19), ("-XX:AOTCache=a", 24), ("-XX:AOTCacheOutput=a", 25)],
)
def test_an_option_that_the_jdk_does_not_know_is_left_to_it(option: str, first: int) -> None:
    """GIVEN a VM that refuses an option, THEN the recorded one is given it, and refuses it, too."""
    assert UserSettings([option], first).archive_options() == [option]
    assert UserSettings([option], first - 1).archive_options() == []
    assert UserSettings([option], first - 1).without_archive(is_own=False) == []


def test_options_about_archives_are_named() -> None:
    at_exit = "-XX:ArchiveClassesAtExit=a.jsa"
    assert UserSettings([at_exit, "-Xmx1g"]).archive_options() == [at_exit]
    training = ["-XX:AOTMode=record", "-XX:AOTConfiguration=a"]
    assert UserSettings(training).archive_options() == training
    using = ["-XX:AOTMode=on", "-XX:AOTCache=a"]
    assert UserSettings(["-Xshare:off", *using]).archive_options() == using
    assert left_alone(UserSettings([at_exit]), ["-XX:ControlIntrinsic=-_min"]) == [
        f"{at_exit} was left out: a recorded VM has no class archive"
    ]


def test_patches_are_found_by_module() -> None:
    own = "--patch-module=java.base=x:y"
    settings = UserSettings([own, "--patch-module=java.xml=z"])
    assert settings.patches("java.base") == [own]
    assert settings.patches("java.instrument") == []


def test_options_in_files_stand_where_the_vm_reads_them(tmp_path: Path) -> None:
    (tmp_path / "options").write_text("-Xss2m '-Da=b c'\n-Xshare:on --limit-modules=java.sql")
    (tmp_path / "flags").write_text("ThreadStackSize=512\n")
    named = [f"-XX:VMOptionsFile={tmp_path / 'options'}", f"-XX:Flags={tmp_path / 'flags'}"]
    settings = UserSettings(["-Xss1m", *named, "-Xmx1g"])

    assert settings.settled == [
        *("-XX:ThreadStackSize=512", "-Xss1m", named[0], "-Xss2m", "-Da=b c", "-Xshare:on"),
        *("--limit-modules=java.sql", named[1], "-Xmx1g"),
    ]
    assert settings.limit_of_modules() == "java.sql,java.instrument"
    assert settings.without_archive(is_own=True) == ["-Xshare:auto"]


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("-XX:VMOptionsFile={}", "-XX:+UseG1GC\n  '-Xmx64m'\n"),
        ("-XX:Flags={}", "+UseG1GC\nMaxHeapSize=64m\n"),
    ],
)
def test_options_in_a_file_are_a_users_choice(tmp_path: Path, option: str, text: str) -> None:
    file = tmp_path / "options"
    file.write_text(text)
    settings = UserSettings([option.format(file)])

    assert settings.topics == {"gc", "heap"}
    assert settings.maximum_heap == "64m"
    assert UserSettings([option.format(tmp_path / "none")]).topics == frozenset()
