"""Completion: what each shell is offered, asked as the shell asks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jvmscope import cli
from jvmscope.cli.completing import VARIABLE
from jvmscope.metrics import catalogue
from jvmscope.queries import SCOPE_KINDS, library_entries
from jvmscope.reports.changes.objection_kinds import KINDS
from jvmscope.schema import tables

_BIN = Path(sys.executable).parent
_OFFERED = {
    "jvmscope m": ["measure"],
    "jvmscope list ": ["metrics", "modules", "runs", "tables"],
    "jvmscope compare --allow ": list(KINDS),
    "jvmscope measure x.run -m polymorphism.targets": ["polymorphism.targets"],
    "jvmscope measure x.run --scope app": ["application", "application+"],
    "jvmscope show call_s": ["call_site"],
    "jvmscope completion ": ["bash", "zsh", "fish"],
    "jvmscope record --probes rec": ["receivers"],
    "jvmscope record --probes receivers,sh": ["receivers,sharing"],
    "jvmscope report x.run ht": ["html"],
}
"""What is offered for a line."""

_ASK = {
    "bash": """
source <(jvmscope completion bash)
compopt() { :; }
read -ra COMP_WORDS <<< "$LINE"
[[ $LINE == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_jvmscope_completion jvmscope
printf '%s\\n' "${COMPREPLY[@]}"
""",
    "zsh": """
compdef() { :; }
compadd() { for name in "${(@P)argv[-1]}"; do print -r -- $name; done }
_describe() { for name in "${(@P)3}"; do print -r -- ${name%%:*}; done }
_path_files() { print -r -- FILES }
source <(jvmscope completion zsh)
words=("${(@s: :)LINE}")
CURRENT=${#words}
_jvmscope_completion
""",
    "fish": """
jvmscope completion fish | source
complete -C "$LINE" | string replace -r '\\t.*' ''
""",
}
"""How a shell is told the script, and asked what it offers for ``$LINE``."""


def _asked(shell: str, line: str, directory: Path) -> list[str]:
    """Returns what a shell offers for a line."""
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell}")
    options = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    environment = {**os.environ, "LINE": line, "PATH": f"{_BIN}:{os.environ['PATH']}"}
    environment["HOME"] = str(directory)
    asked = subprocess.run(
        [program, *options, "-c", _ASK[shell]],
        env=environment,
        cwd=directory,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert asked.stderr == ""
    return asked.stdout.split()


@pytest.mark.parametrize("shell", _ASK)
@pytest.mark.parametrize("line", _OFFERED)
def test_a_shell_offers_what_may_follow(shell: str, line: str, tmp_path: Path) -> None:
    assert sorted(_asked(shell, line, tmp_path)) == sorted(_OFFERED[line])


@pytest.mark.parametrize("line", ["jvmscope measure ap", "jvmscope record -- ap"])
def test_fish_completes_files(line: str, tmp_path: Path) -> None:
    (tmp_path / "app.run").mkdir()

    assert "app.run/" in _asked("fish", line, tmp_path)


@pytest.mark.parametrize("shell", _ASK)
def test_files_are_left_to_the_shell(
    shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in ("jvmscope measure ap", "jvmscope record -- ap"):
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", "ap" if shell == "fish" else str(line.count(" ")))
        monkeypatch.setenv(VARIABLE, f"{shell}_complete")
        with pytest.raises(SystemExit):
            cli.main()
        assert capsys.readouterr().out.split()[0].startswith("file")


def test_every_name_is_offered() -> None:
    from jvmscope.cli.completing import definitions, metrics, scopes

    def asked(function: object) -> set[str]:
        return set(function(None, None, ""))  # type: ignore[operator]

    assert asked(metrics) == set(catalogue())
    macros = {name for name in library_entries() if ":" not in name}
    assert asked(definitions) == {*tables(), *catalogue(), *macros}
    assert {name.rstrip(":") for name in asked(scopes)} == set(SCOPE_KINDS)


def test_a_shell_that_is_not_known_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["completion", "tcsh"]) == cli.WRONG
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in capsys.readouterr().err
