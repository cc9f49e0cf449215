"""The page over a real service, a real daemon and a language server that runs: what happens on disk is what is seen."""

import re
from collections.abc import Generator

import pytest
from playwright.sync_api import Page, expect

from groundwire.operations.answer import Status
from tests.daemon.homes import Home, within
from tests.surfaces.http.front import TOKEN, Front, serving
from tests.surfaces.http.page_browser import LOADING_FAILED, OpenTab, Tab, overflow

pytestmark = pytest.mark.slow

GONE = rf"{LOADING_FAILED}|ERR_"
_LONG_MS = 25_000
SERVER = "type_checked"
PROGRAM = f"{SERVER}.py"
_NOTE_STATES = """() => {
  const word = document.querySelector(".state-word");
  const note = () => (document.body.dataset.states = `${document.body.dataset.states ?? ""} ${word.textContent}`);
  new MutationObserver(note).observe(word, { childList: true, characterData: true, subtree: true });
}"""


@pytest.fixture
def busy(home: Home) -> Generator[Front]:
    """A front over a workspace in which a file has just been asked about.

    The server notices what is used and not declared.
    """
    home.configure(server=SERVER)
    with serving(Front(home)) as front:
        _ask(home)
        yield front


def _ask(home: Home, file: str = "voices.toy") -> None:
    assert home.check(file).status is Status.CONFIRMED


def _look(tab: Tab, front: Front) -> Page:
    page = tab.sign_in(front.url, TOKEN)
    expect(page.locator(".state-word")).to_have_text(re.compile("active|idle"), timeout=_LONG_MS)
    return page


def test_what_happens_to_files_servers_and_the_service_is_what_is_seen(
    open_tab: OpenTab, busy: Front, home: Home
) -> None:
    """One life of all of them, for none of these disturbs what comes after it."""
    tab = open_tab()
    page = _who_has_the_token_sees_the_server_that_runs_and_finds_symbols(tab, busy)
    _findings_appear_after_an_edit_on_disk_and_go_away_again(page, home)
    _a_hostile_file_name_is_shown_as_it_is(tab, home)
    _a_server_that_is_killed_is_seen_to_be_gone_and_to_come_back(page, home)
    _without_authentication_the_page_is_read_only(open_tab(is_own=True), home)
    _a_server_is_restarted_and_stopped_from_the_page(page, home)
    _a_service_that_is_restarted_is_found_again(tab, busy)


def _who_has_the_token_sees_the_server_that_runs_and_finds_symbols(tab: Tab, busy: Front) -> Page:
    page = tab.open(busy.url)
    page.fill("#token", "wrong-wrong-wrong-wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("#main")).to_be_hidden()
    tab.forgive(LOADING_FAILED)
    page = _look(tab, busy)
    expect(page.locator(".server h4")).to_have_text(SERVER)
    expect(page.locator(".facts", has_text=f"pid {busy.home.language_servers(PROGRAM)[0].pid}")).to_be_visible()
    expect(page.locator("table.calls tbody tr").first).to_contain_text("confirmed")
    expect(page.locator(".workspace-title")).to_contain_text(str(busy.home.root))
    expect(page.locator(".figure", has_text="Service up")).to_contain_text("MB")
    page.fill("#query", "shout")
    expect(page.locator(".match").first).to_contain_text("voices.toy:5:5", timeout=_LONG_MS)
    return page


def _findings_appear_after_an_edit_on_disk_and_go_away_again(page: Page, home: Home) -> None:
    file = home.root / "voices.toy"
    before = file.read_text("utf-8")
    expect(page.locator("#findings")).to_contain_text("No findings")
    file.write_text(f"{before}    use <b onclick=alert(1)> use nothing(1)\n", "utf-8")
    expect(page.locator(".finding").first).to_be_visible(timeout=_LONG_MS)
    expect(page.locator(".file .path")).to_have_text("voices.toy")
    expect(page.locator(".finding .source").first).to_contain_text("<b onclick=alert(1)>")
    file.write_text(before, "utf-8")
    expect(page.locator(".finding")).to_have_count(0, timeout=_LONG_MS)


def _a_hostile_file_name_is_shown_as_it_is(tab: Tab, home: Home) -> None:
    name = "<img src=x onerror=alert(1)>.toy"
    (home.root / name).write_text("use nothing(1) <script>alert(1)</script>\n", "utf-8")
    _ask(home, name)
    tab.resize(360)
    tab.page.reload()
    expect(tab.page.locator(".file .path")).to_have_text(name, timeout=_LONG_MS)
    expect(tab.page.locator(".finding .source").first).to_have_text("use nothing(1) <script>alert(1)</script>")
    assert tab.page.locator("img").count() == 0
    assert not overflow(tab.page)
    tab.resize(1280)


def _a_server_that_is_killed_is_seen_to_be_gone_and_to_come_back(page: Page, home: Home) -> None:
    expect(page.locator(".state-word")).to_have_text(re.compile("active|idle"), timeout=_LONG_MS)
    page.evaluate(_NOTE_STATES)
    home.language_servers(PROGRAM)[0].kill()
    expect(page.locator("body")).to_have_attribute(
        "data-states", re.compile(r"^ (broken|starting|idle)"), timeout=_LONG_MS
    )
    _ask(home)
    expect(page.locator(".state-word")).to_have_text("active", timeout=_LONG_MS)
    expect(page.locator(".facts", has_text="1 crash")).to_be_visible(timeout=_LONG_MS)


def _without_authentication_the_page_is_read_only(tab: Tab, home: Home) -> None:
    with serving(Front(home, "--no-auth", token="")) as front:
        page = tab.open(front.url)
        expect(page.locator(".server h4")).to_have_text(SERVER, timeout=_LONG_MS)
        expect(page.get_by_text("Read-only", exact=True)).to_be_visible()
        expect(page.get_by_role("button", name="Restart")).to_have_count(0)
        page.close()


def _a_server_is_restarted_and_stopped_from_the_page(page: Page, home: Home) -> None:
    first = home.language_servers(PROGRAM)[0].pid
    page.get_by_role("button", name=f"Restart {SERVER}").click()
    page.get_by_role("button", name="Yes, restart").click()
    assert within(lambda: [each.pid for each in home.language_servers(PROGRAM) if each.pid != first])
    expect(page.get_by_role("button", name=f"Stop {SERVER}")).to_be_visible(timeout=_LONG_MS)
    page.get_by_role("button", name=f"Stop {SERVER}").click()
    page.get_by_role("button", name="Yes, stop").click()
    assert within(lambda: not home.language_servers(PROGRAM))


def _a_service_that_is_restarted_is_found_again(tab: Tab, busy: Front) -> None:
    page = tab.page
    busy.end()
    expect(page.locator("#outage-title")).to_contain_text("Disconnected, retrying in", timeout=_LONG_MS)
    expect(page.locator(".server h4")).to_have_text(SERVER)
    busy.start()
    expect(page.locator("#connection")).to_have_text("Live", timeout=_LONG_MS)
    expect(page.locator(".server h4")).to_have_text(SERVER)
    tab.forgive(GONE)
