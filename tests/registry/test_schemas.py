"""The published schemas: up to date, and every data file keeps to them."""

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import cast

import pytest

from groundwire.registry.schemas import languages_schema, server_schema

PROJECT = Path(__file__).parents[2]
REGISTRY = PROJECT / "src/groundwire/registry"
SERVER_FILES = sorted((REGISTRY / "servers").glob("*.server.toml"))

Json = dict[str, object]


@cache
def published(name: str) -> Json:
    return cast("Json", json.loads((PROJECT / "docs" / f"{name}.schema.json").read_text("utf-8")))


def data_file(number: int) -> tuple[Json, Json]:
    """Its data with its schema; behind those of the servers there is that of the languages."""
    is_server = number < len(SERVER_FILES)
    file = SERVER_FILES[number] if is_server else REGISTRY / "languages.toml"
    return cast("Json", tomllib.loads(file.read_text("utf-8"))), published("server" if is_server else "languages")


def test_the_published_schemas_are_those_of_the_code() -> None:
    hint = "run scripts/generate-schemas"
    assert published("server") == json.loads(json.dumps(server_schema())), hint
    assert published("languages") == json.loads(json.dumps(languages_schema())), hint


def test_the_schema_refuses_unknown_keys_and_explains_the_known_ones() -> None:
    definitions = cast("dict[str, Json]", server_schema()["$defs"])
    for definition in definitions.values():
        assert definition["additionalProperties"] is False
    server = definitions["ServerSpec"]
    assert server["required"] == ["id", "languages", "command", "verified"]
    roots = cast("dict[str, Json]", server["properties"])["roots"]
    assert str(roots["description"]).startswith("Markers (see `markers`) in tiers")


@pytest.mark.parametrize("number", range(len(SERVER_FILES) + 1))
def test_every_key_of_a_data_file_is_in_the_schema(number: int) -> None:
    data, schema = data_file(number)
    assert list(strange_keys(data, schema, cast("dict[str, Json]", schema["$defs"]))) == []


def test_a_key_that_is_not_in_the_schema_is_noticed() -> None:
    schema = server_schema()
    data: Json = {"id": "x", "commnd": [], "settle": {"measured": True, "pul": 1}, "settings": {"any": {"thing": 1}}}
    strange = list(strange_keys(data, schema, cast("dict[str, Json]", schema["$defs"])))
    assert strange == ["commnd", "pul"]


@pytest.mark.skipif(find_spec("jsonschema") is None, reason="jsonschema is not installed")
def test_every_data_file_is_valid() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    for name, numbers in (("server", range(len(SERVER_FILES))), ("languages", (len(SERVER_FILES),))):
        kind = jsonschema.validators.validator_for(published(name))
        kind.check_schema(published(name))
        for number in numbers:
            kind(published(name)).validate(data_file(number)[0])


def strange_keys(value: object, schema: Json, definitions: dict[str, Json]) -> Iterator[str]:
    """Keys that the schema does not allow where they stand."""
    schema = _resolved(schema, definitions)
    if not isinstance(value, dict):
        return
    properties = cast("dict[str, Json]", schema.get("properties", {}))
    others = schema.get("additionalProperties", True)
    for key, member in cast("Json", value).items():
        if key in properties:
            yield from strange_keys(member, properties[key], definitions)
        elif isinstance(others, dict):
            yield from strange_keys(member, cast("Json", others), definitions)
        elif others is False:
            yield key


def _resolved(schema: Json, definitions: dict[str, Json]) -> Json:
    for choice in cast("list[Json]", schema.get("anyOf", [])):
        if "$ref" in choice:
            schema = choice
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    return definitions[name] if name else schema
