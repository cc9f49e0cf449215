"""What is known of servers and done to them, as text: offers, detection, states, restarts, changes told, the log level.

Above: ``answers``. Below: ``page``, ``verdict``, ``status``, ``layout``.
"""

from collections.abc import Iterable, Sequence

from groundwire.operations.answer import Answer, Status
from groundwire.operations.results.explanation import WithheldValue
from groundwire.operations.results.servers import (
    DetectedServers,
    LevelChange,
    RestartedServer,
    RestartedServers,
    ServerOffer,
    ServerOffers,
    ServerState,
    ServerStates,
    ToldChanges,
    ToldServer,
)
from groundwire.operations.results.workspace_status import ServerLine, WorkspaceStatus
from groundwire.render import layout
from groundwire.render.page import Block, Page, Section, prose
from groundwire.render.status import render_status
from groundwire.render.verdict import found, shown
from groundwire.render.wording import counted

_PLAIN = layout.Page()
_STATUS_HEAD = 2
"""Lines of the status that name and count: the head of the answer does."""


def offers_page(answer: Answer[ServerOffers]) -> Page:
    """What each server cannot be asked: the rest it can."""
    offers = answer.value.servers
    return Page(found(answer, len(offers), "server"), (_section(map(_offer, offers)),))


def _offer(offer: ServerOffer) -> Block:
    name = " ".join(filter(None, (offer.server, offer.version)))
    head = f"  {name} at {offer.root} ({', '.join(offer.languages)}, {offer.role})"
    if not offer.unsupported_tools:
        return (f"{head}: serves every operation",)
    every = len(offer.supported_tools) + len(offer.unsupported_tools)
    missing = f"    does not serve: {', '.join(offer.unsupported_tools)}"
    return (f"{head}: serves {len(offer.supported_tools)} of {every} operations", missing)


def detected_page(answer: Answer[DetectedServers]) -> Page:
    """Languages, then what is there for them, what is not, and what may not be used."""
    seen = answer.value
    languages = [(each.language, counted(each.files, "file")) for each in seen.workspace_languages]
    installed = [
        (each.language, " ".join(filter(None, (each.server, each.version))), each.role, layout.short_path(each.path))
        for each in seen.installed_servers
    ]
    missing = [(each.language, each.server, each.role, each.install or each.why) for each in seen.not_installed]
    unused = [(each.language, each.server, each.state, _why(each.why, each.remedy)) for each in seen.not_used]
    sections = (
        _table(languages, ""),
        _table(installed, "Installed:"),
        _table(missing, "Not installed:"),
        _table(unused, "Not used:"),
    )
    return Page(found(answer, len(languages), "language"), sections)


def _why(why: str, remedy: str) -> str:
    return f"{why}: {remedy}" if remedy else why


def states_page(answer: Answer[ServerStates]) -> Page:
    """As ``groundwire status`` shows them, below a line that says how many run."""
    states = answer.value
    running = str(states.running) if states.running else "none"
    many = f"{counted(len(states.servers), 'server')} for {counted(states.files, 'file')}, {running} running"
    nobody = "No file here is in a language that a server is known for, and none is running"
    nothing = nobody if answer.status is Status.CONFIRMED else "Servers"
    lines = render_status(_status(states), _PLAIN).split("\n")[_STATUS_HEAD:]
    return Page(shown(answer, many if states.servers else nothing), (prose("\n".join(lines)),) if lines else ())


def _status(states: ServerStates) -> WorkspaceStatus:
    return WorkspaceStatus(
        workspace=states.workspace,
        files=states.files,
        servers=tuple(map(_line, states.servers)),
        withheld=tuple(WithheldValue("", each.key, None, each.place, each.effect) for each in states.withheld),
        trust_command=states.trust_command,
        extensions=states.extensions,
    )


def _line(state: ServerState) -> ServerLine:
    return ServerLine(status=state, languages=state.languages, role=state.role, remedy=state.remedy)


def level_page(answer: Answer[LevelChange]) -> Page:
    """What it was and is."""
    change = answer.value
    was = "as before" if change.old_level == change.level else f"it was {change.old_level}"
    return Page(shown(answer, f"Logged is what is at least of the level {change.level}; {was}"))


def restarted_page(answer: Answer[RestartedServers]) -> Page:
    """Each server that was stopped, and how it is now."""
    servers = answer.value.servers
    if not servers:
        title = "None was stopped, for none of these runs: the next question starts what it needs"
        return Page(shown(answer, title))
    title = f"{counted(len(servers), 'server')} restarted"
    return Page(shown(answer, title), (_section(map(_restarted, servers)),))


def _restarted(server: RestartedServer) -> Block:
    name = " ".join(filter(None, (server.server, server.version)))
    reason = f": {server.reason}" if server.reason else ""
    return (f"  {name} at {server.root}: was {server.was}, is {server.state}{reason}",)


def told_page(answer: Answer[ToldChanges]) -> Page:
    """Who was told of how many."""
    told = answer.value
    if not told.told:
        title = "Nobody is told, for no language server runs: one that starts reads the files as they are"
        return Page(shown(answer, title))
    looked = "The disk was looked at, and every server knows what changed"
    title = counted(told.changes, "change") + " told of" if told.changes else looked
    return Page(shown(answer, title), (_section(_told(each) for each in told.told if told.changes),))


def _told(server: ToldServer) -> Block:
    files = counted(server.files, "file") if server.files else "nothing: it takes care of other files"
    later = {
        "told": "",
        "starting": ", once it has started",
        "outdated": "; it is started anew by the next question",
    }[server.state]
    return (f"  {server.server} at {server.root}: {files}{later}",)


def _table(rows: Sequence[Sequence[str]], title: str) -> Section:
    lines = layout.aligned(rows, indent=2)
    return Section([(line,) for line in lines], len(lines), title=title)


def _section(blocks: Iterable[Block]) -> Section:
    listed = list(blocks)
    return Section(listed, len(listed))
