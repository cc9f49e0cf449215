"""Which server an item of an answer came from, so that it is given back to that one and no other.

What a server put into ``data`` is wrapped together with the name of its session; its commands become the one command
that this server offers. Above: ``questions``, ``execution``. Below: ``json_shapes``, ``client.session``.
"""

from typing import Literal, NamedTuple

from groundwire.client.session import Session
from groundwire.errors import ServerError
from groundwire.protocol.jsonrpc import CONTENT_MODIFIED, INVALID_PARAMS
from groundwire.surfaces.lsp.json_shapes import Members, copied, is_list, items, members, text_in

RUN_COMMAND = "groundwire.run"
_MARK = "groundwire"
_COMPLETION_DEFAULTS = ("commitCharacters", "insertTextFormat", "insertTextMode", "data")


class Origin(NamedTuple):
    """Where an item came from: the session, and the document that was asked about, as servers spell it."""

    session: Session
    uri: str


class Handles:
    """Of one client. Sessions that have ended are forgotten."""

    def __init__(self) -> None:
        self._sessions: dict[int, Session] = {}
        self._last = 0

    def wrapped(self, value: object, origin: Origin, kind: Literal["", "list", "completion", "actions"]) -> object:
        """An answer whose items can be given back."""
        if not kind or value is None:
            return value
        key = self._key(origin.session)
        if kind == "completion":
            return self._completions(value, key, origin)
        if is_list(value):
            return [self._item(each, key, origin) for each in items(value)]
        return self._item(value, key, origin)

    def unwrapped(self, item: Members) -> tuple[Members, Origin]:
        """The item as the server gave it, and where it came from. Raises ServerError."""
        data = members(item.get("data"))
        key = data.get(_MARK)
        if not isinstance(key, int):
            raise ServerError(INVALID_PARAMS, "this item is none that was given out here")
        plain = {name: value for name, value in item.items() if name != "data"}
        if "data" in data:
            plain["data"] = data["data"]
        return plain, Origin(self._session(key), text_in(data, "uri"))

    def command(self, params: Members) -> tuple[Members, Origin]:
        """What is to be carried out, and by whom. Raises ServerError."""
        given = items(params.get("arguments"))
        handle = members(given[0]) if given else {}
        key = handle.get(_MARK)
        if params.get("command") != RUN_COMMAND or not isinstance(key, int):
            raise ServerError(INVALID_PARAMS, f"there is no command {params.get('command')!r} here")
        run = {name: handle[name] for name in ("command", "arguments") if name in handle}
        return run, Origin(self._session(key), text_in(handle, "uri"))

    def _item(self, item: object, key: int, origin: Origin) -> object:
        found = members(item)
        if "from" in found or "to" in found:  # a call: the item is inside it
            end = "from" if "from" in found else "to"
            return copied(found, [(end, self._item(found[end], key, origin))])
        if isinstance(found.get("command"), str):  # a bare command, which older servers give instead of an action
            return self._command(found, key, origin)
        own: Members = {"data": found["data"]} if "data" in found else {}
        changes: list[tuple[str, object]] = [("data", {_MARK: key, "uri": origin.uri, **own})]
        if isinstance(found.get("command"), dict):
            changes.append(("command", self._command(members(found["command"]), key, origin)))
        return copied(found, changes)

    def _command(self, command: Members, key: int, origin: Origin) -> Members:
        name = command.get("command")
        if name not in origin.session.state.capabilities.commands():
            return command  # one for editors, which the server would not carry out
        handle: Members = {_MARK: key, "uri": origin.uri, "command": name}
        if "arguments" in command:
            handle["arguments"] = command["arguments"]
        return copied(command, [("command", RUN_COMMAND), ("arguments", [handle])])

    def _completions(self, value: object, key: int, origin: Origin) -> object:
        if is_list(value):
            return [self._item(each, key, origin) for each in items(value)]
        found = members(value)
        defaults = members(found.get("itemDefaults"))
        whole = [_with_defaults(members(each), defaults) for each in items(found.get("items"))]
        kept = {name: each for name, each in found.items() if name != "itemDefaults"}
        return {**kept, "items": [self._item(each, key, origin) for each in whole]}

    def _key(self, session: Session) -> int:
        for key, known in list(self._sessions.items()):
            if known is session:
                return key
            if known.life == "dead":
                del self._sessions[key]
        self._last += 1
        self._sessions[self._last] = session
        return self._last

    def _session(self, key: int) -> Session:
        session = self._sessions.get(key)
        if session is None or session.life == "dead":
            raise ServerError(CONTENT_MODIFIED, "the language server was started anew since: ask again")
        return session


def _with_defaults(item: Members, defaults: Members) -> Members:
    """What the list says for all of its items, said by the item: not every client understands the former."""
    given = {name: defaults[name] for name in _COMPLETION_DEFAULTS if name in defaults and name not in item}
    where = defaults.get("editRange")
    if where is not None and "textEdit" not in item:
        new_text = item.get("textEditText") or item.get("insertText") or item.get("label")
        span: Members = {"range": where} if "start" in members(where) else members(where)
        given["textEdit"] = {**span, "newText": new_text}
    return {**item, **given} if given else item
