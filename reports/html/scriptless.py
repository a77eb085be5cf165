"""A page without scripts: sections under a heading, in one file that requests nothing."""

from __future__ import annotations

from importlib.metadata import version
from string import Template
from typing import TYPE_CHECKING, NamedTuple

from jvmscope.reports.html.files import asset, digest
from jvmscope.reports.html.markup import text

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Section", "scriptless_page"]


class Section(NamedTuple):
    """A section: its name in links, its title, and the markup below that."""

    name: str
    title: str
    body: str


def scriptless_page(
    *,
    kicker: str,
    title: str,
    subtitle: str,
    sections: Sequence[Section],
    foot: str,
    notes: str = "",
    style: str = "",
) -> str:
    """Returns the page; a policy allows its style and nothing else.

    Args:
        kicker: what stands above the title, as text.
        title: the title, as text.
        subtitle: what stands below it, as text.
        sections: the sections.
        foot: what stands last, as text.
        notes: markup above the sections.
        style: rules beside those that all such pages have.
    """
    style = asset("page.css") + asset("scriptless.css") + style
    return Template(asset("scriptless.html")).substitute(
        policy=(
            f"default-src 'none'; style-src {digest(style)}; img-src data:; base-uri 'none'; "
            "form-action 'none'"
        ),
        generator=f"jvmscope {text(version('jvmscope'))}",
        kicker=text(kicker),
        title=text(title),
        subtitle=text(subtitle),
        style=style,
        sections="".join(
            f'<li><a href="#{each.name}">{text(each.title)}</a></li>' for each in sections
        ),
        body=notes + "\n".join(map(_markup, sections)),
        foot=text(foot),
    )


def _markup(section: Section) -> str:
    return f'<section id="{section.name}"><h2>{text(section.title)}</h2>{section.body}</section>'
