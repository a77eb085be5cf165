"""Numeric steps: what no query language has, computed in Python between two queries.

A step takes the values of other metrics on several runs and makes tables of them, in a schema of
its own name. A metric whose header has ``@step NAME`` is about all runs together, and its SQL reads
these tables:

    values of the metrics in $features, on every run ──step──▶ pca.component, … ──SQL──▶ values
"""

from jvmscope.metrics.steps.features import FeatureMatrix, feature_matrix, feature_metrics
from jvmscope.metrics.steps.over_runs import STEPS, measure_over_runs

__all__ = ["STEPS", "FeatureMatrix", "feature_matrix", "feature_metrics", "measure_over_runs"]
