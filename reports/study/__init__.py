"""Reports on studies of overhead: questions Q1 to Q6 and figures 5 to 12 of the paper.

V. Horký, J. Kotrč, P. Libič, P. Tůma: Analysis of Overhead in Dynamic Java Performance Monitoring,
ICPE 2016, section 4.
"""

from jvmscope.reports.study.beside import studies_page, studies_table
from jvmscope.reports.study.html import to_html
from jvmscope.reports.study.page import study_page, summary_page
from jvmscope.reports.study.plain import STUDY_REPORT_SCHEMA, to_json, to_table
from jvmscope.reports.study.questions import StudyReport, study_report

__all__ = [
    "STUDY_REPORT_SCHEMA",
    "StudyReport",
    "studies_page",
    "studies_table",
    "study_page",
    "study_report",
    "summary_page",
    "to_html",
    "to_json",
    "to_table",
]
