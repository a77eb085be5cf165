"""The keys of ``record = { … }``: options of ``jvmscope record``, checked as there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from jvmscope.commands.record import command

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmscope.suite.keys import Problem

__all__ = ["RECORD_KEYS", "check_record", "record_options"]

RECORD_KEYS = (
    "probes",
    "include",
    "exclude",
    "recursion",
    "max_memory",
    "from",
    "exact_exceptions",
    "clock",
    "deterministic",
    "vm_threads",
    "method_cache",
    "select",
    "inject",
)
_INVERTED = {"deterministic": "no-deterministic"}
_NAMED_OTHERWISE = {
    "exact_exceptions": "has_exact_exceptions",
    "no_deterministic": "is_deterministic",
}
_OF_COMMAS = ("probes",)


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
    found = {}
    for name, value in table.items():
        argument = str(_option(name).name)
        found[_NAMED_OTHERWISE.get(argument, argument)] = _converted(name, value)
    return found


def _option(name: str) -> click.Option:
    word = "--" + _INVERTED.get(name, name).replace("_", "-")
    return next(
        each for each in command.params if isinstance(each, click.Option) and word in each.opts
    )


def _converted(name: str, value: Any) -> Any:
    """Returns a value as the option's type has it.

    Raises:
        click.BadParameter: it is invalid.
    """
    option = _option(name)
    if option.is_flag and name != "method_cache":
        if not isinstance(value, bool):
            raise click.BadParameter(f"expected true or false, found {value!r}")
        return value
    if option.multiple or name in _OF_COMMAS:
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise click.BadParameter(f"expected a list of strings, found {value!r}")
        if name in _OF_COMMAS:
            return option.type.convert(",".join(value), None, None) if value else ()
        return tuple(option.type.convert(each, None, None) for each in value)
    if not isinstance(value, str):
        raise click.BadParameter(f"expected a string, found {value!r}")
    return option.type.convert(value, None, None)
