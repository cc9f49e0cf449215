"""The ladder of evidence: what proves that a server's findings belong to the content as it is now, and what to do next.

    pull      an answer to a pull sent after the last change
    command   an answer to the server's own synchronous command, likewise
    version   a publish that carries the current version
    ordered   an unversioned publish later than the known debounce and after an ordered barrier was answered
    quiet     nothing came for a while: never proof

``next_step`` is a pure decision over a ``Situation``; ``client.diagnose`` carries it out and asks again, so every
branch can be tested without an event loop. Above: ``client.diagnose``. Below: ``diagnostics``, ``documents``,
``rules``.
"""

from typing import Literal

import msgspec

from groundwire.protocol.lsp_diagnostics import Diagnostic
from groundwire.workspace.diagnostics import COMMAND, FileRecord, Publication
from groundwire.workspace.documents import Document
from groundwire.workspace.rules import SettleRule

Evidence = Literal["pull", "command", "version", "ordered", "quiet"]

_FIRST_VERSION = 1
_EARLY_S = 0.02
"""A publish this much before the debounce is over still counts: timers of a loaded machine are not exact."""


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """All that the decision depends on."""

    rule: SettleRule
    document: Document
    record: FileRecord
    clock: int
    refreshes: int
    pull_identifiers: tuple[str | None, ...]
    has_command: bool
    registration_deadline: float
    """Until when a late registration of pull is waited for."""
    barrier_answered: float | None
    """When an ordered request sent after the last change was answered; None while it is not."""
    refused_pull: bool
    """Whether the server does not know the pull that was expected of it."""
    ever_reported: bool
    """Whether the server has reported any finding at all since it started."""
    now: float


class Ask(msgspec.Struct, frozen=True):
    """Send a pull or the synchronous command, with these identifiers."""

    evidence: Literal["pull", "command"]
    identifiers: tuple[str | None, ...]


class Touch(msgspec.Struct, frozen=True):
    """Send a change that changes nothing, so that the file is checked again under a new version."""


class Barrier(msgspec.Struct, frozen=True):
    """Send an ordered request and note when it is answered."""


class Wait(msgspec.Struct, frozen=True):
    """Wait for the server to say something, at most until then (None: as long as the budget lasts)."""

    until: float | None
    reason: str


class Proven(msgspec.Struct, frozen=True):
    """The findings are those of the current content."""

    evidence: Evidence
    diagnostics: tuple[Diagnostic, ...]


class Unproven(msgspec.Struct, frozen=True):
    """Nothing better can be had from this server; these are the last findings it gave, and all that is known."""

    reason: str
    diagnostics: tuple[Diagnostic, ...]


Step = Ask | Touch | Barrier | Wait | Proven | Unproven


def next_step(situation: Situation) -> Step:
    """What to do next to prove this file's findings."""
    step = _strongest(situation)
    if isinstance(step, Proven) and not step.diagnostics and not (situation.rule.measured or situation.ever_reported):
        return Unproven("this server has not reported anything yet, so its silence proves nothing", ())
    return step


def _strongest(situation: Situation) -> Step:
    rule = situation.rule
    if rule.sync_command and situation.has_command:
        return _asked(situation, "command", (COMMAND,))
    if rule.touch_before_asking and situation.document.told_at < situation.clock:
        return Touch()
    if situation.pull_identifiers and rule.pull != "never" and not situation.refused_pull:
        return _asked(situation, "pull", situation.pull_identifiers)
    if rule.pull == "expected" and not situation.refused_pull:
        return _asked(situation, "pull", (None,))
    if _may_still_register(situation):
        return Wait(situation.registration_deadline, "the server has not announced its diagnostics yet")
    return _pushed(situation)


def needed_clock(situation: Situation) -> int:
    """Evidence asked for before this moment is about an older world."""
    return situation.document.told_at if situation.rule.scope == "file" else situation.clock


def _may_still_register(situation: Situation) -> bool:
    expected = situation.rule.pull == "expected" or bool(situation.rule.sync_command)
    return expected and situation.now < situation.registration_deadline


def _asked(situation: Situation, evidence: Literal["pull", "command"], identifiers: tuple[str | None, ...]) -> Step:
    # Also where files stand alone a change of the configuration concerns them all, and asking costs next to nothing.
    needed = situation.clock
    missing: list[str | None] = []
    found: list[Diagnostic] = []
    for identifier in identifiers:
        pulled = situation.record.pulled.get(identifier)
        if pulled is None or pulled.asked.clock < needed or pulled.asked.refreshes < situation.refreshes:
            missing.append(identifier)
        else:
            found.extend(pulled.diagnostics)
    if missing:
        return Ask(evidence, tuple(missing))
    return Proven(evidence, tuple(found))


def _pushed(situation: Situation) -> Step:
    rule, document = situation.rule, situation.document
    published = situation.record.pushed
    if rule.push == "never":
        return Unproven("this server reports no findings in a way that can be relied on", ())
    if document.told_at < needed_clock(situation):
        # Something else changed since this file was last checked; only another check can tell what that did.
        return _touched(situation) if rule.touch else _unproven_by_others(situation)
    if rule.touch_after_others and (document.is_behind or document.is_unsettled):
        return _touched(situation)
    if published is not None and published.version is not None:
        return _versioned(situation, published)
    if rule.push == "versioned":
        return Wait(None, f"findings for version {document.version} have not been published yet")
    return _unversioned(situation, published)


def _touched(situation: Situation) -> Step:
    """Where findings may go by other files as they were, a file is touched twice, and each time only once what was told
    before has been published: a server that is told of two changes before it has begun takes them for one, and what
    it had begun before the others changed is published late, under the version of the first touch at the latest.
    """
    published, document = situation.record.pushed, situation.document
    needed = document.version if document.is_unsettled else document.changed_in
    told = published.version if published is not None else None
    if situation.rule.touch_after_others and (told is None or told < needed):
        return Wait(None, f"findings for version {needed} have not been published yet")
    return Touch()


def _versioned(situation: Situation, published: Publication) -> Step:
    # A version that was never told is the server's own count, and proves nothing of ours.
    if published.version != situation.document.version:
        return Wait(None, f"findings for version {situation.document.version} have not been published yet")
    settled = published.received + situation.rule.tail_ms / 1000
    if situation.now < settled:
        return Wait(settled, "a second publish of this version may follow")
    return Proven("version", published.diagnostics)


def _unversioned(situation: Situation, published: Publication | None) -> Step:
    rule, document, now = situation.rule, situation.document, situation.now
    if situation.barrier_answered is None:
        return Barrier()
    own = _own(situation)
    can_prove = rule.push == "unversioned" and rule.debounce_ms > 0
    if own is not None and can_prove and own.received > situation.barrier_answered:
        return Proven("ordered", own.diagnostics)
    if can_prove and rule.publishes_unchanged:
        return Wait(None, "findings for the current content have not been published yet")
    last = max(document.told_time, situation.barrier_answered, published.received if published else 0.0)
    quiet = last + max(rule.quiet_ms, rule.debounce_ms) / 1000
    if now < quiet:
        return Wait(quiet, "the server may still be checking")
    return Unproven("the server gives no sign of when its check is complete", _shown(situation, own))


def _shown(situation: Situation, own: Publication | None) -> tuple[Diagnostic, ...]:
    """What is worth showing though it is not proven. Of a file that the server was told of just once there is no text
    before, so what it publishes early, as soon as it has loaded, is about this one.
    """
    published, document = situation.record.pushed, situation.document
    if own is None and published is not None and published.version is None and document.version == _FIRST_VERSION:
        own = published if published.received >= document.told_time else None
    return own.diagnostics if own else ()


def _own(situation: Situation) -> Publication | None:
    """The last publish, unless it is known to be about other content than this file has now."""
    published, document = situation.record.pushed, situation.document
    if published is None:
        return None
    if published.version is not None:
        return published if published.version == document.version else None
    own_from = document.told_time + situation.rule.debounce_ms / 1000 - _EARLY_S
    return published if published.received >= max(own_from, document.told_time) else None


def _unproven_by_others(situation: Situation) -> Unproven:
    own = _own(situation)
    reason = "other files changed since this file was checked, and the server cannot be asked again"
    return Unproven(reason, own.diagnostics if own else ())
