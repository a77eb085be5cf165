"""``python -m jvmscope`` is ``jvmscope``: what both start with."""

from __future__ import annotations

import signal

__all__ = ["main"]


def main() -> None:
    """Runs the command line of this process.

    Until a verb runs, Ctrl-C ends it as SIGTERM does, without a word: there is nothing to clean up.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from jvmscope.cli import main as run

    run()


if __name__ == "__main__":
    main()
