"""Using it: by keyboard alone, on a phone, in both colour schemes; search, restart and stop."""

from typing import Literal

from playwright.sync_api import Page, expect

from groundwire.daemon.watch_messages import ServersChanged
from groundwire.operations.answer import Status
from tests.surfaces.http.page_browser import LOADING_FAILED, OpenTab, faint, overflow
from tests.surfaces.http.page_front import TOKEN, fake_front
from tests.surfaces.http.page_stage import SHOP, Stage, event, server, snapshot, two_workspaces

FOCUSED = """() => {
  const node = document.activeElement;
  return (node.ariaLabel || node.textContent || node.id).trim();
}"""


SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTHS = (320, 360, 768, 1000, 1024, 1280, 1920)
HIDDEN_SIDEWAYS = """() => {
  const { scrollWidth, clientWidth } = document.querySelector("#calls .scroll");
  return scrollWidth - clientWidth;
}"""
TYPED_QUICKLY = """(word) => {
  const field = document.getElementById("query");
  for (let length = 1; length <= word.length; length += 1) {
    field.value = word.slice(0, length);
    field.dispatchEvent(new Event("input"));
  }
}"""


def test_every_text_can_be_read_against_its_ground(open_tab: OpenTab) -> None:
    with fake_front(two_workspaces()) as front:
        page = open_tab().open(front.address)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            assert faint(page) == [], scheme
        page.fill("#token", TOKEN)
        page.keyboard.press("Enter")
        expect(page.locator(".server")).to_have_count(4)
        page.fill("#query", "total")
        expect(page.locator(".match").first).to_be_visible()
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            assert faint(page) == [], scheme


def test_the_page_is_never_wider_than_the_screen_and_calls_are_seen_whole(open_tab: OpenTab) -> None:
    with fake_front(two_workspaces()) as front:
        tab = open_tab(width=WIDTHS[0])
        page = tab.open(front.address)
        for width in WIDTHS:
            tab.resize(width)
            assert not overflow(page), width
        page.fill("#token", TOKEN)
        page.keyboard.press("Enter")
        expect(page.locator(".server")).to_have_count(4)
        page.fill("#query", "total")
        expect(page.locator(".match").first).to_be_visible()
        page.get_by_role("button", name="Stop rust-analyzer").click()
        expect(page.locator("table.calls tbody tr")).to_have_count(60)
        for width in reversed(WIDTHS):
            tab.resize(width)
            assert not overflow(page), width
            hidden: int = page.evaluate(HIDDEN_SIDEWAYS)
            assert hidden == 0, width


def test_nothing_moves_for_those_who_want_that(open_tab: OpenTab) -> None:
    with fake_front(Stage(snapshot(servers=(server(state="starting"),)))) as front:
        page = open_tab().sign_in(front.address, TOKEN)
        expect(page.locator(".turning")).to_have_css("animation-name", "none")


def test_symbols_are_found_and_walked_through_by_keyboard(open_tab: OpenTab) -> None:
    with fake_front(two_workspaces()) as front:
        tab = open_tab(is_own=True)
        tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = tab.sign_in(front.address, TOKEN)
        page.get_by_role("button", name="shop").click()
        page.keyboard.press("/")
        expect(page.locator("#query")).to_be_focused()
        page.keyboard.type("total")
        expect(page.locator("#symbols-note")).to_have_text("3 symbols")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        expect(page.locator(".match").nth(1)).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(".match").nth(1)).to_contain_text("copied")
        assert page.evaluate("navigator.clipboard.readText()") == "shop/cart.py:61:9"
        page.keyboard.press("Escape")
        expect(page.locator("#query")).to_be_focused()
        expect(page.locator(".match")).to_have_count(0)


def test_the_service_is_asked_once_for_a_word_typed_quickly(open_tab: OpenTab) -> None:
    with fake_front(Stage(snapshot())) as front:
        tab = open_tab()
        page = tab.sign_in(front.address, TOKEN)
        page.evaluate(TYPED_QUICKLY, "total")
        expect(page.locator("#symbols-note")).to_have_text("No symbol has that name.")
        assert tab.requests.count("/symbols") == 1


def test_what_is_not_proven_is_not_said_to_be_nothing(open_tab: OpenTab) -> None:
    stage = two_workspaces()
    stage.status_of_search, stage.reason = Status.PARTIAL, "rust-analyzer is indexing 43 %"
    with fake_front(stage) as front:
        page = open_tab().sign_in(front.address, TOKEN)
        page.fill("#query", "nothing has this name")
        expect(page.locator("#symbols-note")).to_have_text("Not known: rust-analyzer is indexing 43 %")
        page.fill("#query", "subtotal")
        expect(page.locator("#symbols-note")).to_have_text(
            "2 symbols; there may be more: rust-analyzer is indexing 43 %"
        )


def test_a_server_is_restarted_after_it_was_asked_again(open_tab: OpenTab) -> None:
    with fake_front(Stage(snapshot(servers=(server(), server("ruff"))))) as front:
        page = open_tab().sign_in(front.address, TOKEN)
        page.get_by_role("button", name="Restart ty").press("Enter")
        expect(page.get_by_role("button", name="Yes, restart")).to_be_focused()
        front.tell(event(ServersChanged(servers=(server(state="idle"), server("ruff"))), SHOP))
        expect(page.locator(".state-word").first).to_have_text("idle")
        expect(page.get_by_role("button", name="Yes, restart")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Restart ty")).to_be_focused()
        assert not front.orders
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Restart ty")).to_be_focused()
        assert front.orders == [("restart", {"workspace": SHOP, "server": "ty", "root": SHOP})]


def test_what_did_not_work_is_said_where_it_was_asked(open_tab: OpenTab) -> None:
    with fake_front(Stage(snapshot(servers=(server(),)))) as front:
        tab = open_tab()
        page = tab.sign_in(front.address, TOKEN)
        front.answer = {"status": "partial", "reason": "it ended while it started", "servers": []}
        _confirm(page, "restart")
        expect(page.get_by_role("alert")).to_have_text("it ended while it started")
        front.refuses_orders = "the daemon is busy"
        _confirm(page, "stop")
        expect(page.get_by_role("alert")).to_have_text("the daemon is busy")
        tab.forgive(LOADING_FAILED)


def _confirm(page: Page, action: str) -> None:
    page.get_by_role("button", name=f"{action.capitalize()} ty").click()
    page.get_by_role("button", name=f"Yes, {action}").click()


def test_everything_that_can_be_used_is_reached_by_tab_and_seen_to_be(open_tab: OpenTab) -> None:
    with fake_front(Stage(snapshot(servers=(server(stderr_tail="x"),)))) as front:
        page = open_tab().sign_in(front.address, TOKEN)
        expect(page.locator(".server")).to_have_count(1)
        page.reload()  # the token is kept, and nothing has the focus yet
        expect(page.locator(".server")).to_have_count(1)
        seen: list[str] = []
        for _ in range(12):
            page.keyboard.press("Tab")
            seen.append(page.evaluate(FOCUSED))
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
            if seen[-1] == "query":
                break
        assert seen == ["Skip to the servers", "Forget token", "Last lines of stderr", "Restart ty", "Stop ty", "query"]
