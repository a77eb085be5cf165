"""Questions asked of a run."""
