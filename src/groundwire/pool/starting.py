"""Making an instance of what was chosen: its options, its companion, and the process it gets or joins.

Above: ``pool``. Below: ``instance``, ``installed``, ``joining``, ``scope``, ``sidecar``, ``workspace_folders``,
``registry``.
"""

import logging
from collections.abc import Callable, Mapping

import msgspec

from groundwire.client.options import SessionOptions
from groundwire.pool.addresses import read_address
from groundwire.pool.installed import Installed, nested_packages
from groundwire.pool.instance import Instance
from groundwire.pool.joining import Access, JoinedFolder, OwnProcess, is_nested, may_join
from groundwire.pool.pinned import Pinned
from groundwire.pool.routing import Chosen
from groundwire.pool.scope import Limit, LimitedSession, Scoping
from groundwire.pool.settings import PoolSettings
from groundwire.pool.sidecar import Sidecar
from groundwire.pool.watching import Watching
from groundwire.pool.workspace_folders import WorkspaceFolders
from groundwire.registry.outside_sources import include_directories, replaced_modules
from groundwire.registry.package_places import package_places
from groundwire.registry.sidecars import sidecar_of
from groundwire.transport.base import Transport
from groundwire.transport.process import ProcessSpec
from groundwire.transport.socket import open_tcp
from groundwire.transport.stdio import open_stdio

log = logging.getLogger(__name__)


class Starter:
    """Starts servers for one workspace. ``instances`` are those there are, of which one may be joined."""

    def __init__(
        self,
        folders: WorkspaceFolders,
        pinned: Pinned,
        environment: Mapping[str, str],
        settings: PoolSettings,
        instances: Callable[[], tuple[Instance, ...]],
        watching: Watching,
    ) -> None:
        self._folders = folders
        self._pinned = pinned
        self._environment = environment
        self._settings = settings
        self._instances = instances
        self._watching = watching
        self.scoping = Scoping(settings.indexing, watching.seen)
        self._not_shared: set[str] = set()
        """Servers that could not be joined once: that is not tried again."""

    def start(self, chosen: Chosen, start_at: float, open_files: dict[str, str]) -> Instance:
        """An instance that begins at that loop time and opens those files, and those that are kept open."""
        pinned = self._pinned.held_by(chosen)
        limit = self.scoping.limit_for(chosen, self._endings(chosen).keys(), pinned)
        access = self._access(chosen, limit)
        return Instance(
            chosen,
            access,
            sidecar=self._sidecar(chosen),
            installed=self._installed(chosen),
            start_at=start_at,
            open_files={**open_files, **pinned},
        )

    def gave_up(self, instance: Instance) -> None:
        """An instance is cleared away; one that could not join another is not to try again."""
        if instance.failed_to_join:
            self._not_shared.add(instance.chosen.spec.id)

    def _access(self, chosen: Chosen, limit: Limit | None) -> Access:
        host = self._host(chosen) if limit is None else None
        if host is not None:
            return JoinedFolder(host.session, chosen, host.ready)
        is_ours = not self._address(chosen)
        options = options_for(chosen, self._endings(chosen), self._settings, is_ours=is_ours)
        if limit is not None:
            options = msgspec.structs.replace(options, settings=limit.settings)

        async def connect() -> Transport:
            transport = await self._connect(chosen)
            if limit is not None:
                limit.settle()
            return transport

        def blind_spot() -> str:
            return self._folders.blind_spot(chosen.spec.id, chosen.spec.languages, chosen.root)

        session = LimitedSession(options, connect, blind_spot=blind_spot)
        session.odd_names = lambda: self._watching.odd_names
        if limit is not None:
            session.limit, limit.session = limit, session
        return OwnProcess(session)

    def _host(self, chosen: Chosen) -> Instance | None:
        """A process that may take the root in."""
        server, instances = chosen.spec.id, self._instances()
        if server in self._not_shared or self._address(chosen):
            return None
        for host in instances:
            sharing = [each.chosen.root for each in instances if each.session is host.session]
            is_apart = not any(is_nested(chosen.root, root) for root in sharing)
            if not host.process_of and host.is_usable and is_apart and may_join(chosen, host.chosen):
                return host
        return None

    def _address(self, chosen: Chosen) -> str:
        """Where somebody else runs it; empty: we do."""
        return self._folders.terms_at(chosen.root).connect.get(chosen.spec.id, "")

    async def _connect(self, chosen: Chosen) -> Transport:
        address = self._address(chosen)
        if address:
            return await open_tcp(*read_address(address))
        return await open_stdio(ProcessSpec(chosen.command, str(chosen.root), self._variables(chosen)))

    def _variables(self, chosen: Chosen) -> dict[str, str]:
        return {**self._environment, **chosen.spec.environment}

    def _installed(self, chosen: Chosen) -> Installed | None:
        kinds, root = chosen.spec.reads_packages, chosen.root
        if not kinds:
            return None

        def places() -> list[str]:
            nested = nested_packages(self._watching.seen(root)) if "node" in kinds else []
            return package_places(kinds, root, self._folders.folder_of(root), self._environment, nested)

        def sources() -> list[str]:
            return [
                *(replaced_modules(root) if "go" in kinds else ()),
                *(include_directories(root) if "c" in kinds else ()),
            ]

        return Installed(places, sources)

    def _sidecar(self, chosen: Chosen) -> Sidecar | str | None:
        folder, gate = self._folders.folder_of(chosen.root), self._folders.program_refusal
        found = sidecar_of(chosen.spec, chosen.root, folder, self._environment, gate)
        if found is None or isinstance(found, str):
            if found:
                log.warning("%s", found)
            return found
        most = self._settings.policy_of(chosen.spec.id).max_restarts
        return Sidecar(found, chosen.root, self._variables(chosen), max_restarts=most)

    def _endings(self, chosen: Chosen) -> dict[str, str]:
        languages = self._folders.terms_at(chosen.root).catalog.languages
        served = (language for language in chosen.spec.languages if language in languages)
        return {ending: language for language in served for ending in languages[language].extensions}


def options_for(
    chosen: Chosen, languages: Mapping[str, str], settings: PoolSettings, *, is_ours: bool = True
) -> SessionOptions:
    """What the registry and the configuration know of a server, as its session needs it."""
    spec = chosen.spec
    return SessionOptions(
        server=spec.id,
        root=chosen.root,
        is_ours=is_ours,
        initialization_options=spec.initialization_options,
        settings=spec.settings,
        experimental=spec.client_experimental,
        unknown_settings=spec.unknown_settings,
        tells_folders=spec.workspace_folders,
        answers=spec.answers,
        message_choices=spec.message_choices,
        watches=spec.watches,
        languages=languages,
        settle=spec.settle,
        readiness=spec.readiness,
        limits=msgspec.structs.replace(
            settings.limits,
            retried_errors=frozenset(spec.retried_errors),
            never_cancelled=frozenset(spec.never_cancelled),
        ),
        patience=settings.patience,
        start_timeout=settings.start_timeout,
        request_timeout=settings.request_timeouts.get(spec.id, settings.request_timeout),
        max_file_size=settings.max_file_size,
    )
