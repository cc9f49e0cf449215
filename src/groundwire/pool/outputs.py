"""Which directories hold what a build has made, and which only have such a name: ``src/build`` may be sources as well.

What a build makes is ignored by version control, or says itself that it is a cache (``CACHEDIR.TAG``, a convention that
cargo and others follow). Above: ``tree``, ``cache.world``, ``workspace_files``. Below: ``ignored``.
"""

from pathlib import Path

from groundwire.pool.ignored import IgnoreFile, is_ignored, read_ignore_file

OUTPUT_NAMES = frozenset({"build", "dist", "target"})
CACHE_TAG = "CACHEDIR.TAG"
_REPOSITORY = ".git"
_HIGHEST = 30
"""Directories above, as far as rules are looked for where there is no repository."""


def is_cache(directory: str) -> bool:
    """Whether it is nobody's but the tool's that made it. What is only ignored may be what other packages import: the
    declarations in a ``dist``, the headers in a ``build``."""
    path = Path(directory)
    return path.name in OUTPUT_NAMES and (path / CACHE_TAG).is_file()


def is_output(directory: str) -> bool:
    """Whether a build has made it. Looked at only where the name says that it may be."""
    path = Path(directory)
    return path.name in OUTPUT_NAMES and ((path / CACHE_TAG).is_file() or _is_kept_out(path))


def _is_kept_out(path: Path) -> bool:
    found: list[IgnoreFile] = []
    for above in path.parents[:_HIGHEST]:
        if (rules := read_ignore_file(above)) is not None:
            found.insert(0, rules)
        if (above / _REPOSITORY).exists():
            break
    return is_ignored(path, tuple(found), is_directory=True)
