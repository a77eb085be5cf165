"""What a benchmark printed is compared with what is expected."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import pytest

from jvmscope.suite import validating
from jvmscope.suite.planning import Expectation
from jvmscope.suite.validating import wrong_exit, wrong_output

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "stdout.txt").write_bytes(b"one\ntwo\n")
    (tmp_path / "stderr.txt").write_bytes(b"a warning\n\n")
    return tmp_path


@pytest.mark.parametrize(
    ("expected", "difference"),
    [
        (b"one\ntwo\n", None),
        (b"one\ntwo", "stdout differs from right.txt in line 2: 'two\\n', expected 'two'"),
        (
            b"one\r\ntwo\n",
            "stdout differs from right.txt in line 1: 'one\\n', expected 'one\\r\\n'",
        ),
        (b"one\n2\n", "stdout differs from right.txt in line 2: 'two', expected '2'"),
        (b"one\n", "stdout differs from right.txt: it continues with line 2, 'two'"),
        (b"one\ntwo\n3\n", "stdout differs from right.txt: it ends before line 3, '3'"),
    ],
)
def test_a_file_is_compared_byte_by_byte(log: Path, expected: bytes, difference: str) -> None:
    file = log / "right.txt"
    file.write_bytes(expected)

    assert wrong_output(Expectation(stdout=file), log) == difference


@pytest.mark.parametrize(
    ("expect", "is_right"),
    [
        ({}, True),
        ({"stdout_matches": "^two$"}, True),
        ({"stdout_matches": "three"}, False),
        ({"stderr_matches": "warning"}, True),
        ({"stderr_matches": "^$^x"}, False),
        ({"stdout_sha256": hashlib.sha256(b"one\ntwo\n").hexdigest()}, True),
        ({"stdout_sha256": "0" * 64}, False),
        ({"stderr_sha256": hashlib.sha256(b"a warning\n\n").hexdigest()}, True),
        ({"stderr_sha256": "0" * 64}, False),
    ],
)
def test_digests_and_patterns(log: Path, expect: dict[str, Any], is_right: bool) -> None:
    assert (wrong_output(Expectation(**expect), log) is None) == is_right


@pytest.mark.parametrize(
    ("pattern", "is_right"),
    [
        ("^line 0$", True),
        ("^line 999$", True),
        ("^line 499\\nline 500$", True),
        ("^line 1000$", False),
        ("ine 77\\nline 79", False),
    ],
)
def test_a_pattern_is_found_in_a_long_output(
    log: Path, monkeypatch: pytest.MonkeyPatch, pattern: str, is_right: bool
) -> None:
    monkeypatch.setattr(validating, "_PART", 100)
    (log / "stdout.txt").write_text("".join(f"line {n}\n" for n in range(1000)))

    assert (wrong_output(Expectation(stdout_matches=pattern), log) is None) == is_right


@pytest.mark.parametrize("last", ["x", "y"])
def test_lines_of_any_length_are_compared_in_pieces(
    log: Path, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    monkeypatch.setattr(validating, "_LONGEST_LINE", 4)
    (log / "stdout.txt").write_text(f"one\n{'a' * 21}{last}\n")
    file = log / "right.txt"
    file.write_text(f"one\n{'a' * 21}x\n")

    found = wrong_output(Expectation(stdout=file), log)

    right = None if last == "x" else "stdout differs from right.txt in line 2: 'ay', expected 'ax'"
    assert found == right


def test_nothing_printed_may_be_what_is_expected(log: Path) -> None:
    (log / "stdout.txt").write_text("")

    assert wrong_output(Expectation(stdout_matches="^$"), log) is None


@pytest.mark.parametrize(
    ("stderr", "words"),
    [
        ("", "exit status 1, expected 0"),
        ("bad\n\n", "exit status 1, expected 0: bad"),
        ("Exception: x\n\tat p.A.m\n\tat p.B.m\n", "exit status 1, expected 0: Exception: x"),
        ("x" * 9000, "exit status 1, expected 0: " + "x" * 179 + "…"),
    ],
)
def test_a_wrong_status_comes_with_the_last_words(log: Path, stderr: str, words: str) -> None:
    (log / "stderr.txt").write_text(stderr)

    assert wrong_exit(Expectation(), 1, log) == words
    assert wrong_exit(Expectation(exit=1), 1, log) is None


def test_a_signal_is_named(log: Path) -> None:
    assert "killed by signal 9" in str(wrong_exit(Expectation(), 137, log))
