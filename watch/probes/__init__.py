"""Probes: what is measured of chosen methods in a VM that runs.

The agent that puts them in, takes them out and counts is ``io.jvmscope.watch`` in collector/agent.
"""

from jvmscope.watch.probes.following import FOLLOWED, Following, ProbeSearch
from jvmscope.watch.probes.moved import MovedMethods
from jvmscope.watch.probes.probe import Probe, class_pattern, exact_probe, named_probe, parse_probe
from jvmscope.watch.probes.probing import Probing
from jvmscope.watch.probes.sampled import Sample, SampledProbes

__all__ = [
    "FOLLOWED",
    "Following",
    "MovedMethods",
    "Probe",
    "ProbeSearch",
    "Probing",
    "Sample",
    "SampledProbes",
    "class_pattern",
    "exact_probe",
    "named_probe",
    "parse_probe",
]
