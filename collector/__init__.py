"""From a command that starts a JVM to a run."""

from __future__ import annotations

import os
from pathlib import Path

from jvmscope.errors import AgentError

__all__ = ["agent_jar"]


def agent_jar() -> Path:
    """The agent's jar: JVMSCOPE_AGENT_JAR, else the one of this installation.

    Raises:
        AgentError: it was not built.
    """
    own = os.environ.get("JVMSCOPE_AGENT_JAR")
    here = Path(__file__).resolve().parent
    built = here / "agent" / "target" / "jvmscope-agent.jar"
    candidates = [Path(own)] if own else [here / "jvmscope-agent.jar", built]
    for candidate in candidates:
        if candidate.is_file():
            return candidate.resolve()
    raise AgentError(f"{candidates[0]}: the agent was not built: run `make agent`")
