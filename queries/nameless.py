"""What people read where a thread has no name, as virtual threads that nobody named."""

__all__ = ["NO_NAME", "thread_label"]

NO_NAME = "(no name)"
"""What stands for the name."""


def thread_label(name: str) -> str:
    """Returns the SQL of a thread's name as people read it; ``name`` is the SQL of the name.

    What is no thread has no name at all: null stays null.

    >>> thread_label("t.name")
    "CASE t.name WHEN '' THEN '(no name)' ELSE t.name END"
    """
    return f"CASE {name} WHEN '' THEN '{NO_NAME}' ELSE {name} END"
