"""The service goes away and comes back: the page says so, keeps what it had, greyed, and goes on by itself."""

import re

from playwright.sync_api import expect

from tests.surfaces.http.page_browser import OpenTab, faint
from tests.surfaces.http.page_front import TOKEN, FakeFront, fake_front
from tests.surfaces.http.page_stage import Stage, server, snapshot, two_workspaces

GONE = r"Failed to load resource|ERR_"


_REQUESTS_OF_A_CLICK = """() => new Promise((resolve) => {
  const { fetch } = window;
  let asked = 0;
  window.fetch = (...words) => {
    asked += 1;
    return fetch(...words);
  };
  const look = () => {
    // With a second or more to wait; what is asked before the click is over is asked because of it.
    if (!/retrying in ([2-9]|\\d\\d) s/.test(document.getElementById("outage-title").textContent)) {
      setTimeout(look, 20);
      return;
    }
    const before = asked;
    document.getElementById("retry").click();
    resolve(asked - before);
  };
  look();
})"""


def test_the_page_keeps_what_it_had_and_says_that_it_is_cut_off(open_tab: OpenTab) -> None:
    with fake_front(two_workspaces()) as front:
        tab = open_tab()
        page = tab.sign_in(front.address, TOKEN)
        expect(page.locator(".server")).to_have_count(4)
        front.stop()
        expect(page.get_by_role("region", name="Connection")).to_contain_text(
            re.compile(r"Disconnected, retrying in \d+ s\.")
        )
        expect(page.locator("#outage")).to_contain_text(re.compile(r"What is shown is from \d\d:\d\d:\d\d"))
        expect(page.locator("#connection")).to_have_text("Disconnected")
        expect(page.locator("#announcer")).to_have_text("Disconnected, trying again")
        expect(page.locator("#main")).to_have_class(re.compile("stale"))
        expect(page.locator(".server")).to_have_count(4)
        assert faint(page) == []
        tab.forgive(GONE)


def test_it_goes_on_by_itself_when_the_service_is_back(open_tab: OpenTab) -> None:
    with fake_front(two_workspaces()) as front:
        tab = open_tab()
        page = tab.sign_in(front.address, TOKEN)
        expect(page.locator(".server")).to_have_count(4)
        front.stop()
        expect(page.locator("#outage")).to_be_visible()
        again = FakeFront(Stage(snapshot(servers=(server("pyright"),))), port=front.port)
        again.start()
        try:
            expect(page.locator("#connection")).to_have_text("Live", timeout=20_000)
            expect(page.locator("#outage")).to_be_hidden()
            expect(page.locator(".server h4")).to_have_text(["pyright"])
            expect(page.locator("#main")).not_to_have_class(re.compile("stale"))
        finally:
            again.stop()
        tab.forgive(GONE)


def test_it_can_be_told_to_try_at_once(open_tab: OpenTab) -> None:
    with fake_front(two_workspaces()) as front:
        tab = open_tab()
        page = tab.sign_in(front.address, TOKEN)
        front.stop()
        expect(page.get_by_role("button", name="Retry now")).to_be_visible()
        assert page.evaluate(_REQUESTS_OF_A_CLICK) == 1
        tab.forgive(GONE)


def test_a_service_that_is_back_with_another_token_asks_for_it(open_tab: OpenTab) -> None:
    with fake_front(two_workspaces()) as front:
        tab = open_tab()
        page = tab.sign_in(front.address, TOKEN)
        front.stop()
        expect(page.locator("#outage")).to_be_visible()
        again = FakeFront(two_workspaces(), port=front.port, token="another-token-than-before")
        again.start()
        try:
            expect(page.locator("#token-form")).to_be_visible(timeout=20_000)
            expect(page.get_by_text("rust-analyzer")).to_have_count(0)
        finally:
            again.stop()
        tab.forgive(GONE)
