"""The command line: starting it, the options that verbs share, completion in shells."""

from jvmscope.cli.command_line import (
    BUG,
    DONE,
    INTERRUPTED,
    LIMITED,
    NO,
    RECORDING_FAILED,
    WRONG,
    main,
    program,
    run,
)

__all__ = [
    "BUG",
    "DONE",
    "INTERRUPTED",
    "LIMITED",
    "NO",
    "RECORDING_FAILED",
    "WRONG",
    "main",
    "program",
    "run",
]
