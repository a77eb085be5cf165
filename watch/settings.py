"""What the VM is asked for: the events of all tables with their settings, as a settings file."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from jvmscope.schema.watched import watch_tables

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["settings_file"]

_SAMPLES = "execution_sample"


def settings_file(names: Collection[str] | None = None, sample_every_s: float | None = None) -> str:
    """Returns the settings of a recording, in the form of the JDK's ``.jfc`` files.

    Args:
        names: the tables that are wanted; None: all.
        sample_every_s: how often threads are sampled; None: as the table says.
    """
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<configuration version="2.0">']
    wanted = [each for each in watch_tables().values() if names is None or each.name in names]
    for table in wanted:
        for event in table.events:
            lines.append(f"  <event name={quoteattr(event)}>")
            settings = {"enabled": "true", **dict(table.settings)}
            if table.name == _SAMPLES and sample_every_s is not None:
                settings["period"] = f"{round(1000 * sample_every_s)} ms"
            lines += [
                f"    <setting name={quoteattr(name)}>{value}</setting>"
                for name, value in settings.items()
            ]
            lines.append("  </event>")
    return "\n".join([*lines, "</configuration>", ""])
