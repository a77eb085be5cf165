"""The options that a recorded JVM is given: each with its reason, in one table.

The shim imports this module for every JVM: nothing but `os` at module level.
"""

from __future__ import annotations

from jvmscope.collector.launch.machine import machine_memory

__all__ = [
    "DETERMINISTIC_FLAGS",
    "OPTION_VARIABLES",
    "UNPINNED_BY_VARIABLE",
    "Flag",
    "UserSettings",
    "chosen_flags",
    "environment_words",
    "file_option",
    "left_alone",
    "with_files",
    "without_foreign_options",
    "words_of_file",
]

OPTION_VARIABLES = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
"""Environment variables from which a JVM or its launcher takes options."""

MIB = 1024 * 1024
_HEAP_MIB = 4096
_SMALL_MACHINE_MIB = 6144


class Flag:
    """One VM option of deterministic mode.

    Attributes:
        option: as it is written; `{heap}` and `{intrinsics}` are filled in.
        reason: what differs or is lost without it.
        topic: what a user's own option of the same topic takes its place for; empty
            if the option is given whatever the user says, since counts depend on it.
    """

    __slots__ = ("option", "reason", "topic")

    def __init__(self, option: str, reason: str, topic: str = "") -> None:
        self.option = option
        self.reason = reason
        self.topic = topic


# Every option here exists, with this meaning, in JDK 17 to 25.
DETERMINISTIC_FLAGS = (
    Flag(
        "-XX:+UnlockDiagnosticVMOptions",
        "ControlIntrinsic is a diagnostic option; without it the next one is refused",
    ),
    Flag(
        "-XX:ControlIntrinsic={intrinsics}",
        "the JIT replaces calls of intrinsic methods by machine code that counts nothing, "
        "after a number of calls that depends on timing: 3 million calls of Math.max counted "
        "159,185 in one run and 348,886 in the next",
    ),
    Flag(
        "-XX:-OptimizeStringConcat",
        "C2 removes StringBuilder calls, and their counts with them, once a method is hot",
    ),
    Flag(
        "-XX:-EliminateAutoBox",
        "C2 removes calls of valueOf and of the unboxing methods, and their counts with them",
    ),
    Flag(
        "-XX:-OmitStackTraceInFastThrow",
        "a hot implicit exception is replaced by one without a stack trace, after a number of "
        "throws that depends on timing; its constructor is then not called",
    ),
    Flag(
        "-XX:-DontCompileHugeMethods",
        "instrumented methods exceed the limit of 8,000 bytes and would stay interpreted; "
        "speed only, no count depends on it",
        "hugemethods",
    ),
    Flag(
        "-XX:+UnlockExperimentalVMOptions",
        "hashCode is an experimental option on some releases; without it the next one is refused",
    ),
    Flag(
        "-XX:hashCode=3",
        "identity hash codes are random numbers per thread; a sequence makes the order in "
        "identity-hashed maps, and so the work done in them, repeatable",
        "hashcode",
    ),
    Flag(
        "-XX:+UseSerialGC",
        "a concurrent collector clears references at varying times; the serial one collects "
        "at the same allocation each time",
        "gc",
    ),
    Flag(
        "-Xms{heap_initial}",
        "the default heap is a share of the machine's memory: another machine collects, and "
        "clears soft and weak references, at other moments",
        "heap",
    ),
    Flag("-Xmx{heap}", "like the previous option; programs also read Runtime.maxMemory", "heap"),
    Flag("-Xmn{heap_young}", "like the previous option; the nursery's size sets the pace", "heap"),
    Flag(
        "-XX:ActiveProcessorCount=2",
        "the library and many programs size pools and split work by the number of processors",
        "processors",
    ),
)

_TOPICS = (
    ("gc", ("-XX:+Use", "-XX:-Use"), "GC"),  # but for those about calls of System.gc
    # The first chooses a collector, the second needs one that the serial one is not on JDK 17.
    ("gc", ("-XX:+AggressiveHeap", "-XX:+UseStringDeduplication"), ""),
    ("processors", ("-XX:ActiveProcessorCount=",), ""),
    ("hashcode", ("-XX:hashCode=",), ""),
    ("hugemethods", ("-XX:+DontCompileHugeMethods", "-XX:-DontCompileHugeMethods"), ""),
    (
        "heap",
        (
            "-Xmx",
            "-mx",
            "-Xms",
            "-ms",
            "-Xmn",
            "-XX:MaxHeapSize=",
            "-XX:InitialHeapSize=",
            "-XX:MinHeapSize=",
            "-XX:NewSize=",
            "-XX:MaxNewSize=",
            "-XX:NewRatio=",
            "-XX:OldSize=",
            "-XX:SoftMaxHeapSize=",
            "-XX:MaxRAM",
            "-XX:MinRAM",
            "-XX:InitialRAM",
            "-XX:+AggressiveHeap",
        ),
        "",
    ),
)
UNPINNED_BY_VARIABLE = frozenset(("gc", "heap"))
"""What JAVA_TOOL_OPTIONS may not pin: on a command line that names another collector, or a largest
heap below our initial one, the VM would refuse to start."""

_ARCHIVES = {
    "-XX:ArchiveClassesAtExit=": ("-XX:ArchiveClassesAtExit=", 13),
    "-XX:+RecordDynamicDumpInfo": ("-XX:-RecordDynamicDumpInfo", 17),
    "-XX:+AutoCreateSharedArchive": ("-XX:-AutoCreateSharedArchive", 19),
    "-XX:AOTCache=": ("-XX:AOTMode=off", 24),
    "-XX:AOTCacheOutput=": ("-XX:AOTMode=off", 25),
    "-XX:AOTConfiguration=": ("-XX:AOTMode=off", 24),
    "-XX:AOTMode=": ("-XX:AOTMode=off", 24),
}
"""Beginnings of options that a VM with a patched java.base refuses or ignores, what takes each
back, and the first JDK that knows it: an older one refuses it, recorded or not."""
_NEWEST = 25
_REQUIRED_ARCHIVE = ("-Xshare:on", "-XX:+RequireSharedSpaces")
_INTRINSICS = "-XX:ControlIntrinsic="
_FLAGS_FILE = "-XX:Flags"
_OPTIONS_FILE = "-XX:VMOptionsFile"
_MAXIMUM = ("-Xmx", "-mx", "-XX:MaxHeapSize=")


class UserSettings:
    """What a user's own JVM options settle, wherever they come from.

    Attributes:
        major: the JDK that reads the options; it does not know those of later ones.
        topics: topics of `Flag` that the user decided.
        maximum_heap: value of the last option for the largest heap, as written, or None.
        only_maximum_heap: that option is the only one about the heap.
        options: all the options.
        settled: the same with those of the files that they name, in the order in which they act.
    """

    __slots__ = ("major", "maximum_heap", "only_maximum_heap", "options", "settled", "topics")

    def __init__(self, options: list[str], major: int = _NEWEST) -> None:
        self.major = major
        self.options = options
        self.settled = with_files(options)
        self.topics = frozenset(topic for option in self.settled for topic in _topics_of(option))
        heap = [option for option in self.settled if "heap" in _topics_of(option)]
        maxima = [option for option in heap if option.startswith(_MAXIMUM)]
        self.only_maximum_heap = bool(maxima) and len(maxima) == len(heap)
        self.maximum_heap = _value_of(maxima[-1]) if maxima else None

    def limit_of_modules(self) -> str | None:
        """The value of `--limit-modules` that lets the agent's module in; None if it is in.

        >>> UserSettings(["--limit-modules=java.base,java.sql"]).limit_of_modules()
        'java.base,java.sql,java.instrument'
        """
        limits = [option for option in self.settled if option.startswith("--limit-modules=")]
        names = limits[-1].partition("=")[2].split(",") if limits else ["java.instrument"]
        return None if "java.instrument" in names else ",".join([*names, "java.instrument"])

    def archive_options(self) -> list[str]:
        """The options about a class archive that a VM with a patched java.base refuses.

        It writes none, and of a cache (JDK 24 and later) that it shall use it says on its standard
        output that it cannot.
        """
        known = tuple(name for name, (_, first) in _ARCHIVES.items() if first <= self.major)
        return [option for option in self.settled if option.startswith(known)]

    def required_archive(self) -> list[str]:
        """The options by which the VM does not start without its class archive."""
        return [option for option in self.settled if option in _REQUIRED_ARCHIVE]

    def without_archive(self, *, is_own: bool) -> list[str]:
        """What a recorded VM must be given, after all else, to start without a class archive.

        Where the command is its `own`, options that it refuses are left out of that, of variables
        and of the files of options. Others can only be taken back.

        >>> user = UserSettings(["-Xshare:on", "-XX:ArchiveClassesAtExit=own.jsa"])
        >>> user.without_archive(is_own=True), user.without_archive(is_own=False)
        (['-Xshare:auto'], ['-XX:ArchiveClassesAtExit=', '-Xshare:auto'])
        """
        files = [word for option in self.options for word in words_of_file(option)]
        left_out = frozenset([*self.options, *files]) if is_own else frozenset()
        back = [
            taken_back
            for option in self.archive_options()
            for beginning, (taken_back, _) in _ARCHIVES.items()
            if option not in left_out and option.startswith(beginning)
        ]
        optional = ["-Xshare:auto"] if self.required_archive() else []
        return [*dict.fromkeys(back), *optional]

    def patches(self, module: str) -> list[str]:
        """The user's own `--patch-module` options for `module`."""
        prefix = f"--patch-module={module}="
        return [option for option in self.settled if option.startswith(prefix)]


def chosen_flags(
    settings: UserSettings, *, intrinsics: str, unpinned: frozenset[str] = frozenset()
) -> list[str]:
    """The options of deterministic mode, less those whose topic the user decided or is unpinned.

    >>> chosen = chosen_flags(UserSettings(["-Xmx512m", "-XX:+UseG1GC"]), intrinsics="-_min")
    >>> [flag for flag in chosen if flag.startswith(("-Xm", "-XX:+Use"))]
    ['-Xms512m']
    """
    heap = _heap_mib()
    values = {
        "heap": f"{heap}m",
        "heap_initial": f"{heap // 4}m",
        "heap_young": f"{heap // 16}m",
        "intrinsics": intrinsics,
    }
    chosen = [
        flag.option.format_map(values)
        for flag in DETERMINISTIC_FLAGS
        if flag.topic not in settings.topics | unpinned
        and (intrinsics or "{intrinsics}" not in flag.option)
    ]
    if settings.only_maximum_heap and settings.maximum_heap and "heap" not in unpinned:
        # Else the initial heap would be a share of the machine's memory.
        chosen.append(f"-Xms{settings.maximum_heap}")
    return chosen


def left_alone(settings: UserSettings, added: list[str]) -> list[str]:
    """Sentences for the run: which of our pins the user's own options took the place of.

    Also the options that were left out since a recorded VM refuses them, and what the options that
    were `added` lack.
    """
    texts = {
        "gc": "the garbage collector is the user's choice: when it clears references may vary",
        "heap": "the heap's size is the user's choice",
        "processors": "the number of processors is the user's choice",
        "hashcode": "identity hash codes are the user's choice: they may vary",
    }
    left_out = dict.fromkeys(settings.archive_options())
    sentences = [
        *(text for topic, text in texts.items() if topic in settings.topics),
        *(f"{option} was left out: a recorded VM has no class archive" for option in left_out),
    ]
    if not any(option.startswith(_INTRINSICS) for option in added):
        sentences.append("this VM's intrinsics are unknown: hot calls of intrinsics are missing")
    return sentences


def environment_words(environment: dict[str, str], name: str) -> list[str]:
    """The options in the variable `name`; none if it is not set."""
    value = environment.get(name)
    if not value:
        return []
    from jvmscope.collector.launch.argfiles import split_environment

    return split_environment(value)


def with_files(options: list[str]) -> list[str]:
    """Some options and those of the files that they name, in the order in which the VM sets them.

    Those of ``-XX:VMOptionsFile`` stand where it stands. Flags of ``-XX:Flags`` come before all.
    """
    first = [word for option in options for word in _options_of_file(option, _FLAGS_FILE)]
    others = [
        word for option in options for word in (option, *_options_of_file(option, _OPTIONS_FILE))
    ]
    return [*first, *others]


def words_of_file(option: str) -> list[str]:
    """The options in the file that ``-XX:VMOptionsFile`` names; none if an option is another."""
    return _options_of_file(option, _OPTIONS_FILE)


def file_option(path: str) -> str:
    """The option that has the VM read options from a file."""
    return f"{_OPTIONS_FILE}={path}"


def _options_of_file(option: str, kind: str) -> list[str]:
    """The options in the file that an option of a kind names; none if it names none.

    One that cannot be read the VM refuses, and says so.
    """
    name, _, path = option.partition("=")
    if name != kind:
        return []
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
    except OSError:
        return []
    if kind == _FLAGS_FILE:
        return [f"-XX:{word}" for word in text.split()]
    from jvmscope.collector.launch.argfiles import split_environment

    return split_environment(text)


def _topics_of(option: str) -> list[str]:
    return [
        topic
        for topic, prefixes, suffix in _TOPICS
        if option.startswith(prefixes)
        and option.endswith(suffix)
        and not option.endswith("SystemGC")
    ]


def _value_of(option: str) -> str:
    """The value of an option for the largest heap.

    >>> _value_of("-Xmx1g"), _value_of("-XX:MaxHeapSize=5m")
    ('1g', '5m')
    """
    for prefix in _MAXIMUM:
        if option.startswith(prefix):
            return option[len(prefix) :]
    return ""


def _heap_mib() -> int:
    """The largest heap: 4 GiB, or half of the memory where there is less than 6 GiB of it."""
    memory = machine_memory() // MIB
    if memory >= _SMALL_MACHINE_MIB:
        return _HEAP_MIB
    return max(256, memory // 2 // 256 * 256)


def without_foreign_options(environment: dict[str, str]) -> dict[str, str]:
    """Returns an environment for a JVM that does jvmscope's own work.

    What a user sets for every JVM is meant for the program, and prints a line on stderr.

    >>> without_foreign_options({"PATH": "/bin", "CLASSPATH": "x", "_JAVA_OPTIONS": "-Xmx1g"})
    {'PATH': '/bin'}
    """
    foreign = {*OPTION_VARIABLES, "CLASSPATH"}
    return {name: value for name, value in environment.items() if name not in foreign}
