"""The limits that a recording can reach: a code for programs, and a sentence for people."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CUTTING", "LIMITS", "MEMORY_LIMIT", "Limit", "code_of"]

MEMORY_LIMIT = "the memory limit was reached"
"""How the sentence begins where the memory for contexts was full."""

_LOG_LIMIT = "the log of loaded classes"

LIMITS = {
    "memory": f"{MEMORY_LIMIT}: calls are folded into other contexts",
    "folded_calls": "the memory for folded calls was full: later calls are missing",
    "disk": "the disk was full: later calls are missing",
    "class_log": f"{_LOG_LIMIT} is not whole: some classes are missing",
    "unlogged": "",
    "room": "",
    "uncounted": "",
    "native": "there was no room for counts of native code: some of its later calls are missing",
    "time": "the time limit was reached and the program was ended",
    "outlived": "the JVM outlived the command: what it did afterwards is missing",
    "killed": "the JVM was killed or crashed",
    "unseen": "jvmscope was killed while the command ran: how that ended is not known",
    "unfinished": "the watch has not ended, or was killed: later events are missing",
    "lapse": "",
    "dropped": "",
    "unread": "",
    "other": "",
}
"""The codes in ``run.json``, and the sentence of each that always has the same one.

``unlogged`` are classes that were not logged, with the tables that lack their objects, or nodes of
the tree; ``room`` says how often there was no memory, or no room on a thread's stack, for what is
known of a class or an object, or to measure an invocation of a probe. ``uncounted`` are methods of
the program that are too large to be counted in full; a run may be complete all the same. ``lapse``
are times of which a watch lacks events, and ``dropped`` those that the VM had no room for.
``unseen`` is of recordings that were killed themselves.
``unread`` says why what a JVM left could not be read. ``other`` are a JVM that was not tested, and
guards that failed.
"""

CUTTING = frozenset({"folded_calls", "disk", "class_log", "native", "time", "unseen"})
"""Limits after which counts stop, or may have, beside the ends of JVMs that were killed."""


@dataclass(frozen=True)
class Limit:
    """A limit that was reached.

    Attributes:
        code: a key of ``LIMITS``.
        text: a sentence without a full stop.
    """

    code: str
    text: str

    @classmethod
    def of(cls, code: str) -> Limit:
        """Returns the limit with the sentence that it always has."""
        return cls(code, LIMITS[code])

    @classmethod
    def of_lapses(cls, n_spans: int, nanoseconds: int) -> Limit:
        """Returns the limit of a watch that lacks events of some times.

        >>> Limit.of_lapses(2, 3_200_000_000).text
        'events may be missing in 2 spans of 3.2 s, as in table lapse'
        """
        spans = "1 span" if n_spans == 1 else f"{n_spans:,} spans"
        seconds = f"{nanoseconds / 1e9:.1f} s"
        return cls("lapse", f"events may be missing in {spans} of {seconds}, as in table lapse")

    @classmethod
    def of_dropped(cls, n_bytes: int) -> Limit:
        """Returns the limit of a watch whose VM has dropped events.

        >>> Limit.of_dropped(4096).text
        'the VM dropped 4,096 bytes of events since its buffers were full, as in table data_loss'
        """
        what = f"the VM dropped {n_bytes:,} bytes of events"
        return cls("dropped", f"{what} since its buffers were full, as in table data_loss")


def code_of(sentence: str) -> str:
    """Returns the code of a sentence in a run whose manifest has no codes.

    >>> sentences = ("the memory limit was reached", "the JVM was killed by SIGTERM", "memory")
    >>> [code_of(sentence) for sentence in sentences]
    ['memory', 'killed', 'other']
    """
    if sentence.startswith(MEMORY_LIMIT):
        return "memory"
    if sentence.startswith("the JVM was killed"):
        return "killed"
    if sentence.startswith(_LOG_LIMIT):
        return "class_log"
    return next((code for code, text in LIMITS.items() if text == sentence), "other")
