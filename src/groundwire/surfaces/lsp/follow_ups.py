"""Questions about items of earlier answers: to be made complete, or followed up and down a hierarchy.

Above: ``server``. Below: ``questions`` (how a server is asked), ``handles`` (which one).
"""

from collections.abc import Awaitable, Sequence
from pathlib import Path

import msgspec

from groundwire.client.ask import Reply
from groundwire.client.sync import path_of, uri_of
from groundwire.errors import SessionDead
from groundwire.operations.question import Asking, Heard
from groundwire.operations.serving.late_offers import require_offer
from groundwire.pool.routes import Chosen
from groundwire.surfaces.lsp.documents import Unsaved
from groundwire.surfaces.lsp.handles import Origin
from groundwire.surfaces.lsp.json_shapes import Members, inside, members, text_in
from groundwire.surfaces.lsp.methods import FOLLOW_UPS
from groundwire.surfaces.lsp.questions import Client, Put, ask, doubted, same_session, with_stance
from groundwire.surfaces.lsp.reading import to_client, to_server
from groundwire.surfaces.lsp.shapes_for_client import fitted

_WAIT_S = 30.0
_RENAME, _PREPARE_RENAME = "textDocument/rename", "textDocument/prepareRename"


def follow_up(client: Client, method: str, params: Members) -> Awaitable[object]:
    """The answer to a question of ``FOLLOW_UPS``."""
    asked, unsaved = FOLLOW_UPS[method], client.documents.unsaved()
    work = _relations if asked.is_relation else _completed
    return with_stance(client, method, asked.stance, lambda: work(client, method, params, unsaved))


def prepare_rename(client: Client, params: Members) -> Awaitable[object]:
    """What would be renamed; where the server does not tell, the client takes the word that stands there."""
    unsaved = client.documents.unsaved()
    return with_stance(client, _PREPARE_RENAME, "navigation", lambda: _prepared(client, params, unsaved))


async def _prepared(client: Client, params: Members, unsaved: Sequence[Unsaved]) -> object:
    file, route = client.route(text_in(params, "textDocument", "uri"))

    async def put(asking: Asking) -> tuple[Reply[object], str]:
        await require_offer(asking, _RENAME)
        world = asking.session.state.documents.world
        if not asking.session.state.capabilities.options(_RENAME).get("prepareProvider"):
            return Reply[object]({"defaultBehavior": True}, "", world), ""
        own = to_server(client.documents, params, asking.session, asking.document.uri)
        about = {**own, "textDocument": {"uri": asking.document.uri}}
        raw = await asking.follow_up(_PREPARE_RENAME, about)
        value = await to_client(client.documents, msgspec.json.decode(raw), asking)
        return Reply(value, "", world), ""

    chosen = route.primary or next(iter(route.chosen), None)
    if chosen is None:
        return None
    return (await ask(client.call(_WAIT_S), chosen, file, route.language, unsaved, put)).result


async def _completed(client: Client, method: str, params: Members, unsaved: Sequence[Unsaved]) -> object:
    asked = FOLLOW_UPS[method]
    item, origin = client.handles.unwrapped(params)
    if not origin.session.state.capabilities.options(asked.of).get("resolveProvider"):
        return params  # there is no more to it

    async def put(asking: Asking) -> tuple[Reply[object], str]:
        same_session(asking, origin.session)
        own = to_server(client.documents, item, asking.session, origin.uri)
        world = asking.session.state.documents.world
        raw = await asking.follow_up(method, own)
        return Reply(await to_client(client.documents, msgspec.json.decode(raw), asking), "", world), ""

    heard = await ask_origin(client, origin, Path(path_of(origin.uri)), unsaved, put)
    value = fitted(heard.result, method, client.features, client.documents, origin.uri)
    return client.handles.wrapped(value, origin, asked.items or "list")


async def _relations(client: Client, method: str, params: Members, unsaved: Sequence[Unsaved]) -> object:
    asked = FOLLOW_UPS[method]
    item, origin = client.handles.unwrapped(members(params.get("item")))
    file = client.documents.file_of(text_in(item, "uri"))

    async def put(asking: Asking) -> tuple[Reply[object], str]:
        same_session(asking, origin.session)
        own = to_server(client.documents, item, asking.session, asking.document.uri)
        # Only once everything is loaded: so what the item is has to be asked again first.
        position = inside(own, "selectionRange", "start")
        prepared = await asking.workspace_question(asked.of, {"position": position})
        raw = await asking.follow_up(method, {"item": own})
        return prepared.having(await to_client(client.documents, msgspec.json.decode(raw), asking)), ""

    heard = await ask_origin(client, origin, file, unsaved, put)
    doubted(client, method, asked.stance, heard)
    return client.handles.wrapped(heard.result, Origin(origin.session, uri_of(file)), asked.items)


async def ask_origin(
    client: Client, origin: Origin, file: Path, unsaved: Sequence[Unsaved], put: Put[object]
) -> Heard[object]:
    chosen = _chosen_of(client, origin)
    language = origin.session.options.languages.get(file.suffix) or client.pool.route(file).language
    return await ask(client.call(_WAIT_S), chosen, file, language, unsaved, put)


def _chosen_of(client: Client, origin: Origin) -> Chosen:
    """As which the session was started. Raises SessionDead when another one sits there now."""
    for instance in client.pool.instances():
        if instance.session is origin.session:
            return instance.chosen
    raise SessionDead("the language server was started anew since", hint="Ask again.")
