"""Projects made of modules: a build file that lists the one below it is where the project begins.

A Maven module belongs to the ``pom.xml`` above that names it, a Gradle build to the settings that include it, an Elixir
application to its umbrella. Above: ``roots``. Below: ``markers``.
"""

import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from groundwire.registry.markers import directories_up

_MAVEN_MODULE = re.compile(r"<module>\s*([^<]+?)\s*</module>")
_GRADLE_INCLUDE = re.compile(r"\bincludeBuild\s*\(?\s*['\"]([^'\"]+)['\"]")
_UMBRELLA_APPS = re.compile(r"\bapps_path:\s*\"([^\"]+)\"")
_XML_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def top_module(found: Path, marker: str, workspace: Path) -> Path:
    """The directory to take instead of ``found``: that of the highest build file that lists the one below it."""
    lists = _LISTS.get(marker)
    if lists is None:
        return found
    top = found
    for directory in directories_up(found.parent, workspace):
        text = _text(directory, marker)
        # A parent may be some directories up: only a build file that leaves the module out ends the climb.
        if text is None:
            continue
        if not lists(text, PurePosixPath(top.relative_to(directory).as_posix())):
            break
        top = directory
    return top


def _lists_maven_module(text: str, child: PurePosixPath) -> bool:
    listed = _MAVEN_MODULE.findall(_XML_COMMENT.sub("", text))
    return any(PurePosixPath(name) in (child, child / "pom.xml") for name in listed)


def _includes_build(text: str, child: PurePosixPath) -> bool:
    return any(PurePosixPath(name) == child for name in _GRADLE_INCLUDE.findall(text))


def _is_umbrella_of(text: str, child: PurePosixPath) -> bool:
    return any(PurePosixPath(apps) == child.parent for apps in _UMBRELLA_APPS.findall(text))


_LISTS: dict[str, Callable[[str, PurePosixPath], bool]] = {
    "pom.xml": _lists_maven_module,
    "settings.gradle": _includes_build,
    "settings.gradle.kts": _includes_build,
    "mix.exs": _is_umbrella_of,
}


def _text(directory: Path, marker: str) -> str | None:
    try:
        return (directory / marker).read_text("utf-8", errors="replace")
    except OSError:
        return None
