"""What runs in place of `java`: adds the recording's options and becomes the real `java`.

The file `bin/java` of a fake home loads this module with an interpreter of its own (isolated,
without site-packages), calls `main`, and `main` ends in `execve`: process id, signals, standard
streams and exit status are the real launcher's. Every JVM pays for this module's imports:
nothing but `os` and `sys` at module level, a dozen milliseconds in all.
"""

from __future__ import annotations

import os
import sys

from jvmscope.collector.launch import argfiles, cache, flags, javaargs, metaspace, stacks
from jvmscope.collector.launch.jdk import Jdk, JdkError, unsuitable
from jvmscope.collector.launch.machine import has_room, process_start_ticks
from jvmscope.collector.launch.session import Settings, read_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "FAILED",
    "agent_lines",
    "event_options",
    "is_selected",
    "main",
    "native_option",
    "options_without_tree",
]

FAILED = 125
_LONGEST_ARGUMENT = 100_000
_LONGEST_COMMAND = 1_000_000
_PATCHED = ("java.base", "java.instrument")


def main(session: str, home: str, tool: str, argv: list[str]) -> None:
    """Becomes the real `tool` of the JDK behind the fake home `home`; returns only on failure."""
    environment = _initial_environment()
    try:
        settings = read_settings(session)
        jdk = settings.homes[home]
        launch = _Launch(session, settings, jdk, command=[tool, *argv], environment=environment)
        arguments = launch.arguments()
    except (OSError, JdkError) as error:
        _fail(session, str(error))
        return
    _restore_signals()
    path = os.path.join(jdk.home, "bin", tool)
    name = _spelled(settings, home, tool)
    reason = _become(path, [name, *arguments], launch.environment)
    if launch.in_argfile is not None:  # with the environment, they may be too long
        reason = _become(path, [name, *launch.in_argfile()], launch.environment)
    _fail(session, reason)


def _become(path: str, words: list[str], environment: dict[str, str]) -> str:
    """Becomes another program; returns why it cannot."""
    try:
        os.execve(path, words, environment)  # noqa: S606 - no shell
    except OSError as error:
        return f"{path}: {error.strerror}"


def _spelled(settings: Settings, home: str, tool: str) -> str:
    """The tool's name as its caller wrote it, which the C library puts into its messages."""
    if home == "named":
        return os.path.join(settings.named, tool)
    if home == "home" and settings.java_home:
        return os.path.join(settings.java_home, "bin", tool)
    return tool


class _Launch:
    """One JVM to be started.

    Attributes:
        environment: its environment; differs from ours where a user's patch had to be moved.
        in_argfile: writes its arguments to an argfile, and returns the one that names it; None: the
            launcher does not take them so.
    """

    def __init__(
        self,
        session: str,
        settings: Settings,
        jdk: Jdk,
        *,
        command: list[str],
        environment: dict[str, str],
    ) -> None:
        self.environment = environment
        self._session = session
        self._settings = settings
        self._jdk = jdk
        self._tool = command[0]
        self._argv = command[1:]
        self.in_argfile: Callable[[], list[str]] | None = None

    def arguments(self) -> list[str]:
        """The arguments of the real launcher.

        Raises:
            JdkError: the JVM would start a program and cannot be recorded.
        """
        command = self._parse()
        if command is None or command.kind == "none":
            _note(self._session, "passed", self._tool)
            return self._argv
        name = command.main or self._tool
        if not is_selected(self._settings.select, name, [self._tool, *self._argv]):
            _note(self._session, "unselected", name)
            return self._argv
        reason = unsuitable(self._jdk, has_tree=self._settings.has_tree)
        if reason:
            raise JdkError(reason)
        if not self._settings.has_tree:
            return self._arguments_without_tree(command, name)
        user = flags.UserSettings(self._user_options(command), self._jdk.major)
        entry = self._entry()
        ordinal, raw = self._new_raw_directory()
        options_file = self._write_options(ordinal, raw, entry, user)
        added = self._added(command, user, entry, options_file)
        if self._settings.native:
            added.insert(0, native_option(self._settings, raw, entry))
        added[:0] = event_options(self._settings, raw)
        self._tell_agent(options_file, added, user)
        self._note_launch(raw, command, name, added, user)
        _note(self._session, "recorded", name)
        if self._tool != "java":
            return [f"-J{option}" for option in added] + self._kept_of_tool(user)
        return self._fitting(command, added, self._replaced(user, ordinal), ordinal)

    def _arguments_without_tree(self, command: javaargs.JavaCommand, name: str) -> list[str]:
        """The arguments where only native code is recorded: the user's, and the library."""
        entry = self._entry()
        _, raw = self._new_raw_directory()
        lines = [*options_without_tree(self._settings), ""]
        _write(os.path.join(raw, "options"), "\n".join(lines))
        added = [native_option(self._settings, raw, entry)]
        self._note_launch(raw, command, name, added, None)
        _note(self._session, "recorded", name)
        if self._tool != "java":
            return [f"-J{option}" for option in added] + self._argv
        return command.with_options(added)

    def _parse(self) -> javaargs.JavaCommand | None:
        """The command; None if the launcher will refuse it on its own."""
        if self._tool != "java":
            command = javaargs.JavaCommand(self._argv)
            command.kind = "tool"
            command.main = self._tool
            command.options = [word[2:] for word in self._argv if word.startswith("-J")]
            return command
        try:
            self._variables()
            return javaargs.parse_java_command(self._argv)
        except OSError:  # of an argfile
            return None

    def _user_options(self, command: javaargs.JavaCommand) -> list[str]:
        """The user's options in the order in which the VM takes them."""
        before, launcher, after = self._variables()
        return [*before, *launcher, *command.options, *after]

    def _variables(self) -> tuple[list[str], list[str], list[str]]:
        """The options in the environment: those read before, with and after the command line."""
        before, launcher, after = (
            flags.environment_words(self.environment, name) for name in flags.OPTION_VARIABLES
        )
        if self._tool != "java":
            launcher = []
        return before, javaargs.parse_java_command([*launcher, "-"]).options, after

    def _entry(self) -> str:
        """The directory with the instrumented JDK."""
        settings = self._settings
        entry = settings.entries.get(self._jdk.home)
        if entry is not None and cache.is_whole(entry):
            return entry
        return cache.prepared(
            self._jdk,
            settings.jar,
            settings.jar_sha256,
            variant=settings.variant,
            snippets=settings.snippets,
            root=settings.cache,
            spare=os.path.join(self._session, "cache"),
            say=self._say,
        )

    def _say(self, message: str) -> None:
        if not self._settings.is_quiet:
            os.write(2, os.fsencode(f"jvmscope: {message}\n"))

    def _new_raw_directory(self) -> tuple[int, str]:
        ordinal = 1
        while True:
            directory = os.path.join(self._settings.partial, f"jvm-{ordinal}")
            try:
                os.mkdir(directory)
            except FileExistsError:
                ordinal += 1
                continue
            raw = os.path.join(directory, "raw")
            os.mkdir(raw)
            return ordinal, raw

    def _write_options(self, ordinal: int, raw: str, entry: str, user: flags.UserSettings) -> str:
        """Writes the agent's options file; returns its path."""
        settings = self._settings
        arena = os.path.join(raw, "arena")
        if settings.arenas and has_room(settings.arenas, settings.max_bytes):
            in_memory = os.path.join(settings.arenas, f"jvm-{ordinal}")
            os.symlink(in_memory, arena)
            arena = in_memory
        lines = [
            f"raw={raw}",
            f"cache={entry}",
            f"arena={arena}",
            f"max_bytes={settings.max_bytes}",
            *settings.options,
        ]
        path = os.path.join(self._session, f"jvm-{ordinal}.options")
        text = "\n".join([*lines, ""])
        _write(path, text)
        # The dump reads them when all is over, and class files from the user's own patch.
        patches = [option.split("=", 2)[2] for option in user.patches("java.base")[-1:]]
        paths = [os.path.abspath(path) for patch in patches for path in patch.split(os.pathsep)]
        _write(os.path.join(raw, "options"), f"{text}patch={os.pathsep.join(paths)}\n")
        return path

    def _added(
        self,
        command: javaargs.JavaCommand,
        user: flags.UserSettings,
        entry: str,
        options_file: str,
    ) -> list[str]:
        added = [f"--patch-module=java.base={self._patch_of_base(user, entry)}"]
        own = [option.split("=", 2)[2] for option in user.patches("java.instrument")[-1:]]
        paths = os.pathsep.join([*own, f"{entry}/java.instrument.jar"])
        added.append(f"--patch-module=java.instrument={paths}")
        limit = user.limit_of_modules()
        if limit is not None:
            added.append(f"--limit-modules={limit}")
        if self._settings.is_deterministic:
            intrinsics = _read(os.path.join(entry, "intrinsics.txt")).strip()
            added += flags.chosen_flags(user, intrinsics=intrinsics)
        added += user.without_archive(is_own=True)
        before, launcher, _ = self._variables()
        read = [*launcher, *command.options]
        machine = flags.with_files([*before, *read])
        added += metaspace.metaspace_options(user.settled)
        added += stacks.stack_options(read if self._tool == "java" else [], machine)
        if _checks_jni(user.settled):
            added.append(f'-Xlog:class+load=info:file="{_loaded(options_file)}":none')
        return [*added, f"-javaagent:{self._settings.jar}={options_file}"]

    def _tell_agent(self, options_file: str, added: list[str], user: flags.UserSettings) -> None:
        """Tells the agent what the program is not to see, and what the VM cannot be told."""
        lines = agent_lines("written", [self._tool, *self._argv])
        lines += agent_lines("added", added)
        after = flags.with_files(self._variables()[2])
        lines.append(f"default_stack={stacks.default_stack(after)}")
        if _checks_jni(user.settled):
            lines.append(f"loaded={_loaded(options_file)}")
        with open(options_file, "ab") as file:
            file.write(os.fsencode("\n".join([*lines, ""])))

    def _patch_of_base(self, user: flags.UserSettings, entry: str) -> str:
        """The path of our patch of java.base, with the user's own in front of it."""
        paths = [f"{entry}/java.base.jar"]
        if not self._settings.is_deterministic:
            paths.insert(0, f"{entry}/seeded.jar")
        patches = user.patches("java.base")
        if patches:
            patch = patches[-1].split("=", 2)[2]
            out = os.path.join(self._session, f"merged-{os.getpid()}")
            os.mkdir(out)
            settings = self._settings
            cache.merged(
                self._jdk,
                settings.jar,
                patch,
                variant=settings.variant,
                snippets=settings.snippets,
                base=entry,
                out=out,
            )
            # The user's own path comes last, for what is no class.
            paths = [f"{out}/java.base.jar", *paths, patch]
        return os.pathsep.join(paths)

    def _replaced(self, user: flags.UserSettings, ordinal: int) -> dict[str, str | None]:
        """What takes the place of the user's patches that ours contain; None: nothing does.

        Nor does anything of options that the recorded VM would refuse. Of files of options that
        have some, copies without them do. In the environment all this is done here, too.
        """
        patches = [patch for module in _PATCHED for patch in user.patches(module)]
        replaced: dict[str, str | None] = dict.fromkeys([*patches, *user.archive_options()])
        limits = metaspace.metaspace_limits(user.settled)
        last: dict[str, str | None] = dict.fromkeys([*user.required_archive(), *limits])
        for option in user.options:
            words = flags.words_of_file(option)
            kept = [word for word in words if word not in replaced | last]
            if len(kept) < len(words):
                path = os.path.join(self._session, f"jvm-{ordinal}-{len(replaced)}.vmoptions")
                _write(path, argfiles.join_environment(kept))
                replaced[option] = flags.file_option(path)
        last |= replaced  # nothing stands after these variables that would take them back
        for name in flags.OPTION_VARIABLES:
            words = flags.environment_words(self.environment, name)
            others = last if name == "_JAVA_OPTIONS" else replaced
            kept = _with_others(words, others, is_of_launcher=name == "JDK_JAVA_OPTIONS")
            if kept != words:
                self.environment[name] = argfiles.join_environment(kept)
                if not kept:
                    del self.environment[name]
        return replaced

    def _kept_of_tool(self, user: flags.UserSettings) -> list[str]:
        """A tool's arguments less the options that the recorded VM would refuse.

        Ours stand before them, so that none of them can be taken back.
        """
        refused = {*user.archive_options(), *user.required_archive()}
        refused.update(metaspace.metaspace_limits(user.settled))
        return [word for word in self._argv if word[:2] != "-J" or word[2:] not in refused]

    def _note_launch(
        self,
        raw: str,
        command: javaargs.JavaCommand,
        name: str,
        added: list[str],
        user: flags.UserSettings | None,
    ) -> None:
        """Writes what the run's manifest says about the launch: `launch` beside `raw`."""
        lines = [
            f"pid={os.getpid()}",
            f"started_ticks={process_start_ticks(os.getpid())}",
            f"home={self._jdk.home}",
            f"version={self._jdk.version}",
            f"kind={command.kind}",
            f"main={name}",
            f"directory={os.getcwd()}",
        ]
        lines += [f"argument={word}" for word in (self._tool, *self._argv)]
        lines += [f"added={option}" for option in added]
        if user is not None and self._settings.is_deterministic:
            lines += [f"note={text}" for text in flags.left_alone(user, added)]
        text = "\0".join(lines)
        _write(os.path.join(os.path.dirname(raw), "launch"), text)

    def _fitting(
        self,
        command: javaargs.JavaCommand,
        added: list[str],
        replaced: dict[str, str | None],
        ordinal: int,
    ) -> list[str]:
        """The arguments, through an argfile if they are too long for exec."""
        arguments = command.with_options(added, replaced=replaced)
        if arguments == self._argv or "--disable-@files" in arguments:
            return arguments

        def in_argfile() -> list[str]:
            path = os.path.join(self._session, f"jvm-{ordinal}.args")
            words = command.with_options(added, replaced=replaced, in_argfile=True)
            _write(path, "\n".join(argfiles.quote_argument(word) for word in words))
            return [f"@{path}"]

        self.in_argfile = in_argfile
        total = sum(len(word) + 9 for word in arguments)
        longest = max((len(word) for word in arguments), default=0)
        if longest < _LONGEST_ARGUMENT and total < _LONGEST_COMMAND:
            return arguments
        return in_argfile()


def _with_others(
    words: list[str], replaced: dict[str, str | None], *, is_of_launcher: bool
) -> list[str]:
    """The words of a variable with other options for some.

    The launcher's own may have values as words of their own, and argfiles.
    """
    if not is_of_launcher:
        others = (replaced.get(word, word) for word in words)
        return [word for word in others if word is not None]
    command = javaargs.parse_java_command([*words, "Main"])
    return command.with_options([], replaced=replaced)[:-1]


def native_option(settings: Settings, raw: str, entry: str) -> str:
    """Loads the library for native code; before the agent, whose start it ignores.

    Without the agent, the library has to write the VM's properties, too.
    """
    words = [f"file={raw}/native", f"skipped={entry}/replaced-natives.txt"]
    words.append(f"clock={settings.native_clock}")
    if settings.native_mode:
        words.append(f"mode={settings.native_mode}")
    if not settings.has_tree:
        words.append(f"properties={raw}/vm.properties")
    return f"-agentpath:{settings.native}={','.join(words)}"


def options_without_tree(settings: Settings) -> list[str]:
    """What the dump has to know where calls are not counted."""
    return ["tree=false", *(line for line in settings.options if line.startswith("vm_threads="))]


def event_options(settings: Settings, raw: str) -> list[str]:
    """The options by which the VM tells of what bytecode does not see, if anybody is to know.

    Threads that wait for monitors, and objects that native code and the VM make. They come first,
    so that the library has JNI's functions before those of native code count.
    """
    contention = [f"-agentpath:{settings.contention}=contention"] if settings.contention else []
    unseen = [f"-agentpath:{settings.unseen}=unseen={raw}/unseen"] if settings.unseen else []
    return [*contention, *unseen]


def agent_lines(key: str, words: list[str]) -> list[str]:
    r"""Lines for the agent's options file, one a word.

    >>> agent_lines("added", ["-Da=b", "two\nlines"])
    ['added=-Da=b', 'added=two\\nlines']
    """
    escaped = (word.replace("\\", "\\\\").replace("\n", "\\n") for word in words)
    return [f"{key}={word}" for word in escaped]


def _checks_jni(options: list[str]) -> bool:
    """Whether the VM checks the use of JNI, and so would complain of java.instrument's."""
    return any(option in ("-Xcheck:jni", "-XX:+CheckJNICalls") for option in options)


def _loaded(options_file: str) -> str:
    return options_file.removesuffix("options") + "loaded"


def _initial_environment() -> dict[str, str]:
    """The environment as it was given to us, before the interpreter touched the locale."""
    try:
        with open("/proc/self/environ", "rb") as file:
            entries = os.fsdecode(file.read()).split("\0")
    except OSError:
        return dict(os.environ)
    pairs = (entry.partition("=") for entry in entries)
    return {key: value for key, equals, value in pairs if equals}


def _restore_signals() -> None:
    """Sets back the signals that the interpreter ignores, since `exec` keeps them ignored."""
    signal = __import__("_signal")  # `signal` itself adds enumerations, which cost 8 ms
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)


def is_selected(pattern: str, name: str, words: list[str]) -> bool:
    """Whether a JVM is to be recorded.

    >>> is_selected("p.*", "p.Main", []), is_selected("q.*", "p.Main", ["java", "p.Main"])
    (True, False)
    >>> is_selected("*lib.jar*", "p.Main", ["java", "-cp", "lib.jar", "p.Main"])
    True
    """
    if not pattern:
        return True
    import fnmatch

    candidates = (name, os.path.basename(name), " ".join(words))
    return any(fnmatch.fnmatchcase(candidate, pattern) for candidate in candidates)


def _note(session: str, what: str, name: str) -> None:
    """Appends one line to the session's log of JVM starts; a short write is never torn."""
    line = f"{what} {os.getpid()} {name}".replace("\n", " ")[:4000] + "\n"
    descriptor = os.open(
        os.path.join(session, "starts"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600
    )
    try:
        os.write(descriptor, os.fsencode(line))
    finally:
        os.close(descriptor)


def _fail(session: str, message: str) -> None:
    os.write(2, os.fsencode(f"jvmscope: error: {message}\n"))
    try:
        _note(session, "failed", message)
    except OSError:
        os.write(2, b"jvmscope: error: the recording is over\n")
    sys.exit(FAILED)


def _read(path: str) -> str:
    with open(path, "rb") as file:
        return os.fsdecode(file.read())


def _write(path: str, text: str) -> None:
    with open(path, "wb") as file:
        file.write(os.fsencode(text))
