"""What a watch run cannot say: of any VM, and of one whose JDK lacks events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.schema.watched import watch_tables

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["UNSEEN", "lacking_events", "unasked"]

UNSEEN = (
    ("cost of a call", "the event stream has no event for a call"),
    ("duration of an allocation", "the event stream has samples of allocations without durations"),
    ("initialisation of a class", "the event stream has no event for it"),
    (
        "definition of a hidden class",
        "the event stream has no event for it; class_load has the class",
    ),
    ("linking of a class", "the event stream has no event for it"),
    ("tier of a sample", "the event stream has none; sample_version has what it may have been"),
    ("reason of a compilation", "the event stream has the tier, not the counter that asked for it"),
    ("locks inside of the VM", "the event stream shows safepoints and VM operations alone"),
    ("what happened before the watch", "the event stream begins when it is opened"),
)
"""Subjects and reasons that hold of every VM."""


def unasked(asked: Collection[str]) -> list[tuple[str, str]]:
    """Returns what a watch does not see because nobody asked for it, each with the option.

    Args:
        asked: the options that were given, as ``io``.
    """
    missing = [each for each in watch_tables().values() if each.asked and each.asked not in asked]
    return [(f"rows of {each.name}", f"not asked for: --{each.asked}") for each in missing]


def lacking_events(known: frozenset[str]) -> list[tuple[str, str]]:
    """Returns the tables that a VM's stream has no event for, each with the reason.

    Args:
        known: the types of events that the stream describes.
    """
    return [
        (table.name, f"this JDK has no event {' or '.join(table.events)}")
        for table in watch_tables().values()
        if table.events and not known & set(table.events)
    ]
