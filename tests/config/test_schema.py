"""The published JSON Schema is that of the models."""

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parents[2]


def test_the_schema_in_the_documents_is_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, HERE / "scripts/generate-config-schema", "--check"],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "config.schema.json is up to date")


def test_every_key_of_the_schema_says_what_it_is_for() -> None:
    schema = json.loads((HERE / "docs/config.schema.json").read_text("utf-8"))
    silent = [key for key, value in schema["properties"].items() if not {"description", "$ref"} & set(value)]
    assert silent == []
