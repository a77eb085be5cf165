"""``jvmscope completion``: the script by which a shell completes commands and options."""

from __future__ import annotations

import click

from jvmscope.output.standard_streams import echo

__all__ = ["command"]


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(*, shell: str) -> int:
    """Print a completion script for bash, zsh or fish.

    It completes verbs, options, metrics, scopes and files. Write the script to a file where your
    shell looks for completions. In zsh, run compinit afterwards.

    \b
    jvmscope completion bash > ~/.local/share/bash-completion/completions/jvmscope
    jvmscope completion zsh > ~/.zfunc/_jvmscope        # .zshrc: fpath+=~/.zfunc
    jvmscope completion fish > ~/.config/fish/completions/jvmscope.fish
    """
    from jvmscope.cli import DONE, program
    from jvmscope.cli.completing import script

    echo(script(program, shell))
    return DONE
