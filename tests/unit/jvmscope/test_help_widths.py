"""The help of every verb fits the narrowest terminal that is usual."""

from __future__ import annotations

import click
import pytest
from support.verbs import verbs

_VERBS = verbs()


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize("verb", _VERBS)
def test_help_fits(verb: str, width: int) -> None:
    context = click.Context(
        _VERBS[verb], info_name=verb, terminal_width=width, max_content_width=100
    )
    lines = _VERBS[verb].get_help(context).splitlines()

    assert [line for line in lines if len(line) > width] == []
