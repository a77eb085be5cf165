"""Words that no user means: options and arguments refuse or take them, and never end in a bug."""

from __future__ import annotations

import math
from threading import TIMEOUT_MAX

import click
import pytest
from support.verbs import verbs

from jvmscope.cli.click_options import Duration

_NUMBERS = ("9" * 400, "9" * 5000, "1e999", "-1e999", "nan", "inf", "-inf", "1" + "0" * 18, "٣")
_UNITS = ("", "s", "h", "ms", "GiB", "k", "%", "/16", "KiB/" + "9" * 5000, ".5", "=1", ",1")
_WORDS = (*(n + unit for n in _NUMBERS for unit in _UNITS), "", "/", "=", ",", "\udc80")


_PARAMETERS = [
    pytest.param(verb, parameter, id=f"{name} {parameter.name}")
    for name, verb in sorted(verbs().items())
    for parameter in verb.params
]


@pytest.mark.parametrize(("verb", "parameter"), _PARAMETERS)
def test_a_word_is_taken_or_refused(verb: click.Command, parameter: click.Parameter) -> None:
    with click.Context(verb) as context:
        for word in _WORDS:
            try:
                value = parameter.type(word, parameter, context)
            except click.UsageError:
                continue
            if isinstance(parameter.type, Duration):
                assert 0 < value <= TIMEOUT_MAX, word  # what Python can wait for
            assert not isinstance(value, float) or math.isfinite(value), word
