"""The metrics: one file each under its area, their catalogue, and their evaluation."""

from jvmscope.metrics.catalogue import catalogue, select
from jvmscope.metrics.measure import measure
from jvmscope.metrics.tidy import widen

__all__ = ["catalogue", "measure", "select", "widen"]
