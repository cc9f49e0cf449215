"""Making an instance of what was chosen: its options, its companion, and the process it gets or joins.

Above: ``pool``. Below: ``instance``, ``joining``, ``sidecar``, ``registry.sidecars``.
"""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from groundwire.client.options import SessionOptions
from groundwire.pool.folders import FolderSession
from groundwire.pool.instance import Instance
from groundwire.pool.joining import Access, JoinedFolder, OwnProcess, is_nested, may_join
from groundwire.pool.routing import Chosen
from groundwire.pool.settings import PoolSettings
from groundwire.pool.sidecar import Sidecar
from groundwire.registry.catalog import Catalog
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
        workspace: Path,
        catalog: Catalog,
        environment: Mapping[str, str],
        settings: PoolSettings,
        instances: Callable[[], tuple[Instance, ...]],
    ) -> None:
        self._workspace = workspace
        self._catalog = catalog
        self._environment = environment
        self._settings = settings
        self._instances = instances
        self._not_shared: set[str] = set()
        """Servers that could not be joined once: that is not tried again."""

    def start(self, chosen: Chosen, start_at: float, open_files: dict[str, str]) -> Instance:
        """An instance that begins at that loop time and opens those files."""
        access = self._access(chosen)
        sidecar = self._sidecar(chosen)
        return Instance(chosen, access, sidecar=sidecar, start_at=start_at, open_files=open_files)

    def gave_up(self, instance: Instance) -> None:
        """An instance is cleared away; one that could not join another is not to try again."""
        if instance.failed_to_join:
            self._not_shared.add(instance.chosen.spec.id)

    def _access(self, chosen: Chosen) -> Access:
        host = self._host(chosen)
        if host is not None:
            return JoinedFolder(host.session, chosen, host.ready)
        options = options_for(chosen, self._endings(chosen), self._settings)

        async def connect() -> Transport:
            return await self._connect(chosen, options.start_timeout)

        return OwnProcess(FolderSession(options, connect, is_ours=chosen.spec.id not in self._settings.connect))

    def _host(self, chosen: Chosen) -> Instance | None:
        """A process that may take the root in."""
        server, instances = chosen.spec.id, self._instances()
        if server in self._not_shared or server in self._settings.connect:
            return None
        for host in instances:
            sharing = [each.chosen.root for each in instances if each.session is host.session]
            is_apart = not any(is_nested(chosen.root, root) for root in sharing)
            if not host.process_of and host.is_usable and is_apart and may_join(chosen, host.chosen):
                return host
        return None

    async def _connect(self, chosen: Chosen, timeout: float) -> Transport:
        address = self._settings.connect.get(chosen.spec.id, "")
        if address:
            host, _, port = address.rpartition(":")
            return await open_tcp(host, int(port), timeout=timeout)
        return await open_stdio(ProcessSpec(chosen.command, str(chosen.root), self._variables(chosen)))

    def _variables(self, chosen: Chosen) -> dict[str, str]:
        return {**self._environment, **chosen.spec.environment}

    def _sidecar(self, chosen: Chosen) -> Sidecar | str | None:
        gate = self._settings.program_gate
        found = sidecar_of(chosen.spec, chosen.root, self._workspace, self._environment, gate)
        if found is None or isinstance(found, str):
            if found:
                log.warning("%s", found)
            return found
        most = self._settings.policy_of(chosen.spec.id).max_restarts
        return Sidecar(found, chosen.root, self._variables(chosen), max_restarts=most)

    def _endings(self, chosen: Chosen) -> dict[str, str]:
        languages = self._catalog.languages
        served = (language for language in chosen.spec.languages if language in languages)
        return {ending: language for language in served for ending in languages[language].extensions}


def options_for(chosen: Chosen, languages: Mapping[str, str], settings: PoolSettings) -> SessionOptions:
    """What the registry and the configuration know of a server, as its session needs it."""
    spec = chosen.spec
    return SessionOptions(
        server=spec.id,
        root=chosen.root,
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
        limits=msgspec.structs.replace(settings.limits, retried_errors=frozenset(spec.retried_errors)),
        patience=settings.patience,
        start_timeout=settings.start_timeout,
        request_timeout=settings.request_timeouts.get(spec.id, settings.request_timeout),
        max_file_size=settings.max_file_size,
    )
