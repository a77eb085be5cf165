"""Replaces the placeholders in settings, and notes mistakes in them with their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.suite.placeholders import SCRATCH, BadPlaceholder, filled
from jvmscope.suite.settings import Setting

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from jvmscope.suite.reading import SuiteFile

__all__ = ["Filler", "vars_of"]


class Filler:
    """Replaces the placeholders of a suite file.

    Attributes:
        folder: the suite file's; relative paths of files begin there.
    """

    def __init__(
        self,
        suite: SuiteFile,
        environment: Mapping[str, str],
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.folder: Path = suite.path.absolute().parent
        self._suite = suite
        self._environment = environment
        self._names = names or {"suite": str(self.folder), "scratch": SCRATCH}

    def with_names(self, names: Mapping[str, str]) -> Filler:
        """Returns a filler that knows more names."""
        return Filler(self._suite, self._environment, {**self._names, **names})

    def variables(self) -> Mapping[str, Setting]:
        """Returns ``[vars]``, and what the command line sets of it."""
        found = {}
        for text in (self._suite.text, self._suite.overrides):
            for name in text.values.get("vars", {}):
                found[name] = Setting(text.values, text, ())["vars"][name]
        return found

    def jvm(self, name: str | None) -> Mapping[str, Setting]:
        """Returns the settings of a JVM; nothing for None."""
        if name is None:
            return {}
        text = self._suite.text
        table = Setting(text.values, text, ())["jvm"][name]
        return {key: table[key] for key in table.value}

    def text(self, setting: Setting | None) -> str | None:
        """Returns a text with its placeholders replaced; None for None and for a wrong one."""
        if setting is None:
            return None
        try:
            return filled(setting.value, self._names, self._environment)
        except BadPlaceholder as bad:
            setting.text.wrong_placeholder(setting.path, bad.shown, bad.message, bad.hint)
            return None

    def texts(self, setting: Setting | None) -> list[str]:
        """Returns the texts of a list, without wrong ones; nothing for None."""
        if setting is None:
            return []
        found = [self.text(setting[index]) for index in range(len(setting.value))]
        return [text for text in found if text is not None]

    def placed(self, text: str) -> str:
        """Returns a path, from the suite file's folder on if it is relative."""
        return text if text.startswith(SCRATCH) else str(self.folder / text)

    def path(self, setting: Setting | None) -> str | None:
        """Returns a path with its placeholders replaced, as `placed`."""
        text = self.text(setting)
        return None if text is None else self.placed(text)

    def file(self, setting: Setting | None) -> str | None:
        """Returns the path of a file, which has to be there."""
        path = self.path(setting)
        if path is None or setting is None:
            return None
        if not path.startswith(SCRATCH) and not (self.folder / path).is_file():
            setting.text.wrong_value(setting.path, f"there is no file {path}")
        return path


def vars_of(filler: Filler) -> dict[str, str]:
    """Returns the values of ``[vars]``; each may refer to those before it."""
    names: dict[str, str] = {}
    for name, setting in filler.variables().items():
        text = filler.with_names(names).text(setting)
        # A wrong one is noted already, and should not be noted again where it is used.
        names[name] = "" if text is None else text
    return names
