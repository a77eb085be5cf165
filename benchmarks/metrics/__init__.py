"""How fast all metrics of the catalogue are: `python -m benchmarks.metrics`."""
