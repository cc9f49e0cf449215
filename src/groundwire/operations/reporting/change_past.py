"""What servers find with another content than the disk's: the one that is staged, and the one before a change set.

Nothing on disk is touched. What cannot be shown in that way is not known: other settings of the project, what a checker
that reads the disk says, a file that is gone where a server goes by the disk.
Above: ``check_changes``. Below: ``overlay``, ``served_changes``, ``change_report``.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from groundwire.operations.answer import FileFindings, Finding, Status
from groundwire.operations.diagnostics.baselines import Known
from groundwire.operations.diagnostics.diagnose import CheckedFile
from groundwire.operations.operation import Call
from groundwire.operations.reporting.change_report import Doubtful, beyond
from groundwire.operations.reporting.overlay import Before, Past, findings_before
from groundwire.operations.reporting.renames import find_renames
from groundwire.operations.reporting.served_changes import ServedChanges
from groundwire.operations.reporting.touched import vanished_words

_MOST_SHOWN = 500
"""Files that servers are shown with another content at once."""
_WORD: re.Pattern[str] = re.compile(r"[^\W\d]\w{2,}")


class OtherContent:
    """Shows servers the files of a change set as they are not on disk."""

    def __init__(self, call: Call, served: ServedChanges) -> None:
        self._call = call
        self._served = served
        self._before = {edit.file: edit.before for edit in served.edits}
        self._renames = find_renames(served.edits)

    async def as_staged(self, checked: list[CheckedFile]) -> list[CheckedFile]:
        """The findings for what is staged, where the disk has something else somewhere."""
        hidden = self._served.hidden
        if not hidden or not checked:
            return checked
        if len(hidden) > _MOST_SHOWN or any(each.after is None for each in hidden):
            return [_unknown(each) for each in checked]
        found = await findings_before(self._call, self._staged(), [each.file for each in checked])
        texts = {each.file: each.after for each in hidden}
        shown = {file: each.findings for file, each in found.items() if self._is_shown(file)}
        return [_with(each, shown.get(each.file), texts.get(each.file, each.text)) for each in checked]

    async def before(self, checked: Sequence[CheckedFile]) -> dict[Path, Known]:
        """What was wrong in each file before, where that can be found out."""
        known = {file: Known("", ()) for file, text in self._before.items() if text == ""}
        past = {each.file: each for each in self._staged()}
        past.update((file, Past(file, text or "", not file.is_file())) for file, text in self._before.items())
        # Through a link servers see what is on disk.
        is_linked = any(self._call.pool.other_names(file) for file in past)
        if any(text is None for text in self._before.values()) or len(past) > _MOST_SHOWN or is_linked:
            return known
        wanted = [each for each in checked if each.findings.diagnostics or each.file in self._before]
        texts = {each.file: self._before.get(each.file, each.text) for each in wanted if each.file not in known}
        texts = {file: text for file, text in texts.items() if self._is_shown(file)}
        texts.update((old.file, old.before) for old in self._renames.values())
        found = await findings_before(self._call, list(past.values()), sorted(texts))
        known.update(
            (file, Known(texts[file] or "", each.findings, each.unknown_sources)) for file, each in found.items()
        )
        known.update((new, known[old.file]) for new, old in self._renames.items() if old.file in known)
        return known

    async def doubtful(self, checked: Sequence[CheckedFile]) -> dict[Path, Doubtful]:
        """Findings of which the past as it could be shown tells nothing."""
        of_disk = [each.file for each in checked if self._has_save_check(each.file) and each.findings.diagnostics]
        native = await findings_before(self._call, self._staged(), of_disk) if of_disk else {}
        return {
            each.file: Doubtful(
                old=self._due_to_gone(each),
                new=self._of_disk(each, native.get(each.file)) if each.file in of_disk else (),
            )
            for each in checked
        }

    def _of_disk(self, checked: CheckedFile, native: Before | None) -> tuple[Finding, ...]:
        return beyond(checked.findings.diagnostics, native.findings if native is not None else ())

    def _staged(self) -> list[Past]:
        return [Past(each.file, each.after or "", not each.file.is_file()) for each in self._served.hidden]

    def _is_shown(self, file: Path) -> bool:
        """Whether its own content is what it should be: one that has not changed is so anyhow."""
        has_changed = file in self._before or any(each.file == file for each in self._served.hidden)
        return not has_changed or self._served.is_showable(file)

    def _due_to_gone(self, checked: CheckedFile) -> tuple[Finding, ...]:
        """Findings that name anything of a file that is gone: not every server sees that it was there."""
        old = self._renames.get(checked.file)
        own = old.file if old is not None else None
        gone = {file: text or "" for file, text in self._before.items() if not file.exists() and file != own}
        if not gone or checked.text is None:
            return ()
        places = (part for file in gone for part in (file.stem, file.parent.name))
        names = set(places).union(*(vanished_words(text, "") for text in gone.values()))
        lines = checked.text.splitlines()
        return tuple(
            each
            for each in checked.findings.diagnostics
            if names & _words([each.message, *lines[each.line - 1 : each.end_line]])
        )

    def _has_save_check(self, file: Path) -> bool:
        route = self._served.route(file)
        return route is not None and any(each.spec.settle.save_check is not None for each in route.chosen)


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in _WORD.findall(text)}


def _with(checked: CheckedFile, found: tuple[Finding, ...] | None, text: str | None) -> CheckedFile:
    if found is None:
        return _unknown(checked)
    findings = msgspec.structs.replace(checked.findings, status=Status.CONFIRMED, reason="", diagnostics=found)
    return CheckedFile(checked.file, findings, text)


def _unknown(checked: CheckedFile) -> CheckedFile:
    reason = "what is staged is not what the disk has, and could not be shown to the server"
    return CheckedFile(
        checked.file, FileFindings(file=checked.findings.file, status=Status.UNKNOWN, reason=reason), None
    )
