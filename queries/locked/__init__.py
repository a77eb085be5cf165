"""Untrusted queries: answered in a process that can reach nothing but the run.

caller ── request ──▶ worker: confined, limits, a locked database, rules for the query
       ◀── frames ──          columns, batches of Arrow, the end or an error
"""

from jvmscope.queries.locked.limits import Limits

__all__ = ["Limits"]
