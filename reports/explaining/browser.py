"""An explanation as one page for the browser, without scripts and without a network.

Names of classes and methods are others', so they are escaped, and the page's policy forbids
every request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.reports.explaining.drawing import to_svg
from jvmscope.reports.explaining.wording import about, quality, verdict
from jvmscope.reports.html.markup import text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmscope.reports.explaining.model import Explanation

__all__ = ["to_html"]

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem }}
pre {{ background: #f6f8fa; padding: .8rem; overflow-x: auto }}
figure {{ margin: 1rem 0; overflow-x: auto }}
table {{ border-collapse: collapse }}
th, td {{ padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #d0d7de }}
th:first-child, td:first-child {{ text-align: left }}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def to_html(found: Explanation) -> str:
    """Returns the page."""
    return _PAGE.format(
        title=text(f"Why are objects {found.outcome}?"), body="\n".join(_body(found))
    )


def _body(found: Explanation) -> Iterator[str]:
    yield f"<h1>Why are objects {text(found.outcome)}?</h1>"
    yield f"<p>Scope: {text(found.scope)}. <strong>{text(verdict(found))}</strong></p>"
    yield "<ul>" + "".join(f"<li>{text(line)}</li>" for line in about(found)) + "</ul>"
    if not found.rule:
        return
    yield f"<h2>Rule</h2>\n<pre>{_lines(found.text)}</pre>"
    yield f"<figure>\n{to_svg(found)}</figure>"
    yield f"<h2>SQL</h2>\n<pre>{_lines(found.sql)}</pre>"
    yield f"<h2>Each {text(found.left_out_by)}, by a rule made without it</h2>"
    titles = (found.left_out_by, "precision", "coverage", "base rate")
    rows = [quality(each, each.program) for each in (*found.left_out, found.all_left_out)]
    yield _table(titles, rows)


def _lines(told: str) -> str:
    """Returns text of several lines."""
    return "\n".join(map(text, told.split("\n")))


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{text(title)}</th>" for title in titles)
    body = "\n".join(
        f"<tr>{''.join(f'<td>{text(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    return f"<table>\n<tr>{head}</tr>\n{body}\n</table>"
