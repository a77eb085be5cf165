"""What tests ask for more than once: a program's recordings and what the oracles saw of it."""

from __future__ import annotations

import atexit
import functools
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from support.small_jdk import brief_jdk

from oracle.oracles import Outcome, Witnessed, hashes_spent, read_witnessed, run_witnessed
from oracle.recording import record
from oracle.runtime_21 import with_21
from oracle.toolchain import (
    Jdk,
    MissingTool,
    Program,
    agent_library,
    alone,
    class_path,
    programs,
)

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "BUILD",
    "CORE",
    "Case",
    "Recording",
    "cases",
    "classes_of",
    "recording_of",
    "witnessed_by",
]

CORE = (
    "Concat",
    "EntryLoops",
    "InitFailures",
    "InitOrder",
    "Lambdas",
    "MidBlock",
    "Monitors",
    "NestedFinally",
    "OldClasses",
    "Records",
    "Recursion",
    "Sealed",
    "SealedSwitch",
    "Switches",
    "Threads",
    "VirtualThreads",
)
"""The programs that are tested on every JDK; the oldest gets all."""

BUILD = Path(__file__).parents[2] / ".build" / "oracle"


@dataclass(frozen=True)
class Case:
    """A program on a JDK; no JDK where the machine has none."""

    program: Program
    jdk: Jdk | None

    @property
    def found_jdk(self) -> Jdk:
        """The JDK; skips the test if there is none, and fails it in CI."""
        if self.jdk is None:
            _missing("no JDK of version 17 or later with a compiler")
        return self.jdk


@dataclass(frozen=True)
class Recording:
    """A run, and how the recorded program ended."""

    run: Path
    outcome: Outcome


def _missing(what: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


def cases(*folders: str, only: tuple[str, ...] = ()) -> list[object]:
    """The programs of the folders, or those named, with each JDK, as test parameters.

    The oldest JDK gets all, the others `CORE`; with `JVMSCOPE_TEST_ALL` set, every JDK gets all
    that it can compile.
    """
    jdks: tuple[Jdk | None, ...] = with_21() or (None,)
    takes_all = bool(os.environ.get("JVMSCOPE_TEST_ALL"))
    return [
        pytest.param(Case(program, jdk), id=f"{program.name}-{jdk.version if jdk else 'no-jdk'}")
        for jdk in jdks
        for folder in folders
        for program in programs(folder)
        if (jdk is None or program.min_version <= jdk.version)
        and (takes_all or program.name in CORE or jdk is jdks[0])
        and (not only or program.name in only)
    ]


@functools.cache
def _folder() -> Path:
    """Where runs and the oracles' output go until the tests end."""
    folder = tempfile.TemporaryDirectory(prefix="jvmscope-test-")
    atexit.register(folder.cleanup)
    return Path(folder.name)


def _new_folder(case: Case, purpose: str) -> Path:
    folder = _folder() / f"{case.program.name}-{case.found_jdk.version}-{purpose}"
    folder.mkdir()
    return folder


def classes_of(case: Case) -> Path:
    """The folder with the program's class files."""
    return class_path(case.found_jdk, BUILD)


def _known_to_all(name: str, find: Callable[[], int]) -> int:
    """A number that one of the processes of a test session finds for all of them."""
    session = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if session is None:
        return find()
    path = BUILD / f"{name}-{session}"
    with alone(path):
        if not path.exists():
            made = path.with_name(f"{path.name}.{os.getpid()}")
            made.write_text(str(find()), encoding="utf-8")
            made.replace(path)
            atexit.register(path.unlink, missing_ok=True)
            atexit.register(path.with_name(f"{path.name}.lock").unlink, missing_ok=True)
        return int(path.read_text(encoding="utf-8"))


@functools.cache
def _next_hash(jdk: Jdk) -> int:
    """The first identity hash code that a recorded program gets.

    Makes the recorder prepare the JDK as well, before anything is compared: it says so on stderr.
    """
    return _known_to_all(f"next-hash-{jdk.version}", lambda: _find_next_hash(jdk))


def _find_next_hash(jdk: Jdk) -> int:
    (program,) = programs("probes")
    case = Case(program, jdk)
    run = _new_folder(case, "prepare") / "a.run"
    return int(record(jdk, classes_of(case), program.main_class, run=run).stdout)


@functools.cache
def recording_of(case: Case, *options: str, is_brief: bool = False) -> Recording:
    """The run that `jvmscope record` with these options makes of the program.

    Where only the application is compared, it can be recorded on a JDK of few modules: options that
    no other test has need a JDK prepared for them.
    """
    _next_hash(case.found_jdk)
    run = _new_folder(case, "_".join(["run", *options, *["brief"] * is_brief])) / "a.run"
    outcome = record(
        brief_jdk(case.found_jdk, BUILD) if is_brief else case.found_jdk,
        classes_of(case),
        case.program.main_class,
        run=run,
        options=options,
    )
    return Recording(run, outcome)


@functools.cache
def _hashes_spent(jdk: Jdk) -> int:
    classes, following = class_path(jdk, BUILD), _next_hash(jdk)
    return _known_to_all(
        f"hashes-spent-{jdk.version}", lambda: hashes_spent(jdk, classes, following, build=BUILD)
    )


@functools.cache
def _run_witnessed(case: Case, *, library: bool) -> tuple[Path, Outcome]:
    folder = _new_folder(case, "oracles-library" if library else "oracles")
    outcome = run_witnessed(
        case.found_jdk,
        classes_of(case),
        case.program.main_class,
        library=library,
        n_hashes=_hashes_spent(case.found_jdk),
        build=BUILD,
        directory=folder,
    )
    return folder, outcome


@functools.lru_cache(maxsize=2)
def witnessed_by(case: Case, *, library: bool = False) -> Witnessed:
    """What the oracles saw; skips the test if they cannot be compiled, and fails it in CI.

    Args:
        case: the program and the JDK.
        library: of the class library too, not only of the application.
    """
    try:
        agent_library(case.found_jdk, "step_oracle", BUILD)
    except MissingTool as error:
        _missing(str(error))
    return read_witnessed(*_run_witnessed(case, library=library))
