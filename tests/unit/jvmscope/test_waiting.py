"""Whatever takes long says what it does, also where nobody knows how much of it is done."""

from __future__ import annotations

import time

import pytest

from jvmscope.output.console import Console

_LONG_S = 0.4


@pytest.mark.parametrize(("after_s", "said"), [(0.05, "comparing …\n"), (60, "")])
def test_what_takes_long_is_said(
    capsys: pytest.CaptureFixture[str], after_s: float, said: str
) -> None:
    with Console(progress="plain").waiting("comparing", after_s):
        time.sleep(_LONG_S)
    time.sleep(_LONG_S / 4)

    assert capsys.readouterr().err == said


def test_nothing_is_said_after_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with (
        pytest.raises(ValueError, match="wrong"),
        Console(progress="plain").waiting("comparing", _LONG_S / 4),
    ):
        raise ValueError("wrong")
    time.sleep(_LONG_S)

    assert capsys.readouterr().err == ""
