"""The verbs of the command line, as it declares them."""

from __future__ import annotations

import click

from jvmscope.cli import program

__all__ = ["CONSOLE", "options_of", "verbs"]

CONSOLE = frozenset({"--verbose", "--quiet", "--color", "--progress"})
"""Options of every verb: they say how much is printed, which may be nothing anyway."""


def verbs() -> dict[str, click.Command]:
    """Returns the commands that have none below them, by all their words."""
    return _below(program, ())


def options_of(verb: str) -> list[str]:
    """Returns the options of a verb by their long names, in the order of its help."""
    return [
        max(parameter.opts, key=len)
        for parameter in verbs()[verb].params
        if isinstance(parameter, click.Option)
    ]


def _below(command: click.Command, words: tuple[str, ...]) -> dict[str, click.Command]:
    if not isinstance(command, click.Group):
        return {" ".join(words): command}
    found: dict[str, click.Command] = {}
    with click.Context(command) as context:
        for name in command.list_commands(context):
            member = command.get_command(context, name)
            assert member is not None
            found |= _below(member, (*words, name))
    return found
