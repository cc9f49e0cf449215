"""The reference of the tools is that of the table."""

import subprocess
import sys
from pathlib import Path

from groundwire.operations.table import OPERATIONS

HERE = Path(__file__).parents[1]


def test_the_reference_of_the_tools_is_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, HERE / "scripts/generate-tools-doc", "--check"],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "tools.md is up to date")


def test_every_operation_and_each_of_its_arguments_is_in_the_reference() -> None:
    reference = (HERE / "docs/tools.md").read_text("utf-8")
    for operation in OPERATIONS.values():
        section = reference.partition(f"\n## {operation.name}\n")[2].partition("\n## ")[0]
        assert f"`groundwire {operation.command}" in section
        assert all(f"\n| `{field}` |" in section for field in operation.arguments.__struct_fields__)
