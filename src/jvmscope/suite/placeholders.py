"""Placeholders in a suite file: ``{name}`` for values of the file, ``${NAME}`` for variables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmscope.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SCRATCH", "BadPlaceholder", "filled"]

SCRATCH = "{scratch}"
"""Stands for a fresh directory, which is known only when the benchmark runs."""

_PLACEHOLDER = re.compile(
    r"\{\{(?P<literal>[A-Za-z_][\w-]*)\}\}"
    r"|\$\{(?P<variable>[A-Za-z_]\w*)(?::-(?P<default>[^{}]*))?\}"
    r"|\{(?P<name>[A-Za-z_][\w-]*)\}"
)


class BadPlaceholder(Exception):
    """A placeholder stands for nothing.

    Args:
        shown: the placeholder as it is written.
        message: what is wrong.
        hint: a suggestion, or None.
    """

    def __init__(self, shown: str, message: str, hint: str | None) -> None:
        super().__init__(message)
        self.shown = shown
        self.message = message
        self.hint = hint


def filled(text: str, names: Mapping[str, str], environment: Mapping[str, str]) -> str:
    """Returns a text with its placeholders replaced.

    Braces around anything but a name stay, so that JSON and regular expressions need no quoting.

    >>> filled("{size}: ${N:-3} {{size}} a{2}", {"size": "small"}, {})
    'small: 3 {size} a{2}'

    Args:
        text: what to replace them in.
        names: what ``{name}`` stands for.
        environment: what ``${NAME}`` stands for.

    Raises:
        BadPlaceholder: a name or a variable without a default is not there.
    """

    def replacement(found: re.Match[str]) -> str:
        if found["literal"]:
            return f"{{{found['literal']}}}"
        if found["variable"]:
            return _variable(found, environment)
        name = found["name"]
        if name in names:
            return names[name]
        hint = did_you_mean(name, names) or f"there are {', '.join(f'{{{n}}}' for n in names)}"
        raise BadPlaceholder(found[0], f'no placeholder "{found[0]}"', hint)

    return _PLACEHOLDER.sub(replacement, text)


def _variable(found: re.Match[str], environment: Mapping[str, str]) -> str:
    name = found["variable"]
    # As in a shell, ":-" also serves where the variable is empty.
    value = environment.get(name)
    if found["default"] is not None:
        return value or found["default"]
    if value is None:
        hint = f"set it, or write ${{{name}:-DEFAULT}}"
        raise BadPlaceholder(found[0], f"the environment variable {name} is not set", hint)
    return value
