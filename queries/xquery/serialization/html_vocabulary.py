"""Elements and attributes of HTML that are written in a way of their own (section 7)."""

from __future__ import annotations

__all__ = ["BOOLEANS", "FOREIGN", "INLINE", "URIS", "VERBATIM", "VOID", "VOID_IN_XHTML_5", "XHTML"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


XHTML = "http://www.w3.org/1999/xhtml"
FOREIGN = frozenset({"http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"})
"""The namespaces of elements that HTML 5 embeds."""

VOID = _words(
    "area base basefont br col command embed frame hr img input isindex keygen link meta param"
    " source track wbr"
)
"""Elements without content, which have no end tag."""

VOID_IN_XHTML_5 = VOID - {"basefont", "command", "frame", "isindex"}
"""Those of them that are void in HTML 5 too."""

INLINE = _words(
    "a abbr acronym applet area audio b basefont bdi bdo big br button canvas cite code data"
    " datalist del dfn em embed font i iframe img input ins kbd label map mark math meter noscript"
    " object output param progress q ruby s samp script select small span strike strong sub sup"
    " svg template textarea time tt u var video wbr"
)
"""Elements beside which white space shows."""

VERBATIM = _words("pre script style title textarea")
"""Elements within which white space shows."""

URIS = {
    "action": _words("form"),
    "archive": _words("object"),
    "background": _words("body"),
    "cite": _words("blockquote del ins q"),
    "classid": _words("object"),
    "codebase": _words("applet object"),
    "data": _words("object"),
    "datasrc": _words("button div input object select span table textarea"),
    "for": _words("script"),
    "formaction": _words("button input"),
    "href": _words("a area base link"),
    "icon": _words("command"),
    "longdesc": _words("frame iframe img"),
    "manifest": _words("html"),
    "name": _words("a"),
    "poster": _words("video"),
    "profile": _words("head"),
    "src": _words("audio embed frame iframe img input script source track video"),
    "usemap": _words("img input object"),
    "value": _words("input"),
}
"""Attributes whose values are URIs, and the elements where they are."""

BOOLEANS = {
    "async": _words("script"),
    "autofocus": _words("button input keygen select textarea"),
    "autoplay": _words("audio video"),
    "checked": _words("command input"),
    "compact": _words("dir dl menu ol ul"),
    "controls": _words("audio video"),
    "declare": _words("object"),
    "defer": _words("script"),
    "disabled": _words("button command fieldset input keygen optgroup option select textarea"),
    "formnovalidate": _words("button input"),
    "hidden": _words(""),
    "ismap": _words("img"),
    "loop": _words("audio video"),
    "multiple": _words("input select"),
    "nohref": _words("area"),
    "noresize": _words("frame"),
    "noshade": _words("hr"),
    "novalidate": _words("form"),
    "nowrap": _words("td th"),
    "open": _words("details dialog"),
    "readonly": _words("input textarea"),
    "required": _words("input select textarea"),
    "reversed": _words("ol"),
    "scoped": _words("style"),
    "seamless": _words("iframe"),
    "selected": _words("option"),
}
"""Attributes that stand without a value, and the elements where they are; none named: all."""
