"""The XML view of a run."""
