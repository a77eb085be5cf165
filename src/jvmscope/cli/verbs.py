"""The verbs: what the help says of each in a line, and where the command is imported from.

A module of ``jvmscope.commands`` is a verb; it is named like the verb (``import_`` for
``import``) and has a click command named ``command`` that returns an exit status.
"""

from __future__ import annotations

import importlib

import click

from jvmscope import commands

__all__ = ["SUMMARIES", "Verbs"]

SUMMARIES = {
    "calibrate": "Measure what calls and objects cost in a JDK on this machine.",
    "check": "Check the installation, a run or a study of overhead, or compare two runs exactly.",
    "compare": "Compare two runs or two suites, and fail a build.",
    "completion": "Print a completion script for bash, zsh or fish.",
    "explain": "Find a rule that tells which objects have an outcome.",
    "export": "Write a run in a format that other programs read.",
    "import": "Make a run from its XML view.",
    "list": "List runs, metrics, tables or library modules.",
    "measure": "Compute the metrics of runs.",
    "query": "Query a run in SQL, XQuery or XPath.",
    "record": "Run COMMAND and write a run of every JVM that it starts.",
    "recover": "Read a recording that was not read when it ended.",
    "report": "Report on runs and suites, side by side.",
    "show": "Explain a table, a metric or a macro.",
    "study": "Study what dynamic probes cost in a program.",
    "suite": "Record the benchmarks of a suite file, or list them.",
    "test": "Run query tests.",
    "watch": "Watch a running Java VM from outside, or start COMMAND and watch its VM.",
}
"""The first sentence of each verb's help: to read them there, all verbs would be imported."""


class Verbs(click.Group):
    """The verbs, each imported when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Returns the names, in the order of the alphabet."""
        return list(SUMMARIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Imports the verb; None: there is none of this name."""
        if cmd_name not in SUMMARIES:
            return None
        suffix = "_" if cmd_name == "import" else ""
        module = importlib.import_module(f"{commands.__name__}.{cmd_name}{suffix}")
        command = module.command
        if not isinstance(command, click.Command):
            raise TypeError(f"{module.__name__}.command is not a click command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the verb that the arguments begin with; one that is missing gets the nearest."""
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            raise click.NoSuchCommand(name, possibilities=self.list_commands(ctx), ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Lists the verbs as click does, from the summaries."""
        limit = formatter.width - 6 - max(map(len, SUMMARIES))  # as click's own list
        rows = [
            (name, click.Command(name, help=summary).get_short_help_str(limit))
            for name, summary in SUMMARIES.items()
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
