"""What a suite file asks for: one recording for each benchmark, matrix value, JVM, invocation."""

from __future__ import annotations

import itertools
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmscope.cli.click_options import Duration
from jvmscope.errors import did_you_mean
from jvmscope.suite.filling import Filler, vars_of
from jvmscope.suite.keys import wrong_glob
from jvmscope.suite.record_keys import record_options
from jvmscope.suite.settings import Setting, Settings, settings_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmscope.suite.reading import SuiteFile

__all__ = ["Expectation", "Planned", "plan"]

_LONGEST_NAME = 200
"""What is left of the 255 bytes that a file's name may have."""
_OWN_LAUNCHER = "the key java names another launcher, and program what is to start JVMs itself"
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._+]+")


@dataclass(frozen=True)
class Expectation:
    """What a benchmark has to do; None: anything."""

    exit: int = 0
    stdout: Path | None = None
    stdout_sha256: str | None = None
    stderr_sha256: str | None = None
    stdout_matches: str | None = None
    stderr_matches: str | None = None


@dataclass(frozen=True)
class Planned:
    """One recording to make. ``{scratch}`` in its texts stands for a fresh directory.

    Attributes:
        name: unique; the run is called like it.
        folder: the suite file's.
        java: the launcher; also for a `program`, which finds it in PATH and JAVA_HOME.
        words: the whole command.
        directory: the working directory.
        environment: variables added to the environment.
        options: the arguments of ``RecordOptions`` that the file sets.
        inputs: patterns of files whose content can change the run.
        has_launcher: the first word is `java`, not a `program`.
    """

    name: str
    benchmark: str
    description: str
    parameters: Mapping[str, Any]
    jvm: str | None
    invocation: int
    folder: str
    java: str
    words: tuple[str, ...]
    has_launcher: bool
    directory: str
    environment: Mapping[str, str]
    stdin: str | None
    options: Mapping[str, Any]
    inputs: tuple[str, ...] = ()
    timeout_s: float | None = None
    expect: Expectation = field(default_factory=Expectation)
    tags: tuple[str, ...] = ()


def plan(suite: SuiteFile, environment: Mapping[str, str] = os.environ) -> tuple[Planned, ...]:
    """Returns the recordings that a suite file asks for, in its order.

    Args:
        suite: the file.
        environment: what ``${NAME}`` stands for.

    Raises:
        SuiteError: a placeholder, JVM or file is not there, or two recordings have one name.
    """
    _check_axes(suite)
    filler = Filler(suite, environment)
    names = vars_of(filler)
    planned: dict[str, Planned] = {}
    for index in range(len(suite.benchmarks)):
        settings = settings_of(suite, index)
        at = Setting(suite.text.values, suite.text, ())["benchmark"][index]
        if next(_combinations(suite, at), None) is None:
            message = f"of {at.value['name']} every combination of the matrix is left out"
            suite.text.wrong_value((*at.path, "leave_out"), message)
        for each in _benchmark(suite, settings, at, filler.with_names(names)):
            if each.name in planned:
                message = f"two runs would be called {each.name}"
                suite.text.wrong_value((*at.path, "name"), message)
            if len(each.name) > _LONGEST_NAME:
                message = f"a run would be called {each.name[:60]}…, {len(each.name)} characters"
                hint = f"expected {_LONGEST_NAME} or less: shorten the name or the matrix's values"
                suite.text.wrong_value((*at.path, "name"), message, hint)
            planned[each.name] = each
    suite.raise_problems()
    return tuple(planned.values())


def _benchmark(
    suite: SuiteFile, settings: Settings, at: Setting, filler: Filler
) -> Iterator[Planned]:
    name = str(at.value["name"])
    for parameters in _combinations(suite, at):
        shown = {key: _shown(value) for key, value in parameters.items()}
        inner = filler.with_names({"name": name, **shown})
        for jvm in _jvms(suite, settings):
            parts = [name, *(_slug(value) for value in shown.values())]
            parts += [jvm] if jvm else []
            for invocation in range(1, settings.value("runs", 1) + 1):
                full = "-".join([*parts, str(invocation)])
                case = _Case(full, parameters, jvm, invocation)
                yield _planned(case, settings, inner)


@dataclass(frozen=True)
class _Case:
    """Which of a benchmark's recordings it is."""

    name: str
    parameters: Mapping[str, Any]
    jvm: str | None
    invocation: int


def _planned(case: _Case, settings: Settings, filler: Filler) -> Planned:
    java, jvm_args = _launcher(settings, case.jvm, filler)
    jvm_args += filler.texts(settings.get("jvm_args"))
    program = filler.text(settings.get("program"))
    command = _command(settings.get("command"), filler, has_launcher=program is None)
    words = [program, *command] if program else [java, *jvm_args, *command]
    environment = {k: filler.text(each) or "" for k, each in settings.table("env").items()}
    timeout = settings.value("timeout", None)
    return Planned(
        name=case.name,
        benchmark=str(settings.value("name", "")),
        description=settings.value("description", ""),
        parameters=case.parameters,
        jvm=case.jvm,
        invocation=case.invocation,
        folder=str(filler.folder),
        java=java,
        words=tuple(words),
        has_launcher=program is None,
        directory=filler.path(settings.get("directory")) or str(filler.folder),
        environment=environment,
        stdin=filler.file(settings.get("stdin")),
        options=_options(settings, filler),
        inputs=_inputs(settings.get("inputs"), filler),
        timeout_s=None if timeout is None else Duration().convert(timeout, None, None),
        expect=_expectation(settings.table("expect"), filler),
        tags=tuple(settings.value("tags", ())),
    )


def _command(setting: Setting | None, filler: Filler, *, has_launcher: bool) -> list[str]:
    """Returns a command's words; a launcher among them would be taken for a main class."""
    command = filler.texts(setting)
    if setting is not None and has_launcher and command[:1] and Path(command[0]).name == "java":
        message = 'expected what follows java, such as ["-cp", "classes", "p.Main"]'
        setting.text.wrong_value((*setting.path, 0), f"command: {message}", _OWN_LAUNCHER)
    return command


def _inputs(setting: Setting | None, filler: Filler) -> tuple[str, ...]:
    """Returns the patterns of inputs, which are right also with what stands for placeholders."""
    patterns = tuple(filler.texts(setting))
    for index, pattern in enumerate(patterns):
        message = wrong_glob(pattern)
        if setting is not None and message is not None:
            setting.text.wrong_value((*setting.path, index), f"inputs: {message}")
    return patterns


def _options(settings: Settings, filler: Filler) -> dict[str, Any]:
    """Returns the options of the recording; the folder of a probe is the suite file's."""
    options = record_options(settings.values("record"))
    if "probe" in options:
        options["probe"] = filler.placed(options["probe"])
    return options


def _launcher(settings: Settings, jvm: str | None, filler: Filler) -> tuple[str, list[str]]:
    """Returns the launcher, and the options that belong to it."""
    of_jvm = filler.jvm(jvm)
    java = of_jvm.get("java") or settings.get("java")
    word = filler.text(java) or "java"
    # A bare name is looked for in PATH, as a shell does.
    launcher = filler.placed(word) if "/" in word else word
    return launcher, filler.texts(of_jvm.get("jvm_args"))


def _expectation(expect: Mapping[str, Setting], filler: Filler) -> Expectation:
    values: dict[str, Any] = {}
    for key, setting in expect.items():
        if key == "stdout":
            file = filler.file(setting)
            values[key] = None if file is None else Path(file)
        elif key.endswith("_sha256"):
            values[key] = (filler.text(setting) or "").lower()
        else:
            values[key] = setting.value
    return Expectation(**values)


def _combinations(suite: SuiteFile, at: Setting) -> Iterator[dict[str, Any]]:
    """Yields the combinations of the matrix, the last key's values changing fastest."""
    set_by_user = suite.overrides.values.get("matrix", {})
    matrix = {key: set_by_user.get(key, values) for key, values in _matrix(at).items()}
    for values in itertools.product(*matrix.values()):
        combination = dict(zip(matrix, values, strict=True))
        left_out = at.value.get("leave_out", ())
        if not any(each.items() <= combination.items() for each in left_out):
            yield combination


def _matrix(at: Setting) -> Mapping[str, Any]:
    found: Mapping[str, Any] = at.value.get("matrix", {})
    return found


def _check_axes(suite: SuiteFile) -> None:
    known = {key for table in suite.benchmarks for key in table.get("matrix", {})}
    for key in suite.overrides.values.get("matrix", {}):
        if key not in known:
            message = f'no benchmark has "{key}" in its matrix'
            suite.overrides.wrong_key(("matrix", key), message, did_you_mean(key, known))
    suite.raise_problems()


def _jvms(suite: SuiteFile, settings: Settings) -> list[str | None]:
    """Returns the names of the JVMs to run on; None where the file names none."""
    known = suite.text.values.get("jvm", {})
    chosen = settings.get("jvms")
    if chosen is None:
        return list(known) or [None]
    names: list[str | None] = []
    for index, name in enumerate(chosen.value):
        if name in known:
            names.append(name)
            continue
        hint = did_you_mean(name, known) or f"expected a table [jvm.{name}]"
        chosen.text.wrong_value((*chosen.path, index), f'no JVM "{name}"', hint)
    return names


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _slug(text: str) -> str:
    """Returns a text as a part of a name.

    >>> _slug("a/b c"), _slug("--")
    ('a_b_c', '_')
    """
    return _NOT_IN_NAMES.sub("_", text)
