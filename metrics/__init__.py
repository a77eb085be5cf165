"""The metrics: one file each, and their catalogue."""
