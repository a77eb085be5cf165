"""What of the options the agent is told."""

from __future__ import annotations

import pytest

from jvmscope.collector.options import RecordOptions
from jvmscope.errors import AgentError


def test_patterns_in_any_script_are_lines_for_the_agent() -> None:
    options = RecordOptions(include=("päck/*",), start_at="p.C.m")
    options.check()
    assert {"include=päck/*", "from=p.C.m", "vm_threads=false"} <= set(options.agent_lines())


@pytest.mark.parametrize("pattern", ["a\nraw=/", "a\r", "a\0b", "caf\udce9", "a\u2028b"])
def test_what_is_no_line_of_text_is_refused(pattern: str) -> None:
    with pytest.raises(AgentError, match=r"--exclude '.*': expected one line of UTF-8"):
        RecordOptions(exclude=(pattern,)).check()
