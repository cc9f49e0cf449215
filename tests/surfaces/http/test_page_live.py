"""What happens while one looks: servers crash and recover, findings come and go, and floods do not freeze the page."""

import msgspec
from playwright.sync_api import expect

from groundwire.daemon.watch_messages import CallEnded, EditMade, EditNews, FileNews, FindingsChanged, ServersChanged
from groundwire.operations.journal import CallRecord
from groundwire.surfaces.http.shapes import WorkspaceStopped
from tests.surfaces.http.page_browser import OpenTab
from tests.surfaces.http.page_front import TOKEN, FakeFront, fake_front
from tests.surfaces.http.page_stage import SHOP, Stage, calls, event, finding, server, snapshot, two_workspaces


def test_a_server_that_crashes_and_recovers_is_seen_and_heard(open_tab: OpenTab) -> None:
    with fake_front(Stage(snapshot(servers=(server(),)))) as front:
        page = open_tab().sign_in(front.address, TOKEN)
        state, spoken = page.locator(".state-word"), page.locator("#announcer")
        expect(state).to_have_text("active")
        front.tell(event(ServersChanged(servers=(server(state="broken", reason="it was killed"),)), SHOP))
        expect(state).to_have_text("broken")
        expect(page.locator(".reason")).to_have_text("it was killed")
        expect(spoken).to_have_text("ty is broken: it was killed")
        front.tell(event(ServersChanged(servers=(server(restarts=1),)), SHOP))
        expect(state).to_have_text("active")
        expect(page.locator(".facts", has_text="1 restart")).to_be_visible()
        expect(spoken).to_have_text("ty is active")


def test_findings_come_and_go(open_tab: OpenTab) -> None:
    with fake_front(Stage(snapshot(servers=(server(),)))) as front:
        page = open_tab().sign_in(front.address, TOKEN)
        news = FileNews(file="a.py", findings=(finding("first"), finding("second", line=50)), more=7)
        front.tell(event(FindingsChanged(files=(news,)), SHOP))
        expect(page.locator(".finding")).to_have_count(2)
        expect(page.locator(".lines")).to_contain_text("and 7 more")
        front.tell(event(FindingsChanged(files=(FileNews(file="a.py"),)), SHOP))
        expect(page.locator("#findings")).to_contain_text("No findings")


def test_an_edit_appears_with_what_it_did(open_tab: OpenTab) -> None:
    with fake_front(Stage(snapshot())) as front:
        page = open_tab().sign_in(front.address, TOKEN)
        made = EditNews(timestamp="2026-01-01T10:00:00+00:00", tool="rename_symbol", status="applied", files=("a.py",))
        front.tell(event(EditMade(edit=made), SHOP))
        expect(page.locator(".edit")).to_contain_text("rename_symbol")


def test_a_daemon_that_ends_takes_its_servers_and_findings_from_the_page(open_tab: OpenTab) -> None:
    with fake_front(two_workspaces()) as front:
        page = open_tab().sign_in(front.address, TOKEN)
        expect(page.locator(".finding")).to_have_count(4)
        front.tell(event(WorkspaceStopped(workspace=SHOP, since=1.0, problem="it is of another version")))
        expect(page.locator(".finding")).to_have_count(0)
        expect(page.locator(".workspace", has_text=SHOP)).to_contain_text("cannot be watched: it is of another version")
        expect(page.locator("table.calls tbody tr")).to_have_count(60)


def test_what_is_unfolded_stays_so_while_its_server_changes(open_tab: OpenTab) -> None:
    with fake_front(Stage(snapshot(servers=(server(stderr_tail="one"),)))) as front:
        page = open_tab().sign_in(front.address, TOKEN)
        page.get_by_text("Last lines of stderr").click()
        front.tell(event(ServersChanged(servers=(server(stderr_tail="one\ntwo", state="idle"),)), SHOP))
        expect(page.locator(".stderr pre")).to_have_text("one\ntwo")
        expect(page.locator(".stderr pre")).to_be_visible()


def test_what_is_held_stands_still(open_tab: OpenTab) -> None:
    with fake_front(Stage(snapshot(calls=calls(3)))) as front:
        page = open_tab().sign_in(front.address, TOKEN)
        rows, hold = page.locator("table.calls tbody tr"), page.get_by_role("button", name="Hold")
        hold.click()
        front.tell(event(ServersChanged(servers=(server(),)), SHOP), *_calls_after(3, 1))
        expect(page.locator(".server")).to_have_count(1)
        expect(rows).to_have_count(3)
        page.get_by_role("button", name="Held").click()
        expect(rows).to_have_count(4)


_COUNT_DRAWN = """() => {
  window.begun = performance.now();
  window.drawn = 0;
  const calls = document.getElementById("calls");
  new MutationObserver(() => (window.drawn += 1)).observe(calls, { childList: true, subtree: true });
}"""


def test_a_thousand_events_a_second_do_not_freeze_it(open_tab: OpenTab) -> None:
    with fake_front(Stage(snapshot(servers=(server(),)))) as front:
        page = open_tab().sign_in(front.address, TOKEN)
        page.evaluate(_COUNT_DRAWN)
        for thousand in range(4):
            expect(page.locator(".state-word")).to_have_text(_flood(front, thousand))
        expect(page.locator("table.calls tbody tr")).to_have_count(60)
        expect(page.locator(".figure", has_text="Calls a minute")).to_contain_text("4,000")
        assert page.evaluate("document.querySelectorAll('*').length") < 3000
        drawn, milliseconds = page.evaluate("[window.drawn, performance.now() - window.begun]")
        assert 1 <= drawn <= milliseconds / 150 + 2  # however slow the machine, and however much happens


def _flood(front: FakeFront, thousand: int) -> str:
    """A thousand calls at once, and the state that the server has after them."""
    front.tell(*_calls_after(thousand * 1000, 1000))
    state = "active" if thousand % 2 else "idle"
    front.tell(event(ServersChanged(servers=(server(state=state),)), SHOP))
    return state


def _calls_after(number: int, more: int) -> list[dict[str, object]]:
    return [event(CallEnded(call=_renumbered(number + each)), SHOP) for each in range(more)]


def _renumbered(number: int) -> CallRecord:
    return msgspec.structs.replace(calls(1)[0], id=number)
