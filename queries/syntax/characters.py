"""The characters of XML 1.0 and of names, as parts of regular expressions and as tests."""

from __future__ import annotations

import re

__all__ = ["NCNAME", "NOT_XML", "QNAME", "is_ncname", "is_xml_character"]

_START = (
    "A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
NCNAME = f"[{_START}][-.0-9\u00b7\u0300-\u036f\u203f\u2040{_START}]*"
"""A name without a colon (Namespaces in XML 1.0, production 4)."""

QNAME = f"{NCNAME}(?::{NCNAME})?"
"""A name with or without a prefix (Namespaces in XML 1.0, production 7)."""

_XML = "\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff"
NOT_XML = re.compile(f"[^{_XML}]")
"""A character that no XML document and no query may contain."""

_NCNAME = re.compile(NCNAME)


def is_ncname(text: str) -> bool:
    """Tells whether a text is a name without a colon.

    >>> is_ncname("a.b-c"), is_ncname("a:b"), is_ncname("")
    (True, False, False)
    """
    return _NCNAME.fullmatch(text) is not None


def is_xml_character(code: int) -> bool:
    """Tells whether a code point is a character of XML 1.0.

    >>> is_xml_character(0x41), is_xml_character(0), is_xml_character(0xD800)
    (True, False, False)
    """
    return code < 0x110000 and NOT_XML.match(chr(code)) is None
