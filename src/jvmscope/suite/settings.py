"""The settings of a benchmark: those of the command line, its own, and the defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmscope.suite.positions import TomlPath
    from jvmscope.suite.problems import SuiteText
    from jvmscope.suite.reading import SuiteFile

__all__ = ["Setting", "Settings", "settings_of"]

_MERGED = ("env", "record", "expect")


@dataclass(frozen=True)
class Setting:
    """A value and where it was written."""

    value: Any
    text: SuiteText
    path: TomlPath

    def __getitem__(self, key: str | int) -> Setting:
        """Returns a part of a table or of a list."""
        return Setting(self.value[key], self.text, (*self.path, key))


class Settings:
    """The settings of one benchmark by key; tables of options are merged key by key."""

    def __init__(
        self, settings: Mapping[str, Setting], tables: Mapping[str, Mapping[str, Setting]]
    ):
        self._settings = settings
        self._tables = tables

    def get(self, name: str) -> Setting | None:
        """Returns a setting, or None if nothing says it."""
        return self._settings.get(name)

    def value(self, name: str, default: Any) -> Any:
        """Returns the value of a setting, or a default."""
        setting = self._settings.get(name)
        return default if setting is None else setting.value

    def table(self, name: str) -> Mapping[str, Setting]:
        """Returns the settings of ``env``, ``record`` or ``expect``."""
        return self._tables[name]

    def values(self, name: str) -> dict[str, Any]:
        """Returns the values of such a table."""
        return {key: setting.value for key, setting in self._tables[name].items()}


def settings_of(suite: SuiteFile, index: int) -> Settings:
    """Returns the settings of a benchmark, by its place in the file."""
    settings: dict[str, Setting] = {}
    tables: dict[str, dict[str, Setting]] = {name: {} for name in _MERGED}
    for layer in _layers(suite, index):
        for name in layer.value:
            if name in _MERGED:
                tables[name] |= {key: layer[name][key] for key in layer.value[name]}
            else:
                settings[name] = layer[name]
    return Settings(settings, tables)


def _layers(suite: SuiteFile, index: int) -> Iterator[Setting]:
    """Yields tables of settings, those that win last."""
    text = suite.text
    if "defaults" in text.values:
        yield Setting(text.values, text, ())["defaults"]
    yield Setting(text.values, text, ())["benchmark"][index]
    of_command_line = {
        name: value
        for name, value in suite.overrides.values.items()
        if name not in ("vars", "matrix")
    }
    yield Setting(of_command_line, suite.overrides, ())
