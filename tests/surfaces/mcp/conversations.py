"""A client of the SDK and our server in one process, over a project in the toy language."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import msgspec
from mcp.client.client import Client
from mcp_types import CallToolResult, TextContent

from groundwire.pool.pool import Pool
from groundwire.registry.catalog import Catalog, LanguageSpec
from groundwire.surfaces.mcp.server import build_server
from tests.fakes.toy_servers import ToyLog, toy_catalog, toy_spec
from tests.interaction.questions import QUESTIONS, add_repository
from tests.operations.toy_project import zoo

ERAS = ("legacy", "2026-07-28")

EXAMPLES: Mapping[str, Mapping[str, object]] = {question.operation: question.given for question in QUESTIONS}
"""A valid call of every operation of the table."""


@asynccontextmanager
async def client_of(
    pool: Pool, *, profile: str = "core", output: str = "text", mode: str = "legacy", **more: Any
) -> AsyncGenerator[Client]:
    """A client that is connected; ``more`` are the SDK's own options."""
    async with Client(build_server(pool, profile=profile, output=output), mode=mode, **more) as client:
        yield client


@asynccontextmanager
async def zoo_client(tmp_path: Path, **options: Any) -> AsyncGenerator[Client]:
    """A client of a server over the zoo, and what the examples need beside it."""
    async with zoo(tmp_path) as pool, client_of(pool, **options) as client:
        add_repository(pool.workspace)
        yield client


@asynccontextmanager
async def quick_and_slow(tmp_path: Path) -> AsyncGenerator[tuple[Pool, ToyLog]]:
    """A project of two languages: for ``*.slow`` no question about references is ever answered. The log is its."""
    log = ToyLog(tmp_path / "log")
    root = tmp_path / "project"
    root.mkdir()
    (root / "quick.toy").write_text("def fish()\n    use fish()\n")
    (root / "slow.slow").write_text("fish\n")
    quick = toy_spec("well_read")
    slow = msgspec.structs.replace(toy_spec("never_answers", log), languages=("slow",))
    languages = {**toy_catalog(quick).languages, "slow": LanguageSpec(extensions=(".slow",), servers=(slow.id,))}
    async with Pool(root, catalog=Catalog(languages, {quick.id: quick, slow.id: slow})) as pool:
        yield pool, log


def text_of(result: CallToolResult) -> str:
    """All the text of a result."""
    return "\n".join(item.text for item in result.content if isinstance(item, TextContent))


def error_of(result: CallToolResult) -> dict[str, object]:
    """The failure that a result tells of."""
    assert result.is_error, text_of(result)
    error = cast("dict[str, object]", result.structured_content)
    assert error["ok"] is False
    assert str(error["kind"]) in text_of(result)
    return error


async def until(is_so: Callable[[], bool]) -> None:
    """Waits for what happens in another process, within limits."""
    async with asyncio.timeout(20):
        while not is_so():  # noqa: ASYNC110  it cannot tell us
            await asyncio.sleep(0.01)
