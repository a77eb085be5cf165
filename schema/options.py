"""The options of a recording, in one table: what each is called everywhere, and what it changes.

The command line of ``jvmscope record``, the options of the recorder and of the agent, the keys of
suite files and of query tests, the manifest, and which runs may be compared follow from it. The
probes are those that tables of ``schema/tables`` name in ``@recorded``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from jvmscope.schema.definitions import tables

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "OPTIONS",
    "Kind",
    "RecordingOption",
    "option",
    "prepared_probes",
    "probes",
    "probes_named",
]

Kind = Literal[
    "path", "paths", "text", "globs", "probes", "cache", "choice", "size", "span", "number",
    "pairs", "flag", "negative flag", "folder",
]  # fmt: skip
"""What a value is; ``negative flag`` is a flag of the command line that makes the value false."""


_NAMED = "--probes "
# Names of several probes at once.
_GROUPS = {
    "objects": ("allocations", "hashcodes", "immutability", "locking", "sharing", "zeroing"),
}
# Probes that insert no code: any prepared JDK serves them.
_UNPREPARED = frozenset({"native", "native-spa"})
# Other ways to record the tables of a probe.
_OTHER_WAYS = ("native-spa",)
_PROBE = re.compile(r"\w+")


@dataclass(frozen=True)
class RecordingOption:
    """One option.

    Attributes:
        key: its name in suite files, query tests, the agent's file and the manifest.
        field: its name in ``RecordOptions``.
        words: what it is called on the command line.
        kind: what its value is.
        help: the help text.
        default: the value of who does not give it.
        metavar: what stands for the value in help.
        choices: the values of a ``choice``.
        given: the value of an option without a value, where it needs none.
        shows_default: help says the default.
        manifest: its key in the manifest, None: it is not there.
        is_for_agent: the agent reads it.
        is_for_suites: suite files and query tests may set it.
        prepares: what a prepared JDK of its own is asked for where it is not the default: ``{}``
            stands for the value as the agent reads it; None: it needs none.
        changes_counts: runs that differ in it are not compared without a note.
        changes_own_table: nor are runs that were both recorded with it, where its values differ.
        belongs_to: the key of the option without which it means nothing, or None.
        is_private: it tells about who recorded, so an untrusted query does not see it.
        before: the value of runs that were recorded before there was the option.
    """

    key: str
    field: str
    words: tuple[str, ...]
    kind: Kind
    help: str
    default: Any = None
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    given: str | None = None
    shows_default: bool = False
    manifest: str | None = None
    is_for_agent: bool = False
    is_for_suites: bool = False
    prepares: str | None = None
    changes_counts: bool = False
    changes_own_table: bool = False
    belongs_to: str | None = None
    is_private: bool = False
    before: Any = None


OPTIONS = (
    RecordingOption(
        "output", "output", ("-o", "--output"), "path",
        "The run to write, or the parent directory of several runs.",
    ),
    RecordingOption(
        "runs", "runs", ("--runs",), "path",
        "Directory for runs without -o; each gets a new name.",
        default="runs", shows_default=True,
    ),
    RecordingOption(
        "name", "name", ("--name",), "text",
        "Name of the run in --runs.  [default: program and time]",
    ),
    RecordingOption(
        "include", "include", ("--include",), "globs",
        "Of the program, count only in these classes, such as p/Main*.",
        default=(), metavar="GLOB",
        manifest="include", is_for_agent=True, is_for_suites=True, changes_counts=True,
    ),
    RecordingOption(
        "exclude", "exclude", ("--exclude",), "globs",
        "Do not count in these classes of the program.",
        default=(), metavar="GLOB",
        manifest="exclude", is_for_agent=True, is_for_suites=True, changes_counts=True,
    ),
    RecordingOption(
        "probes", "probes", ("--probes",), "probes",
        "Record more: probes such as receivers,order.",
        default=(), metavar="NAME,…",
        manifest="probes", is_for_agent=True, is_for_suites=True, prepares="{}",
    ),
    RecordingOption(
        "probe", "probe", ("--probe",), "folder",
        "Record with a probe of your own; see docs/probes.md.",
        metavar="DIR", manifest="probe", is_for_suites=True,
    ),
    RecordingOption(
        "tree", "has_tree", ("--no-tree",), "negative flag",
        "With --probes native or native-spa: count no calls, native code alone.",
        default=True, manifest="tree", is_for_suites=True, before=True,
    ),
    RecordingOption(
        "native_clock", "native_clock", ("--native-clock",), "choice",
        "With probes of native code: what measures time. none: count only.  [default: timestamp]",
        default="timestamp", choices=("timestamp", "thread", "none"),
        manifest="native_clock", is_for_suites=True, before="thread",
    ),
    RecordingOption(
        "method_cache", "method_cache", ("--method-cache",), "cache",
        "Simulate a processor's method cache.  [4KiB/16 if you give no value]",
        metavar="SIZE/BLOCKS", given="4KiB/16",
        manifest="method_cache", is_for_agent=True, is_for_suites=True, prepares="{}",
        changes_own_table=True,
    ),
    RecordingOption(
        "consumer", "consumer", ("--consumer",), "text",
        "Pass the growing trees to a class of yours.",
        metavar="CLASS",
        manifest="consumer", is_for_agent=True, prepares="any", is_private=True,
    ),
    RecordingOption(
        "consumer_path", "consumer_path", ("--consumer-path",), "paths",
        "Directory or jar with the classes of the consumer.",
        default=(), metavar="PATH", is_for_agent=True, belongs_to="consumer",
    ),
    RecordingOption(
        "consumer_every", "consumer_every", ("--consumer-every",), "number",
        "Bytecodes that a thread executes between two calls of the consumer.",
        default=10_000_000, metavar="N", shows_default=True,
        manifest="consumer_every", is_for_agent=True, belongs_to="consumer", is_private=True,
    ),
    RecordingOption(
        "recursion", "recursion", ("--recursion",), "choice",
        "fold: a recursive call counts in its ancestor.  [default: keep]",
        default="keep", choices=("keep", "fold"),
        manifest="recursion", is_for_agent=True, is_for_suites=True, changes_counts=True,
    ),
    RecordingOption(
        "max_memory", "max_bytes", ("--max-memory",), "size",
        "Memory for nodes; when it is full, deeper calls are folded.",
        default="4GiB", metavar="SIZE", shows_default=True,
        manifest="max_memory_bytes", is_for_suites=True,
    ),
    RecordingOption(
        "timeout", "timeout_s", ("--timeout",), "span",
        "End COMMAND after this time.",
        metavar="TIME", manifest="timeout_s",
    ),
    RecordingOption(
        "tag", "tags", ("--tag",), "pairs",
        "Add a tag to the run.",
        default=(), metavar="KEY=VALUE",
    ),
    RecordingOption(
        "from", "start_at", ("--from",), "text",
        "Start counting when p.C.m is first entered.",
        metavar="METHOD",
        manifest="from", is_for_agent=True, is_for_suites=True, changes_counts=True,
    ),
    RecordingOption(
        "clock", "clock", ("--clock",), "choice",
        "steps: the program's time is the bytecodes that a thread executed.  [default: real]",
        default="real", choices=("real", "steps"),
        manifest="clock", is_for_agent=True, is_for_suites=True, prepares="{}",
        changes_counts=True, before="real",
    ),
    RecordingOption(
        "exact_exceptions", "has_exact_exceptions", ("--exact-exceptions",), "flag",
        "Count exactly in blocks that throw.",
        default=False,
        manifest="exact_exceptions", is_for_agent=True, is_for_suites=True,
        prepares="{}", changes_counts=True,
    ),
    RecordingOption(
        "deterministic", "is_deterministic", ("--no-deterministic",), "negative flag",
        "Do not pin the VM's options.",
        default=True,
        manifest="deterministic", is_for_agent=True, is_for_suites=True, changes_counts=True,
    ),
    RecordingOption(
        "vm_threads", "has_vm_threads", ("--vm-threads",), "flag",
        "Also keep the VM's own threads.",
        default=False, manifest="vm_threads", is_for_agent=True, is_for_suites=True,
        changes_counts=True, before=False,
    ),
    RecordingOption(
        "select", "select", ("--select",), "text",
        "Record only JVMs whose main class matches.",
        metavar="PATTERN", manifest="select", is_for_suites=True, is_private=True,
    ),
    RecordingOption(
        "inject", "injection", ("--inject",), "choice",
        "env: reach JVMs through JAVA_TOOL_OPTIONS, not PATH and JAVA_HOME.  [default: shim]",
        default="shim", choices=("shim", "env"), manifest="inject", is_for_suites=True,
    ),
    RecordingOption(
        "force", "is_forced", ("--force",), "flag",
        "Replace an existing run.",
        default=False,
    ),
)  # fmt: skip
"""Every option, in the order of help and of the manifest."""


def option(key: str) -> RecordingOption:
    """Returns the option of a key.

    >>> option("from").words
    ('--from',)
    """
    return next(each for each in OPTIONS if each.key == key)


@cache
def probes() -> tuple[str, ...]:
    """Returns the probes, which ``--probes`` takes: those that a table is recorded with.

    >>> probes()[-2:]
    ('sharing', 'zeroing')
    """
    named = [
        _PROBE.findall(table.recorded.removeprefix(_NAMED))
        for table in tables().values()
        if table.recorded.startswith(_NAMED)
    ]
    words = {name for names in named for name in names if name not in ("or", "and")}
    return tuple(sorted({*words, *_OTHER_WAYS}))


def prepared_probes(names: Iterable[str]) -> tuple[str, ...]:
    """Returns those of some probes for which a JDK has to be prepared, in order.

    >>> prepared_probes(["receivers", "native", "order"])
    ('order', 'receivers')
    """
    return tuple(sorted(set(names) - _UNPREPARED))


def probes_named(name: str) -> tuple[str, ...]:
    """Returns the probes that a name stands for: itself, or those of a group.

    >>> probes_named("objects")[:3]
    ('allocations', 'hashcodes', 'immutability')
    >>> probes_named("order")
    ('order',)
    """
    return _GROUPS.get(name, (name,))
