"""The files of a project by name, and the text of its manifests: what everything about it is computed from.

Above: ``project_overview``. Below: ``workspace_files``.
"""

import re
import time
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path

import msgspec

from groundwire.operations.files.paths import shown_path
from groundwire.operations.files.workspace_files import WorkspaceFiles

_MANIFESTS = frozenset(
    {"pyproject.toml", "setup.cfg", "package.json", "Cargo.toml", "composer.json", "pom.xml", "build.gradle"}
    | {"build.gradle.kts", "mix.exs", "Package.swift", "CMakeLists.txt", "pubspec.yaml", "main.go", "go.mod"}
)
_MANIFEST_ENDINGS = (".csproj", ".fsproj", ".gemspec")
_GO_COMMAND = re.compile(r"(?:^|/)cmd/[^/]+/[^/]+\.go$")
_MOST_MANIFESTS = 300
_LARGEST_MANIFEST = 512 * 1024
_LOOK_EVERY = 512


class Tree(msgspec.Struct, frozen=True, kw_only=True):
    """``names`` are relative to the workspace, those further up first. ``doubts``: why there may be more."""

    workspace: Path
    names: tuple[str, ...]
    manifests: Mapping[str, str]
    """Name → text."""
    doubts: tuple[str, ...] = ()

    def digest(self, *more: str) -> str:
        """Of everything here, and more: another one when a file comes or goes, or a manifest changes."""
        state = blake2b(digest_size=20)
        for part in (*more, *self.names, *(part for item in self.manifests.items() for part in item)):
            state.update(part.encode("utf-8", "surrogateescape") + b"\0")
        return state.hexdigest()


def read_tree(workspace: Path, until: float) -> Tree:
    """Walks until everything was seen, or ``until`` by the monotonic clock."""
    walk = WorkspaceFiles(workspace)
    names: list[str] = []
    doubts: list[str] = []
    for file in walk:
        names.append(shown_path(file, workspace))
        if len(names) % _LOOK_EVERY == 0 and time.monotonic() > until:
            doubts.append(f"there was time to look at {len(names):,} files only")
            break
    found = [name for name in names if is_manifest(name)]
    if len(found) > _MOST_MANIFESTS:
        doubts.append(f"of {len(found):,} manifests the first {_MOST_MANIFESTS} were read")
    texts = {name: _text(workspace / name) for name in found[:_MOST_MANIFESTS]}
    return Tree(
        workspace=workspace,
        names=tuple(names),
        manifests={name: text for name, text in texts.items() if text},
        doubts=tuple(filter(None, (*doubts, walk.note))),
    )


def is_manifest(name: str) -> bool:
    """Whether a file may say where programs begin."""
    is_named = name.rpartition("/")[2] in _MANIFESTS or name.endswith(_MANIFEST_ENDINGS)
    return is_named or (name.endswith(".go") and _GO_COMMAND.search(name) is not None)


def _text(file: Path) -> str:
    """Empty for what cannot be read: it says nothing then."""
    try:
        with file.open("rb") as source:
            return source.read(_LARGEST_MANIFEST).decode("utf-8", "replace")
    except OSError:
        return ""
