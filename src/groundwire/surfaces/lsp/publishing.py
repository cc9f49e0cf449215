"""Diagnostics that are pushed: of every open document, after each change of it, and after changes from elsewhere.

Documents of the same servers are checked together, and wait for no other servers. Nothing is published for a version
that has been followed by another, and no empty list that is not proven: what is not known is said in the log, once, and
looked at again. Above: ``server``. Below: ``findings``.
"""

import asyncio
from collections.abc import Callable, Hashable

from groundwire.errors import GroundwireError
from groundwire.operations.answer import Status
from groundwire.surfaces.lsp.documents import OpenDocument
from groundwire.surfaces.lsp.findings import Checked, check
from groundwire.surfaces.lsp.json_shapes import Members
from groundwire.surfaces.lsp.notes import WARNING, Notify
from groundwire.surfaces.lsp.questions import Client

_WAIT_S = 60.0
_TYPING_S = 0.15
"""Unsaved text changes with every key: it is looked at no more often than this."""
_AGAIN_S = (2.0, 5.0, 15.0, 60.0)
"""When what is not known is looked at again."""
_NEWS_S = 0.25
_REFRESH_S = 2.0
"""How often the disk is asked for news, where the system does not tell of them by itself."""


class _Group:
    """The documents of the same servers."""

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.is_stale = False
        self.tries = 0
        self.alarm: asyncio.TimerHandle | None = None

    def forget_alarm(self) -> None:
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None


class Publisher:
    """Of one client. ``is_pulled``: the client asks for diagnostics itself, and would show pushed ones twice."""

    def __init__(self, client: Client, notify: Notify) -> None:
        self._client = client
        self._notify = notify
        self._groups: dict[Hashable, _Group] = {}
        self._published: dict[str, Members] = {}
        self.is_pulled = False

    def changed(self) -> None:
        """Look at all documents."""
        if self.is_pulled:
            return
        for key in {self._group_of(each) for each in self._client.documents}:
            group = self._groups.setdefault(key, _Group())
            group.tries = 0
            self._begin(key, group)

    def closed(self, document: OpenDocument) -> None:
        """It is not looked at any more: what was said of it is taken back."""
        if self._published.pop(document.uri, None) is not None:
            self._notify("textDocument/publishDiagnostics", {"uri": document.uri, "diagnostics": []})

    def pulled(self) -> None:
        """From now on the client asks itself; what was pushed so far is left to it."""
        if self.is_pulled:
            return
        self.is_pulled = True
        for uri in self._published:
            self._notify("textDocument/publishDiagnostics", {"uri": uri, "diagnostics": []})
        self._published.clear()

    async def stop(self) -> None:
        """Check no more."""
        tasks = [group.task for group in self._groups.values() if group.task is not None]
        for group in self._groups.values():
            group.forget_alarm()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _group_of(self, document: OpenDocument) -> Hashable:
        try:
            _, route = self._client.route(document.uri)
        except GroundwireError as error:
            self._client.notes.log(error.message)
            return None
        return tuple((each.spec.id, each.root) for each in route.chosen)

    def _begin(self, key: Hashable, group: _Group) -> None:
        group.forget_alarm()
        if group.task is None:
            group.task = asyncio.create_task(self._look_on(key, group))
        else:
            group.is_stale = True

    async def _look_on(self, key: Hashable, group: _Group) -> None:
        try:
            while True:
                group.is_stale = False
                is_known = key is None or await self._look(key)
                if not group.is_stale:
                    break
        finally:
            group.task = None
        if not is_known:
            delay = _AGAIN_S[min(group.tries, len(_AGAIN_S) - 1)]
            group.tries += 1
            group.alarm = asyncio.get_running_loop().call_later(delay, lambda: self._begin(key, group))

    async def _look(self, key: Hashable) -> bool:
        """One look at a group, what was touched last first. Whether all is known."""
        if self._client.documents.unsaved():
            await asyncio.sleep(_TYPING_S)
        own = [each for each in self._client.documents if self._group_of(each) == key]
        newest = max((each.touched for each in own), default=0)
        first = [each for each in own if each.touched == newest]
        is_known = await self._check(first)
        return await self._check([each for each in own if each.touched != newest]) and is_known

    async def _check(self, documents: list[OpenDocument]) -> bool:
        if not documents:
            return True
        unsaved = self._client.documents.unsaved()
        try:
            found = await check(self._client, documents, unsaved, _WAIT_S)
        except GroundwireError as error:
            self._client.notes.log(error.message, WARNING)
            return False
        is_same = self._client.documents.unsaved() == unsaved
        for each in found:
            if is_same or not each.is_unsaved:  # else it is looked at next with the texts as they are by now
                self._publish(each)
        return all(each.is_known or each.status is Status.UNSUPPORTED for each in found)

    def _publish(self, checked: Checked) -> None:
        document = checked.document
        now = self._client.documents.get(document.file)
        if now is None or (now.version, now.text) != (document.version, document.text) or self.is_pulled:
            return  # followed by another version, which is looked at next
        if checked.reason:
            self._client.notes.log(f"{document.file.name}: {checked.reason}", WARNING)
        if not checked.is_known:
            return
        params: Members = {"uri": document.uri, "diagnostics": checked.diagnostics}
        if checked.is_of_its_version:
            params["version"] = document.version
        if self._published.get(document.uri) != params:
            self._published[document.uri] = params
            self._notify("textDocument/publishDiagnostics", params)


async def watch(client: Client, on_news: Callable[[], None], look: Callable[[], None]) -> None:
    """Notice what happens elsewhere, for as long as it runs; ``look`` is called often."""
    known = _world(client)
    refreshed = 0.0
    while True:
        await asyncio.sleep(_NEWS_S)
        now = asyncio.get_running_loop().time()
        if now - refreshed >= _REFRESH_S and client.pool.instances():
            refreshed = now
            client.pool.refresh()
        look()
        world = _world(client)
        is_news = any(known.get(key) != state for key, state in world.items())
        known = world
        if is_news:
            on_news()


def _world(client: Client) -> dict[int, object]:
    """What changes with every change on disk that a server was told of, and with every server that comes.

    One that goes is no news: what it said stays true, and a server that was idle is not to be started for that.
    """
    sessions = (each.session for each in client.pool.instances() if each.has_started)
    return {
        id(each): (each.state.documents.world - each.interlude.moved, each.state.readiness.loads)
        for each in sessions
        if each.life == "ready"
    }
