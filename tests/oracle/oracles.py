"""Runs a program under both oracles, or bare."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle.beforehand import stand_in
from oracle.steps import read_steps
from oracle.toolchain import agent_library
from oracle.trees import read_tree

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.steps import Steps
    from oracle.toolchain import Jdk
    from oracle.trees import Tree

__all__ = [
    "FLAGS",
    "Outcome",
    "Witnessed",
    "clean_environment",
    "hashes_spent",
    "read_witnessed",
    "run_bare",
    "run_witnessed",
]

FLAGS = (
    "-Xint",
    "-Xshare:off",  # a recording has no archive either: it patches java.base
    "-XX:-RewriteFrequentPairs",
    "-XX:+UseSerialGC",
    "-XX:ActiveProcessorCount=2",
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:hashCode=3",
    "-Xss2m",
)


@dataclass(frozen=True)
class Outcome:
    """What a user sees of a program that ended."""

    stdout: bytes
    stderr: bytes
    status: int


@dataclass(frozen=True)
class Witnessed:
    """What the oracles saw, and how the program ended under them."""

    outcome: Outcome
    steps: Steps
    tree: Tree


def clean_environment() -> dict[str, str]:
    """The environment without the variables that add options to a JVM."""
    added = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
    return {name: value for name, value in os.environ.items() if name not in added}


def run_bare(
    command: list[str],
    directory: Path,
    *,
    environment: dict[str, str] | None = None,
    timeout_s: float = 300,
) -> Outcome:
    """Runs a command in a directory, in our environment by default, and waits for its end."""
    done = subprocess.run(
        command,
        cwd=directory,
        env=clean_environment() if environment is None else environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=timeout_s,
        check=False,
    )
    return Outcome(done.stdout, done.stderr, done.returncode)


def hashes_spent(jdk: Jdk, classes: Path, next_recorded: int, *, build: Path) -> int:
    """How many identity hash codes the recorder's start takes from the VM's sequence.

    Args:
        jdk: the JDK.
        classes: where the program `NextHash` is.
        next_recorded: what it prints when it is recorded.
        build: where what is compiled is kept.
    """
    command = [jdk.java, *FLAGS, stand_in(jdk, build, n_hashes=0)]
    command += ["-cp", str(classes), "NextHash"]
    return next_recorded - int(run_bare(command, build).stdout)


def run_witnessed(
    jdk: Jdk,
    classes: Path,
    main_class: str,
    *,
    library: bool,
    n_hashes: int,
    build: Path,
    directory: Path,
) -> Outcome:
    """Runs a program once with both oracles, which write their output into `directory`.

    Args:
        jdk: the JDK to run.
        classes: where the program is.
        main_class: in JVM form.
        library: the class library is witnessed too, not only the application; takes longer.
        n_hashes: see `stand_in`.
        build: where what is compiled is kept.
        directory: where the program runs.
    """
    command = [jdk.java, *FLAGS, stand_in(jdk, build, n_hashes=n_hashes)]
    of_what = "" if library else ",application"
    for oracle in ("step", "tree"):
        agent = agent_library(jdk, f"{oracle}_oracle", build)
        command.append(f"-agentpath:{agent}=out={oracle}.tsv,main={main_class}{of_what}")
    command += ["-cp", str(classes), main_class]
    outcome = run_bare(command, directory)
    if b"oracle: " in outcome.stderr:
        raise RuntimeError(outcome.stderr.decode(errors="replace"))
    return outcome


def read_witnessed(directory: Path, outcome: Outcome) -> Witnessed:
    """What the oracles of a run wrote into `directory`."""
    steps = read_steps(directory / "step.tsv")
    return Witnessed(outcome, steps, read_tree(directory / "tree.tsv"))
