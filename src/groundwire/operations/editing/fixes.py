"""What servers offer to mend: suggested under short names, and applied by them.

Above: ``table``. Below: ``suggestions``, ``code_actions``, ``fix_ids``.
"""

import asyncio
import re
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from groundwire.client.ask import Reply
from groundwire.errors import CapabilityMissing, EditConflict, GroundwireError, InvalidArgument, ServerUnavailable
from groundwire.operations.answer import Answer, Status
from groundwire.operations.editing.code_actions import CODE_ACTION, Ready, carry_out_action, make_ready
from groundwire.operations.editing.fix_ids import FixIds, KeptFix
from groundwire.operations.editing.suggestions import SuggestFixes, Suggestion, ask_for_fixes
from groundwire.operations.files.paths import existing_file, shown_path
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.pages import page_of
from groundwire.operations.question import Asking, Heard, ask_server
from groundwire.operations.results.edits import EditOutcome
from groundwire.operations.results.fixes import Fix, Fixes
from groundwire.pool.routing import Chosen
from groundwire.protocol.lsp_actions import edit_within

_ASK_AGAIN = "Ask suggest_fixes again."
_PLACE = re.compile(r"(?P<file>.+?):(?P<line>[1-9]\d{0,8}):(?P<title>.+)", re.DOTALL)
_MOST_LOOKED_AT = 10_000
_MOST_NAMED = 10


class ApplyFix(Arguments, frozen=True):
    """A fix that was suggested."""

    id: Annotated[str, Meta(description="Id from suggest_fixes, or FILE:LINE:TITLE.")]
    preview: Annotated[bool, Meta(description="Show the change, write nothing.")] = False


@operation(
    "Fixes and refactorings that language servers offer for a file, a line or a range, each with an id for apply_fix.",
    needs=(CODE_ACTION,),
    aliases=("get_code_actions",),
    command="fixes",
)
async def suggest_fixes(call: Call, arguments: SuggestFixes) -> Answer[Fixes]:
    """What is offered."""
    return await _suggested(call, arguments)


async def _suggested(call: Call, arguments: SuggestFixes) -> Answer[Fixes]:
    call.pool.refresh()
    file = existing_file(Path(arguments.file_path), call.pool.workspace)
    route = call.pool.route(file)
    asked = await asyncio.gather(
        *(ask_for_fixes(call, chosen, file, route.language, arguments) for chosen in route.chosen)
    )
    failed = [each for each in asked if isinstance(each, GroundwireError)]
    heard = [(chosen, each) for chosen, each in zip(route.chosen, asked, strict=True) if isinstance(each, Heard)]
    if not heard:
        raise next(iter(failed), ServerUnavailable(f"no server takes care of {file.name}"))
    doubts = [*route.missing, *(each.incomplete for _, each in heard if each.incomplete)]
    doubts += [error.message for error in failed if not isinstance(error, CapabilityMissing)]
    unnamed = [_fix(chosen, file, each, one) for chosen, each in heard for one in each.result]
    unnamed.sort(key=lambda pair: (pair[0].line, pair[0].column, bool(pair[0].disabled), not pair[0].preferred))
    fixes = _named(call.kept.get(FixIds), unnamed)
    shown = shown_path(file, call.pool.workspace)
    return Answer(
        value=Fixes(file=shown, fixes=tuple(page_of(fixes, arguments)), total=len(fixes), offset=arguments.offset),
        status=Status.PARTIAL if doubts else Status.CONFIRMED,
        reason="; ".join(dict.fromkeys(doubts)),
        servers=tuple(each.asking.session.options.server for _, each in heard),
    )


@operation(
    "Apply a fix that suggest_fixes named: all its files or none. What is wrong then is reported.",
    effect="writes",
    needs=(CODE_ACTION,),
    command="fix",
)
async def apply_fix(call: Call, arguments: ApplyFix) -> Answer[EditOutcome]:
    """Carry it out, or show it."""
    ids, name = call.kept.get(FixIds), await _name_of(call, arguments.id)
    fix = ids.get(name)

    async def ask(asking: Asking) -> tuple[Reply[Ready | EditConflict], str]:
        world = asking.session.state.documents.world
        found = _outdated(asking, name, fix) or await make_ready(call, asking, fix.offered, world)
        return Reply(found, "", world), ""

    heard = await ask_server(call, fix.chosen, fix.file, fix.language, ask)
    if isinstance(heard.result, EditConflict):
        ids.forget(fix.file)
        raise heard.result
    _require_same_world(heard.asking, name, fix, heard.result)
    done = await carry_out_action(call, heard.asking.session, heard.result, is_preview=arguments.preview)
    if done.value.applied:
        ids.forget(fix.file)
    return done


async def _name_of(call: Call, wanted: str) -> str:
    """The id of a fix that is named by its place and title. Raises InvalidArgument where none or several fit."""
    place = _PLACE.fullmatch(wanted)
    if place is None:
        return wanted
    asked = SuggestFixes(file_path=place["file"], line=int(place["line"]), limit=_MOST_LOOKED_AT)
    offered = [fix for fix in (await _suggested(call, asked)).value.fixes if fix.id]
    title = place["title"].strip().casefold()
    found = [fix for fix in offered if fix.title.casefold() == title]
    found = found or [fix for fix in offered if title in fix.title.casefold()]
    if len(found) == 1:
        return found[0].id
    fit = "fits no fix" if not found else f"fits {len(found)} fixes"
    titles = list(dict.fromkeys(fix.title for fix in found or offered))[:_MOST_NAMED]
    hint = f"Offered there: {'; '.join(titles)}." if titles else "Nothing is offered there."
    raise InvalidArgument(f"{place['title']!r} {fit} of {place['file']}:{place['line']}", hint=hint)


def _fix(chosen: Chosen, file: Path, heard: Heard[list[Suggestion]], suggestion: Suggestion) -> tuple[Fix, KeptFix]:
    asking, action = heard.asking, suggestion.offered.action
    document = asking.document
    where = action.diagnostics[0].range if action.diagnostics else suggestion.where
    line, column = document.lines.to_human(where.start, asking.encoding)
    shown = Fix(
        id="",
        title=action.title,
        kind=action.kind or "",
        server=asking.session.options.server,
        line=line,
        column=column,
        preferred=bool(action.is_preferred),
        fixes=tuple(dict.fromkeys(finding.message_text for finding in action.diagnostics or ())),
        disabled=action.disabled.reason if action.disabled else "",
    )
    session = weakref.ref(asking.session)
    kept = KeptFix(suggestion.offered, chosen, session, file, document.language, suggestion.hash, suggestion.world)
    return shown, kept


def _named(ids: FixIds, unnamed: Sequence[tuple[Fix, KeptFix]]) -> list[Fix]:
    """In the order in which they are shown; what cannot be done needs no name."""
    return [fix if fix.disabled else msgspec.structs.replace(fix, id=ids.keep(kept)) for fix, kept in unnamed]


def _outdated(asking: Asking, name: str, fix: KeptFix) -> EditConflict | None:
    if asking.document.hash != fix.hash:
        return EditConflict(f"{fix.file.name} was changed since {name} was suggested", hint=_ASK_AGAIN)
    if fix.session() is not asking.session:
        server = asking.session.options.server
        return EditConflict(f"{server} was started anew since {name} was suggested", hint=_ASK_AGAIN)
    return None


def _require_same_world(asking: Asking, name: str, fix: KeptFix, ready: Ready) -> None:
    """An edit of other files that was computed back then may not fit them any more: their content was not noted."""
    action = fix.offered.action
    is_old = action.edit is not None or (action.command is not None and edit_within(action.command) is not None)
    if not is_old or ready.plan is None or isinstance(ready.plan, EditConflict):
        return
    others = [change.path for change in ready.plan.changes if change.path != fix.file.resolve()]
    if others and asking.session.state.documents.world != fix.world:
        raise EditConflict(f"files were changed since {name} was suggested, which edits several", hint=_ASK_AGAIN)
