"""``jvmscope-test.toml``: the scope, parameters and recordings of query tests; all of it optional.

    [default]                   # of every test in this folder and below
    scope = "application"

    [variant.hot]               # of NAME@hot.expected.csv
    scope = "subtree:Shapes.main"
    params = { cutoff = 0.5 }
    columns = ["opcode", "n_executions"]
    where = "n_executions > 0"

    [program.Shapes]            # how Shapes.java is recorded
    args = ["3"]
    probes = ["receivers"]

A file holds for its folder and those below; the nearest one wins, key by key.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.suite.record_keys import RECORD_KEYS, check_record, record_words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["SETTINGS_NAME", "ProgramSettings", "Settings", "VariantSettings", "read_settings"]

SETTINGS_NAME = "jvmscope-test.toml"

_Table = dict[str, Any]
_T = TypeVar("_T", "VariantSettings", "ProgramSettings")


@dataclass(frozen=True)
class VariantSettings:
    """What is asked of a run, and which part of the answer counts.

    Attributes:
        scope: the scope, as ``--scope`` has it.
        params: values for the query's parameters.
        columns: the columns to compare, in this order; empty: all.
        where: the rows to compare: a condition of SQL over the answer's columns; "": all.
    """

    scope: str = "run"
    params: Mapping[str, Any] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    where: str = ""


@dataclass(frozen=True)
class ProgramSettings:
    """How a program is recorded: its arguments, and options of ``jvmscope record``.

    Attributes:
        args: the program's arguments.
        jvm_args: the JVM's.
        exit: the status that the program has to end with.
        record: the options of the recording, as in the ``record`` of a suite file.
    """

    args: tuple[str, ...] = ()
    jvm_args: tuple[str, ...] = ()
    exit: int = 0
    record: Mapping[str, Any] = field(default_factory=dict)

    def options(self) -> list[str]:
        """Returns the options of ``jvmscope record``."""
        return record_words(self.record)


@dataclass(frozen=True)
class Settings:
    """What the settings files of a folder and of those above it say, nearest first."""

    files: tuple[tuple[str, Mapping[str, Any]], ...] = ()

    def variant(self, name: str) -> VariantSettings:
        """Returns the settings of a variant, "" for none.

        Raises:
            QueryError: no file has the variant.
        """
        if name and not any(name in _tables(file, "variant") for _, file in self.files):
            known = {other for _, file in self.files for other in _tables(file, "variant")}
            hint = did_you_mean(name, known) or f"expected [variant.{name}] in {SETTINGS_NAME}"
            raise QueryError(f"there is no variant {name!r}", path=self._path, hint=hint)
        merged: _Table = {}
        for _, file in reversed(self.files):
            merged |= file.get("default", {})
        for _, file in reversed(self.files):
            merged |= _tables(file, "variant").get(name, {})
        return _made(VariantSettings, merged)

    def program(self, name: str) -> ProgramSettings:
        """Returns how a program is recorded."""
        merged: _Table = {}
        for _, file in reversed(self.files):
            merged |= _tables(file, "program").get(name, {})
        record = {key: merged.pop(key) for key in RECORD_KEYS if key in merged}
        return _made(ProgramSettings, {**merged, "record": record})

    @property
    def _path(self) -> str:
        return self.files[0][0] if self.files else SETTINGS_NAME


def read_settings(folder: Path) -> Settings:
    """Returns the settings that hold in a folder.

    Raises:
        QueryError: a file is not TOML, or has a key or a value that has no place there.
    """
    found = []
    for place in (folder.absolute(), *folder.absolute().parents):
        path = place / SETTINGS_NAME
        if path.is_file():
            found.append((str(path), _read(path)))
    return Settings(tuple(found))


def _read(path: Path) -> _Table:
    try:
        file = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise QueryError(f"cannot be read: {error}", path=str(path)) from None
    _check_keys(file, ("default", "variant", "program"), "", path)
    _check_table(file.get("default", {}), VariantSettings(), "[default]", path)
    for kind, defaults in (("variant", VariantSettings()), ("program", ProgramSettings())):
        tables = file.get(kind, {})
        if not isinstance(tables, dict):
            raise QueryError(f"{kind}: expected tables [{kind}.NAME]", path=str(path))
        for name, table in tables.items():
            _check_table(table, defaults, f"[{kind}.{name}]", path)
            if "probe" in table:
                table["probe"] = str(path.parent / table["probe"])
    return file


def _check_table(
    table: Any, settings: VariantSettings | ProgramSettings, where: str, path: Path
) -> None:
    if not isinstance(table, dict):
        raise QueryError(f"{where}: expected a table", path=str(path))
    defaults = {each.name: getattr(settings, each.name) for each in fields(settings)}
    of_record = RECORD_KEYS if isinstance(settings, ProgramSettings) else ()
    defaults.pop("record", None)
    _check_keys(table, [*defaults, *of_record], f"{where} ", path)
    record = {key: value for key, value in table.items() if key in of_record}
    for (key,), message in check_record(record):
        raise QueryError(f"{where} {key}: {message}", path=str(path))
    for key, value in table.items():
        if key in of_record:
            continue
        expected = type(defaults[key])
        is_list = expected is tuple
        is_right = isinstance(value, list if is_list else expected)
        if is_list and is_right:
            is_right = all(isinstance(word, str) for word in value)
        if not is_right:
            name = "list of strings" if is_list else expected.__name__
            raise QueryError(f"{where} {key}: expected {name}, found {value!r}", path=str(path))


def _check_keys(table: Mapping[str, Any], known: Any, where: str, path: Path) -> None:
    for key in table:
        if key not in known:
            hint = did_you_mean(key, list(known)) or f"keys: {', '.join(known)}"
            raise QueryError(f"{where}unknown key {key!r}", path=str(path), hint=hint)


def _tables(file: Mapping[str, Any], kind: str) -> Mapping[str, _Table]:
    tables: Mapping[str, _Table] = file.get(kind, {})
    return tables


def _made(type_: type[_T], table: _Table) -> _T:
    values: _Table = {k: tuple(v) if isinstance(v, list) else v for k, v in table.items()}
    return type_(**values)
