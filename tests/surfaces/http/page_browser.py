"""A real browser, and a tab of it that notices what no page of ours may do.

``conftest`` has ``browser`` and ``open_tab`` for all. One browser for all tests of a process: it takes longer to start
than most of them, and so does a tab, which is used again once it is empty. The browser runs an event loop in this
thread, which is seen only while a test has it, since others want one for themselves. Below: playwright, Debian's
Chromium.
"""

import asyncio
import os
import re
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Dialog,
    Error,
    Page,
    Playwright,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)

CHROMIUM = Path("/usr/bin/chromium")
_WITHOUT = (
    # What drops down from the address bar, which nobody sees, is a page of its own that costs more than ours.
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
    # What playwright does without: only the last list counts.
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch",
)  # fmt: skip
_FLAGS = (
    "--no-sandbox", "--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", f"--disable-features={','.join(_WITHOUT)}",
)  # fmt: skip
_WAIT_MS = 20_000
expect.set_options(timeout=_WAIT_MS)
LOADING_FAILED = "Failed to load resource"
"""What the browser itself says of an answer that was an error, or of none."""


class Tab:
    """``page`` is playwright's. ``wrongs`` are complaints of the browser, dialogs, and requests to other places."""

    def __init__(self, page: Page, *, scheme: Literal["dark", "light"] = "light", width: int = 1280) -> None:
        self.page = page
        self.context = page.context
        self.resize(width)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        self.requests: list[str] = []
        self.wrongs: list[str] = []
        self._origin = ""
        page.on("console", self._heard)
        page.on("pageerror", self._failed)
        page.on("dialog", self._asked)
        self.context.on("request", self._requested)

    def resize(self, width: int) -> None:
        self.page.set_viewport_size(ViewportSize(width=width, height=860))

    def leave(self) -> None:
        """Whatever happens in it from now on is nobody's fault."""
        self.page.remove_listener("console", self._heard)
        self.page.remove_listener("pageerror", self._failed)
        self.page.remove_listener("dialog", self._asked)
        self.context.remove_listener("request", self._requested)

    def open(self, address: str) -> Page:
        self._origin = urlsplit(address).netloc
        self.page.goto(address)
        return self.page

    def sign_in(self, address: str, token: str) -> Page:
        """Until something is shown."""
        page = self.open(address)
        page.fill("#token", token)
        page.keyboard.press("Enter")
        page.wait_for_selector("#connection[data-state=live]")
        page.wait_for_selector("#summary:not([hidden])")
        return page

    def forgive(self, pattern: str) -> None:
        """What this test brings about on purpose."""
        self.wrongs = [each for each in self.wrongs if not re.search(pattern, each)]

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.wrongs.append(message.text)

    def _failed(self, error: Error) -> None:
        self.wrongs.append(str(error))

    def _asked(self, dialog: Dialog) -> None:
        self.wrongs.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def _requested(self, request: Request) -> None:
        parts = urlsplit(request.url)
        self.requests.append(parts.path)
        if parts.scheme != "data" and parts.netloc != self._origin:
            self.wrongs.append(f"request to {request.url}")


OpenTab = Callable[..., Tab]


class Chromium:
    """One that is started when it is first wanted, and again should it have crashed; with pages that nobody uses."""

    def __init__(self, playwright: Playwright) -> None:
        self._playwright = playwright
        self._loop = asyncio.get_running_loop()
        self._launched: Browser | None = None
        self._empty: list[Page] = []

    def browser(self) -> Browser:
        if self._launched is None or not self._launched.is_connected():
            self._launched = self._playwright.chromium.launch(executable_path=CHROMIUM, args=list(_FLAGS))
        return self._launched

    def new_page(self) -> Page:
        """In a context of its own: nothing is stored in it."""
        page = self.browser().new_context().new_page()
        page.set_default_timeout(_WAIT_MS)
        return page

    def take_page(self) -> Page:
        """An empty one: that of an earlier test, if there is one that lives."""
        living = [page for page in self._empty if not page.is_closed()]
        self._empty = living[1:]
        return living[0] if living else self.new_page()

    def give_back(self, page: Page) -> None:
        """Emptied for the next: it shows nothing, and nothing is stored for where it has been."""
        try:
            page.evaluate(_EMPTIED)  # from within: told by us, the browser would start another process for it
            page.wait_for_url("about:blank")
            page.context.clear_cookies()
        except Error:
            page.context.close()
        else:
            self._empty.append(page)

    def close(self) -> None:
        if self._launched is not None:
            self._launched.close()

    def show_loop(self, *, is_shown: bool) -> None:
        """Whether its event loop is the one that runs in this thread, for those who ask which does."""
        asyncio._set_running_loop(self._loop if is_shown else None)  # pyright: ignore[reportPrivateUsage]  no other way


@pytest.fixture(scope="session")
def chromium() -> Generator[Chromium]:
    """Headless, with nothing in it."""
    if not CHROMIUM.exists():
        why = "Chromium is not installed: scripts/install-browser does that"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    with sync_playwright() as playwright:
        started = Chromium(playwright)
        started.show_loop(is_shown=False)
        try:
            yield started
        finally:
            started.show_loop(is_shown=True)
            started.close()


@pytest.fixture
def browser(chromium: Chromium) -> Generator[Browser]:
    """That of all tests."""
    chromium.show_loop(is_shown=True)
    try:
        yield chromium.browser()
    finally:
        chromium.show_loop(is_shown=False)


@pytest.fixture
def open_tab(browser: Browser, chromium: Chromium) -> Generator[OpenTab]:
    """Makes tabs with nothing stored in them; in the end nothing may have gone wrong in any.

    ``is_own``: of a context that nobody else has, for tests that close it, open others beside it or permit it more.
    """
    assert browser.is_connected()
    tabs: list[tuple[Tab, bool]] = []

    def make(*, scheme: Literal["dark", "light"] = "light", width: int = 1280, is_own: bool = False) -> Tab:
        page = chromium.new_page() if is_own else chromium.take_page()
        tabs.append((Tab(page, scheme=scheme, width=width), is_own))
        return tabs[-1][0]

    yield make
    wrongs = [each for tab, _ in tabs for each in tab.wrongs]
    for tab, is_own in tabs:
        tab.leave()
        if is_own:
            tab.context.close()
        else:
            chromium.give_back(tab.page)
    assert not wrongs, wrongs


def overflow(page: Page) -> list[str]:
    """What reaches beyond the right edge of the page, unless it scrolls by itself."""
    found: list[str] = page.evaluate(_OVERFLOW)
    return found


def faint(page: Page) -> list[str]:
    """Texts with less contrast to what is behind them than 4.5 to 1."""
    found: list[str] = page.evaluate(_FAINT)
    return found


_EMPTIED = """() => {
  sessionStorage.clear();
  localStorage.clear();
  location.replace("about:blank");
}"""

_OVERFLOW = """() => {
  const { clientWidth: width, scrollWidth } = document.documentElement;
  const wide = scrollWidth > width ? [`page ${scrollWidth}`] : [];
  const isOwn = (node) => /auto|scroll|hidden/.test(getComputedStyle(node).overflowX);
  const scrolls = (node) => node && (isOwn(node) || scrolls(node.parentElement));
  for (const node of document.querySelectorAll("body *")) {
    const box = node.getBoundingClientRect();
    if (!box.width || box.right <= width + 1 || scrolls(node.parentElement)) continue;
    wide.push(`${node.tagName}.${node.className}`);
  }
  return wide;
}"""

_FAINT = """() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const linear = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = (rgb) => rgb.reduce((sum, c, i) => sum + linear(c / 255) * [0.2126, 0.7152, 0.0722][i], 0);
  const over = (top, below, share) => below.map((c, i) => top[i] * share + c * (1 - share));
  const behind = (node) => {
    if (!node) return [255, 255, 255];
    const colour = parts(getComputedStyle(node).backgroundColor);
    return (colour[3] ?? 1) === 0 ? behind(node.parentElement) : colour.slice(0, 3);
  };
  const share = (node) => (node ? Number(getComputedStyle(node).opacity) * share(node.parentElement) : 1);
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: node, data } = walker.currentNode;
    if (!data.trim() || !node.checkVisibility() || node.closest(".unseen, .skip, noscript, svg")) continue;
    const ground = behind(node);
    const ink = over(parts(getComputedStyle(node).color), ground, share(node));
    const [high, low] = [light(ink), light(ground)].sort((a, b) => b - a);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) faint.push(`${contrast.toFixed(2)} ${node.className} ${data.slice(0, 30)}`);
  }
  return faint;
}"""
