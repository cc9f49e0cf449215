"""Edits that come from a server, as text: every site of a rename, what can be fixed, what a command gave.

Above: ``answers``. Below: ``edits``, ``page``, ``places``, ``verdict``, ``wording``.
"""

from typing import cast

import msgspec

from groundwire.operations.answer import Answer, Status
from groundwire.operations.results.edits import EditOutcome
from groundwire.operations.results.fixes import CommandOutcome, Fix, Fixes, RenameOutcome, RenameSite, RenameTarget
from groundwire.render.edits import edit_page
from groundwire.render.page import Page, Section, prose
from groundwire.render.places import by_file
from groundwire.render.verdict import found, noted, reason, shown
from groundwire.render.wording import counted, known_by, on_one_line, source_line

_MOST_CHARS = 200


def rename_target_page(answer: Answer[RenameTarget]) -> Page:
    """What would be renamed."""
    target = answer.value
    if target.place is None:
        return Page(shown(answer, "Nothing that can be renamed is there"))
    place = target.place
    line = (f"  {place.line}:{place.column}  {source_line(place.text, _MOST_CHARS)}",)
    return Page(shown(answer, f"{target.placeholder} can be renamed"), (Section([(place.file, *line)], 1),))


def rename_page(answer: Answer[RenameOutcome]) -> Page:
    """Every site of a preview; of what was written, what every edit tells."""
    outcome = answer.value
    if outcome.applied or not outcome.sites:
        return edit_page(cast("Answer[EditOutcome]", answer))
    where = f"{counted(outcome.total, 'site')} in {counted(len(outcome.files), 'file')}"
    head = f"Preview, nothing is written yet: {where} become {outcome.new_name} {_proof(answer)}"
    notes = [(f"Note: {note}",) for note in outcome.notes]
    moves = [(f"  {file.kind} {file.old_file or file.file} to {file.file}",) for file in outcome.files if file.old_file]
    blocks = by_file([(site.file, (_site(site),)) for site in outcome.sites])
    return Page(head, (Section([*notes, *moves], len(notes) + len(moves)), Section(blocks, len(outcome.sites))))


def _proof(answer: Answer[RenameOutcome]) -> str:
    if answer.status is Status.CONFIRMED:
        return f"({known_by(answer.servers)}){noted(answer)}"
    return f"(there may be more: {reason(answer)}){noted(answer)}"


def _site(site: RenameSite) -> str:
    before, after = source_line(site.before, _MOST_CHARS), source_line(site.after, _MOST_CHARS)
    return f"  {site.line}:{site.column}  {before} → {after}"


def fixes_page(answer: Answer[Fixes]) -> Page:
    """Each with the name by which it is applied."""
    fixes = answer.value
    head = found(answer, fixes.total, "suggestion", f" in {fixes.file}")
    return Page(head, (Section([_fix(fix) for fix in fixes.fixes], fixes.total, fixes.offset),))


def _fix(fix: Fix) -> tuple[str, ...]:
    traits = ", ".join(filter(None, [fix.kind, "preferred" if fix.preferred else "", fix.server]))
    line = f"  {fix.id or '-'}  {fix.line}:{fix.column}  {on_one_line(fix.title, _MOST_CHARS)} ({traits})"
    if fix.disabled:
        line += f": not possible here: {on_one_line(fix.disabled, _MOST_CHARS)}"
    return (line, *(f"      for: {on_one_line(message, _MOST_CHARS)}" for message in fix.fixes[:1]))


def command_page(answer: Answer[CommandOutcome]) -> Page:
    """The result, then the edit."""
    outcome = answer.value
    head = f"{outcome.command} was carried out by {outcome.server}{noted(answer)}"
    sections: list[Section] = []
    if outcome.result is not None:
        given = msgspec.json.format(msgspec.json.encode(outcome.result), indent=2).decode()
        sections.append(prose(given, title="Result:"))
    if outcome.edit is None:
        return Page(head, tuple(sections))
    edit = edit_page(msgspec.structs.replace(cast("Answer[EditOutcome]", answer), value=outcome.edit))
    return Page(head, (*sections, Section([(edit.head,)], 1), *edit.sections))
