"""What the prompt understands beside queries: words that begin with a dot."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from jvmscope.errors import JvmscopeError, QueryError, did_you_mean
from jvmscope.formats import FORMATS, ITEMS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmscope.actions.query_session import QuerySession

__all__ = ["COMMANDS", "Conversation", "Quit", "is_dot_command"]

_SWITCH = {"on": True, "off": False}
_MODES = (*(form.name for form in FORMATS.values() if not form.is_binary), ITEMS)


class Quit(Exception):
    """The prompt is to end."""


@dataclass
class Conversation:
    """What the prompt asks next with, which commands change.

    Attributes:
        asking: the run, the format, limits and scope.
        has_timer: whether each answer is followed by the time that it took.
    """

    asking: QuerySession
    has_timer: bool = False

    def change(self, **terms: Any) -> None:
        """Changes what holds for the next queries, as ``Question`` has it."""
        changed = replace(self.asking.terms, **terms)
        self.asking = replace(self.asking, terms=changed)

    def obey(self, line: str) -> None:
        """Does what a line that begins with a dot says.

        Raises:
            JvmscopeError: there is no such command, or it cannot have such a word.
            Quit: it is ``.quit``.
        """
        try:
            name, *words = shlex.split(line.strip().removesuffix(";"))
        except ValueError as error:
            raise JvmscopeError(f"{line.strip()}: {error}") from None
        command = COMMANDS.get(name)
        if command is None:
            hint = did_you_mean(name, COMMANDS) or ".help lists the commands"
            raise JvmscopeError(f"there is no command {name}; {hint}")
        most = len(command.words.split())
        if len(words) > most:
            hint = "; put what has spaces in quotes" if most else ""
            raise JvmscopeError(f"{name}: expected {command.words or 'nothing'} after it{hint}")
        command.act(self, words)


@dataclass(frozen=True)
class _Command:
    words: str
    meaning: str
    act: Callable[[Conversation, Sequence[str]], None]


def is_dot_command(line: str) -> bool:
    """Tells whether a line is for the prompt; no query begins with a dot and a letter.

    >>> [is_dot_command(line) for line in (".tables", " .help", "./dcg:class", ".", ".5")]
    [True, True, False, False, False]
    """
    return line.lstrip()[:1] == "." and line.lstrip()[1:2].isalpha()


def _help(conversation: Conversation, _words: Sequence[str]) -> None:
    width = max(len(f"{name} {command.words}") for name, command in COMMANDS.items())
    for name, command in COMMANDS.items():
        conversation.asking.console.say(f"{f'{name} {command.words}':<{width}}  {command.meaning}")


def _run(conversation: Conversation, line: Sequence[str]) -> None:
    """Runs a verb of the command line."""
    from jvmscope.cli import run

    form = conversation.asking.output.resolved_format
    run([*line, "--format", "table" if form == ITEMS else form] if line[0] == "list" else line)


def _tables(conversation: Conversation, _words: Sequence[str]) -> None:
    _run(conversation, ["list", "tables", str(conversation.asking.engine.run)])


def _schema(conversation: Conversation, words: Sequence[str]) -> None:
    engine = conversation.asking.engine
    for name in words or engine.named:
        _run(conversation, ["show", name, str(engine.run)])


def _metrics(conversation: Conversation, words: Sequence[str]) -> None:
    from jvmscope.metrics import catalogue

    is_one = words and words[0] in catalogue()
    _run(conversation, ["show", *words] if is_one else ["list", "metrics", *words])


def _timer(conversation: Conversation, words: Sequence[str]) -> None:
    conversation.has_timer = _SWITCH[_one_of(".timer", words, ("on", "off"))]


def _mode(conversation: Conversation, words: Sequence[str]) -> None:
    form = _one_of(".mode", words, _MODES)
    asking = conversation.asking
    conversation.asking = replace(asking, output=replace(asking.output, format=form))


def _limit(conversation: Conversation, words: Sequence[str]) -> None:
    if not words or not words[0].isdecimal() or int(words[0]) == 0:
        found = " ".join(words) or "nothing"
        raise JvmscopeError(f".limit: expected a number of rows, found {found}")
    conversation.change(limit=int(words[0]))


def _scope(conversation: Conversation, words: Sequence[str]) -> None:
    from jvmscope.queries import parse_scope

    try:
        scope = parse_scope(words[0] if words else "run")
        conversation.asking.engine.scopes.bind(scope)  # says so if there is none
    except QueryError as error:
        if error.path == "--scope":
            error.path = ".scope"
        raise
    conversation.change(scope=scope)


def _quit(_conversation: Conversation, _words: Sequence[str]) -> None:
    raise Quit


def _one_of(name: str, words: Sequence[str], known: Sequence[str]) -> str:
    found = words[0] if words else ""
    if found not in known:
        hint = did_you_mean(found, known)
        message = f"{name}: expected one of {', '.join(known)}, found {found or 'nothing'}"
        raise JvmscopeError("; ".join(filter(None, (message, hint))))
    return found


COMMANDS = {
    ".help": _Command("", "show these commands", _help),
    ".tables": _Command("", "list the tables of the run", _tables),
    ".schema": _Command("TABLE", "show the columns of a table, or of all", _schema),
    ".metrics": _Command("ID|GLOB|tag:T", "list the metrics, or define one", _metrics),
    ".mode": _Command("FORMAT", f"show answers as {', '.join(_MODES)}", _mode),
    ".limit": _Command("N", "show at most N rows of an answer", _limit),
    ".scope": _Command("SCOPE", "select a part of the run, such as application", _scope),
    ".timer": _Command("on|off", "show how long each answer took", _timer),
    ".quit": _Command("", "quit, like Ctrl-D", _quit),
}
"""The commands by name."""
