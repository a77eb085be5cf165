"""From a command that starts a JVM to a run."""

from __future__ import annotations

import os
from pathlib import Path

from jvmscope.collector.agent_sources import ENTRY, NotAnAgent, digest_of_sources, manifest_of
from jvmscope.errors import AgentError

__all__ = ["agent_jar"]

_HERE = Path(__file__).resolve().parent
_VARIABLE = "JVMSCOPE_AGENT_JAR"


def agent_jar() -> Path:
    """The agent's jar: JVMSCOPE_AGENT_JAR, else the one of this installation.

    That of a checkout must have been built from the sources there. A jar that the variable names
    may be any agent, for tests and experiments.

    Raises:
        AgentError: it was not built, is damaged, or was built from other sources.
    """
    own = os.environ.get(_VARIABLE)
    if own:
        return _checked(Path(own), f"{_VARIABLE} must name an agent's jar")
    agent = _HERE / "agent"
    sources = digest_of_sources(agent)
    advice = "install jvmscope again" if sources is None else "run `make agent`"
    candidates = [_HERE / "jvmscope-agent.jar", agent / "target" / "jvmscope-agent.jar"]
    for candidate in candidates:
        if candidate.exists():
            return _checked(candidate, advice, sources)
    raise AgentError(f"{candidates[0]}: the agent was not built: {advice}")


def _checked(jar: Path, advice: str, sources: str | None = None) -> Path:
    """Returns a jar that is whole, and that was built from some sources if these are given."""
    try:
        built_from = manifest_of(jar).get(ENTRY)
    except NotAnAgent as error:
        raise AgentError(f"{jar}: this is not the agent's jar, since {error}: {advice}") from None
    if sources is not None and built_from != sources:
        raise AgentError(f"{jar}: the agent's jar is not that of this checkout's sources: {advice}")
    return jar.resolve()
