"""The category of warnings about runs that may lack something."""

from __future__ import annotations

__all__ = ["RunWarning"]


class RunWarning(UserWarning):
    """A run is not whole, or the memory limit folded calls in it, so answers may lack something.

    ``warnings.simplefilter("error", jvmscope.RunWarning)`` makes it an error.
    """
