"""Queries that are not one's own: answered in a process that can reach nothing but the run.

caller ── request ──▶ worker: limits of the process, a locked database, the query's rules
       ◀── frames ──          columns, batches of Arrow, the end or an error
"""

from jvmscope.queries.locked.limits import Limits

__all__ = ["Limits"]
