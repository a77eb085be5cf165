"""What the VM is asked for: the events of all tables with their settings, as a settings file."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from jvmscope.schema.watched import watch_tables

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["settings_file"]

_MS_PER_S = 1000
_S_PER_MINUTE = 60
_ALLOCATIONS_PER_SPAN = 2


def settings_file(names: Collection[str] | None = None, sample_every_s: float | None = None) -> str:
    """Returns the settings of a recording, in the form of the JDK's ``.jfc`` files.

    Args:
        names: the tables that are wanted; None: all.
        sample_every_s: how often threads are sampled, and allocations at most twice; None: as the
            tables say.
    """
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<configuration version="2.0">']
    wanted = [each for each in watch_tables().values() if names is None or each.name in names]
    for table in wanted:
        for event in table.events:
            lines.append(f"  <event name={quoteattr(event)}>")
            settings = {"enabled": "true", **dict(table.settings)}
            if sample_every_s is not None:
                settings.update(_sampled(table.name, sample_every_s))
            lines += [
                f"    <setting name={quoteattr(name)}>{value}</setting>"
                for name, value in settings.items()
            ]
            lines.append("  </event>")
    return "\n".join([*lines, "</configuration>", ""])


def _sampled(name: str, every_s: float) -> dict[str, str]:
    """Returns the settings of a table whose samples come as often as is asked.

    >>> _sampled("allocation_sample", 0.04), _sampled("allocation_sample", 10.0)
    ({'throttle': '50/s'}, {'throttle': '12/m'})
    """
    if name == "execution_sample":
        return {"period": f"{round(_MS_PER_S * every_s)} ms"}
    if name == "allocation_sample":
        a_second = _ALLOCATIONS_PER_SPAN / every_s
        # The VM takes whole numbers.
        exact = f"{a_second:.0f}/s" if a_second >= 1 else f"{a_second * _S_PER_MINUTE:.0f}/m"
        return {"throttle": exact}
    return {}
