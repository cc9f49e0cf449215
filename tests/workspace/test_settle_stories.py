"""Stories of changes, publishes and answers in any order: what is called proven is always about the present."""

from collections import deque
from collections.abc import Sequence

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st

from groundwire.protocol.capabilities import ServerCapabilities
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.lsp_diagnostics import Diagnostic, FullDocumentDiagnosticReport
from groundwire.workspace.diagnostics import Asked, DiagnosticStore
from groundwire.workspace.documents import Document, Documents
from groundwire.workspace.rules import SettleRule
from groundwire.workspace.settle import Ask, Barrier, Proven, Situation, Step, Touch, Unproven, next_step
from tests.thoroughness import examples

URI, OTHER = "file:///w/a.py", "file:///w/b.py"
SYNC = {"textDocumentSync": {"openClose": True, "change": 2}}


def finding(text: str, clock: int) -> Diagnostic:
    """What a server finds when it looks at this text at this clock: the oracle reads both back."""
    return Diagnostic(Range(Position(0, 0), Position(0, 1)), f"{text} {clock}")


def seen(diagnostics: Sequence[Diagnostic]) -> list[tuple[str, int]]:
    parts = [diagnostic.message_text.split() for diagnostic in diagnostics]
    return [(text, int(clock)) for text, clock in parts]


class Desk:
    """Our side: the documents, what was said about them, and the steps that are taken."""

    def __init__(self, rule: SettleRule, identifiers: tuple[str | None, ...] = ()) -> None:
        self.rule = rule
        self.documents = Documents(ServerCapabilities(SYNC))
        self.store = DiagnosticStore()
        self.now: float = 0.0
        self.barrier: tuple[int, float] | None = None
        self._identifiers = identifiers
        self._texts = 0
        self.change(URI)

    @property
    def document(self) -> Document:
        document = self.documents.get(URI)
        assert document is not None
        return document

    def change(self, uri: str) -> None:
        self._texts += 1
        self.documents.sync(uri, f"text{self._texts}", "python", self.now)

    def next_step(self) -> Step:
        document, barrier = self.document, self.barrier
        return next_step(
            Situation(
                rule=self.rule,
                document=document,
                record=self.store.record(URI),
                clock=self.documents.clock,
                refreshes=self.store.refreshes,
                pull_identifiers=self._identifiers,
                has_command=False,
                registration_deadline=0.0,
                barrier_answered=barrier[1] if barrier and barrier[0] == document.told_at else None,
                refused_pull=False,
                ever_reported=self.store.ever_reported,
                now=self.now,
            )
        )

    def assert_true(self, proven: Proven) -> None:
        """The oracle: everything shown was found in the text as it is, and not before what else was told."""
        for text, clock in seen(proven.diagnostics):
            assert text == self.document.text
            assert self.rule.scope == "file" or clock >= self.documents.clock


class VersionedStory(Desk):
    """A server that publishes with versions, any it was told of, as often and as late as it likes."""

    def __init__(self, rule: SettleRule) -> None:
        super().__init__(rule)
        self._told: dict[int, tuple[str, int]] = {}
        self._note()

    def _note(self) -> None:
        self._told.setdefault(self.document.version, (self.document.text, self.documents.clock))

    def act(self, action: str, number: int) -> None:
        self.now += number / 100
        if action == "change":
            self.change(URI)
        elif action == "change another":
            self.change(OTHER)
        elif action == "publish":
            # As early as it can be: the server looked at the moment it was told of that version.
            version = sorted(self._told)[number % len(self._told)]
            self.store.push(URI, [finding(*self._told[version])], version, self.documents.clock, self.now)
        elif action == "publish the current one":
            self.act("publish", len(self._told) - 1)
        elif action == "close and open":
            self.documents.close(URI)
            self.store.forget(URI)
            self.change(URI)
        elif isinstance(step := self.next_step(), Touch):
            self.documents.touch(URI, self.now)
        elif isinstance(step, Unproven):
            assert all(text == self.document.text for text, _ in seen(step.diagnostics))
        self._note()


VERSIONED_ACTIONS = ["change", "change another", "publish", "publish the current one", "close and open", "step"]
versioned_rules = st.sampled_from(
    [
        SettleRule(measured=True, push="versioned"),
        SettleRule(measured=True, push="versioned", touch=True),
        SettleRule(measured=True, push="versioned", scope="file"),
        SettleRule(measured=True, push="versioned", touch=True, tail_ms=50),
        SettleRule(measured=True, push="unversioned", debounce_ms=100),
        SettleRule(),
    ]
)


@settings(max_examples=examples(400), deadline=None)
@given(versioned_rules, st.lists(st.tuples(st.sampled_from(VERSIONED_ACTIONS), st.integers(0, 9)), max_size=25))
@example(SettleRule(measured=True, push="versioned"), [("change", 0), ("publish", 0)])
def test_a_versioned_publish_is_never_proven_for_other_content_than_the_present(
    rule: SettleRule, story: list[tuple[str, int]]
) -> None:
    desk = VersionedStory(rule)
    for action, number in story:
        desk.act(action, number)
        if isinstance(step := desk.next_step(), Proven):
            desk.assert_true(step)


class PullStory(Desk):
    """A server that answers every pull for the world as it was when it was asked, in any order and at any time."""

    def __init__(self, rule: SettleRule) -> None:
        super().__init__(rule, identifiers=(None, "lint"))
        self._asked: list[tuple[str | None, Asked, str]] = []

    def act(self, action: str, number: int) -> None:
        if action == "change":
            self.change(URI)
        elif action == "change another":
            self.change(OTHER)
        elif action == "tell something else":
            self.documents.tick()
        elif action == "refresh":
            self.store.refresh()
        elif action == "answer" and self._asked:
            identifier, asked, text = self._asked.pop(number % len(self._asked))
            report = FullDocumentDiagnosticReport([finding(text, asked.clock)])
            self.store.pull(URI, identifier, report, asked)
        elif isinstance(step := self.next_step(), Ask):
            asking = self.store.asking(self.documents.clock)
            self._asked += [(identifier, asking, self.document.text) for identifier in step.identifiers]


PULL_ACTIONS = ["change", "change another", "tell something else", "refresh", "answer", "answer", "step", "step"]
pull_rules = st.sampled_from([SettleRule(measured=True), SettleRule(measured=True, scope="file"), SettleRule()])


@settings(max_examples=examples(400), deadline=None)
@given(pull_rules, st.lists(st.tuples(st.sampled_from(PULL_ACTIONS), st.integers(0, 9)), max_size=30))
def test_a_pull_is_never_proven_for_another_world_than_the_present(
    rule: SettleRule, story: list[tuple[str, int]]
) -> None:
    desk = PullStory(rule)
    for action, number in story:
        desk.act(action, number)
        if isinstance(step := desk.next_step(), Proven):
            assert len(step.diagnostics) == 2
            desk.assert_true(step)


class Change(msgspec.Struct, frozen=True):
    text: str


class UnversionedStory(Desk):
    """A server that reads in order, checks some time after the last change it read, and publishes without a version.

    Messages take any time on their way but keep their order.
    """

    def __init__(self, rule: SettleRule) -> None:
        self._inbox: deque[Change | int] = deque()
        self._outbox: deque[str | int] = deque()
        self._read = ""
        self._check_at: float | None = None
        super().__init__(rule)

    def change(self, uri: str) -> None:
        super().change(uri)
        self._inbox.append(Change(self.document.text))

    def act(self, action: str, milliseconds: int) -> None:
        self.now += milliseconds / 1000
        if action == "change":
            self.change(URI)
        elif action == "read" and self._inbox:
            self._server_reads(self._inbox.popleft())
        elif action == "check" and self._check_at is not None and self.now >= self._check_at:
            self._outbox.append(self._read)
            self._check_at = None
        elif action == "hear" and self._outbox:
            self._hear(self._outbox.popleft())
        elif action == "step" and isinstance(self.next_step(), Barrier):
            self._inbox.append(self.document.told_at)

    def _server_reads(self, message: Change | int) -> None:
        if isinstance(message, int):
            self._outbox.append(message)
        else:
            self._read, self._check_at = message.text, self.now + self.rule.debounce_ms / 1000

    def _hear(self, message: str | int) -> None:
        if isinstance(message, int):
            self.barrier = (message, self.now)
        else:
            self.store.push(URI, [finding(message, self.documents.clock)], None, self.documents.clock, self.now)


UNVERSIONED_ACTIONS = ["change", "read", "check", "hear", "step"]
unversioned_rules = st.builds(
    SettleRule,
    measured=st.just(True),
    push=st.just("unversioned"),
    debounce_ms=st.sampled_from([10, 50]),
    publishes_unchanged=st.booleans(),
)
A_LATE_PUBLISH = [
    *[("read", 0), ("check", 60), ("change", 0), ("step", 0), ("read", 0), ("read", 0)],
    *[("hear", 60), ("hear", 0), ("step", 0)],
]


@settings(max_examples=examples(600), deadline=None)
@given(
    unversioned_rules,
    st.lists(st.tuples(st.sampled_from(UNVERSIONED_ACTIONS), st.sampled_from([0, 0, 5, 20, 60])), max_size=40),
)
@example(SettleRule(measured=True, push="unversioned", debounce_ms=50), A_LATE_PUBLISH)
def test_a_publish_without_a_version_is_never_proven_for_other_content_than_the_present(
    rule: SettleRule, story: list[tuple[str, int]]
) -> None:
    desk = UnversionedStory(rule)
    for action, milliseconds in story:
        desk.act(action, milliseconds)
        if isinstance(step := desk.next_step(), Proven):
            desk.assert_true(step)


def test_the_story_of_a_quiet_edit_ends_with_proof() -> None:
    desk = UnversionedStory(SettleRule(measured=True, push="unversioned", debounce_ms=50))
    for action, milliseconds in [("step", 0), ("read", 1), ("read", 1), ("hear", 1), ("check", 60), ("hear", 1)]:
        desk.act(action, milliseconds)
    assert isinstance(desk.next_step(), Proven)
