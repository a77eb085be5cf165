"""Names of hidden classes, which the VM writes in a form of their own."""

from __future__ import annotations

import re

__all__ = ["jvm_name"]

_HIDDEN = re.compile(r"([^/]+)(?:/(0x[0-9a-f]{8,})|\+(0x[0-9a-f]{8,})/[0-9]+)")


def jvm_name(name: str) -> str:
    """Returns the name of a class in JVM form, as the event stream has it for all but hidden ones.

    Of a hidden class the VM writes the package with dots, and what tells it from others behind a
    slash, which would make a package of the class. In JVM form it is the other way round. Before
    JDK 21 the event stream also has a hash behind the address, which other interfaces lack.

    >>> jvm_name("java/lang/String"), jvm_name("app.Main$$Lambda/0x000000004113e400")
    ('java/lang/String', 'app/Main$$Lambda.0x000000004113e400')
    >>> jvm_name("app.Hidden+0x00007efe9813e000/248609774")
    'app/Hidden.0x00007efe9813e000'
    """
    hidden = _HIDDEN.fullmatch(name)
    if hidden is None:
        return name
    return f"{hidden[1].replace('.', '/')}.{hidden[2] or hidden[3]}"
