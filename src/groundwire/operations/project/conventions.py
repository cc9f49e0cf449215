"""What a project is set up for: formatters, linters, checkers, and rules that are written down. Only what is there.

Above: ``project_overview``. Below: ``results_project``.
"""

import json
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from fnmatch import fnmatchcase, translate
from pathlib import PurePosixPath
from typing import cast

from groundwire.operations.results.project import Convention

_BY_NAME: tuple[tuple[str, str], ...] = (
    ("AGENTS.md", "rules for agents"),
    ("CLAUDE.md", "rules for agents"),
    ("GEMINI.md", "rules for agents"),
    ("CONTRIBUTING*", "rules for contributors"),
    (".editorconfig", "editorconfig"),
    (".pre-commit-config.yaml", "pre-commit"),
    ("lefthook.y*ml", "lefthook"),
    ("ruff.toml", "ruff"),
    (".ruff.toml", "ruff"),
    (".flake8", "flake8"),
    ("mypy.ini", "mypy"),
    (".mypy.ini", "mypy"),
    ("pyrightconfig.json", "pyright"),
    ("ty.toml", "ty"),
    ("pytest.ini", "pytest"),
    ("tox.ini", "tox"),
    ("noxfile.py", "nox"),
    (".prettierrc*", "prettier"),
    ("prettier.config.*", "prettier"),
    ("eslint.config.*", "eslint"),
    (".eslintrc*", "eslint"),
    ("biome.json*", "biome"),
    (".oxlintrc.json", "oxlint"),
    ("dprint.json*", "dprint"),
    ("tsconfig.json", "TypeScript"),
    ("rustfmt.toml", "rustfmt"),
    (".rustfmt.toml", "rustfmt"),
    ("clippy.toml", "clippy"),
    (".golangci.y*ml", "golangci-lint"),
    (".clang-format", "clang-format"),
    (".clang-tidy", "clang-tidy"),
    (".rubocop.yml", "rubocop"),
    ("phpcs.xml*", "phpcs"),
    (".php-cs-fixer*.php", "php-cs-fixer"),
    ("phpstan.neon*", "phpstan"),
    ("psalm.xml*", "psalm"),
    ("checkstyle.xml", "checkstyle"),
    (".scalafmt.conf", "scalafmt"),
    (".swiftlint.yml", "swiftlint"),
    (".swiftformat", "swiftformat"),
    ("analysis_options.yaml", "dart analyze"),
    (".formatter.exs", "mix format"),
    (".credo.exs", "credo"),
    ("stylua.toml", "stylua"),
    ("selene.toml", "selene"),
    (".stylelintrc*", "stylelint"),
    (".shellcheckrc", "shellcheck"),
    (".yamllint*", "yamllint"),
    ("justfile", "just"),
    ("Taskfile.y*ml", "task"),
)
_PLAIN = {name: tool for name, tool in _BY_NAME if "*" not in name}
_GLOBS = tuple((name, tool) for name, tool in _BY_NAME if "*" in name)
_ANY_GLOB = re.compile("|".join(translate(name) for name, _ in _GLOBS))
_PYPROJECT = ("ruff", "black", "isort", "mypy", "pyright", "basedpyright", "ty", "pylint", "pytest", "tox", "poe")
_PACKAGE = {"prettier": "prettier", "eslintConfig": "eslint", "stylelint": "stylelint", "husky": "husky"}
_DEEPEST = 3
"""Directories down from the workspace; what is deeper is about a part of a part."""


def conventions(names: Collection[str], manifests: Mapping[str, str]) -> tuple[Convention, ...]:
    """Of each tool the file nearest to the top."""
    found: dict[str, Convention] = {}
    for each in (*_by_name(names), *_by_manifest(manifests)):
        known = found.get(each.tool)
        if known is None or each.file.count("/") < known.file.count("/"):
            found[each.tool] = each
    return tuple(found.values())


def _by_name(names: Collection[str]) -> Iterator[Convention]:
    for name in names:
        last = name.rpartition("/")[2]
        tool = _PLAIN.get(last, "")
        if not tool and _ANY_GLOB.match(last):
            tool = next(tool for glob, tool in _GLOBS if fnmatchcase(last, glob))
        if tool and name.count("/") <= _DEEPEST:
            yield Convention(tool=tool, file=name)


def _by_manifest(manifests: Mapping[str, str]) -> Iterator[Convention]:
    for name, text in manifests.items():
        last = PurePosixPath(name).name
        tools: Collection[str] = ()
        if last == "pyproject.toml":
            tools = _tables(text, _PYPROJECT)
        elif last == "package.json":
            tools = [tool for key, tool in _PACKAGE.items() if key in _keys(text)]
        yield from (Convention(tool=tool, file=name) for tool in tools)


def _tables(text: str, known: Collection[str]) -> list[str]:
    try:
        tools: object = tomllib.loads(text).get("tool")
    except (ValueError, RecursionError):  # its own tools will say so
        return []
    return [tool for tool in known if tool in tools] if isinstance(tools, dict) else []


def _keys(text: str) -> Collection[str]:
    try:
        data: object = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    return cast("dict[str, object]", data).keys() if isinstance(data, dict) else ()
