"""The options of a recording, its messages, and its result."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmscope.errors import AgentError
from jvmscope.schema.options import OPTIONS, prepared_probes

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from jvmscope.schema.options import RecordingOption

__all__ = ["KEEP_RAW", "Messages", "RecordOptions", "Recorded"]

KEEP_RAW = "JVMSCOPE_KEEP_RAW"
"""Variable that, if set, keeps what the agent wrote in the run, for the work on jvmscope."""


@dataclass(frozen=True)
class RecordOptions:
    """The options of `jvmscope record`, as docs/record.md describes them and `OPTIONS` lists them.

    Attributes:
        output: the run's directory, or the parent of several; None: a new name in `runs`.
        runs: the directory for runs without `output`.
        name: the run's name; None: made of COMMAND, and in `runs` of the time as well.
        max_bytes: limit of the memory for nodes of one JVM.
        timeout_s: COMMAND is ended after this time; None: never.
        injection: `shim`, or `env` for JAVA_TOOL_OPTIONS.
        has_vm_threads: the VM's own threads are kept as well.
        probe: the folder of a probe of the user's own; None: none.
        has_tree: calls are counted; else only native code is.
        native_clock: what measures native code, or `none` to count only.
        method_cache: the blocks of a simulated method cache and the bytes of each; None: none.
        clock: `real`, or `steps` for a logical clock of each thread.
        consumer: a class that looks at the trees while they grow; None: none.
        consumer_path: where the consumer's classes are: directories and jars.
        consumer_every: bytecodes of a thread between two looks at its tree.
    """

    output: Path | None = None
    runs: Path = Path("runs")
    name: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    probes: tuple[str, ...] = ()
    probe: Path | None = None
    recursion: str = "keep"
    max_bytes: int = 4 << 30
    timeout_s: float | None = None
    tags: dict[str, str] = field(default_factory=dict)
    start_at: str | None = None
    has_exact_exceptions: bool = False
    is_deterministic: bool = True
    select: str | None = None
    injection: str = "shim"
    has_vm_threads: bool = False
    has_tree: bool = True
    native_clock: str = "timestamp"
    method_cache: tuple[int, int] | None = None
    clock: str = "real"
    consumer: str | None = None
    consumer_path: tuple[Path, ...] = ()
    consumer_every: int = 10_000_000
    is_forced: bool = False

    def agent_lines(self) -> list[str]:
        """The lines of the agent's options file that are the same for every JVM."""
        lines = []
        for each in OPTIONS:
            value = self._value(each)
            if each.is_for_agent and value not in (None, ()):
                values = value if each.kind == "globs" else [value]
                lines += [f"{each.key}={_agent_text(each, one)}" for one in values]
        return lines

    def check(self) -> None:
        """Refuses what the agent could not read as one line of its options, or not do at once.

        Raises:
            AgentError: a pattern or a method has a line break in it, or is not UTF-8; or options
                do not go together.
        """
        self._check_native()
        self._check_without_tree()
        self._check_start()
        if self.is_forced and self.output is None and self.name is None:
            raise AgentError("--force: needs -o or --name; without them each run gets a new name")
        for each in OPTIONS:
            owner = each.belongs_to
            if owner and not getattr(self, owner) and getattr(self, each.field) != each.default:
                raise AgentError(f"--{each.key.replace('_', '-')}: needs --{owner}")
        for line in self.agent_lines():
            try:
                is_line = line.encode().decode().splitlines() == [line] and "\0" not in line
            except UnicodeEncodeError:
                is_line = False
            if not is_line:
                name, _, value = line.partition("=")
                raise AgentError(f"--{name} {value!r}: expected one line of UTF-8")

    def _check_start(self) -> None:
        """Refuses a method without a class."""
        if self.start_at is None:
            return
        head = self.start_at.replace("/", ".").partition("(")[0]
        class_name, _, name = head.rpartition(".")
        if not class_name or not name:
            raise AgentError(
                f"--from {self.start_at}: expected a class and a method, as app.Main.run or "
                "app.Main.run(I)V"
            )

    @property
    def native_probes(self) -> tuple[str, ...]:
        """The probes that count native code."""
        return tuple(each for each in self.probes if each in ("native", _SPA))

    def _check_native(self) -> None:
        """Refuses what the library for native code does not see or cannot be told."""
        if _SPA in self.probes and self.has_tree:
            raise AgentError(
                f"--probes {_SPA}: needs --no-tree: the VM would also tell it of the recording's "
                "own calls; --probes native counts native code beside calls"
            )
        if not self.native_probes:
            if self.native_clock != _DEFAULTS["native_clock"]:
                raise AgentError(f"--native-clock {self.native_clock}: needs --probes native")
            return
        if self.start_at is not None:
            raise AgentError(
                f"--from {self.start_at}: not together with --probes native, which counts from "
                "the start of the VM; make two recordings"
            )

    def _check_without_tree(self) -> None:
        """Refuses options about calls if these are not counted."""
        if self.has_tree:
            return
        if not self.native_probes:
            raise AgentError("--no-tree: nothing is left to record; add --probes native")
        if len(self.native_probes) > 1:
            raise AgentError(
                f"--probes {','.join(self.probes)}: two ways to count the same: choose one"
            )
        others = ",".join(each for each in self.probes if each not in self.native_probes)
        if others:
            raise AgentError(
                f"--probes {others}: not together with --no-tree, which records native code alone; "
                "make two recordings"
            )
        for each in OPTIONS:
            if (
                each.field not in _WITHOUT_TREE
                and getattr(self, each.field) != _DEFAULTS[each.field]
            ):
                raise AgentError(
                    f"{each.words[-1]}: not together with --no-tree, which records native code "
                    "alone and leaves the VM's options as they are"
                )

    def variant(self) -> str:
        """The options of PrepareJdk: what has to be in the instrumented JDK from the start.

        They are those of the agent; of a consumer only that there is one. Without the tree, a list
        of native methods is all.
        """
        if not self.has_tree:
            return "--natives"
        words = []
        for each in OPTIONS:
            value = getattr(self, each.field)
            if each.kind == "probes":
                value = prepared_probes(value)
            if each.prepares is not None and value != each.default:
                words.append(f"{each.key}={each.prepares.format(_agent_text(each, value))}")
        return " ".join(words)

    def manifest(self) -> dict[str, Any]:
        """The options as the run's manifest has them."""
        return {
            each.manifest: _manifest_value(each, self._value(each))
            for each in OPTIONS
            if each.manifest is not None
        }

    def _value(self, each: RecordingOption) -> Any:
        """Returns an option's value; None where the option that it belongs to was not given."""
        if each.belongs_to is not None and not getattr(self, each.belongs_to):
            return None
        return getattr(self, each.field)


_SPA = "native-spa"
# What a recording without calls heeds.
_WITHOUT_TREE = frozenset(
    {
        *("output", "runs", "name", "tags", "is_forced", "timeout_s", "select", "injection"),
        *("probes", "has_tree", "native_clock", "has_vm_threads"),
    }
)
_DEFAULTS = {each.name: each.default for each in fields(RecordOptions)}


def _agent_text(option: RecordingOption, value: Any) -> str:
    match option.kind:
        case "probes":
            return ",".join(sorted(set(value)))
        case "paths":
            return os.pathsep.join(str(path.absolute()) for path in value)
        case "cache":
            return _shape(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _manifest_value(option: RecordingOption, value: Any) -> Any:
    if option.kind == "cache" and value is not None:
        n_blocks, n_bytes = value
        return {"blocks": n_blocks, "block_bytes": n_bytes}
    if option.kind == "folder" and value is not None:
        return value.resolve().name
    return list(value) if isinstance(value, tuple) else value


def _shape(method_cache: tuple[int, int]) -> str:
    """Returns a method cache as the agent reads it: blocks x bytes of each."""
    return "x".join(map(str, method_cache))


@dataclass(frozen=True)
class Messages:
    """Where a recording's own words go; COMMAND has stdout for itself.

    ``task`` makes a context manager whose value takes (done, total). ``detail`` is for those
    who want to hear more; ``is_quiet`` says that ``say`` is silent, for the shim's own words.
    """

    say: Callable[[str], None]
    warn: Callable[[str], None]
    task: Callable[[str], AbstractContextManager[Callable[[int, int], None]]]
    detail: Callable[[str], None]
    is_quiet: bool = False


@dataclass(frozen=True)
class Recorded:
    """What came of a recording: the exit status to end with, and the runs, in JVM order.

    Attributes:
        exit: COMMAND's own status, 128 + n for a signal n; None if it was not started.
        has_timed_out: COMMAND was ended, since its time was over.
        failure: why a JVM that COMMAND started could not be recorded; None if there is none.
        scopes: where snippets of the user's own probe were to run: patterns of methods.
        unreached: launchers and programs of JVMs that COMMAND started and that were not recorded.
    """

    status: int
    runs: list[Path]
    exit: int | None = None
    has_timed_out: bool = False
    failure: str | None = None
    scopes: tuple[str, ...] = ()
    unreached: tuple[str, ...] = ()
