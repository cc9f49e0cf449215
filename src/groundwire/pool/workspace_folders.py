"""The folders of a workspace: the one it was opened at, and those that were added later; each has its own terms.

Above: ``pool``. Below: ``terms``, ``registry.roots``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from groundwire.errors import FileNotFound, InvalidArgument
from groundwire.pool.terms import FolderTerms
from groundwire.registry.roots import is_too_wide
from groundwire.workspace.changes import ChangeKind, FileChange


class WorkspaceFolders:
    """``terms_of`` gives the terms of a folder that is added. All paths are absolute and without links."""

    def __init__(self, workspace: Path, own: FolderTerms, terms_of: Callable[[Path], FolderTerms]) -> None:
        self.workspace = workspace
        self._terms_of = terms_of
        self._as_opened: dict[Path, FolderTerms] = {workspace: own}
        self._terms: dict[Path, FolderTerms] = {workspace: own}
        self._connections: dict[str, str] = {}
        self._languages: dict[Path, set[str]] = {}

    def __iter__(self) -> Iterator[Path]:
        return iter(tuple(self._terms))

    def __len__(self) -> int:
        return len(self._terms)

    def __contains__(self, folder: Path) -> bool:
        return folder in self._terms

    def holder(self, file: Path) -> Path | None:
        """The folder that a file lies in, or is."""
        return next((folder for folder in self._terms if file.is_relative_to(folder)), None)

    def folder_of(self, file: Path) -> Path:
        """The folder that a file is taken to belong to: what lies in none belongs to the first."""
        if len(self._terms) == 1:
            return self.workspace
        return self.holder(file) or self.workspace

    def terms_at(self, file: Path) -> FolderTerms:
        """What holds for a file, or for a server that is rooted there."""
        return self._terms[self.folder_of(file)]

    def program_refusal(self, program: Path) -> str:
        """Why a program may not be run. It must be allowed by every folder: each knows only what lies in itself."""
        refusals = (terms.program_gate(program) for terms in self._terms.values())
        return next((refusal for refusal in refusals if refusal), "")

    def require_addable(self, path: Path) -> Path:
        """The folder that a path names, its links resolved. Raises why it cannot be a folder of this workspace."""
        try:
            folder = (self.workspace / path).resolve()
            is_directory = folder.is_dir()
        except (OSError, ValueError, RuntimeError) as problem:  # too long, a zero byte, links in a circle
            raise FileNotFound(f"{str(path)[:200]!a} is no directory: {type(problem).__name__}") from None
        if not is_directory:
            raise FileNotFound(f"there is no directory {path}")
        if is_too_wide(folder):
            hint = "Name the directory of a project: everything below it would be read and watched."
            raise InvalidArgument(f"{folder} is too wide to be a folder of a workspace", hint=hint)
        inner = next((known for known in self._terms if known != folder and known.is_relative_to(folder)), None)
        if inner is not None:
            hint = f"Start groundwire in {folder}." if inner == self.workspace else f"Remove {inner} first."
            raise InvalidArgument(f"{folder} holds {inner}, which is a folder of the workspace already", hint=hint)
        return folder

    def add(self, folder: Path) -> None:
        """One that ``require_addable`` gave and ``holder`` does not know. Raises what is wrong with its
        configuration."""
        terms = self._terms_of(folder)
        self._as_opened[folder] = terms
        self._terms[folder] = self._with_connections(terms)

    def remove(self, folder: Path) -> None:
        """Any but the first."""
        del self._as_opened[folder], self._terms[folder]
        self._languages.pop(folder, None)

    @property
    def connections(self) -> Mapping[str, str]:
        """Server → address, of those that were given at run time."""
        return self._connections

    def connect(self, server: str, address: str) -> None:
        """From now on the server is the one at that address, in every folder, whatever the configuration says."""
        self._connections[server] = address
        self._apply_connections()

    def disconnect(self, server: str) -> None:
        """As it was before ``connect``."""
        self._connections.pop(server, None)
        self._apply_connections()

    def hold_languages(self, folder: Path, languages: Iterable[str]) -> None:
        """Note what a folder is written in, which decides who may miss what lies there. Until then: in everything."""
        self._languages[folder] = set(languages)

    def saw(self, changes: Iterable[FileChange]) -> None:
        """Note the languages of files that are new."""
        if len(self._terms) == 1:
            return
        for change in changes:
            folder = self.holder(Path(change.path)) if change.kind == ChangeKind.CREATED else None
            language = self._terms[folder].catalog.language_of(Path(change.path)) if folder is not None else None
            if folder in self._languages and language is not None:
                self._languages[folder].add(language)

    def blind_spot(self, server: str, languages: Iterable[str], root: Path) -> str:
        """Why what a server at a root knows of uses may not be all; empty where no other folder is in its languages.

        Servers differ in whether they look beyond the folder that a symbol is in, even where they hold several.
        """
        if len(self._terms) == 1:
            return ""
        own, served = self.folder_of(root), set(languages)
        others = (self._languages.get(folder) for folder in self._terms if folder != own)
        if all(held is not None and served.isdisjoint(held) for held in others):
            return ""
        return f"whether {server} looks into the other folders of the workspace too is not known"

    def _apply_connections(self) -> None:
        self._terms = {folder: self._with_connections(terms) for folder, terms in self._as_opened.items()}

    def _with_connections(self, terms: FolderTerms) -> FolderTerms:
        for server, address in self._connections.items():
            terms = terms.connected(server, address)
        return terms
