"""Independent oracles of what a JVM executes, and the comparison of recordings with them.

Run `python -m oracle PROGRAM` in `tests/` to compare one program by hand.
"""

__all__: list[str] = []
