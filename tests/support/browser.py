"""A headless Chromium with what pages write to their console."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selenium.webdriver import Chrome

__all__ = ["Browser", "browser"]

# Chromium's own connections are of no use here, and fail noisily without a network.
_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,900",
)
_TIMEOUT_S = 120


class Browser:
    """A browser that shows one page at a time."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver

    def open(self, page: Path, *, scheme: str = "light") -> None:
        """Shows a file to a reader who prefers light or dark, when it is drawn.

        Raises:
            TimeoutException: it never says that it is drawn.
        """
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        self.driver.get(page.as_uri())
        self.until("return document.documentElement.dataset.state === 'drawn'")

    def until(self, script: str) -> Any:
        """Waits until a script returns what is true, and returns it."""
        from selenium.webdriver.support.wait import WebDriverWait

        return WebDriverWait(self.driver, _TIMEOUT_S).until(
            lambda driver: driver.execute_script(script)
        )

    def run(self, script: str, *arguments: Any) -> Any:
        """Returns what a script returns in the page."""
        return self.driver.execute_script(script, *arguments)

    def press(self, *keys: str) -> None:
        """Presses keys, one after another, wherever the focus is."""
        from selenium.webdriver import ActionChains

        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def console(self) -> list[str]:
        """Returns what the page wrote to its console, errors of its policy included."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@contextmanager
def browser() -> Iterator[Browser]:
    """Yields a browser; without one, which make installs where it may, the test is left out."""
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        pytest.skip("no Chromium: .ci/toolchain browser installs it")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for option in _OPTIONS:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(chromedriver))
    try:
        yield Browser(driver)
    finally:
        driver.quit()
