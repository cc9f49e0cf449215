"""The MCP library alone on standard input and output, with one tool that answers a word: what any server built on it
costs at least. Above: ``starts``, which runs it as a process. Below: the library.
"""

import asyncio

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool


async def _list(*_: object) -> ListToolsResult:
    return ListToolsResult(tools=[Tool(name="word", description="A word.", input_schema={"type": "object"})])


async def _call(*_: object) -> CallToolResult:
    return CallToolResult(content=[TextContent(text="word")])


async def main() -> None:
    """Serve until the input ends."""
    server = Server[dict[str, object]]("bare", on_list_tools=_list, on_call_tool=_call)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
