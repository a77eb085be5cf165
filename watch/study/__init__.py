"""The study of what dynamic probes cost, steps S1 to S10, for any program.

V. Horky, J. Kotrc, P. Libic, P. Tuma: Analysis of Overhead in Dynamic Java Performance Monitoring,
ICPE 2016. docs/study.md says what each step does, and where we differ.
"""

from jvmscope.watch.study.driver import begin_study, run_study
from jvmscope.watch.study.holding import held_study
from jvmscope.watch.study.manifest import StudyManifest
from jvmscope.watch.study.options import PAPER_WAITS, StudyOptions
from jvmscope.watch.study.store import Study, StudyParts

__all__ = [
    "PAPER_WAITS",
    "Study",
    "StudyManifest",
    "StudyOptions",
    "StudyParts",
    "begin_study",
    "held_study",
    "run_study",
]
