"""Everything an answer depends on as one key, and what is kept under keys: the part that works in threads.

Why an answer found under its key is right: a server is a function of what it reads. The key is a hash of the server
(its id, its version, its settings and options, its root), of all its variables and installed packages
(``surroundings``) and of the path and content of every file of the workspace that it may read (``world``). The same key
means the same input, so the same answer. It is not enough that no changed file names the symbol: a function in another
file that now returns another type, a base class that changed, ``from x import *``, ``export default``, a new file that
takes the place of a module, all change who uses ``save`` without the word in their text. So nothing is concluded about
which change matters: any change to a file of the server's languages, or to one that could configure it, makes another
key; put back what was there, and the old key is back.

What is not in the key: files that no server reads for code (``operations.cache_scope``), and what is inside an
installed package, which is known by its version.
Above: ``operations.reference_cache``. Below: ``store``, ``world``, ``surroundings``.
"""

import threading
from collections import deque
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from groundwire.cache.content import HASH_SIZE, IsWanted
from groundwire.cache.seen import MOST_STAMPS, stamp_of
from groundwire.cache.store import Entry, Store
from groundwire.cache.surroundings import Surroundings, look_around
from groundwire.cache.world import World
from groundwire.pool.tree import UNSETTLED
from groundwire.version import VERSION

_MOST_HELD = 4_096


class Dependence(NamedTuple):
    """What the answers of one server depend on."""

    server: bytes
    """Its id, its root, its settings."""
    programs: tuple[str, ...]
    version: str | None
    """As it says itself; None: it has not been asked, and what its program said last counts."""
    is_relevant: IsWanted
    """Whether files of a kind count."""
    interpreters: tuple[Path, ...] = ()


class Kinds(NamedTuple):
    """Which files count at all, and which of those that nobody edits are code."""

    is_wanted: IsWanted
    is_code: IsWanted


class Vault:
    """Of one workspace. For several threads."""

    def __init__(
        self, store: Store, workspace: Path, environment: Mapping[str, str], skip: frozenset[str], kinds: Kinds
    ) -> None:
        self.store = store
        self._workspace = workspace
        self._environment = environment
        self._kinds = kinds
        self.world = World(str(workspace), skip, kinds.is_wanted)
        self._surroundings: Surroundings | None = None
        self._interpreters: frozenset[Path] = frozenset()
        self._changed: deque[str] = deque()
        self._versions: dict[str, str] = {}
        self._pending: dict[bytes, bytes] = {}
        self._recent: dict[bytes, Entry] = {}
        """Nothing under a key ever changes, so what was read is as good as what is on disk."""
        self._pending_versions: dict[str, str] = {}
        self._lock = threading.Lock()
        self._writing = threading.Lock()

    def open(self) -> None:
        """Look at everything. What changes meanwhile is to be noted."""
        with self._lock:
            is_done = self.world.scan(self.store.files())
        if is_done:
            self.flush()

    def note(self, paths: Iterable[str]) -> None:
        """These have changed; they are looked at when next asked. From the event loop: it takes no lock."""
        self._changed.extend(paths)

    def base_of(self, on: Dependence) -> bytes | None:
        """The key of everything as it is now; None where that cannot be known."""
        with self._lock:
            while self._changed:
                self.world.look_again((self._changed.popleft(),))
            surroundings = self._look_around(on.interpreters)
            state = self.world.state(on.is_relevant)
            version = on.version if on.version is not None else self._version_of(on.programs)
        if surroundings.unknown or state is None or version is None:
            return None
        return _key(VERSION.encode(), on.server, version.encode(), surroundings.identity, state)

    def recent(self, base: bytes, question: bytes) -> Entry | None:
        """What was answered, if it is at hand without looking at the disk."""
        return self._recent.get(_key(base, question))

    def get(self, base: bytes, question: bytes) -> Entry | None:
        """What was answered."""
        key = _key(base, question)
        found = self._recent.get(key) or self.store.get(key)
        if found is not None:
            self._hold(key, found)
        return found

    def put(self, base: bytes, question: bytes, answer: bytes) -> None:
        """Keep it; ``flush`` writes it."""
        key = _key(base, question)
        self._pending[key] = answer
        self._hold(key, Entry(answer))

    def replace(self, entries: Iterable[tuple[bytes, bytes]]) -> bool:
        """Only these from now on; False when that could not be done, and all is as it was."""
        self.flush()
        if not self.store.replace(entries):
            return False
        self._recent.clear()
        return True

    def _hold(self, key: bytes, entry: Entry) -> None:
        if len(self._recent) >= _MOST_HELD:
            self._recent.clear()
        self._recent[key] = entry

    def learn_version(self, programs: tuple[str, ...], version: str) -> None:
        """What a server said its version is that was started by these programs, which have not changed since."""
        stamp = _program_stamp(programs)
        if stamp and self._versions.get(stamp) != version:
            self._versions[stamp] = self._pending_versions[stamp] = version

    def flush(self) -> None:
        """Write what is not written yet, at once."""
        with self._writing:
            with self._lock:
                files, self.world.unsaved = self.world.unsaved, {}
                entries, versions = dict(self._pending), dict(self._pending_versions)
            if entries or files or versions:
                self.store.write(entries, files, versions)
            for key in entries:  # what could not be written is given up: it can be asked again
                self._pending.pop(key, None)
            for stamp in versions:
                self._pending_versions.pop(stamp, None)

    def _look_around(self, interpreters: tuple[Path, ...]) -> Surroundings:
        known = self._surroundings
        has_new_tools = self.world.look_for_tools()
        is_new = not self._interpreters.issuperset(interpreters)
        if known is not None and not has_new_tools and not is_new and known.are_unchanged():
            return known
        self._interpreters |= frozenset(interpreters)
        tools = self.world.tool_directories()
        found = look_around(self._workspace, self._environment, tools, self._interpreters, self._kinds.is_code)
        if self.world.directory_count > MOST_STAMPS:
            found = found._replace(unknown="the workspace has too many directories")
        self._surroundings = found
        return found

    def _version_of(self, programs: tuple[str, ...]) -> str | None:
        stamp = _program_stamp(programs)
        if stamp and stamp not in self._versions:
            version = self.store.version_of(stamp)
            if version is not None:
                self._versions[stamp] = version
        return self._versions.get(stamp)


def _program_stamp(programs: tuple[str, ...]) -> str:
    """Empty where a program has only just been written, or there is none."""
    stamps = [stamp_of(program, 0) for program in programs]
    if not stamps or UNSETTLED in stamps or 0 in stamps:
        return ""
    return " ".join(f"{program} {stamp}" for program, stamp in zip(programs, stamps, strict=True))


def _key(*parts: bytes) -> bytes:
    digest = blake2b(digest_size=HASH_SIZE + 4)
    for part in parts:
        digest.update(len(part).to_bytes(4) + part)
    return digest.digest()
