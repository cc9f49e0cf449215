"""Which directories hold what a build has made, and which only have such a name: ``src/build`` may be sources as well.

What a build makes is ignored by version control, or says itself that it is a cache (``CACHEDIR.TAG``, a convention that
cargo and others follow). Cargo tags only a directory that it creates itself, and rust-analyzer may have been there
first, so what cargo writes down of its compiler says the same.
Above: ``tree``, ``cache.world``, ``workspace_files``. Below: ``ignored``.
"""

from pathlib import Path

from groundwire.pool.ignored import IgnoreFile, is_ignored, read_ignore_file

OUTPUT_NAMES = frozenset({"build", "dist", "target"})
CARGO_MANIFEST = "Cargo.toml"
CARGO_RECORD = ".rustc_info.json"
CACHE_TAGS = ("CACHEDIR.TAG", CARGO_RECORD)
"""Files that say of the directory they are in that it is a cache."""
_REPOSITORY = ".git"
_HIGHEST = 30
"""Directories above, as far as rules are looked for where there is no repository."""


def is_cache(directory: str) -> bool:
    """Whether it is nobody's but the tool's that made it. What is only ignored may be what other packages import: the
    declarations in a ``dist``, the headers in a ``build``."""
    path = Path(directory)
    return path.name in OUTPUT_NAMES and _is_tagged(path)


def is_output(directory: str) -> bool:
    """Whether a build has made it. Looked at only where the name says that it may be."""
    path = Path(directory)
    return path.name in OUTPUT_NAMES and (_is_tagged(path) or _is_kept_out(path))


def _is_tagged(path: Path) -> bool:
    return any((path / tag).is_file() for tag in CACHE_TAGS)


def _is_kept_out(path: Path) -> bool:
    found: list[IgnoreFile] = []
    for above in path.parents[:_HIGHEST]:
        if (rules := read_ignore_file(above)) is not None:
            found.insert(0, rules)
        if (above / _REPOSITORY).exists():
            break
    return is_ignored(path, tuple(found), is_directory=True)
