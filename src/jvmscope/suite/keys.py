"""The keys of a suite file: which values each may have, its default and its meaning."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from jvmscope.cli.click_options import Duration

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmscope.suite.positions import TomlPath

__all__ = ["BENCHMARK", "EXPECT", "JVM", "TOP", "Key", "Problem", "keys_of", "wrong_glob"]

Problem: TypeAlias = "tuple[TomlPath, str]"
"""The path within a value to what is wrong, and a message."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")


@dataclass(frozen=True)
class Key:
    """One key.

    Attributes:
        name: the key as written in the file.
        check: yields what is wrong with a value.
        default: in words, or as written in the file; "" if the key is required.
        meaning: what it means, for the documentation.
        is_own: only a benchmark can have it, not ``[defaults]``.
        has_placeholders: ``{name}`` and ``${NAME}`` in its strings are replaced.
    """

    name: str
    check: Callable[[Any], Iterator[Problem]]
    default: str
    meaning: str
    is_own: bool = field(default=False, kw_only=True)
    has_placeholders: bool = field(default=False, kw_only=True)


def _found(value: Any) -> str:
    """Returns a value as written in TOML, cut if it is long."""
    if isinstance(value, bool):
        return "true" if value else "false"
    try:
        shown = repr(value)
    except (ValueError, RecursionError):  # of thousands of digits, or of levels
        return "one that is too long to show"
    return shown if len(shown) <= 40 else f"{shown[:39]}…"


def _text(value: Any) -> Iterator[Problem]:
    if not isinstance(value, str):
        yield (), f"expected a string, found {_found(value)}"


def _name(value: Any) -> Iterator[Problem]:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        yield (), f"expected a name of letters, digits and . _ + -, found {_found(value)}"


def _texts(value: Any) -> Iterator[Problem]:
    if not isinstance(value, list):
        yield (), f"expected a list of strings, found {_found(value)}"
        return
    for index, each in enumerate(value):
        if not isinstance(each, str):
            yield (index,), f"expected a string, found {_found(each)}"


def _command(value: Any) -> Iterator[Problem]:
    yield from _texts(value)
    if value == []:
        yield (), "expected a main class or jar, found nothing"


def _names(value: Any) -> Iterator[Problem]:
    yield from _texts(value)
    if value == []:
        yield (), "expected at least one name, found none"


def _count(value: Any) -> Iterator[Problem]:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        yield (), f"expected an integer of at least 1, found {_found(value)}"


def _status(value: Any) -> Iterator[Problem]:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 255:
        yield (), f"expected an exit status from 0 to 255, found {_found(value)}"


def _duration(value: Any) -> Iterator[Problem]:
    try:
        if not isinstance(value, str):
            raise click.BadParameter("")
        Duration().convert(value, None, None)
    except click.BadParameter:
        yield (), f'expected a time span such as "30s" or "10m", found {_found(value)}'


def _sha256(value: Any) -> Iterator[Problem]:
    is_digest = isinstance(value, str) and ("{" in value or _SHA256.fullmatch(value))
    if not is_digest:
        yield (), f"expected the 64 hexadecimal digits of a SHA-256, found {_found(value)}"


def _pattern(value: Any) -> Iterator[Problem]:
    try:
        re.compile(value)
    except re.error as error:
        yield (), f"invalid regular expression: {error}"
    except TypeError:
        yield (), f"expected a regular expression, found {_found(value)}"


def _table_of_texts(value: Any) -> Iterator[Problem]:
    if not isinstance(value, dict):
        yield (), f"expected a table of strings, found {_found(value)}"
        return
    for name, each in value.items():
        if not isinstance(each, str):
            yield (name,), f"expected a string, found {_found(each)}"


def _table(value: Any) -> Iterator[Problem]:
    if not isinstance(value, dict):
        yield (), f"expected a table, found {_found(value)}"


def _named_tables(value: Any) -> Iterator[Problem]:
    yield from _table(value)
    for name in value if isinstance(value, dict) else ():
        for _, message in _name(name):
            yield (name,), message


def _globs(value: Any) -> Iterator[Problem]:
    yield from _texts(value)
    for index, pattern in enumerate(value if isinstance(value, list) else ()):
        if isinstance(pattern, str) and (message := wrong_glob(pattern)) is not None:
            yield (index,), message


def wrong_glob(pattern: str) -> str | None:
    """Returns what is wrong with a pattern of files; None: nothing.

    >>> wrong_glob("src/**/*.java"), wrong_glob("src/**.java")
    (None, "** stands for whole directories, as in src/**/*.java; found 'src/**.java'")
    """
    path = PurePath(pattern)
    if not path.name or "\0" in pattern:
        return f"expected a pattern of files, such as data/*.csv, found {_found(pattern)}"
    if any("**" in part and part != "**" for part in path.parts):
        found = _found(pattern)
        return f"** stands for whole directories, as in src/**/*.java; found {found}"
    return None


def _is_value(value: Any) -> bool:
    is_number = isinstance(value, int | float) and math.isfinite(value)
    return is_number or isinstance(value, str)


def _matrix(value: Any) -> Iterator[Problem]:
    yield from _table(value)
    if not isinstance(value, dict):
        return
    for name, values in value.items():
        if not isinstance(values, list) or not values:
            yield (name,), f"expected a list of values, found {_found(values)}"
            continue
        for index, each in enumerate(values):
            if not _is_value(each):
                yield (name, index), f"expected a string, number or boolean, found {_found(each)}"
            elif each in values[:index]:
                yield (name, index), f"{_found(each)} occurs twice"


def _tables_of_values(value: Any) -> Iterator[Problem]:
    if not isinstance(value, list):
        yield (), f"expected a list of tables, found {_found(value)}"
        return
    for index, table in enumerate(value):
        if not isinstance(table, dict) or not all(map(_is_value, table.values())):
            yield (index,), f"expected a table of values, found {_found(table)}"
        elif not table:
            yield (index,), "expected at least one value, found none, which leaves out all"


def _schema(value: Any) -> Iterator[Problem]:
    if value != 1 or isinstance(value, bool):
        yield (), f"this jvmscope reads suite files of schema 1, found {_found(value)}"


def _tables(value: Any) -> Iterator[Problem]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        yield (), "expected [[benchmark]] tables"
    elif not value:
        yield (), "expected at least one benchmark"


TOP = (
    Key("schema", _schema, "", "the version of the format: 1"),
    Key("name", _name, "name of the file", "name of the suite"),
    Key("description", _text, "none", "description of the suite"),
    Key("vars", _table_of_texts, "none", "values of placeholders", has_placeholders=True),
    Key("defaults", _table, "none", "defaults for the keys of all benchmarks"),
    Key("jvm", _named_tables, "none", "JVMs, as tables `[jvm.NAME]`"),
    Key("benchmark", _tables, "", "benchmarks, as tables `[[benchmark]]`"),
)

JVM = (
    Key(
        "java",
        _text,
        "",
        "launcher: a path, or a name to look up in PATH",
        has_placeholders=True,
    ),
    Key(
        "jvm_args",
        _texts,
        "[]",
        "options to put before those of the benchmark",
        has_placeholders=True,
    ),
)

BENCHMARK = (
    Key("name", _name, "", "unique name, from which the names of runs are derived", is_own=True),
    Key("description", _text, "none", "description of the benchmark", is_own=True),
    Key(
        "command",
        _command,
        "",
        "arguments after the options of the JVM: class path, main class or jar, arguments",
        is_own=True,
        has_placeholders=True,
    ),
    Key("java", _text, '"java"', "launcher, if there are no `jvms`", has_placeholders=True),
    Key("jvms", _names, "all `[jvm.NAME]`", "names of the JVMs to run on; one run on each"),
    Key(
        "jvm_args",
        _texts,
        "[]",
        "options of the JVM; not passed to a `program`",
        has_placeholders=True,
    ),
    Key(
        "program",
        _text,
        "none",
        "script or tool that starts JVMs, to run instead of the launcher; `java` comes first in "
        "its PATH and is its JAVA_HOME",
        has_placeholders=True,
    ),
    Key("directory", _text, '"{suite}"', "working directory", has_placeholders=True),
    Key("env", _table_of_texts, "{}", "variables added to the environment", has_placeholders=True),
    Key("stdin", _text, "empty", "file to use as standard input", has_placeholders=True),
    Key(
        "inputs",
        _globs,
        "[]",
        "patterns of files whose content can change the run; jars and class path entries of the "
        "command are always included",
        has_placeholders=True,
    ),
    Key(
        "matrix", _matrix, "{}", "lists of values by key; one run for each combination", is_own=True
    ),
    Key(
        "leave_out", _tables_of_values, "[]", "combinations of the matrix to leave out", is_own=True
    ),
    Key("runs", _count, "1", "number of recordings"),
    Key("timeout", _duration, "none", "time limit for the recorded program"),
    Key("record", _table, "{}", "options of the recording, see below"),
    Key("expect", _table, "{}", "expected exit status and output, see below"),
    Key("tags", _names, "[]", "words to select the benchmark by"),
)

EXPECT = (
    Key("exit", _status, "0", "exit status"),
    Key(
        "stdout",
        _text,
        "anything",
        "file with the expected standard output, byte by byte",
        has_placeholders=True,
    ),
    Key(
        "stdout_sha256",
        _sha256,
        "anything",
        "digest of the expected standard output",
        has_placeholders=True,
    ),
    Key(
        "stderr_sha256",
        _sha256,
        "anything",
        "the same for standard error",
        has_placeholders=True,
    ),
    Key(
        "stdout_matches",
        _pattern,
        "anything",
        "regular expression that standard output must contain",
    ),
    Key("stderr_matches", _pattern, "anything", "the same for standard error"),
)


def keys_of(table: str) -> dict[str, Key]:
    """Returns the keys of a table by name: top, defaults, benchmark, jvm or expect."""
    if table == "defaults":
        return {key.name: key for key in BENCHMARK if not key.is_own}
    keys = {"top": TOP, "benchmark": BENCHMARK, "jvm": JVM, "expect": EXPECT}[table]
    return {key.name: key for key in keys}
