"""What servers can be asked: the table of operations against what each of them offers.

Above: ``table``, which hands itself over: it cannot be imported from below. Below: ``pool``, ``protocol.capabilities``.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from msgspec import Meta

from groundwire.errors import GroundwireError, InvalidArgument, RequestTimeout
from groundwire.operations.answer import Answer, Status
from groundwire.operations.arguments import FilePath
from groundwire.operations.files.paths import existing_file, shown_path
from groundwire.operations.operation import Arguments, Call, Operation, operation
from groundwire.operations.results.servers import ServerOffer, ServerOffers
from groundwire.pool.instance import Instance
from groundwire.pool.routing import require_known
from groundwire.protocol.capabilities import PROVIDERS, ServerCapabilities
from groundwire.registry.versions import short_version

# Each has arguments and a result of its own, and only what all of them need is looked at.
Known = Callable[[], Iterable[Operation[Any, Any]]]

_NOBODY = "no language server runs yet; name a file_path, and the servers that take care of it are started"


class ServersAsked(Arguments, frozen=True):
    """Which servers."""

    file_path: FilePath = ""
    # ``server`` is the option of every command, and means the same there.
    server_id: Annotated[str, Meta(description="Only this server.")] = ""


class _Subject(NamedTuple):
    """Servers, and the file they are asked about, if any."""

    instances: Sequence[Instance]
    path: str = ""
    language: str = ""


def capabilities_operation(known: Known) -> Operation[ServersAsked, ServerOffers]:
    """The operation that says which of those that are known a server can serve."""

    @operation(
        "What each language server can be asked and what not, operation by operation, with the options it offers.",
        command="capabilities",
    )
    async def get_server_capabilities(call: Call, arguments: ServersAsked) -> Answer[ServerOffers]:
        """Of those that run; with a file, of those that take care of it, which are started."""
        require_known(frozenset(filter(None, [arguments.server_id])), call.pool.catalog)
        subject = _of_file(call, arguments) if arguments.file_path else _of_running(call, arguments)
        return await _offers(call, subject, known())

    return get_server_capabilities


def serves(asked: Operation[Any, Any], offered: ServerCapabilities, path: str = "", language: str = "") -> bool:
    """Whether a server offers one of the methods that the operation needs; some need no server."""
    return not asked.needs or any(offered.supports(method, path=path, language=language) for method in asked.needs)


def _of_file(call: Call, arguments: ServersAsked) -> _Subject:
    call.pool.refresh()
    file = existing_file(Path(arguments.file_path), call.pool.workspace)
    route = call.pool.route(file)
    chosen = [each for each in route.chosen if arguments.server_id in ("", each.spec.id)]
    if not chosen:
        used = ", ".join(each.spec.id for each in route.chosen)
        raise InvalidArgument(f"{arguments.server_id} does not take care of {file.name}", hint=f"Servers: {used}.")
    return _Subject([call.pool.instance(each) for each in chosen], str(file), route.language)


def _of_running(call: Call, arguments: ServersAsked) -> _Subject:
    running = call.pool.instances()
    named = [each for each in running if arguments.server_id in ("", each.chosen.spec.id)]
    return _Subject(named)


async def _offers(call: Call, subject: _Subject, known: Iterable[Operation[Any, Any]]) -> Answer[ServerOffers]:
    operations, offers, doubts = tuple(known), list[ServerOffer](), list[str]()
    failure: GroundwireError | None = None
    for instance in subject.instances:
        try:
            offer = await _offer(call, instance, subject, operations)
        except GroundwireError as error:
            failure = failure or error
            doubts.append(f"{instance.chosen.spec.id}: {error.message}")
            continue
        offers.append(offer)
        doubts += filter(None, [_may_grow(instance) if offer.unsupported_tools else ""])
    if failure is not None and not offers:
        raise failure
    if not offers:
        return Answer(value=ServerOffers(servers=()), status=Status.UNKNOWN, reason=_NOBODY)
    return Answer(
        value=ServerOffers(servers=tuple(offers)),
        status=Status.PARTIAL if doubts else Status.CONFIRMED,
        reason="; ".join(doubts),
        servers=tuple(dict.fromkeys(offer.server for offer in offers)),
    )


async def _offer(
    call: Call, instance: Instance, subject: _Subject, operations: Iterable[Operation[Any, Any]]
) -> ServerOffer:
    spec = instance.chosen.spec
    try:
        session = await instance.ready(call.deadline)
    except TimeoutError:
        raise RequestTimeout(f"{spec.id} is still starting") from None
    offered = session.state.capabilities
    served = {each.name: serves(each, offered, subject.path, subject.language) for each in operations}
    return ServerOffer(
        server=spec.id,
        version=short_version(session.state.server_version),
        root=shown_path(instance.chosen.root, call.pool.workspace),
        role=spec.role,
        languages=spec.languages,
        supported_tools=tuple(name for name, is_served in served.items() if is_served),
        unsupported_tools=tuple(name for name, is_served in served.items() if not is_served),
        capabilities={name: dict(offered.options(method)) for method, name in _offered_providers(offered)},
    )


def _offered_providers(offered: ServerCapabilities) -> list[tuple[str, str]]:
    return [(method, name) for method, name in PROVIDERS.items() if offered.supports(method)]


def _may_grow(instance: Instance) -> str:
    """Why what it does not offer now may be offered in a moment; empty when that is over."""
    session = instance.session
    age = session.now() - session.ready_since
    if age >= session.options.registration_wait:
        return ""
    return f"{instance.chosen.spec.id} started {age:.1f} s ago and may offer more yet"
