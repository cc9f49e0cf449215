"""The data files' JSON Schemas, made from the structs that read them, so that the two cannot drift apart.

An editor that is told of them completes and checks a data file while it is written. Above: nothing but
``scripts/generate-schemas``. Below: ``spec``, ``catalog``, ``workspace.rules``.
"""

import ast
import inspect
import itertools
import textwrap
from collections.abc import Iterator
from typing import cast

import msgspec

from groundwire.registry.catalog import LanguageSpec
from groundwire.registry.spec import EnvironmentProblem, Managed, ProjectLibrary, ServerSpec, Sidecar
from groundwire.workspace.rules import FileStatus, ReadinessRule, Rule, SaveCheck, SettleRule

_TABLES: tuple[type[Rule], ...] = (
    ServerSpec, Managed, Sidecar, ProjectLibrary, EnvironmentProblem, SettleRule, SaveCheck, FileStatus, ReadinessRule,
    LanguageSpec,
)  # fmt: skip
_NOT_FOR_FILES = {"LanguageSpec": ("named",)}
"""Fields that only the configuration sets."""
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def server_schema() -> dict[str, object]:
    """The schema of ``servers/ID.server.toml``."""
    return _schema(ServerSpec, "groundwire: one language server")


def languages_schema() -> dict[str, object]:
    """The schema of ``languages.toml``."""
    return _schema(dict[str, LanguageSpec], "groundwire: the languages, by their LSP identifier")


def _schema(shape: object, title: str) -> dict[str, object]:
    made = cast("dict[str, object]", msgspec.json.schema(shape, schema_hook=_anything))
    definitions = cast("dict[str, dict[str, object]]", made.get("$defs", {}))
    for table in _TABLES:
        if table.__name__ in definitions:
            _describe(definitions[table.__name__], table)
    for name, fields in _NOT_FOR_FILES.items():
        properties = cast("dict[str, object]", definitions.get(name, {}).get("properties", {}))
        for field in fields:
            properties.pop(field, None)
    return {"$schema": _DIALECT, "title": title, **made}


def _anything(_: type) -> dict[str, object]:
    """Settings and the like are the server's business. Not empty, for that would count as no schema."""
    return {"title": "Anything"}


def _describe(definition: dict[str, object], table: type[Rule]) -> None:
    """The sentence under each field of the struct is what an editor shows for its key."""
    properties = cast("dict[str, dict[str, object]]", definition["properties"])
    for name, sentence in _field_docstrings(table):
        properties[name.replace("_", "-")]["description"] = sentence


def _field_docstrings(table: type[Rule]) -> Iterator[tuple[str, str]]:
    body = cast("ast.ClassDef", ast.parse(textwrap.dedent(inspect.getsource(table))).body[0]).body
    for field, after in itertools.pairwise(body):
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
            yield field.target.id, " ".join(after.value.value.replace("``", "`").split())
