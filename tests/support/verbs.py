"""The verbs of the command line, as it declares them."""

from __future__ import annotations

import click

from jvmscope.cli import program

__all__ = ["verbs"]


def verbs() -> dict[str, click.Command]:
    """Returns the commands that have none below them, by all their words."""
    return _below(program, ())


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
