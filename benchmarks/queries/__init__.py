"""How fast questions are answered: `python -m benchmarks.queries`."""
