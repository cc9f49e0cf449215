"""The catalogue: every known language and server, loaded from the data files and checked against each other.

Above: ``detect`` and ``pool.routing``. Below: ``shebang``, ``placeholders``, ``spec``, ``extensions`` and
``errors``.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

import msgspec

from groundwire.errors import InvalidArgument
from groundwire.extensions.contract import Offering
from groundwire.extensions.loading import offerings
from groundwire.registry.placeholders import unknown_placeholders
from groundwire.registry.shebang import interpreter_of
from groundwire.registry.spec import ServerSpec
from groundwire.workspace.rules import Rule

T = TypeVar("T")

# Not plain `.toml`: some of these programs take a file of their own name, in any directory, for their configuration.
_SERVER_FILE = ".server.toml"


class LanguageSpec(Rule, frozen=True, kw_only=True):
    """One table of ``languages.toml``."""

    extensions: tuple[str, ...] = ()
    """With the dot; the longest one that fits a file name wins."""
    names: tuple[str, ...] = ()
    """Whole file names, or globs for them (``Dockerfile.*``); they go before extensions, plain names before globs."""
    interpreters: tuple[str, ...] = ()
    """Programs in the ``#!`` line of a file whose name tells nothing; without version: ``python``, not ``python3``."""
    servers: tuple[str, ...] = ()
    """Primaries in order of preference: a project's own choice first, then the first of these that is found."""
    linters: tuple[str, ...] = ()
    """Servers that only report; one takes part where the project is configured for it."""
    is_data: bool = False
    """Data, text or style: nobody looks for symbols there, and no server is missed for it."""
    result_marks: tuple[str, ...] | None = None
    """What announces that the type of a function's result is written down, where it need not be: without it the result
    is inferred. Left out: functions have no other types than those that are written down."""
    result_words: tuple[str, ...] = ()
    """A function that holds none of these has no result; empty: every function may have one."""
    is_structural: bool = False
    """A type is what it has: whatever has the members of an interface can be given for it, and names it nowhere."""
    has_overloads: bool = True
    """What a call gives may depend on its parameters: several functions have one name, or types are inferred."""
    imports_directories: bool = False
    """What is imported is a directory, not a file: those in one have their names in common and import none of these."""
    named: tuple[str, ...] = ()
    """Servers among them that the configuration names for this language: its order counts more than what the files of
    the project hint at, and a linter among them needs no such hint. Never set in ``languages.toml``."""


class Catalog:
    """Answers which language a file is in and which servers speak it. Never changes once it is made."""

    def __init__(self, languages: Mapping[str, LanguageSpec], servers: Mapping[str, ServerSpec]) -> None:
        self.languages = languages
        self.servers = servers
        self._by_name = {name: language for language, spec in languages.items() for name in spec.names}
        self._by_glob = {name: language for name, language in self._by_name.items() if "*" in name}
        self._by_extension = {ending: language for language, spec in languages.items() for ending in spec.extensions}
        self._by_interpreter = {name: language for language, spec in languages.items() for name in spec.interpreters}

    def is_data(self, language: str) -> bool:
        """Whether a language is one of data, text or style; none that is not known is."""
        spec = self.languages.get(language)
        return spec is not None and spec.is_data

    def language_of(self, path: Path) -> str | None:
        """By the whole file name, else by the longest extension that is known. The file is not looked at."""
        return (
            self._by_name.get(path.name) or self._language_of_glob(path.name) or self._language_of_extension(path.name)
        )

    def how_known(self, path: Path) -> str:
        """What ``language_of`` goes by, in words."""
        if path.name in self._by_name:
            return "by its name"
        glob = next((glob for glob in self._by_glob if fnmatchcase(path.name, glob)), "")
        return f"by its name, which fits {glob}" if glob else f"by its ending {self._known_ending(path.name)}"

    def language_of_content(self, first_line: str) -> str | None:
        """By the interpreter that a ``#!`` line names."""
        return self._by_interpreter.get(interpreter_of(first_line))

    def _language_of_glob(self, name: str) -> str | None:
        return next((language for glob, language in self._by_glob.items() if fnmatchcase(name, glob)), None)

    def _language_of_extension(self, name: str) -> str | None:
        ending = self._known_ending(name)
        return self._by_extension.get(ending) or self._by_extension.get(ending.lower())

    def _known_ending(self, name: str) -> str:
        """The longest one that is known, as the name has it; empty when none is."""
        dot = name.find(".", 1)
        while dot != -1:
            ending = name[dot:]
            if ending in self._by_extension or ending.lower() in self._by_extension:
                return ending
            dot = name.find(".", dot + 1)
        return ""

    def servers_for(self, language: str) -> tuple[ServerSpec, ...]:
        """The primaries of a language, in order of preference."""
        return self._named(self.languages[language].servers) if language in self.languages else ()

    def linters_for(self, language: str) -> tuple[ServerSpec, ...]:
        """The linters of a language."""
        return self._named(self.languages[language].linters) if language in self.languages else ()

    def _named(self, ids: tuple[str, ...]) -> tuple[ServerSpec, ...]:
        return tuple(self.servers[server] for server in ids)


@cache
def load_catalog() -> Catalog:
    """The built-in catalogue, and what extensions add to it."""
    catalog = read_catalog(files("groundwire.registry"))
    for extension, offering in offerings():
        if offering.languages or offering.servers:
            with extension.offers("languages and servers", _names(offering)):
                catalog = extended(catalog, offering.languages, offering.servers)
    return catalog


def extended(catalog: Catalog, languages: Path | None, servers: Sequence[Path]) -> Catalog:
    """With languages and servers that are not in it yet; those for a language that is known go behind its own.

    Raises InvalidArgument, as ``read_catalog``, and where a name is taken; OSError for a file that is not there.
    """
    added = _read(languages, dict[str, LanguageSpec]) if languages is not None else {}
    specs = _read_servers(servers)
    for name in specs:
        _require(name not in catalog.servers, name + _SERVER_FILE, "id", "is that of a server of groundwire")
    for name in added:
        _require(name not in catalog.languages, "languages.toml", name, "is a language of groundwire")
    every = {**catalog.languages, **added}
    tables = {name: _with_servers(name, spec, specs.values()) for name, spec in every.items()}
    known = {**catalog.servers, **specs}
    _check_languages(tables, known)
    _check_servers(tables, known)
    return Catalog(tables, known)


def _with_servers(language: str, spec: LanguageSpec, added: Iterable[ServerSpec]) -> LanguageSpec:
    mine = [each for each in added if language in each.languages and each.id not in (*spec.servers, *spec.linters)]
    primaries = tuple(each.id for each in mine if each.role == "primary")
    linters = tuple(each.id for each in mine if each.role == "linter")
    return msgspec.structs.replace(spec, servers=(*spec.servers, *primaries), linters=(*spec.linters, *linters))


def _names(offering: Offering) -> str:
    return ", ".join(Path(file).name.removesuffix(_SERVER_FILE) for file in offering.servers) or "languages"


def read_catalog(directory: Traversable) -> Catalog:
    """The catalogue in a directory: ``languages.toml`` and ``servers/*.server.toml``.

    Raises InvalidArgument, which names the file and the key that are wrong.
    """
    languages = _read(directory / "languages.toml", dict[str, LanguageSpec])
    data = sorted(
        (entry for entry in (directory / "servers").iterdir() if entry.name.endswith(_SERVER_FILE)), key=_name
    )
    servers = _read_servers(data)
    _check_languages(languages, servers)
    _check_servers(languages, servers)
    return Catalog(languages, servers)


def _read_servers(data: Iterable[Traversable]) -> dict[str, ServerSpec]:
    specs = {entry.name: _read(entry, ServerSpec) for entry in data}
    for name, spec in specs.items():
        _require(name == spec.id + _SERVER_FILE, name, "id", f"is {spec.id!r}, unlike the name of the file")
    return {spec.id: spec for spec in specs.values()}


def _name(entry: Traversable) -> str:
    return entry.name


def _read(file: Traversable, shape: type[T]) -> T:
    try:
        return msgspec.convert(tomllib.loads(file.read_text("utf-8")), shape, strict=True)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise InvalidArgument(f"{file.name}: {error}", hint="Correct the key that is named.") from error


def _check_languages(languages: Mapping[str, LanguageSpec], servers: Mapping[str, ServerSpec]) -> None:
    owners: dict[str, str] = {}
    for language, spec in languages.items():
        _require(not spec.named, "languages.toml", f"{language}.named", "is for the configuration alone")
        for server in (*spec.servers, *spec.linters):
            known = server in servers and language in servers[server].languages
            _require(known, "languages.toml", f"{language}.servers", f"names {server!r}, which does not serve it")
        for claim in (*spec.extensions, *spec.names, *(f"#!{name}" for name in spec.interpreters)):
            owner = owners.setdefault(claim, language)
            _require(owner == language, "languages.toml", language, f"claims {claim!r}, as {owner} does")


def _check_servers(languages: Mapping[str, LanguageSpec], servers: Mapping[str, ServerSpec]) -> None:
    for server in servers.values():
        for language in server.languages:
            _require(
                language in languages, server.id + _SERVER_FILE, "languages", f"names {language!r}, which is not known"
            )
        for key, value in _with_placeholders(server).items():
            unknown = unknown_placeholders(value)
            _require(not unknown, server.id + _SERVER_FILE, key, f"has {', '.join(unknown)}, which means nothing")


def _with_placeholders(server: ServerSpec) -> dict[str, object]:
    return {
        "command": (server.command, *server.also_commands),
        "initialization-options": server.initialization_options,
        "settings": server.settings,
        "environment": server.environment,
        "sidecar": server.sidecar.command if server.sidecar is not None else (),
    }


def _require(holds: bool, file: str, key: str, problem: str) -> None:
    if not holds:
        raise InvalidArgument(f"{file}: {key} {problem}", hint="Correct the key that is named.")
