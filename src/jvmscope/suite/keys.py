"""The keys of a suite file: what each may be, what it is where nothing is said, what it means."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from jvmscope.options import Duration

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmscope.suite.positions import TomlPath

__all__ = ["BENCHMARK", "EXPECT", "JVM", "TOP", "Key", "Problem", "keys_of"]

Problem: TypeAlias = "tuple[TomlPath, str]"
"""Where in a value something is wrong, from the value on, and what."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")


@dataclass(frozen=True)
class Key:
    """One key.

    Attributes:
        name: as the file has it.
        check: yields what is wrong with a value of it.
        default: in words, or as the file would have it; "" where the key has to be there.
        meaning: what it is, for the documentation.
        is_own: a benchmark's alone, so that ``[defaults]`` cannot have it.
        has_placeholders: ``{name}`` and ``${NAME}`` in its texts are replaced.
    """

    name: str
    check: Callable[[Any], Iterator[Problem]]
    default: str
    meaning: str
    is_own: bool = field(default=False, kw_only=True)
    has_placeholders: bool = field(default=False, kw_only=True)


def _found(value: Any) -> str:
    """Returns a value as TOML would have it, cut where it is long."""
    shown = {True: "true", False: "false"}.get(value) if isinstance(value, bool) else repr(value)
    shown = shown or repr(value)
    return shown if len(shown) <= 40 else f"{shown[:39]}…"


def _text(value: Any) -> Iterator[Problem]:
    if not isinstance(value, str):
        yield (), f"expected a text, found {_found(value)}"


def _name(value: Any) -> Iterator[Problem]:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        yield (), f"expected a name of letters, digits and . _ + -, found {_found(value)}"


def _texts(value: Any) -> Iterator[Problem]:
    if not isinstance(value, list):
        yield (), f"expected a list of texts, found {_found(value)}"
        return
    for index, each in enumerate(value):
        if not isinstance(each, str):
            yield (index,), f"expected a text, found {_found(each)}"


def _command(value: Any) -> Iterator[Problem]:
    yield from _texts(value)
    if value == []:
        yield (), "expected a main class or a jar, found nothing"


def _names(value: Any) -> Iterator[Problem]:
    yield from _texts(value)
    if value == []:
        yield (), "expected one name or more, found none"


def _count(value: Any) -> Iterator[Problem]:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        yield (), f"expected a whole number from 1 on, found {_found(value)}"


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
        yield (), f"no regular expression: {error}"
    except TypeError:
        yield (), f"expected a regular expression, found {_found(value)}"


def _table_of_texts(value: Any) -> Iterator[Problem]:
    if not isinstance(value, dict):
        yield (), f"expected a table of texts, found {_found(value)}"
        return
    for name, each in value.items():
        if not isinstance(each, str):
            yield (name,), f"expected a text, found {_found(each)}"


def _table(value: Any) -> Iterator[Problem]:
    if not isinstance(value, dict):
        yield (), f"expected a table, found {_found(value)}"


def _is_value(value: Any) -> bool:
    return isinstance(value, str | int | float | bool)


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
                yield (name, index), f"expected a text, number or boolean, found {_found(each)}"
            elif each in values[:index]:
                yield (name, index), f"{_found(each)} is there twice"


def _tables_of_values(value: Any) -> Iterator[Problem]:
    if not isinstance(value, list):
        yield (), f"expected a list of tables, found {_found(value)}"
        return
    for index, table in enumerate(value):
        if not isinstance(table, dict) or not all(map(_is_value, table.values())):
            yield (index,), f"expected a table of values, found {_found(table)}"


def _schema(value: Any) -> Iterator[Problem]:
    if value != 1 or isinstance(value, bool):
        yield (), f"this jvmscope reads suite files of schema 1, found {_found(value)}"


def _tables(value: Any) -> Iterator[Problem]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        yield (), "expected [[benchmark]] tables"
    elif not value:
        yield (), "expected one benchmark or more"


TOP = (
    Key("schema", _schema, "", "the version of this format: 1"),
    Key("name", _name, "the file's name", "the suite's name"),
    Key("description", _text, "none", "what the suite is"),
    Key(
        "vars", _table_of_texts, "none", "texts that placeholders stand for", has_placeholders=True
    ),
    Key("defaults", _table, "none", "keys that every benchmark has unless it says otherwise"),
    Key("jvm", _table, "none", "JVMs by name, as tables `[jvm.NAME]`"),
    Key("benchmark", _tables, "", "the benchmarks, as tables `[[benchmark]]`"),
)

JVM = (
    Key(
        "java",
        _text,
        "",
        "the launcher: a path, or a name to look for in PATH",
        has_placeholders=True,
    ),
    Key(
        "jvm_args", _texts, "[]", "options that come before the benchmark's", has_placeholders=True
    ),
)

BENCHMARK = (
    Key("name", _name, "", "unique in the suite; runs are called like it", is_own=True),
    Key("description", _text, "none", "what it does", is_own=True),
    Key(
        "command",
        _command,
        "",
        "what comes after the options of the JVM: class path, main class or jar, arguments",
        is_own=True,
        has_placeholders=True,
    ),
    Key("java", _text, '"java"', "the launcher, where `jvms` names none", has_placeholders=True),
    Key("jvms", _names, "all `[jvm.NAME]`", "the JVMs to run on, by name: a run on each"),
    Key(
        "jvm_args",
        _texts,
        "[]",
        "options of the JVM; a `program` is not told them",
        has_placeholders=True,
    ),
    Key(
        "program",
        _text,
        "none",
        "run this instead of a launcher: a script or tool that starts JVMs; `java` is put first "
        "in its PATH and JAVA_HOME",
        has_placeholders=True,
    ),
    Key("directory", _text, '"{suite}"', "the working directory", has_placeholders=True),
    Key("env", _table_of_texts, "{}", "variables added to the environment", has_placeholders=True),
    Key("stdin", _text, "nothing", "the file that is its standard input", has_placeholders=True),
    Key(
        "inputs",
        _texts,
        "[]",
        "patterns of files whose content can change the run; jars and class path entries of "
        "the command belong to them anyway",
        has_placeholders=True,
    ),
    Key("matrix", _matrix, "{}", "lists of values by key: a run for each combination", is_own=True),
    Key(
        "leave_out", _tables_of_values, "[]", "combinations of the matrix to leave out", is_own=True
    ),
    Key("runs", _count, "1", "how many times each is recorded"),
    Key("timeout", _duration, "none", "how long the program may take, recorded"),
    Key("record", _table, "{}", "options of the recording, below"),
    Key("expect", _table, "{}", "how it has to end and what it has to print, below"),
    Key("tags", _names, "[]", "words to select it by"),
)

EXPECT = (
    Key("exit", _status, "0", "its exit status"),
    Key(
        "stdout",
        _text,
        "anything",
        "a file with what it prints, byte by byte",
        has_placeholders=True,
    ),
    Key(
        "stdout_sha256", _sha256, "anything", "the digest of what it prints", has_placeholders=True
    ),
    Key(
        "stderr_sha256",
        _sha256,
        "anything",
        "the same for the standard error",
        has_placeholders=True,
    ),
    Key("stdout_matches", _pattern, "anything", "a regular expression, found in what it prints"),
    Key("stderr_matches", _pattern, "anything", "the same for the standard error"),
)


def keys_of(table: str) -> dict[str, Key]:
    """Returns the keys of a table by name: top, defaults, benchmark, jvm or expect."""
    if table == "defaults":
        return {key.name: key for key in BENCHMARK if not key.is_own}
    keys = {"top": TOP, "benchmark": BENCHMARK, "jvm": JVM, "expect": EXPECT}[table]
    return {key.name: key for key in keys}
