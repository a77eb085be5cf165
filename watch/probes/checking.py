"""Whether probes fit the classes of a VM, asked before any of these is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.watch.probes.tokens import probe_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.watch.probes.link import AgentLink
    from jvmscope.watch.probes.probe import Probe

__all__ = ["check_probes"]


def check_probes(
    link: AgentLink, probes: Sequence[Probe], *, has_callers: bool, has_samples: bool
) -> None:
    """Tells the agent which probes come next, and has it check their conditions.

    Raises:
        AgentError: the agent does not answer.
        QueryError: a condition does not fit a method; the agent has forgotten the probes.
    """
    for number, probe in enumerate(probes):
        link.send(probe.fields(number, has_callers=has_callers, has_samples=has_samples))
    link.send(["check"])
    kind, *rest = link.answer("checked", "wrong")
    if kind == "wrong":
        wrong, column, length, message = rest
        text = probes[int(wrong)].text
        raise probe_error(text, int(column) - 1, int(length), message, None)
