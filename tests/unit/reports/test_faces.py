"""The faces: the same blocks in Markdown and on a terminal, whose names are never markup."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from jvmscope.reports.faces import print_page, to_comment, to_markdown
from jvmscope.reports.faces.blocks import (
    Bars,
    Bullets,
    Drawing,
    Grid,
    Heading,
    Note,
    Paragraph,
    Section,
    Sparks,
    Toned,
    Verdict,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmscope.reports.faces.blocks import Block

_BLOCKS = (
    Heading("app_run", 1),
    Paragraph("a < b & *c*"),
    Bullets(("one", "# two")),
    Grid(("name", "calls"), (("a|b", "1,234"), ("[x](y)", "5")), frozenset({1})),
    Grid(("name",), ()),
    Bars(("1", "2+"), (("hot", (0.75, 0.25)), ("cold", "no calls"))),
    Sparks((("hot", (0.0, 1.0), "98 %"), ("cold", "no calls", ""))),
    Drawing(("a ─┐", "``` b ─┘")),
)


def _terminal(blocks: Iterable[Block], *, is_colored: bool = False) -> str:
    stream = io.StringIO()
    print_page(blocks, stream, is_colored=is_colored, width=100)
    return stream.getvalue()


def test_blocks_in_markdown() -> None:
    assert to_markdown(_BLOCKS) == (
        "# app_run\n\n"
        "a &lt; b &amp; \\*c\\*\n\n"
        "- one\n- \\# two\n\n"
        "| name | calls |\n| --- | ---: |\n| a\\|b | 1,234 |\n| \\[x](y) | 5 |\n\n"
        "None.\n\n"
        "|  | 1 % | 2+ % |\n| --- | ---: | ---: |\n| hot | 75 | 25 |\n| cold | no calls |  |\n\n"
        "|  | curve |  |\n| --- | --- | --- |\n| hot | ▁█ | 98 % |\n| cold | no calls |  |\n\n"
        "````text\na ─┐\n``` b ─┘\n````\n"
    )


def test_blocks_on_a_terminal() -> None:
    lines = [line.rstrip() for line in _terminal(_BLOCKS).splitlines()]

    assert lines[0] == "app_run"
    assert "  • # two" in lines
    assert "a|b      1,234" in lines
    assert f"hot  {'█' * 36}{'▓' * 12} 1 75 %, 2+ 25 %" in lines
    assert "cold no calls" in " ".join(" ".join(lines).split())
    assert "hot  ▁█       98 %" in lines
    assert "\x1b" not in "".join(lines)


def test_colours_only_where_they_are_wanted() -> None:
    assert "\x1b[" in _terminal(_BLOCKS, is_colored=True)


def test_names_cannot_obey_a_terminal() -> None:
    hostile = "x\x1b]0;title\x07[bold]y[/bold]\u009b2J"
    page = _terminal([Heading(hostile, 1), Grid((hostile,), ((hostile,),)), Drawing((hostile,))])

    assert not {"\x1b", "\x07", "\u009b"} & set(page)
    assert page.count("[bold]y[/bold]") == 4

    lines = "| a |\n# heading\r"
    tree = Grid((hostile,), ((lines,),), is_tree=True)
    text = to_markdown([Heading(hostile, 1), Grid((hostile,), ((hostile,),)), tree])
    assert not {"\x1b", "\x07", "\u009b", "\r"} & set(text)
    assert "| a |\ufffd# heading\n" in text


_JUDGED = (
    Verdict("a → b", "fails: 1 of 1 conditions hold", "run", has_failed=True),
    Section("Of <init>", (Grid(("x", "%"), (("f", Toned("+3", "worse")),)), Note("… and 2 more"))),
    Section(
        "Tree of __init__",
        (Grid(("n", "context"), (("1", "f"), ("10", "  g")), frozenset({0}), is_tree=True),),
        is_folded=True,
    ),
)


def test_sections_in_markdown() -> None:
    assert to_markdown(_JUDGED) == (
        "### ❌ a → b\n\n**fails: 1 of 1 conditions hold**\n(scope: run)\n\n"
        "#### Of &lt;init>\n\n| x | % |\n| --- | --- |\n| f | +3 |\n\n*… and 2 more*\n\n"
        "<details><summary>Tree of __init__</summary>\n\n"
        "```text\n n  context\n 1  f\n10    g\n```\n\n</details>\n"
    )


def test_sections_on_a_terminal() -> None:
    lines = [line.rstrip() for line in _terminal(_JUDGED).splitlines()]

    assert lines[:4] == ["a → b  (scope: run)", "fails: 1 of 1 conditions hold", "", "Of <init>"]
    assert lines[6:9] == ["f   +3", "… and 2 more", ""]
    assert lines[-3:] == ["─" * 12, " 1   f", "10     g"]


def test_tones_are_colours() -> None:
    page = _terminal(_JUDGED, is_colored=True)

    assert "\x1b[31m+3" in page
    assert "\x1b[1;31mfails: " in page


def test_names_cannot_break_the_markdown() -> None:
    hostile = "</details>|[x](y)<script>`"
    rows = Section("t", (Grid(("name",), ((Toned(hostile, "none"),),)),))
    tree = Section(hostile, (Grid(("context",), (("````<b>",),), is_tree=True),), is_folded=True)

    page = to_markdown([rows, tree])

    assert "| &lt;/details>\\|\\[x](y)&lt;script>\\` |" in page
    assert "<summary>&lt;/details&gt;|[x](y)&lt;script&gt;`</summary>" in page
    assert page.count("`````") == 2


def test_a_comment_is_never_too_long() -> None:
    long = Section("long", (Grid(("name",), (("x" * 1000,),) * 100),))
    short = Section("short", (Grid(("name",), (("y",),)),))

    page = to_comment([*_JUDGED, long, short])

    assert len(page) < 65_536
    assert "| y |" in page
    assert page.endswith("\n\n*Left out, since a comment would be too long: long*\n")
    assert to_comment(_JUDGED) == to_markdown(_JUDGED)
