"""The project at a glance, read by its address."""

from pathlib import Path

import pytest
from mcp_types import TextResourceContents

from tests.surfaces.mcp.conversations import ERAS, zoo_client

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("mode", ERAS)
async def test_the_project_is_a_resource_that_says_how_far_it_is_proven(tmp_path: Path, mode: str):
    async with zoo_client(tmp_path, mode=mode) as client:
        (content,) = (await client.read_resource("groundwire://project")).contents
    assert isinstance(content, TextResourceContents)
    assert content.mime_type == "text/plain"
    assert content.text.startswith("3 files in 1 language (confirmed)\nLanguages:\n  toy 3 (100 %)\n")
