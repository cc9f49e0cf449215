"""The files of a project whose command lines building and testing would run: what a person trusts to have that done.

Above: ``surfaces.cli.trust``. Below: ``ecosystems``, ``workspace_files``.
"""

from pathlib import Path

from groundwire.operations.building.ecosystems.make import MAKEFILES
from groundwire.operations.building.ecosystems.node_package import Package
from groundwire.operations.building.ecosystems.node_tools import TEST_TOOLS
from groundwire.operations.files.workspace_files import WorkspaceFiles

_WRAPPERS = frozenset({"gradlew", "mvnw", "gradlew.bat", "mvnw.cmd"})
_SCRIPTS = ("build", "test")


def supplied_lines(workspace: Path) -> list[Path]:
    """In the order in which they are found."""
    return [file for file in WorkspaceFiles(workspace) if _holds_lines(file)]


def _holds_lines(file: Path) -> bool:
    if file.name != "package.json":
        return file.name in _WRAPPERS or file.name in MAKEFILES
    package = Package.read(file.parent)
    return any(_is_own_line(package, package.scripts.get(name, "")) for name in _SCRIPTS)


def _is_own_line(package: Package, script: str) -> bool:
    """Anything but one plain command of a known tool."""
    if not script or package.is_placeholder(script):
        return False
    plain = package.plain_command(script)
    return not plain or plain[0] not in TEST_TOOLS
