"""The paper's questions in XQuery, in SQL by hand, and with lxml.

The XQuery is the same for every processor; for those that read files, ``$cct``, ``$classes`` and
``$methods`` are declared in a prolog. Each answer is one string, so that answers can be compared.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["QUESTIONS", "Question", "prolog"]

_DCG = "{urn:jvmscope:dcg:1}"


@dataclass(frozen=True)
class Question:
    """One question in three forms, which give the same string."""

    name: str
    title: str
    xquery: str
    sql: str
    lxml: Callable[[Any, Any], str]


def prolog(cct: str, classes: str) -> str:
    """Returns the declarations that an XQuery on files needs."""
    return f"""declare namespace dcg = "urn:jvmscope:dcg:1";
declare variable $cct := doc("{cct}");
declare variable $classes := doc("{classes}");
declare variable $methods := $classes//dcg:method;
"""


def _hottest(_cct: Any, classes: Any) -> str:
    found = []
    for place, method in enumerate(classes.iter(f"{_DCG}method")):
        counts = [int(c.text) for c in method.iterfind(f"{_DCG}basicBlock/{_DCG}executionCount")]
        if counts:
            found.append((-max(counts), place, method.get("id")))
    found.sort()
    return " ".join(f"{identifier}={-count}" for count, _, identifier in found[:10])


def _hotness(cct: Any, _classes: Any) -> str:
    calls: Counter[str] = Counter()
    for context in cct.iter(f"{_DCG}context"):
        if (method := context.get("method")) is not None:
            calls[method] += int(context.findtext(f"{_DCG}callCount"))
    ranked = sorted(calls.values(), reverse=True)
    k = -(-len(ranked) // 5)
    return f"{len(ranked)} {sum(ranked[:k])} {sum(ranked)}"


def _polymorphism(cct: Any, classes: Any) -> str:
    dynamic = {
        site.get("id")
        for site in classes.iter(f"{_DCG}callSite")
        if site.get("opcode") in {"invokevirtual", "invokeinterface"}
    }
    targets: dict[str, set[str]] = defaultdict(set)
    for context in cct.iter(f"{_DCG}context"):
        if (site := context.get("callSite")) in dynamic:
            targets[site].add(context.get("method"))
    degrees = Counter(len(found) for found in targets.values())
    return " ".join(f"{degree}:{n}" for degree, n in sorted(degrees.items()))


def _mix(_cct: Any, classes: Any) -> str:
    executed: Counter[str] = Counter()
    for block in classes.iter(f"{_DCG}basicBlock"):
        n = int(block.findtext(f"{_DCG}executionCount") or 0)
        for instruction in block.iterfind(f"{_DCG}instruction"):
            executed[instruction.get("opcode")] += n
    return " ".join(f"{opcode}={n}" for opcode, n in sorted(executed.items()) if n)


def _recursion(cct: Any, _classes: Any) -> str:
    heights: Counter[int] = Counter()
    calls: Counter[int] = Counter()
    for context in cct.iter(f"{_DCG}context"):
        method, height, is_recursive = context.get("method"), 1, False
        for above in context.iterancestors(f"{_DCG}context"):
            height += 1
            is_recursive = is_recursive or (method is not None and above.get("method") == method)
        if is_recursive:
            heights[height] += 1
            calls[height] += int(context.findtext(f"{_DCG}callCount"))
    return " ".join(f"{h}:{heights[h]}:{calls[h]}" for h in sorted(heights))


QUESTIONS = (
    Question(
        "hottest",
        "Figure 4: methods by their hottest block",
        """string-join((
  let $ordered :=
    for $m in $methods[dcg:basicBlock/dcg:executionCount]
    let $h := max($m/dcg:basicBlock/dcg:executionCount/xs:long(.))
    order by $h descending
    return concat($m/@id, '=', $h)
  return $ordered[position() <= 10]), ' ')""",
        """WITH executed AS (
    SELECT basic_block_id, SUM(n_executions) AS n FROM thread_block GROUP BY basic_block_id
), hottest AS (
    SELECT b.method_id, MAX(COALESCE(e.n, 0)) AS h
    FROM basic_block AS b
    JOIN method AS m ON m.method_id = b.method_id
    LEFT JOIN executed AS e ON e.basic_block_id = b.basic_block_id
    WHERE m.coverage = 'full' OR e.n > 0
    GROUP BY b.method_id ORDER BY h DESC, b.method_id LIMIT 10
)
SELECT string_agg(method_id || '=' || h, ' ' ORDER BY h DESC, method_id) AS value FROM hottest""",
        _hottest,
    ),
    Question(
        "hotness",
        "share of the calls on the hottest fifth of the methods",
        """let $w :=
  for $c in $cct//dcg:context[@method]
  group by $m := $c/@method
  let $s := sum($c/dcg:callCount/xs:long(.))
  order by $s descending
  return $s
let $k := xs:integer(ceiling(count($w) * 0.2))
return concat(count($w), ' ', sum(subsequence($w, 1, $k)), ' ', sum($w))""",
        """WITH weight AS (
    SELECT method_id, SUM(n_calls) AS n, ROW_NUMBER() OVER (ORDER BY SUM(n_calls) DESC) AS place
    FROM context WHERE method_id IS NOT NULL GROUP BY method_id
)
SELECT COUNT(*) || ' '
       || SUM(n) FILTER (WHERE place <= CEIL((SELECT COUNT(*) FROM weight) * 0.2)) || ' '
       || SUM(n) AS value
FROM weight""",
        _hotness,
    ),
    Question(
        "polymorphism",
        "dynamically dispatched call sites by their number of targets",
        """let $dynamic :=
  $classes//dcg:callSite[@opcode = ('invokevirtual', 'invokeinterface')]/@id
let $degrees :=
  for $c in $cct//dcg:context[@callSite = $dynamic]
  group by $s := $c/@callSite
  return count(distinct-values($c/@method))
return string-join(
  for $d in $degrees group by $t := $d order by $t return concat($t, ':', count($d)), ' ')""",
        """WITH site AS (
    SELECT context.call_site_id, COUNT(DISTINCT context.method_id) AS degree
    FROM context JOIN call_site USING (call_site_id)
    WHERE call_site.opcode IN ('invokevirtual', 'invokeinterface')
    GROUP BY context.call_site_id
), bin AS (SELECT degree, COUNT(*) AS n FROM site GROUP BY degree)
SELECT string_agg(degree || ':' || n, ' ' ORDER BY degree) AS value FROM bin""",
        _polymorphism,
    ),
    Question(
        "mix",
        "executions of each opcode",
        """string-join(
  for $i in $classes//dcg:instruction
  let $n := sum($i/../dcg:executionCount/xs:long(.))
  where $n > 0
  group by $op := string($i/@opcode)
  order by $op
  return concat($op, '=', sum($n)), ' ')""",
        """WITH executed AS (
    SELECT basic_block_id, SUM(n_executions) AS n FROM thread_block GROUP BY basic_block_id
), mix AS (
    SELECT instruction.opcode, SUM(executed.n) AS n
    FROM instruction JOIN executed USING (basic_block_id) GROUP BY instruction.opcode
)
SELECT string_agg(opcode || '=' || n, ' ' ORDER BY opcode) AS value FROM mix WHERE n > 0""",
        _mix,
    ),
    Question(
        "recursion",
        "contexts whose method is called below itself, by height",
        """string-join(
  for $c in $cct//dcg:context
  where $c/@method = $c/ancestor::dcg:context/@method
  group by $h := count($c/ancestor-or-self::dcg:context)
  order by $h
  return concat($h, ':', count($c), ':', sum($c/dcg:callCount/xs:long(.))), ' ')""",
        """WITH height AS (
    SELECT depth + 1 AS h, COUNT(*) AS n, SUM(n_calls) AS calls
    FROM context WHERE ancestor_id IS NOT NULL GROUP BY depth
)
SELECT string_agg(h || ':' || n || ':' || calls, ' ' ORDER BY h) AS value FROM height""",
        _recursion,
    ),
)
