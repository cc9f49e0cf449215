"""Of a change set, the files that servers take care of, and what of the others makes for doubt.

Above: ``check_changes``, ``change_scope``, ``change_past``. Below: ``change_set``, ``pool``.
"""

import re
from pathlib import Path

from groundwire.errors import GroundwireError, LanguageNotEnabled, NoServerForExtension
from groundwire.operations.files.paths import shown_path
from groundwire.operations.reporting.change_set import ChangeSet
from groundwire.pool.pool import Pool
from groundwire.pool.routes import Route
from groundwire.registry.detect import detect_language

_WORD: re.Pattern[str] = re.compile(r"\w+")


class ServedChanges:
    """``edits`` and ``hidden`` are those of the change set that are served; ``doubts`` tell why more may be wrong."""

    def __init__(self, pool: Pool, change_set: ChangeSet) -> None:
        self._pool = pool
        self.doubts: list[str] = []
        self._routes: dict[Path, Route | None] = {}
        self.edits = [edit for edit in change_set.edits if self._is_served_or_missed(edit.file)]
        self.hidden = [edit for edit in change_set.hidden if self.is_served(edit.file)]
        self._untracked = [file for file in change_set.untracked if self.is_served(file)]
        unread = [file for file in change_set.unread if self.is_served(file)]
        self.doubts += [f"{self.shown(file)} is no text, or too large" for file in unread]
        self.doubts += self._doubts_about_staging()

    def route(self, file: Path) -> Route | None:
        """The servers of a file; none where there are none."""
        if file not in self._routes:
            try:
                self._routes[file] = self._pool.route(file)
            except GroundwireError:
                self._routes[file] = None
        return self._routes[file]

    def is_served(self, file: Path) -> bool:
        """Whether a server takes care of it."""
        return self.route(file) is not None

    def is_showable(self, file: Path) -> bool:
        """Whether its servers can be shown another content: they are told of a file by its ending."""
        route, languages = self.route(file), self._pool.catalog.languages
        return route is not None and all(
            any(file.suffix in languages[name].extensions for name in each.spec.languages if name in languages)
            for each in route.chosen
        )

    def shown(self, file: Path) -> str:
        """Its name for people."""
        return shown_path(file, self._pool.workspace)

    def _is_served_or_missed(self, file: Path) -> bool:
        """As ``is_served``; where a server should and cannot be had, more is not known."""
        try:
            self._routes[file] = self._pool.route(file)
        except GroundwireError as error:
            language = detect_language(self._pool.catalog, file)[0] or ""
            is_expected = not isinstance(error, NoServerForExtension | LanguageNotEnabled)
            if is_expected and not self._pool.catalog.is_data(language):
                hint = f". {error.hint}" if error.hint else ""
                self.doubts.append(f"{self.shown(file)}: {error.message}{hint}")
            return False
        return True

    def _doubts_about_staging(self) -> list[str]:
        """What is not on disk cannot be checked, and what is there but not staged cannot be hidden altogether."""
        gone = [edit.file for edit in self.edits if edit.after is not None and not edit.file.exists()]
        words = (_WORD.findall(edit.after or "") for edit in self.edits) if self._untracked else ()
        said = frozenset[str]().union(*words)
        named = [file for file in self._untracked if file.stem in said]
        return [
            *(f"{self.shown(file)} is staged, but not on disk" for file in gone),
            *(f"{self.shown(file)} is not staged, but may be used by what is" for file in named),
        ]
