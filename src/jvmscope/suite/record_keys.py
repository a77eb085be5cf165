"""The keys of ``record = { … }``: options of ``jvmscope record``, checked as there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from jvmscope.commands.record import command
from jvmscope.schema.options import OPTIONS, option

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmscope.suite.keys import Problem

__all__ = ["RECORD_KEYS", "check_record", "record_options", "record_words"]

RECORD_KEYS = tuple(each.key for each in OPTIONS if each.is_for_suites)


def check_record(table: Mapping[str, Any]) -> Iterator[Problem]:
    """Yields what is wrong with the values of known keys."""
    for name, value in table.items():
        if name in RECORD_KEYS:
            try:
                _converted(name, value)
            except click.BadParameter as error:
                yield (name,), error.message


def record_options(table: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the arguments of ``RecordOptions`` for a table without problems.

    >>> record_options({"probes": ["receivers"], "deterministic": False})
    {'probes': ('receivers',), 'is_deterministic': False}
    """
    return {option(name).field: _converted(name, value) for name, value in table.items()}


def record_words(table: Mapping[str, Any]) -> list[str]:
    """Returns the words of a command line for a table without problems.

    >>> record_words({"probes": ["receivers", "order"], "exact_exceptions": True, "include": []})
    ['--probes', 'receivers,order', '--exact-exceptions']
    >>> record_words({"deterministic": False, "method_cache": "4KiB/16"})
    ['--no-deterministic', '--method-cache=4KiB/16']
    """
    words = []
    for name, value in table.items():
        each = option(name)
        word = each.words[-1]
        match each.kind:
            case "flag" | "negative flag":
                words += [word] if value is (each.kind == "flag") else []
            case "globs":
                words += [part for glob in value for part in (word, glob)]
            case "probes":
                words += [word, ",".join(value)] if value else []
            case "cache":
                words.append(f"{word}={value}")
            case _:
                words += [word, value]
    return words


def _converted(name: str, value: Any) -> Any:
    """Returns a value as the command line's option would have it.

    Raises:
        click.BadParameter: the option does not take the value.
    """
    kind = option(name).kind
    if kind in ("flag", "negative flag"):
        if not isinstance(value, bool):
            raise click.BadParameter(f"expected true or false, found {value!r}")
        return value
    type_ = _parameter(name).type
    if kind in ("globs", "probes"):
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise click.BadParameter(f"expected a list of strings, found {value!r}")
        if kind == "probes":
            return type_.convert(",".join(value), None, None) if value else ()
        return tuple(type_.convert(each, None, None) for each in value)
    if not isinstance(value, str):
        raise click.BadParameter(f"expected a string, found {value!r}")
    if kind == "folder":  # relative to the suite file's, which is not known here
        return value
    return type_.convert(value, None, None)


def _parameter(name: str) -> click.Parameter:
    return next(each for each in command.params if each.name == option(name).field)
