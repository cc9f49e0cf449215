"""All that a project asks to be trusted for, as it is now: what is shown is just what is then remembered.

Above: ``surfaces``. Below: ``trust``, ``provenance``, ``trust_store``.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from groundwire.config.guarded import GuardedValue
from groundwire.config.load import LoadedConfig
from groundwire.config.servers import effective_catalog
from groundwire.pool.provenance import executable_origin, fingerprint, shown_in, tool_programs
from groundwire.pool.trust import code_runners, digest_of, named_files
from groundwire.pool.trust_store import TrustRecord, TrustStore
from groundwire.registry.catalog import Catalog


class Program(msgspec.Struct, frozen=True):
    """A program, or a library, that the project supplies."""

    name: str
    why: str
    fingerprint: str


class TrustRequest(msgspec.Struct, frozen=True):
    """What would be trusted."""

    workspace: Path
    values: tuple[GuardedValue, ...]
    files: tuple[str, ...]
    """Files of the workspace that the values name; their content is part of what is trusted."""
    programs: tuple[Program, ...]
    digest: str
    """Of the values; empty when there are none."""
    code_runners: tuple[str, ...] = ()
    """Servers that execute the project's code, where the user wants that to need trust."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing needs trust."""
        return not (self.values or self.programs or self.code_runners)

    def is_granted(self, store: TrustStore) -> bool:
        """Whether just this is trusted already."""
        record = store.record(self.workspace)
        return msgspec.structs.replace(record, trusted_at="") == self._record()

    def grant(self, store: TrustStore) -> None:
        """Remember it."""
        store.trust(self.workspace, self._record())

    def _record(self) -> TrustRecord:
        programs = {program.name: program.fingerprint for program in self.programs}
        return TrustRecord(values=self.digest, programs=programs, project_code=bool(self.code_runners))


def trust_request(
    workspace: Path,
    catalog: Catalog,
    loaded: LoadedConfig,
    environment: Mapping[str, str],
    *,
    tools: Iterable[str] = (),
    lines: Iterable[Path] = (),
) -> TrustRequest:
    """Looks at the configuration, at what it names, and at the tools that the project brings along.

    ``tools`` are names of programs beside those of servers, ``lines`` files whose command lines may be run.
    """
    workspace = workspace.resolve()
    full = effective_catalog(catalog, loaded.settings_when_trusted)
    names = {name for spec in full.servers.values() for name in (Path(spec.command[0]).name, *spec.also_named)}
    files = named_files(workspace, loaded.guarded)
    names.update(tools)
    own = [file for file in (*files.values(), *lines) if executable_origin(file, workspace, environment).is_project]
    programs = dict.fromkeys((*own, *tool_programs(workspace, environment, names)))
    return TrustRequest(
        workspace=workspace,
        values=loaded.guarded,
        files=tuple(sorted(files)),
        programs=tuple(_program(file, workspace, environment) for file in programs),
        digest=digest_of(workspace, loaded.guarded) if loaded.guarded else "",
        code_runners=tuple(code_runners(full)) if loaded.settings_when_trusted.project_code == "trusted" else (),
    )


def _program(file: Path, workspace: Path, environment: Mapping[str, str]) -> Program:
    origin = executable_origin(file, workspace, environment)
    return Program(shown_in(file, workspace), origin.why, fingerprint(file, workspace, environment))
