"""What a compiler inlined, by the log that a VM writes with ``-XX:+LogCompilation``.

The log has a ``task`` for each compilation, which says of each call in it whether it was inlined.
"""

from __future__ import annotations

import re

__all__ = ["inlined_calls"]

_TASK = re.compile(r"<task ([^>]*)>(.*?)</task>", re.DOTALL)
_ATTRIBUTE = re.compile(r"(\w+)='([^']*)'")


def inlined_calls(log: str, package: str) -> dict[str, tuple[int, int]]:
    """Returns how many calls were inlined, and how many not, by the name of the method around them.

    It has the methods of a package whose names are different, each in the last version of its code
    that was compiled from its beginning.

    Args:
        log: the text of the log.
        package: the package, with dots.

    >>> def task(number, name, said, more=""):
    ...     head = f"compile_id='{number}'{more} method='p.A {name} (I)J' bytes='9'"
    ...     return f"<task {head}>\\n{said}<task_done success='1'/></task>\\n"
    >>> no, yes = "<inline_fail reason='too big'/>", "<inline_success reason='accessor'/>"
    >>> log = task(9, "f", yes) + task(3, "f", no) + task(12, "f", no, " compile_kind='osr'")
    >>> inlined_calls(log + task(4, "g", no), "p"), inlined_calls(log, "q")
    ({'f': (1, 0), 'g': (0, 1)}, {})
    """
    last: dict[str, int] = {}
    found: dict[str, tuple[int, int]] = {}
    for head, body in _TASK.findall(log):
        told = dict(_ATTRIBUTE.findall(head))
        holder, name = (*told.get("method", "").split(), "", "")[:2]
        is_whole = "compile_kind" not in told and "<task_done success='1'" in body
        if is_whole and holder.rpartition(".")[0] == package:
            number = int(told["compile_id"])
            # Each compiler's thread writes its own part, so the order is that of the numbers.
            if number > last.get(name, -1):
                last[name] = number
                found[name] = body.count("<inline_success"), body.count("<inline_fail")
    return found
