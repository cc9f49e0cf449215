"""The language of a file: by its name, else by what its first line says.

Above: ``pool.routing``. Below: ``catalog``.
"""

from pathlib import Path

from groundwire.registry.catalog import Catalog

_FIRST_BYTES = 512


def detect_language(catalog: Catalog, path: Path) -> tuple[str | None, str]:
    """The language, and why. Only a file whose name has no ending is looked into."""
    language = catalog.language_of(path)
    if language is not None:
        return language, catalog.how_known(path)
    if path.suffix:
        return None, f"no language is known by the ending {path.suffix}"
    first_line = _first_line(path)
    language = catalog.language_of_content(first_line)
    if language is not None:
        return language, f"by its first line, {first_line.strip()}"
    return None, "neither its name nor its first line tells"


def _first_line(path: Path) -> str:
    if not path.is_file():  # reading from a pipe would wait for ever
        return ""
    try:
        with path.open("rb") as file:
            return file.read(_FIRST_BYTES).split(b"\n", 1)[0].decode("utf-8", "replace")
    except OSError:  # whoever reads the file for its content will say so
        return ""
