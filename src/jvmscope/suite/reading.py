"""A suite file, read and checked: every key known, every value of its type."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.errors import did_you_mean
from jvmscope.suite.keys import keys_of
from jvmscope.suite.problems import SuiteText
from jvmscope.suite.record_keys import RECORD_KEYS, check_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from jvmscope.suite.positions import TomlPath

__all__ = ["SuiteFile", "read_suite_file"]

_AS_TEXT = ("vars.", "env.")


@dataclass(frozen=True)
class SuiteFile:
    """A suite file whose keys and types are right.

    Attributes:
        path: where it is.
        name: the suite's name.
        text: the file.
        overrides: what the command line sets, as a text of the same kind.
    """

    path: Path
    name: str
    text: SuiteText
    overrides: SuiteText

    @property
    def benchmarks(self) -> Sequence[Mapping[str, Any]]:
        """The benchmarks' tables as they are written."""
        found: Sequence[Mapping[str, Any]] = self.text.values["benchmark"]
        return found

    def raise_problems(self) -> None:
        """Raises what was noted of the file and of the command line.

        Raises:
            SuiteError: there are problems.
        """
        self.overrides.raise_problems()
        self.text.raise_problems()


def read_suite_file(path: Path, assignments: Iterable[str] = ()) -> SuiteFile:
    """Reads and checks a suite file.

    Args:
        path: the file.
        assignments: KEY=VALUE of the command line; KEY is one of a benchmark, with dots for
            tables in it, or ``vars.NAME``; VALUE is TOML, or else a text.

    Raises:
        SuiteError: it cannot be read, or something in it is wrong: all of that.
    """
    text = SuiteText.read(path)
    overrides = SuiteText("--set", "".join(f"{_assignment(each)}\n" for each in assignments))
    suite = SuiteFile(path, str(text.values.get("name", path.stem)), text, overrides)
    _check_overrides(overrides)
    _check_table(text, (), text.values, "top")
    values = text.values
    if isinstance(values.get("defaults"), dict):
        _check_benchmark(text, ("defaults",), values["defaults"], "defaults")
    if isinstance(values.get("jvm"), dict):
        for name, table in values["jvm"].items():
            _check_inner(text, ("jvm", name), table, "jvm")
    if isinstance(values.get("benchmark"), list):
        for index, table in enumerate(values["benchmark"]):
            if isinstance(table, dict):
                _check_benchmark(text, ("benchmark", index), table, "benchmark")
        _check_names(text, values["benchmark"])
    suite.raise_problems()
    return suite


def _assignment(text: str) -> str:
    """Returns KEY=VALUE as a line of TOML, with VALUE as a string if it is not TOML.

    >>> _assignment("runs=3"), _assignment("timeout=10m"), _assignment("vars.n=3")
    ('runs = 3', 'timeout = "10m"', 'vars.n = "3"')
    """
    key, _, value = text.partition("=")
    key, value = key.strip(), value.strip()
    try:
        is_toml = tomllib.loads(f"x = {value}").keys() == {"x"}
    except (ValueError, RecursionError):
        is_toml = False
    if not is_toml or (key.startswith(_AS_TEXT) and not value.startswith(('"', "'"))):
        value = json.dumps(value)
    return f"{key} = {value}"


def _check_overrides(text: SuiteText) -> None:
    own = keys_of("defaults")
    known = {**own, "matrix": keys_of("benchmark")["matrix"], "vars": keys_of("top")["vars"]}
    for name, value in text.values.items():
        if name not in known:
            text.wrong_key((name,), f'no key "{name}" can be set', _hint(name, known))
            continue
        for inner, message in known[name].check(value):
            text.wrong_value((name, *inner), message)
    _check_inner_tables(text, (), text.values)


def _check_benchmark(text: SuiteText, path: TomlPath, table: Mapping[str, Any], kind: str) -> None:
    _check_table(text, path, table, kind)
    _check_inner_tables(text, path, table)
    _check_left_out(text, path, table)


def _check_inner_tables(text: SuiteText, path: TomlPath, table: Mapping[str, Any]) -> None:
    if isinstance(table.get("expect"), dict):
        _check_inner(text, (*path, "expect"), table["expect"], "expect")
    record = table.get("record")
    if isinstance(record, dict):
        for name in record.keys() - set(RECORD_KEYS):
            hint = _hint(name, RECORD_KEYS)
            text.wrong_key((*path, "record", name), f'record has no key "{name}"', hint)
        for inner, message in check_record(record):
            text.wrong_value((*path, "record", *inner), message)


def _check_inner(text: SuiteText, path: TomlPath, table: Any, kind: str) -> None:
    if not isinstance(table, dict):
        text.wrong_value(path, "expected a table")
        return
    _check_table(text, path, table, kind)


def _check_table(text: SuiteText, path: TomlPath, table: Mapping[str, Any], kind: str) -> None:
    """Notes unknown keys, missing ones and wrong values of one table."""
    known = keys_of(kind)
    where = {"top": "a suite file", "defaults": "[defaults]"}.get(kind, kind)
    for name, value in table.items():
        if name in known:
            for inner, message in known[name].check(value):
                text.wrong_value((*path, name, *inner), f"{name}: {message}")
        elif kind == "defaults" and name in keys_of("benchmark"):
            text.wrong_key((*path, name), f'"{name}" belongs into a [[benchmark]]')
        else:
            message = f'{where} has no key "{name}"'
            text.wrong_key((*path, name), message, _hint(name, known))
    misspelt = [hint for name in table.keys() - known if (hint := did_you_mean(name, known))]
    for name, key in known.items():
        if any(f'"{name}"' in hint for hint in misspelt) or kind == "defaults":
            continue
        if not key.default and name not in table:
            example = "schema = 1" if name == "schema" else name
            text.wrong_key(path, f"{where}: {example} is missing")


def _check_left_out(text: SuiteText, path: TomlPath, table: Mapping[str, Any]) -> None:
    matrix, left_out = table.get("matrix", {}), table.get("leave_out", [])
    if not isinstance(matrix, dict) or not isinstance(left_out, list):
        return
    for index, combination in enumerate(left_out):
        for name, value in combination.items() if isinstance(combination, dict) else ():
            at = (*path, "leave_out", index, name)
            values = matrix.get(name)
            if values is None:
                text.wrong_key(at, f'the matrix has no "{name}"', _hint(name, matrix))
            elif isinstance(values, list) and value not in values:
                hint = did_you_mean(str(value), map(str, values))
                text.wrong_value(at, f"{name} is never {value!r} in the matrix", hint)


def _check_names(text: SuiteText, benchmarks: Sequence[Any]) -> None:
    first: dict[str, int] = {}
    for index, table in enumerate(benchmarks):
        name = table.get("name") if isinstance(table, dict) else None
        if not isinstance(name, str):
            continue
        if name in first:
            line = text.line_of(("benchmark", first[name], "name"))
            message = f'the benchmark "{name}" occurs twice, first in line {line}'
            text.wrong_value(("benchmark", index, "name"), message)
        first.setdefault(name, index)


def _hint(name: str, known: Iterable[str]) -> str:
    names = list(known)
    return did_you_mean(name, names) or f"there are {', '.join(names)}"
