"""What groundwire holds as text: servers that were started, documents that are kept open, folders that are worked in.

Above: ``answers``. Below: ``page``, ``verdict``, ``wording``.
"""

from collections.abc import Sequence

from groundwire.operations.answer import Answer
from groundwire.operations.results.workspace import (
    AddedFolder,
    ClosedDocument,
    FolderList,
    FolderServer,
    OpenedDocument,
    RemovedFolder,
    StartedServer,
    StartedServers,
    WorkspaceFolder,
)
from groundwire.render.page import Block, Page, Section
from groundwire.render.verdict import noted, reason
from groundwire.render.wording import counted, known_by, on_one_line

_MOST_CHARS = 500


def started_page(answer: Answer[StartedServers]) -> Page:
    """How many are ready, then each."""
    servers, ready = answer.value.servers, answer.value.ready
    if ready == len(servers):
        head = f"{counted(ready, 'server')} {'is' if ready == 1 else 'are'} ready ({known_by(answer.servers)})"
    else:
        head = f"{ready} of {counted(len(servers), 'server')} ready"
    return Page(f"{head}{noted(answer)}", (Section([_started(each) for each in servers], len(servers)),))


def _started(each: StartedServer) -> Block:
    what = " ".join(filter(None, [each.server or "no server", each.version]))
    where = f"connected at {each.address}, for {each.root}" if each.address else f"at {each.root}" if each.root else ""
    why = f": {on_one_line(each.reason, _MOST_CHARS)}" if each.reason else ""
    return (f"  {each.state}  {'  '.join(filter(None, [what, where, ', '.join(each.languages)]))}{why}",)


def opened_page(answer: Answer[OpenedDocument]) -> Page:
    """Who has it open."""
    value = answer.value
    held = "was and stays open" if value.already_open else "is open"
    proof = f"; not everywhere: {reason(answer)}" if answer.reason else " (confirmed)"
    with_whom = " and ".join(answer.servers)
    return Page(f"{value.file} ({value.language}) {held} with {with_whom}{proof}{noted(answer)}")


def closed_page(answer: Answer[ClosedDocument]) -> Page:
    """Whether there was anything to close."""
    value = answer.value
    return Page(f"{value.file} {'is closed' if value.closed else 'was not open'} (confirmed){noted(answer)}")


def folders_page(answer: Answer[FolderList]) -> Page:
    """All of them."""
    folders = answer.value.workspace_folders
    return Page(
        f"{counted(len(folders), 'workspace folder')} (confirmed){noted(answer)}",
        (_folders(folders)._replace(title=""),),
    )


def added_page(answer: Answer[AddedFolder]) -> Page:
    """What takes care of it, and what does not take effect there yet."""
    value = answer.value
    if not value.added:
        head = f"Nothing to add: {value.path} is worked in already (confirmed){noted(answer)}"
        return Page(head, (_folders(value.workspace_folders),))
    withheld = [(f"  {on_one_line(each, _MOST_CHARS)}",) for each in value.withheld]
    return Page(
        f"{value.added} is worked in, too (confirmed){noted(answer)}",
        (
            Section([_server(each) for each in value.servers], len(value.servers), title="Servers:"),
            Section(withheld, len(withheld), title=f"Not trusted; see groundwire trust --root {value.added}:"),
            _folders(value.workspace_folders),
        ),
    )


def _server(each: FolderServer) -> Block:
    how = {"joined": "shares its process", "separate": "gets a process of its own when needed", "failed": "none"}
    why = f": {on_one_line(each.reason, _MOST_CHARS)}" if each.reason else ""
    return (f"  {' at '.join(filter(None, [each.server, each.root]))}  {how[each.state]}{why}".replace("    ", "  "),)


def removed_page(answer: Answer[RemovedFolder]) -> Page:
    """What is left."""
    value = answer.value
    done = f"{value.removed} is not worked in any more" if value.removed else f"{value.path} is no workspace folder"
    return Page(f"{done} (confirmed){noted(answer)}", (_folders(value.workspace_folders),))


def _folders(folders: Sequence[WorkspaceFolder]) -> Section:
    return Section([(f"  {each.path}",) for each in folders], len(folders), title="Workspace folders:")
