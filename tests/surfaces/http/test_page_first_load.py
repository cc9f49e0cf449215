"""What is seen first: with data, without any, while it loads, and of a service that asks for no token."""

from playwright.sync_api import Page, expect

from groundwire.daemon.watch_messages import CallEnded, Snapshot
from tests.daemon.homes import within
from tests.surfaces.http.page_browser import LOADING_FAILED, OpenTab
from tests.surfaces.http.page_front import TOKEN, FakeFront, fake_front
from tests.surfaces.http.page_stage import SHOP, Stage, calls, event, server, snapshot, two_workspaces


def test_a_day_of_work_is_shown_with_all_that_is_known_of_it(open_tab: OpenTab) -> None:
    with fake_front(two_workspaces()) as front:
        page = open_tab().sign_in(front.address, TOKEN)
        _servers_are_shown_with_state_and_what_they_use(page)
        _findings_are_shown_by_file_with_their_source_the_worst_first(page)
        _calls_edits_and_figures_are_shown(page)
        _of_calls_only_those_that_do_more_than_read_say_so(page)
        _only_a_server_that_runs_can_be_stopped(page)
        _the_page_can_be_found_through_by_landmarks_and_headings(page)
        _one_workspace_can_be_looked_at_alone(page)
        _findings_can_be_sifted_by_severity(page)


def _servers_are_shown_with_state_and_what_they_use(page: Page) -> None:
    rust = page.locator(".server", has_text="rust-analyzer")
    expect(rust.locator(".state-word")).to_have_text("active")
    expect(rust.locator(".facts")).to_have_text("1.4 GB · 1 open file · 1 restart · pid 4733")
    expect(rust.get_by_role("progressbar", name="Indexing of rust-analyzer")).to_have_js_property("value", 43)
    rust.get_by_text("Last lines of stderr").click()
    expect(rust.locator("pre")).to_contain_text("crate graph: 214 crates")
    broken = page.locator(".server[data-state=broken]")
    expect(broken.locator(".reason")).to_contain_text("it ended 3 times within a minute")
    expect(page.locator(".workspace", has_text="notes")).to_contain_text("No daemon runs here")


def _findings_are_shown_by_file_with_their_source_the_worst_first(page: Page) -> None:
    expect(page.locator(".file .path")).to_have_text(["shop/cart.py", "shop/orders.py"])
    first = page.locator(".finding").first
    expect(first).to_contain_text("Object of type `None` has no attribute `total`")
    expect(first.locator(".source")).to_have_text("return self.discount.total - self.paid")
    expect(first.locator(".place")).to_have_text("48:12")
    expect(page.locator(".file.older .tally")).to_have_text("2 warnings, may be out of date")
    expect(page.locator(".figure", has_text="2 warnings")).to_contain_text("some in doubt")


def _calls_edits_and_figures_are_shown(page: Page) -> None:
    expect(page.get_by_role("img", name="Latency of the latest calls over time. 140 calls: median")).to_be_visible()
    expect(page.locator("table.calls tbody tr")).to_have_count(60)
    expect(page.locator(".edit-status")).to_have_text(["applied", "refused", "applied"])
    expect(page.locator(".figure", has_text="Servers")).to_contain_text("1 broken, 2 active, 1 idle")
    expect(page.locator(".figure", has_text="2 warnings")).to_contain_text("Errors2")
    expect(page.locator(".figure", has_text="Service up")).to_contain_text("3 h 13 min")
    expect(page).to_have_title("1 broken, 2 errors - groundwire")


def _of_calls_only_those_that_do_more_than_read_say_so(page: Page) -> None:
    rows = page.locator("table.calls tbody tr")
    expect(rows).to_have_count(60)
    expect(rows.filter(has_text="find_references").locator(".effect")).to_have_count(0)
    expect(rows.filter(has_text="rename_symbol").first.locator(".effect")).to_have_text("writes")


def _the_page_can_be_found_through_by_landmarks_and_headings(page: Page) -> None:
    for landmark in ("banner", "main", "search", "navigation", "contentinfo"):
        expect(page.get_by_role(landmark)).to_have_count(1)  # pyright: ignore[reportArgumentType]  they are roles
    for name in ("Servers", "Findings", "Symbols", "Calls", "Edits"):
        expect(page.get_by_role("heading", level=2, name=name)).to_be_visible()
    expect(page.get_by_role("table", name="The latest calls, newest first")).to_be_visible()


def _one_workspace_can_be_looked_at_alone(page: Page) -> None:
    chosen = page.get_by_role("button", name="site")
    chosen.click()
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".server h4")).to_have_text(["typescript"])
    expect(page.locator("#findings")).to_contain_text("No server runs, so nothing is known about any file.")
    page.get_by_role("button", name="All workspaces").click()
    expect(page.locator(".server")).to_have_count(4)


def _findings_can_be_sifted_by_severity(page: Page) -> None:
    page.get_by_role("button", name="warning 2").click()
    expect(page.locator(".finding")).to_have_count(2)
    page.get_by_role("button", name="error 2").click()
    expect(page.locator("#findings")).to_contain_text("switched off")


def _only_a_server_that_runs_can_be_stopped(page: Page) -> None:
    expect(page.get_by_role("button", name="Restart")).to_have_count(4)
    stopping = page.get_by_role("button", name="Stop")
    expect(stopping).to_have_count(2)
    assert [each.get_attribute("aria-label") for each in stopping.all()] == ["Stop ty", "Stop rust-analyzer"]


def test_of_what_is_not_there_it_is_said_and_nothing_is_known_to_be_right(open_tab: OpenTab) -> None:
    with fake_front(Stage()) as front:
        page = open_tab().sign_in(front.address, TOKEN)
        expect(page.locator("#servers")).to_contain_text("No workspace yet")
        _without_any_data_each_part_says_what_would_be_there(front, page)
        for state in ("starting", "idle", "broken", "disabled", "unavailable"):
            _where_no_server_runs_nothing_is_known_to_be_right(front, page, state)
        _without_findings_it_is_not_said_that_there_is_nothing_wrong(front, page)


def _seen_anew(front: FakeFront, page: Page, *shown: Snapshot) -> None:
    """The same page, loaded again: the token is kept."""
    front.stage = Stage(*shown)
    page.reload()
    page.wait_for_selector("#summary:not([hidden])")


def _without_any_data_each_part_says_what_would_be_there(front: FakeFront, page: Page) -> None:
    _seen_anew(front, page, snapshot())
    expect(page.locator("#servers")).to_contain_text("No language server has been needed yet.")
    expect(page.locator("#findings")).to_contain_text("nothing is known about any file")
    expect(page.locator(".figure", has_text="Errors")).to_contain_text("not known: no server runs")
    expect(page.locator("#calls")).to_contain_text("No calls yet")
    expect(page.locator("#edits")).to_contain_text("No edits yet")
    expect(page.locator("#workspaces")).to_be_hidden()


def _where_no_server_runs_nothing_is_known_to_be_right(front: FakeFront, page: Page, state: str) -> None:
    _seen_anew(front, page, snapshot(servers=(server(state=state),)))
    expect(page.locator(".state-word")).to_have_text(state)
    expect(page.locator("#findings")).to_contain_text("nothing is known about any file")
    expect(page.locator(".figure", has_text="Errors")).to_contain_text("not known: no server runs")


def _without_findings_it_is_not_said_that_there_is_nothing_wrong(front: FakeFront, page: Page) -> None:
    _seen_anew(front, page, snapshot(servers=(server(),)))
    expect(page.locator("#findings")).to_contain_text("Other files are not known")


def test_until_something_is_told_it_is_loading(open_tab: OpenTab) -> None:
    with fake_front(Stage(snapshot())) as front:
        front.is_silent = True
        tab = open_tab()
        page = tab.open(front.address)
        page.fill("#token", TOKEN)
        page.keyboard.press("Enter")
        expect(page.locator("#servers")).to_have_text("Loading …")
        expect(page.locator("#summary")).to_be_hidden()
        assert within(lambda: front.listeners == 1)
        front.tell(*front.stage.beginnings())
        expect(page.locator("#servers")).to_contain_text("No language server has been needed yet.")
        tab.forgive(LOADING_FAILED)


def test_a_service_without_token_is_shown_at_once_and_read_only(open_tab: OpenTab) -> None:
    with fake_front(two_workspaces(), is_open=True) as front:
        page = open_tab().open(front.address)
        expect(page.locator(".server")).to_have_count(4)
        expect(page.locator("#token-form")).to_be_hidden()
        expect(page.get_by_text("Read-only", exact=True)).to_be_visible()
        expect(page.locator("footer")).to_contain_text("Started without authentication")
        expect(page.get_by_role("button", name="Restart")).to_have_count(0)
        expect(page.get_by_role("button", name="Forget token")).to_have_count(0)


def test_a_call_appears_as_it_ends(open_tab: OpenTab) -> None:
    with fake_front(Stage(snapshot())) as front:
        page = open_tab().sign_in(front.address, TOKEN)
        front.tell(event(CallEnded(call=calls(1)[0]), SHOP))
        expect(page.locator("table.calls tbody tr")).to_have_count(1)
        expect(page.locator("table.calls tbody")).to_contain_text("inspect_symbol")
