"""What a session believes: the pure state of ``workspace``, held together for one server.

Above: ``session`` (its life), ``inbound`` (what the server says), ``sync``, ``diagnose`` and ``ask`` (what we say).
Below: ``workspace``.
"""

from collections import deque
from pathlib import PurePath, PureWindowsPath

from groundwire.client.includers import Included
from groundwire.client.options import SessionOptions
from groundwire.protocol.capabilities import ServerCapabilities
from groundwire.protocol.uris import path_to_uri
from groundwire.workspace.changes import FileChange, WatchedFiles
from groundwire.workspace.diagnostics import DiagnosticStore
from groundwire.workspace.documents import Documents
from groundwire.workspace.readiness import Readiness
from groundwire.workspace.rules import TangleRule
from groundwire.workspace.save_check import SaveCheckRuns
from groundwire.workspace.tangles import Tangles

_LOG_LINES = 200


class SessionState:
    """Hardly more than fields: each of these objects is tested by itself."""

    def __init__(self, options: SessionOptions) -> None:
        self.capabilities = ServerCapabilities()
        rule = options.settle
        self.tangles = _tangles(rule.tangles, options.root) if rule.tangles else None
        self.documents = Documents(self.capabilities, rule, self.tangles)
        self.diagnostics = DiagnosticStore()
        self.readiness = Readiness(options.readiness)
        self.watched = WatchedFiles()
        self.named_places_at: float | None = None
        """When the server last said what else it wants to be told of."""
        self.unwatched: dict[str, FileChange] = {}
        """Changes told to nobody, because no watcher for them was registered yet: registrations come late."""
        self.told_on_close: dict[str, FileChange] = {}
        """Changes on disk that an open document has told already, by the key of its URI."""
        self.barriers: dict[str, tuple[int, float]] = {}
        """By file: for which ``told_at`` an ordered request was answered, and when."""
        self.late_saves: dict[str, None] = {}
        """Documents whose save is told when the question under way is answered."""
        self.unchecked_by_itself: set[str] = set()
        """Keys of files of which the server said that it could not check them."""
        self.unchecked: dict[str, str] = {}
        """Files, with their language, that must be checked before an answer that spans files knows of them."""
        self.changed_includes: dict[str, None] = {}
        """Changed files of which nobody has looked yet who includes them."""
        self.included: Included = {}
        """What files include, as far as it was read."""
        check = options.settle.save_check
        self.save_check = SaveCheckRuns(check) if check else None
        self.has_pulled = False
        self.refused_pull = False
        self.server_name = options.server
        self.server_version = ""
        self.log: deque[str] = deque(maxlen=_LOG_LINES)
        """The last messages the server logged or showed, and noise on its output."""

    def tangled(self) -> tuple[str, ...]:
        """The keys of files of which the server last said that they take part in a tangle."""
        return self.diagnostics.saying(self.tangles.is_told_by) if self.tangles is not None else ()


def _tangles(rule: TangleRule, root: PurePath) -> Tangles:
    uri = path_to_uri(str(root / rule.notice), windows=isinstance(root, PureWindowsPath))
    return Tangles(rule, uri)
