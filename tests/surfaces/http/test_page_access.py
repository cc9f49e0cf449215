"""The token: asked for, tried, kept for one tab, sent in a header, forgotten."""

from playwright.sync_api import Page, expect

from tests.surfaces.http.page_browser import LOADING_FAILED, OpenTab
from tests.surfaces.http.page_front import TOKEN, fake_front
from tests.surfaces.http.page_stage import two_workspaces


def _try(page: Page, token: str) -> None:
    page.fill("#token", token)
    page.keyboard.press("Enter")


def test_nothing_is_asked_for_before_there_is_a_token(open_tab: OpenTab) -> None:
    with fake_front(two_workspaces()) as front:
        tab = open_tab()
        page = tab.open(front.address)
        expect(page.get_by_label("Token", exact=True)).to_be_focused()
        assert all(path == "/" or path.startswith(("/page/", "image/")) for path in tab.requests), tab.requests
        expect(page.locator("#main")).to_be_hidden()


def test_a_wrong_token_is_refused_in_the_words_of_the_service_and_not_kept(open_tab: OpenTab) -> None:
    with fake_front(two_workspaces()) as front:
        tab = open_tab()
        page = tab.open(front.address)
        _try(page, "this-is-not-the-token")
        expect(page.get_by_role("alert")).to_contain_text("token")
        expect(page.locator("#token")).to_be_focused()
        assert page.evaluate("sessionStorage.length") == 0
        _try(page, TOKEN)
        expect(page.locator(".server")).to_have_count(4)
        tab.forgive(LOADING_FAILED)


def test_what_cannot_be_a_token_is_not_sent(open_tab: OpenTab) -> None:
    with fake_front(two_workspaces()) as front:
        tab = open_tab()
        page = tab.open(front.address)
        for text in ("", "two words", "kein Schlüssel", "☃"):
            _try(page, text)
            expect(page.get_by_role("alert")).to_be_visible()
        assert "/events" not in tab.requests


def test_many_wrong_tokens_are_told_to_wait_and_the_right_one_is_let_in(open_tab: OpenTab) -> None:
    with fake_front(two_workspaces()) as front:
        tab = open_tab()
        page = tab.open(front.address)
        for number in range(7):
            _try(page, f"wrong-{number}")
            expect(page.locator("#token-submit")).to_be_enabled()
            expect(page.get_by_role("alert")).to_be_visible()
        expect(page.get_by_role("alert")).to_contain_text("too many")
        _try(page, TOKEN)
        expect(page.locator(".server")).to_have_count(4)
        tab.forgive(LOADING_FAILED)


def test_the_token_is_kept_for_this_tab_only_and_is_in_no_address(open_tab: OpenTab) -> None:
    with fake_front(two_workspaces()) as front:
        tab = open_tab(is_own=True)
        page = tab.sign_in(front.address, TOKEN)
        page.fill("#query", "total")
        page.wait_for_selector("button.match")
        assert page.evaluate("[localStorage.length, document.cookie]") == [0, ""]
        assert not any(TOKEN in path for path in (*tab.requests, page.url))
        page.reload()
        expect(page.locator(".server")).to_have_count(4)
        other = tab.context.new_page()
        other.goto(front.address)
        expect(other.locator("#token-form")).to_be_visible()


def test_the_token_is_forgotten_when_the_tab_is_closed(open_tab: OpenTab) -> None:
    with fake_front(two_workspaces()) as front:
        tab = open_tab(is_own=True)
        tab.sign_in(front.address, TOKEN).close()
        again = tab.context.new_page()
        again.goto(front.address)
        expect(again.locator("#token-form")).to_be_visible()
        assert again.evaluate("sessionStorage.length") == 0


def test_forgetting_it_leaves_nothing_on_the_page(open_tab: OpenTab) -> None:
    with fake_front(two_workspaces()) as front:
        page = open_tab().sign_in(front.address, TOKEN)
        page.get_by_role("button", name="Forget token").click()
        expect(page.locator("#token-form")).to_be_visible()
        expect(page.get_by_text("rust-analyzer")).to_have_count(0)
        expect(page.get_by_text("shop/cart.py")).to_have_count(0)
        assert page.evaluate("sessionStorage.length") == 0
        expect(page).to_have_title("groundwire")
