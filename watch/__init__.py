"""Watching: what a running VM does, seen through its own event stream, as a watch run.

Nothing of this stage runs in the VM, unless there are probes. It imports no stage but the schema.
"""

from jvmscope.watch.machines import JavaVm, find_vm, find_vms, vms_below
from jvmscope.watch.probes import FOLLOWED, Following, Probe, Sample, SampledProbes, parse_probe
from jvmscope.watch.session import WatchOptions, expect_writable, is_watch_run, watch
from jvmscope.watch.store import Limits
from jvmscope.watch.tally import ProbeView, View

__all__ = [
    "FOLLOWED",
    "Following",
    "JavaVm",
    "Limits",
    "Probe",
    "ProbeView",
    "Sample",
    "SampledProbes",
    "View",
    "WatchOptions",
    "expect_writable",
    "find_vm",
    "find_vms",
    "is_watch_run",
    "parse_probe",
    "vms_below",
    "watch",
]
