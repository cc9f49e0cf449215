"""Names, messages and what servers say are written by anybody: they are shown as they are, and do nothing."""

from playwright.sync_api import Page, expect

from groundwire.daemon.watch_messages import ClientLine, EditNews, FileNews, Snapshot
from groundwire.operations.journal import CallRecord
from groundwire.operations.results.found import SymbolMatch
from groundwire.surfaces.http.shapes import WorkspaceStopped
from tests.surfaces.http.page_browser import OpenTab, overflow
from tests.surfaces.http.page_front import TOKEN, fake_front
from tests.surfaces.http.page_stage import SHOP, Stage, event, finding, server, snapshot

HOSTILE = (
    "<img src=x onerror=window.pwned=1>",
    "<script>window.pwned=1</script>",
    "\"><svg onload=window.pwned=1><a href='javascript:window.pwned=1'>",
    "</textarea></title></style><iframe srcdoc='<script>parent.window.pwned=1</script>'>",
    "javascript:window.pwned=1",
    "{{constructor.constructor('window.pwned=1')()}}${window.pwned=1}",
)
AWKWARD = (
    "__proto__",
    "constructor",
    "\u202egnp.exe",
    "a\nb\r\ndata: x\n\nevent: y",
    "\x00\x07",
    "x" * 3000,
    "👩‍💻 ä" * 50,
)


def _everywhere(text: str) -> Snapshot:
    """That text in every place a text can have."""
    found = finding(text, text=text, code=text, source=text, server=text)
    call = CallRecord(
        id=1, operation=text, effect=text, outcome=text, elapsed_ms=1.0, ended=1.0, client=text, error=text
    )
    edit = EditNews(timestamp=text, tool=text, status=text, files=(text,), error=text, undo_id=text)
    state = server(
        text, f"{SHOP}/{text}", version=text, reason=text, indexing=f"{text} 200 %", stderr_tail=text, sidecar=text
    )
    return snapshot(
        f"/{text}",
        version=text,
        servers=(state,),
        findings=(FileNews(file=text, findings=(found,)),),
        calls=(call,),
        edits=(edit,),
        clients=(ClientLine(client=text, conversation=text, since_s=1.0),),
    )


def _stage(*texts: str) -> Stage:
    stage = Stage(*map(_everywhere, texts))
    stage.found = tuple(
        SymbolMatch(name=text, kind=text, path=text, file=text, line=1, column=1, text=text) for text in texts
    )
    return stage


def _is_harmless(page: Page) -> bool:
    """Whether nothing has run, and nothing is there that only data could have brought."""
    made = ("script:not([src='page/main.js'])", "img", "iframe", "object", "embed", "base", "a:not(.skip)")
    given = ("[onerror]", "[onload]", "[onclick]", "[style]", "[srcdoc]", "form:not(#token-form)")
    found = f"document.querySelectorAll({', '.join((*made, *given))!r}).length"
    return page.evaluate(f"window.pwned === undefined && {found} === 0")


def test_markup_is_shown_and_does_nothing(open_tab: OpenTab) -> None:
    with fake_front(_stage(*HOSTILE)) as front:
        page = open_tab().sign_in(front.address, TOKEN)
        expect(page.locator(".server")).to_have_count(len(HOSTILE))
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        page.fill("#query", "window.pwned")
        for text in HOSTILE:
            for place in (".message", ".stderr pre", ".facts", ".reason", ".match b", ".match-place", ".match .source"):
                expect(page.locator(place).get_by_text(text).first).to_be_visible()
            for place in (".server h4", ".file .path", ".finding .source", "td .name", ".edit-files"):
                expect(page.locator(place, has_text=text).first).to_be_visible()
            front.tell(event(WorkspaceStopped(workspace=f"/{text}", since=1.0, problem=text)))
            expect(page.locator(".nothing:visible", has_text=text).first).to_be_visible()
        assert _is_harmless(page)


def test_names_that_are_hard_to_show_break_nothing(open_tab: OpenTab) -> None:
    with fake_front(_stage(*AWKWARD)) as front:
        page = open_tab(width=360).sign_in(front.address, TOKEN)
        expect(page.locator(".workspace")).to_have_count(len(AWKWARD))
        expect(page.locator(".file")).to_have_count(len(AWKWARD))
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        expect(page.locator(".finding")).to_have_count(len(AWKWARD))
        page.fill("#query", "x")
        expect(page.locator(".match").first).to_be_visible()
        assert not overflow(page)
        assert _is_harmless(page)


def test_what_a_refusal_says_is_text_too(open_tab: OpenTab) -> None:
    with fake_front(Stage(snapshot(servers=(server(),)))) as front:
        tab = open_tab()
        page = tab.sign_in(front.address, TOKEN)
        front.refuses_orders = HOSTILE[0]
        page.get_by_role("button", name="Stop ty").click()
        page.get_by_role("button", name="Yes, stop").click()
        expect(page.locator(".actions .problem")).to_have_text(HOSTILE[0])
        assert _is_harmless(page)
        tab.forgive("Failed to load resource")
