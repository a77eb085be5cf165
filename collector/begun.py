"""What is known of a recording before its COMMAND ends: a file, in case its process is killed."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Self

from jvmscope.collector.launch.flags import OPTION_VARIABLES
from jvmscope.errors import RunError

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from jvmscope.collector.record_options import RecordOptions

__all__ = ["BEGUN", "OF_JVMS", "Begun"]

BEGUN = "recording"
"""The name of the file in NAME.partial."""
OF_JVMS = ("jvm-", "pid-")
"""How the names of directories there begin that belong to JVMs."""
_KEPT_VARIABLES = (
    "PATH",
    "JAVA_HOME",
    "CLASSPATH",
    *OPTION_VARIABLES,
    "JAVA_OPTS",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
)


@dataclass(frozen=True)
class Begun:
    """A recording that has begun.

    Attributes:
        command: the words of COMMAND.
        directory: where it was started.
        environment: variables that it was started with.
        options: the options, as manifests have them.
        tags: the tags of its runs.
        has_tree: calls are counted; else only native code is.
        is_deterministic: the VM's options are pinned.
        started: when, in UTC, as ``2026-01-31T23:59:59Z``.
        name: the name of its runs.
        has_output: several runs get a directory of their own.
        workspace: the directory of its shims, which names the nodes in memory.
    """

    command: list[str]
    directory: str
    environment: dict[str, str]
    options: dict[str, Any]
    tags: dict[str, str]
    has_tree: bool
    is_deterministic: bool
    started: str
    name: str
    has_output: bool
    workspace: str

    @classmethod
    def of(
        cls,
        command: Sequence[str],
        options: RecordOptions,
        *,
        directory: str,
        started: dt.datetime,
        name: str,
        workspace: Path,
    ) -> Self:
        """Returns what is known when COMMAND starts."""
        return cls(
            command=list(command),
            directory=directory,
            environment={n: os.environ[n] for n in _KEPT_VARIABLES if n in os.environ},
            options=options.manifest(),
            tags=dict(options.tags),
            has_tree=options.has_tree,
            is_deterministic=options.is_deterministic,
            started=started.strftime("%Y-%m-%dT%H:%M:%SZ"),
            name=name,
            has_output=options.output is not None,
            workspace=str(workspace),
        )

    def write(self, partial: Path) -> None:
        """Writes the file.

        Raises:
            OSError: it cannot be written.
        """
        (partial / BEGUN).write_text(json.dumps(asdict(self)), encoding="ascii")

    @classmethod
    def read(cls, partial: Path) -> Self:
        """Returns what the file says.

        Raises:
            RunError: there is no such file, or it is damaged.
        """
        path = partial / BEGUN
        damaged = RunError(f"{path}: damaged, so the recording is lost; record again")
        try:
            values = json.loads(path.read_text(encoding="ascii"))
            found = {field.name: values[field.name] for field in fields(cls)}
        except OSError as error:
            raise RunError(f"{path}: cannot be read: {error.strerror}; record again") from None
        except (ValueError, KeyError, TypeError, RecursionError):
            raise damaged from None
        are_right = all(_IS_RIGHT[str(field.type)](found[field.name]) for field in fields(cls))
        if not are_right or not found["command"] or "/" in found["name"]:
            raise damaged  # it may be somebody else's, and names what is written
        return cls(**found)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value


_IS_RIGHT: dict[str, Callable[[object], bool]] = {
    "str": _is_text,
    "bool": lambda value: isinstance(value, bool),
    "list[str]": lambda value: isinstance(value, list) and all(map(_is_text, value)),
    "dict[str, str]": lambda value: isinstance(value, dict) and all(map(_is_text, value.values())),
    "dict[str, Any]": lambda value: isinstance(value, dict),
}
"""Whether a value is of a field's type."""
