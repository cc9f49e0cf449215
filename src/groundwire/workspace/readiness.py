"""How far a server has loaded its workspace, from what it says of itself: cold, indexing n %, ready.

The clock is passed in. A gate tells whether a question may be asked now; a gate that never opens in time makes the
answer partial, with the reason given here, and never silence. Above: ``client``. Below: ``rules``, ``protocol.lsp``.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from groundwire.protocol.lsp import WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressEnd
from groundwire.workspace.rules import ReadinessRule

GateKind = Literal["diagnostics", "references"]


class Gate(msgspec.Struct, frozen=True):
    """Open: ask. Otherwise wait for a sign, or until then. ``reason`` says why an answer now is not complete."""

    is_open: bool
    reason: str = ""
    until: float | None = None


class Work(msgspec.Struct):
    """One running piece of work-done progress."""

    title: str
    percentage: float | None = None
    message: str = ""
    is_loading: bool = False


_OPEN = Gate(is_open=True)
_PATIENCE = 5
"""How many times as long a server may take that is known to say what is waited for."""


class Readiness:
    """The signals of one server since it was started."""

    def __init__(self, rule: ReadinessRule) -> None:
        self._rule = rule
        self._work: dict[int | str, Work] = {}
        self._expects_from: float | None = None
        self._is_quiescent = False
        self._was_notified = False
        self._loads_ended = 0
        self._gave_diagnostics = False
        self._reload_grace: float | None = None
        self._reload_began = False
        self.is_rescan_expected = False
        """Whether the server has yet to say that it looked for new files."""
        self._rescan_grace: float | None = None
        self._has_early_sign = False
        self._gives_signs = False
        self.rescans = 0
        """How often the server had to look for new files."""
        self.loads = 0
        """How often the server has said that it is ready: what it answered before the last time may be outdated."""
        self.health = ""

    def initialized(self, now: float) -> None:
        """The handshake is over: a server that loads at once begins now, however long its start took."""
        if self._rule.progress_starts == "at-start":
            self._expects_from = now

    def opened_document(self, now: float) -> None:
        """The first ``didOpen`` was sent: several servers load only then."""
        if self._expects_from is None:
            self._expects_from = now

    def gave_diagnostics(self) -> None:
        """The server answered with findings (or none) for an open file."""
        self._gave_diagnostics = True

    def changed_on_disk(self, path: str, *, is_new_or_gone: bool, now: float) -> None:
        """A file was told of that may make the server load anew."""
        rule = self._rule
        name = path.rsplit("/", 1)[-1]
        if name in rule.reloads_on_change or (is_new_or_gone and name.endswith(rule.reloads_on_new)):
            self._reload_grace = now + rule.reload_grace_ms / 1000
            self._reload_began = False
        if is_new_or_gone and rule.rescans_on_new and name.endswith(rule.rescans_on_new):
            self.is_rescan_expected, self._rescan_grace, self._has_early_sign = True, None, False
            self.rescans += 1

    def read(self, rescans: int, now: float) -> bool:
        """All that was told until it had to look so often has been read: what it looks for from now on is all of it.

        True: it may have looked already, and has to be told again if it is to say so once more.
        """
        if rescans != self.rescans:
            return False
        patience = _PATIENCE if self._gives_signs else 1
        self._rescan_grace = now + patience * self._rule.rescan_grace_ms / 1000
        return self._has_early_sign

    def logged(self, message: str) -> None:
        """A log message, which some servers give as their only sign of having looked for new files."""
        if not message.startswith(self._rule.rescan_log):
            return
        self._gives_signs = True
        if self.is_rescan_expected:
            # A sign that was under way when the server was told of a file says nothing about that file.
            self._has_early_sign = self.is_rescan_expected = self._rescan_grace is None

    def notified(self, method: str, params: Mapping[str, object]) -> None:
        """A notification that may be one of this server's signs."""
        rule = self._rule
        if method == rule.ready_notification:
            self._was_notified = True
        if method != rule.status_method:
            return
        quiescent, kind = params.get("quiescent"), params.get("type")
        if isinstance(quiescent, bool):
            self._became(is_quiescent=quiescent)
        elif kind in rule.ready_types:
            # The same notification goes on to tell of other things; none of them takes this back.
            self._became(is_quiescent=True)
        health, message = params.get("health"), params.get("message")
        self.health = f"{health}: {message}" if health not in (None, "ok") and message else ""

    def _became(self, *, is_quiescent: bool) -> None:
        if is_quiescent and not self._is_quiescent:
            self.loads += 1
            if self._reload_began:
                self._reload_grace = None
        elif not is_quiescent:
            self._reload_began = True
        self._is_quiescent = is_quiescent

    def progress(self, token: int | str, value: WorkDoneProgress) -> None:
        """A step of work-done progress."""
        if isinstance(value, WorkDoneProgressBegin):
            is_loading = self._is_loading(value.title) or self._is_loading(str(token))
            self._work[token] = Work(value.title or str(token), value.percentage, value.message or "", is_loading)
        elif isinstance(value, WorkDoneProgressEnd):
            ended = self._work.pop(token, None)
            self._loads_ended += ended is not None and ended.is_loading
        elif (work := self._work.get(token)) is not None:
            work.percentage = value.percentage if value.percentage is not None else work.percentage
            work.message = value.message or work.message

    def gate(self, kind: GateKind, now: float) -> Gate:
        """Whether a question of this kind can be answered completely now."""
        rule = self._rule
        gated = rule.gates_diagnostics if kind == "diagnostics" else rule.gates_references
        loaded = self._loaded(now) if gated else _OPEN
        if not loaded.is_open or kind == "diagnostics":
            return loaded
        if rule.references_need == "never-complete":
            return Gate(is_open=True, reason="this server does not search the whole workspace")
        if rule.references_need == "first-diagnostics" and not self._gave_diagnostics:
            return Gate(is_open=False, reason="the server has not finished its first check yet")
        return self._rescanned(now) if self.is_rescan_expected else loaded

    def _rescanned(self, now: float) -> Gate:
        grace = self._rescan_grace
        is_late = grace is not None and now >= grace
        return Gate(is_open=is_late, reason="the server has not said that it looked for new files", until=grace)

    def describe(self, now: float) -> str:
        """For people: ``ready``, ``indexing 43 %`` or ``cold``."""
        if (work := self._loading_work()) is not None:
            return _describe(work)
        return "ready" if self._loaded(now).is_open else "cold"

    def _loaded(self, now: float) -> Gate:
        rule = self._rule
        if rule.status_method and not self._is_quiescent:
            return Gate(is_open=False, reason=self._loading_reason())
        if rule.ready_notification and not self._was_notified:
            return Gate(is_open=False, reason=self._loading_reason())
        if self._reload_grace is not None and now < self._reload_grace:
            return Gate(is_open=False, reason="the server is about to load changed files", until=self._reload_grace)
        return self._progressed(now) if rule.progress_titles else _OPEN

    def _progressed(self, now: float) -> Gate:
        if self._loading_work() is not None:
            return Gate(is_open=False, reason=self._loading_reason())
        if self._loads_ended:
            return _OPEN
        if self._expects_from is None:
            return Gate(is_open=False, reason="the server has no document yet, so it has not loaded anything")
        grace = self._expects_from + self._rule.start_grace_ms / 1000
        if now < grace:
            return Gate(is_open=False, reason=self._loading_reason(), until=grace)
        # It never began: nothing to load, or never told. The answer is given, and said to be unproven.
        return Gate(is_open=True, reason="the server has not said that it loaded the workspace")

    def _is_loading(self, title: str) -> bool:
        return any(title.startswith(prefix) for prefix in self._rule.progress_titles)

    def _loading_work(self) -> Work | None:
        return next((work for work in self._work.values() if work.is_loading), None)

    def _loading_reason(self) -> str:
        work = self._loading_work() or next(iter(self._work.values()), None)
        return f"the server is still loading: {_describe(work)}" if work else "the server is still loading"


def _describe(work: Work) -> str:
    share = f" {work.percentage:.0f} %" if work.percentage is not None else ""
    return f"{work.title}{share}"
