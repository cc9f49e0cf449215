"""Whether a server suits the project a file belongs to, from what the project is set up for.

Above: ``pool.routing``. Below: ``markers``, ``node_modules`` and ``spec``.
"""

from pathlib import Path

from groundwire.registry.markers import marker_between, shown
from groundwire.registry.node_modules import project_package
from groundwire.registry.spec import ProjectLibrary, ServerSpec
from groundwire.registry.versions import is_at_least


def why_asked_for(spec: ServerSpec, file: Path, workspace: Path) -> str:
    """What in the project speaks for this server; empty when nothing does."""
    marker = marker_between(file, workspace, (*spec.needs_config, *spec.configured_by))
    return f"the project has {shown(marker)}" if marker is not None else ""


def why_unfit(spec: ServerSpec, file: Path, workspace: Path, *, is_named: bool = False) -> str:
    """Why the server takes no part; empty when it does. One that the user names needs no sign in the project."""
    deciding = marker_between(file, workspace, spec.decided_by or spec.not_with)
    if deciding is not None and deciding in spec.not_with:
        return f"is not for a project with {shown(deciding)}"
    if spec.needs_config and not is_named and marker_between(file, workspace, spec.needs_config) is None:
        return f"takes part only in a project with {' or '.join(map(shown, spec.needs_config[:3]))}"
    return _why_library_unfit(spec.project_library, file, workspace) if spec.project_library is not None else ""


def why_library_missing(spec: ServerSpec, file: Path, workspace: Path) -> str:
    """What the project must have installed for this server, and has not; empty when nothing is missing."""
    library = spec.project_library
    if library is None or not library.required or project_package(library.package, file.parent, workspace) is not None:
        return ""
    return f"{spec.id} needs {library.package}, which is not in the project's node_modules"


def _why_library_unfit(library: ProjectLibrary, file: Path, workspace: Path) -> str:
    package = project_package(library.package, file.parent, workspace)
    if package is None:
        return ""
    if library.below and is_at_least(package.version, library.below):
        return f"is for {library.package} below {library.below}, and the project has {package.version}"
    if library.min_version and not is_at_least(package.version, library.min_version):
        return f"is for {library.package} from {library.min_version} on, and the project has {package.version}"
    return ""


def library_code(spec: ServerSpec, file: Path, workspace: Path) -> tuple[Path, ...]:
    """The project's own package that the server finds and loads by itself; nothing where it loads none."""
    library = spec.project_library
    if library is None or not library.required:  # then it is told which one to load
        return ()
    package = project_package(library.package, file.parent, workspace)
    return (package.directory / "lib",) if package is not None else ()
