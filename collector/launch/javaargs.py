"""The `java` launcher's command line, read as the launcher itself reads it.

The shim imports this module for every JVM, so it imports nothing that takes time. The rules
are those of the launcher's own sources (libjli's `java.c` and `args.c`): which options
take the next word as their value, where options end and the program begins, how
`@argfiles` are cut into words, and which options start no program at all.
"""

from __future__ import annotations

import os

from jvmscope.collector.launch.argfiles import words_of_file

__all__ = ["JavaCommand", "parse_java_command"]

# Options whose value is the next word and that reach the VM as `--name=value`.
_MODULE_OPTIONS = frozenset(
    (
        "--module-path",
        "-p",
        "--upgrade-module-path",
        "--add-modules",
        "--enable-native-access",
        "--limit-modules",
        "--add-exports",
        "--add-opens",
        "--add-reads",
        "--patch-module",
    )
)
_LAUNCHER_OPTIONS = frozenset(
    ("-classpath", "-cp", "--class-path", "--describe-module", "-d", "--source")
)
_MODULE_MAIN = frozenset(("-m", "--module"))
# Options after which the launcher prints something and starts no program.
_PRINTING = frozenset(
    (
        "-help",
        "-h",
        "-?",
        "--help",
        "-version",
        "--version",
        "-X",
        "--help-extra",
        "-fullversion",
        "--full-version",
    )
)
_NO_PROGRAM = frozenset(
    (
        "--list-modules",
        "--validate-modules",
        "--describe-module",
        "-d",
        "--dry-run",
        "-Xshare:dump",
        "-XX:AOTMode=create",
    )
)


class JavaCommand:
    """What a `java` command line says: its JVM options, its program, and where that begins.

    Attributes:
        options: JVM options in order, values joined to their option by `=`, argfiles expanded.
        kind: `class`, `jar`, `module`, `source`, or `none` if no program would start.
        main: the class, jar, module or source file as written; None if `kind` is `none`.
        arguments: the program's own arguments.
        argv, words, begin: the arguments as given, after expansion, and which of the latter
            begins the program.
    """

    __slots__ = ("arguments", "argv", "begin", "kind", "main", "options", "words")

    def __init__(self, argv: list[str]) -> None:
        self.options: list[str] = []
        self.kind = "none"
        self.main: str | None = None
        self.arguments: list[str] = []
        self.argv = argv
        self.words: list[_Word] = []
        self.begin: int | None = None

    def with_options(
        self,
        added: list[str],
        *,
        replaced: dict[str, str | None] | None = None,
        in_argfile: bool = False,
    ) -> list[str]:
        """The arguments with `added` before the program, and with other options for some.

        `replaced` has the option to take the place of one; None: it is left out.

        An argfile stays one word unless the program begins in it or an option in it has to go;
        then its words stand in its place. `in_argfile`: so do those of all, as the arguments will
        stand in an argfile themselves, where the launcher reads no others and knows no `@@`.
        """
        if self.begin is None:
            return list(self.argv)
        begin = self.begin
        places = {
            index: word.option
            for index, word in enumerate(self.words[:begin])
            if replaced and word.option in replaced
        }
        values = {index + 1 for index in places if self.words[index].takes_next}
        files = {self.words[i].origin for i in (*places, *values) if self.words[i].in_file}
        if self.words[begin].in_file:
            files.add(self.words[begin].origin)
        result: list[str] = []
        kept_whole: set[int] = set()
        for index, word in enumerate(self.words):
            if index == begin:
                result.extend(added)
            if index in values:
                continue
            if index in places:
                other = (replaced or {})[places[index]]
                result.extend([] if other is None else [other])
            elif in_argfile:
                result.append(word.text)
            elif not word.in_file:
                result.append(self.argv[word.origin])
            elif word.origin in files:
                escape = index < begin and word.text.startswith("@")
                result.append("@" + word.text if escape else word.text)
            elif word.origin not in kept_whole:
                kept_whole.add(word.origin)
                result.append(self.argv[word.origin])
        return result


class _Word:
    """One word after expansion, with the index of the argument that it came from."""

    __slots__ = ("in_file", "option", "origin", "takes_next", "text")

    def __init__(self, text: str, origin: int, *, in_file: bool) -> None:
        self.text = text
        self.origin = origin
        self.in_file = in_file
        self.option: str | None = None
        self.takes_next = False


def parse_java_command(argv: list[str], directory: str = "") -> JavaCommand:
    """The command that `argv` (without the name of the launcher) stands for in `directory`.

    Raises:
        OSError: an argfile cannot be read; the launcher itself will say so.

    >>> command = parse_java_command(["-cp", "a.jar", "-Xmx1g", "p.Main", "-v"])
    >>> command.kind, command.main, command.options, command.arguments
    ('class', 'p.Main', ['-cp=a.jar', '-Xmx1g'], ['-v'])
    >>> command.with_options(["-XX:hashCode=3"])
    ['-cp', 'a.jar', '-Xmx1g', '-XX:hashCode=3', 'p.Main', '-v']
    """
    command = JavaCommand(argv)
    _expand(command, directory)
    _read_options(command, directory)
    return command


def _expand(command: JavaCommand, directory: str) -> None:
    """Fills in the words: arguments, with argfiles cut into words up to the program."""
    words = command.words
    seen_program = False
    value_expected = False
    expands = True
    for origin, argument in enumerate(command.argv):
        if seen_program or not expands or len(argument) < 2 or argument[0] != "@":
            new = [_Word(argument, origin, in_file=False)]
        elif argument[1] == "@":
            new = [_Word(argument[1:], origin, in_file=False)]
        else:
            file = os.path.join(directory, argument[1:])
            new = [_Word(text, origin, in_file=True) for text in words_of_file(file)]
        for word in new:
            words.append(word)
            if seen_program:
                continue
            if word.text.startswith("-"):
                value_expected = word.text in _MODULE_OPTIONS or word.text in _LAUNCHER_OPTIONS
                seen_program = word.text.startswith("--module=")
                expands = expands and word.text != "--disable-@files"
            else:
                seen_program = not value_expected
                value_expected = False


def _read_options(command: JavaCommand, directory: str) -> None:
    """Walks over the options as the launcher's ParseArguments does."""
    words = command.words
    is_jar = is_source = False
    starts_program = True
    index = 0
    while index < len(words) and words[index].text.startswith("-"):
        text = words[index].text
        following = words[index + 1].text if index + 1 < len(words) else None
        if text in _PRINTING:
            return
        if text in _NO_PROGRAM or text.startswith("--describe-module="):
            starts_program = False
        if text in _MODULE_MAIN or text.startswith("--module="):
            joined = text.startswith("--module=")
            main = text[len("--module=") :] if joined else following
            if main and starts_program:
                _set_main(command, "module", main, index, index + (1 if joined else 2))
            return
        is_jar = is_jar or text == "-jar"
        is_source = is_source or text.startswith("--source")
        index += _take_option(command, index, following)
    if index >= len(words) or not starts_program:
        return
    main = words[index].text
    begin = index - 1 if index and words[index - 1].text == "-jar" else index
    is_file = main.endswith(".java") and os.path.exists(os.path.join(directory, main))
    kind = "jar" if is_jar else "source" if is_source or is_file else "class"
    _set_main(command, kind, main, begin, index + 1)


def _set_main(command: JavaCommand, kind: str, main: str, begin: int, rest: int) -> None:
    command.kind = kind
    command.main = main
    command.begin = begin
    command.arguments = [word.text for word in command.words[rest:]]


def _take_option(command: JavaCommand, index: int, following: str | None) -> int:
    """Notes the option at `index`; returns how many words it has."""
    word = command.words[index]
    takes_next = word.text in _MODULE_OPTIONS or word.text in _LAUNCHER_OPTIONS
    if takes_next and following is not None and not following.startswith("-"):
        name = "--module-path" if word.text == "-p" else word.text
        word.option = f"{name}={following}"
        word.takes_next = True
    else:
        word.option = word.text
    command.options.append(word.option)
    return 2 if word.takes_next else 1
