"""Very large workspaces: a server is limited, by its own settings, to the packages that are asked about and to what
those import. Nothing is written anywhere, and what it then cannot know of is said with every answer that spans files.

The limit moves with what is asked about, and is given up where that is everywhere. Above: ``starting``. Below:
``scope_packages``, ``folders``.
"""

import logging
import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from pathlib import Path, PurePath
from typing import TypeVar, cast

import msgspec

from groundwire.client.barrier import note_when_read
from groundwire.client.inbound import lookup_section
from groundwire.client.session import RECONFIGURE
from groundwire.client.sync import path_of, uri_of
from groundwire.pool.folders import FolderSession
from groundwire.pool.routes import Chosen
from groundwire.pool.scope_packages import SourceTree
from groundwire.pool.tree import Directory
from groundwire.protocol.uris import uri_key
from groundwire.registry.markers import first_marker
from groundwire.registry.spec import ScopeRule
from groundwire.workspace.outgoing import Outgoing

log = logging.getLogger(__name__)

T = TypeVar("T")

_MOST_ACTIVE = 8
"""Packages that are asked about; who asks about more of them within a minute is not helped by a limit."""
_LATELY_S = 60.0
_MOST_REMEMBERED = 256
_PATTERN_SIGNS = frozenset("*?[]{}!\\,")
"""What settings take for more than a character of a name."""


_FOLLOWED = frozenset({
    "textDocument/declaration",
    "textDocument/definition",
    "textDocument/documentHighlight",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/hover",
    "textDocument/inlayHint",
    "textDocument/selectionRange",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/signatureHelp",
    "textDocument/typeDefinition",
})  # fmt: skip
"""Answered from a file and from what it imports, which a server reads in any case. All else may search."""


class IndexingSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Whether servers are limited, and from how many sources on."""

    selective: bool = True
    threshold: int = 5_000


class Limit:
    """Of one server at one root, for as long as it runs. No places: there is none yet, or none any more."""

    def __init__(
        self,
        chosen: Chosen,
        rule: ScopeRule,
        tree: SourceTree,
        find_places: Callable[[], Collection[str]],
        heard: Callable[["Limit", str], None],
    ) -> None:
        self._find_places = find_places
        self._heard = heard
        self.chosen = chosen
        self.rule = rule
        self.tree = tree
        self.settings: dict[str, object] = {}
        """What the server is told; changed in place, for a session goes on with what it was started with."""
        self.session: FolderSession | None = None
        self.move(())

    def settle(self) -> None:
        """Find out what it is limited to: while the server's process comes up, which takes as long."""
        self.move(self._find_places())
        log.info("%s is limited to %s", self.chosen.spec.id, ", ".join(self._places) or "nothing in particular")

    def move(self, places: Collection[str]) -> None:
        """Limit it to these from now on."""
        self._places = sorted(places)
        prefix = f"{self.tree.root}/"
        self._directories = tuple(prefix + each for each in self._places if each.endswith("/"))
        self._files = frozenset(prefix + each for each in self._places if not each.endswith("/"))
        self.settings.clear()
        base = self.chosen.spec.settings
        named = [each.removesuffix("/") for each in self._places]
        self.settings.update(_with_setting(base, self.rule.setting.split("."), named) if named else base)

    def is_its(self, path: str) -> bool:
        """Whether the server would look at the file, were it not limited."""
        return self.tree.holds(path)

    def opened(self, path: str) -> None:
        """The server is shown a file."""
        self._heard(self, path.replace(os.sep, "/"))

    def covers(self, path: str) -> bool:
        """Whether the server knows of the file."""
        path = path.replace(os.sep, "/")
        return not self._places or path.startswith(self._directories) or path in self._files

    def reason(self) -> str:
        """Why what it knows of uses may not be all; empty where it is not limited."""
        if not self._places:
            return ""
        known = sum(map(self.tree.size, self._places))
        return (
            f"the workspace is large, and {self.chosen.spec.id} looks only at the {known:,} sources of the packages in"
            " use and of those they import; `indexing.selective = false` in the configuration makes it look at all"
        )


def _no_names() -> Collection[str]:
    return ()


class LimitedSession(FolderSession):
    """A session whose server may be shown files that it says nothing about, because they are beyond its limit; or that
    may not know files because of their names."""

    limit: Limit | None = None
    odd_names: Callable[[], Collection[str]] = staticmethod(_no_names)
    """The files of the workspace whose names are no UTF-8."""

    def takes(self, path: str) -> bool:
        """Not what is beyond its limit."""
        return self.limit is None or self.limit.covers(path)

    def unseen(self, method: str) -> str:
        """Nothing that follows what a file names: that is found wherever it is."""
        if method in _FOLLOWED:
            return ""
        return (self.limit.reason() if self.limit is not None else "") or self._why_names_hide()

    def _why_names_hide(self) -> str:
        """A server that can be shown such a file may still not find it by itself, and which one does is not known."""
        own = [name for name in self.odd_names() if self._is_of_interest(PurePath(name))]
        if not own:
            return ""
        files = own[0].removeprefix(f"{self.options.root.as_posix()}/")
        more = f" and {len(own) - 1:,} more" if len(own) > 1 else ""
        return f"whether {self.options.server} looks at {files}{more} is not known: such names are no UTF-8"

    def _is_of_interest(self, file: PurePath) -> bool:
        return file.suffix in self.options.languages and any(map(file.is_relative_to, self.roots))

    def tell(self, messages: list[Outgoing]) -> None:
        """As every session; a file beyond the limit is not checked, whatever the server says of it."""
        if self.limit is not None:
            for message in messages:
                if message.method == "textDocument/didOpen":
                    self._note_opened(self.limit, _uri_of(message.params))
        super().tell(messages)

    def _note_opened(self, limit: Limit, uri: str) -> None:
        path, unchecked = path_of(uri), self.state.unchecked_by_itself
        if limit.covers(path) or limit.rule.checks_others:
            unchecked.discard(uri_key(uri))
        else:
            unchecked.add(uri_key(uri))
        limit.opened(path)


class Scoping:
    """All limits of one pool."""

    def __init__(
        self,
        settings: IndexingSettings,
        seen: Callable[[Path], Directory | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._seen = seen
        self._clock = clock
        self._routed: dict[str, None] = {}
        self._asked: dict[str, float] = {}
        """Files that were routed and shown to a server: only to find out who serves it, no file is shown to anybody."""
        self._limits: dict[tuple[str, Path], Limit] = {}

    def limit_for(self, chosen: Chosen, endings: Collection[str], kept_open: Iterable[str] = ()) -> Limit | None:
        """The limit that a server starts with, if it has to have one. ``kept_open`` are files that it must know."""
        self._limits.pop((chosen.spec.id, chosen.root), None)
        rule = chosen.spec.scope
        if rule is None or not self._settings.selective or not _obeys(chosen, rule):
            return None
        tree = SourceTree(chosen.root.as_posix(), endings, partial(self._seen, chosen.root))
        if not tree.holds_more_than(self._settings.threshold):
            return None
        last = next((path for path in reversed(self._routed) if tree.holds(path)), None)
        find_places = partial(self._places, tree, [*kept_open, *([last] if last else [])])
        limit = self._limits[(chosen.spec.id, chosen.root)] = Limit(chosen, rule, tree, find_places, self._opened)
        return limit

    def routed(self, file: Path) -> None:
        """A file is about to be asked about, or only who would be asked is."""
        path = file.as_posix()
        _note(self._routed, path, None)
        if path in self._asked:
            _note(self._asked, path, self._clock())
        for limit in tuple(self._limits.values()):
            session = limit.session
            is_shown = session is not None and session.state.documents.get(uri_of(path)) is not None
            if is_shown and limit.is_its(path) and not limit.covers(path):
                self._asked_beyond(limit, path)

    def _opened(self, limit: Limit, path: str) -> None:
        if path not in self._routed:
            return  # nobody asks: it has changed on disk, say, and is shown because of that
        if limit.covers(path):
            _note(self._asked, path, self._clock())
        else:
            self._asked_beyond(limit, path)

    def _asked_beyond(self, limit: Limit, path: str) -> None:
        _note(self._asked, path, self._clock())
        self._widen(limit, path)

    @property
    def remembered(self) -> tuple[str, ...]:
        """The files that were asked about, the last of them last."""
        return (*self._routed, *self._asked)

    def _widen(self, limit: Limit, path: str) -> None:
        session = limit.session
        if session is None or session.life in ("stopping", "dead") or session.is_outdated:
            del self._limits[(limit.chosen.spec.id, limit.chosen.root)]
            return
        if session.interlude.is_on:
            return  # it is shown something for a moment; the next question about the file finds it still unknown
        if not limit.rule.takes_changes:
            session.is_outdated = True
            return
        limit.move(self._places(limit.tree, ()))
        log.info("%s is limited anew because of %s", limit.chosen.spec.id, path)
        if session.life == "ready":  # else it is told the settings when it has started
            session.notify(RECONFIGURE, {"settings": limit.settings})
            session.state.documents.tick()
            # To the server its sources appear now, and it looks for them as for new ones.
            session.state.readiness.changed_on_disk(path, is_new_or_gone=True, now=session.now())
            if session.options.readiness.rescans_on_new:
                note_when_read(session, RECONFIGURE, {"settings": limit.settings})

    def _places(self, tree: SourceTree, kept_open: Iterable[str]) -> set[str]:
        """Where it has to look; nowhere in particular if that is everywhere."""
        now, prefix = self._clock(), f"{tree.root}/"
        lately: dict[str, None] = dict.fromkeys(tree.package_of(each.removeprefix(prefix)) for each in kept_open)
        active = dict(lately)
        for path, asked_at in reversed(self._asked.items()):
            if tree.holds(path):
                place = tree.package_of(path.removeprefix(prefix))
                if now - asked_at <= _LATELY_S:
                    lately[place] = None
                if len(active) < _MOST_ACTIVE:
                    active[place] = None
        if len(lately) > _MOST_ACTIVE:
            return set()
        places = set(active).union(*(tree.imported_by(each) for each in active))
        is_plain = not any(_PATTERN_SIGNS.intersection(each) for each in places)
        # As many as that are looked at anyway: a limit to more saves nothing.
        is_small = sum(map(tree.size, places)) <= self._settings.threshold
        return places if is_plain and is_small else set()


def _obeys(chosen: Chosen, rule: ScopeRule) -> bool:
    """Whether the setting counts: some servers look for a file of the project, at its root or above, and obey that."""
    if lookup_section(chosen.spec.settings, rule.setting, None) is not None:
        return False  # whoever set it knows what for
    return not any(first_marker(each, rule.not_with) for each in (chosen.root, *chosen.root.parents))


def _note(remembered: dict[str, T], path: str, value: T) -> None:
    """As the latest; the oldest is forgotten."""
    remembered.pop(path, None)
    remembered[path] = value
    if len(remembered) > _MOST_REMEMBERED:
        del remembered[next(iter(remembered))]


def _with_setting(settings: Mapping[str, object], names: list[str], value: object) -> dict[str, object]:
    """A copy in which one member, deep inside, is another."""
    name, *rest = names
    inner = settings.get(name)
    members = cast("Mapping[str, object]", inner if isinstance(inner, dict) else {})
    return {**settings, name: _with_setting(members, rest, value) if rest else value}


def _uri_of(params: object) -> str:
    document = cast("Mapping[str, Mapping[str, str]]", params)["textDocument"]
    return document["uri"]
