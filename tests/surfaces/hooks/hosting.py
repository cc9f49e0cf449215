"""A project in the toy language, and hosts that edit it and run the hook, within one process."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

from groundwire.pool.policy import ReportPolicy
from groundwire.pool.pool import Pool
from groundwire.pool.settings import PoolSettings
from groundwire.surfaces.hooks.handler import HookHandler, Reply
from groundwire.surfaces.hooks.payload import read_payload
from tests.fakes.toy_servers import ToyLog, toy_catalog, toy_spec
from tests.surfaces.hooks.payloads import Payload, claude, codex

LIBRARY = "def shout(what)\n\ndef bark(loudness)\n    use shout(loudness)\n"
BROKEN = LIBRARY.replace("shout(what)", "shout(what, how)")
PROJECT = {"library.toy": LIBRARY, "caller.toy": "def call()\n    use shout(1)\n", "other.toy": "def other()\n"}
OWN_ERROR = "ERROR [4:9] shout takes 2, not 1"
WAIT_S = 20.0


class Host:
    """``reply`` is the last one that the hook gave."""

    def __init__(self, pool: Pool, *, is_verbose: bool = False) -> None:
        self.pool = pool
        self.handler = HookHandler(pool, is_verbose=is_verbose)
        self.reply = Reply(b"")

    async def send(self, payload: Payload, agent: str = "", wait_s: float = WAIT_S) -> str:
        """What the model hears after the event; empty for silence."""
        event = read_payload(json.dumps(payload).encode(), agent)
        self.reply = await self.handler.handle(event, wait_s)
        return heard(self.reply.output)

    async def edit(self, name: str, text: str, session: str = "s1", wait_s: float = WAIT_S) -> str:
        """A tool of the host writes a file, and its hook is run."""
        file = self.pool.workspace / name
        before = file.read_text("utf-8") if file.exists() else None
        file.write_text(text, "utf-8")
        return await self.send(self.edited(name, before, session), wait_s=wait_s)

    def edited(self, name: str, before: str | None, session: str = "s1") -> Payload:
        """That a file was edited."""
        path = str(self.pool.workspace / name)
        response: dict[str, object] = {"filePath": path, "originalFile": before}
        given = {"file_path": path, "content": ""}
        return self.claude("PostToolUse", session, tool_name="Write", tool_input=given, tool_response=response)

    def claude(self, event: str, session: str = "s1", **members: object) -> Payload:
        """An event of Claude Code in this project."""
        return {**claude(event, **members), "cwd": str(self.pool.workspace), "session_id": session}

    def codex_patch(self, sections: str) -> Payload:
        """Codex has applied a patch in this project."""
        patch = f"*** Begin Patch\n{sections}*** End Patch\n"
        told = codex("PostToolUse", tool_name="apply_patch", tool_input={"command": patch}, tool_response="Success.")
        return {**told, "cwd": str(self.pool.workspace)}

    async def ran(self, session: str = "s1") -> str:
        """A shell has run something."""
        return await self.send(self.claude("PostToolUse", session, tool_name="Bash", tool_input={"command": "make"}))

    async def stop(self, session: str = "s1", **members: object) -> str:
        """The turn is about to end."""
        return await self.send(self.claude("Stop", session, **members))

    async def start(self, session: str = "s1") -> str:
        """A session begins."""
        return await self.send(self.claude("SessionStart", session, source="startup"))

    def write(self, name: str, text: str) -> None:
        """Somebody writes a file, and tells nobody."""
        (self.pool.workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (self.pool.workspace / name).write_text(text, "utf-8")


@asynccontextmanager
async def hosted(
    tmp_path: Path,
    files: Mapping[str, str] = PROJECT,
    report: ReportPolicy | None = None,
    log: ToyLog | None = None,
    *,
    is_verbose: bool = False,
) -> AsyncGenerator[Host]:
    """The project, and a pool with the server that checks it."""
    root = tmp_path / "project"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    settings = PoolSettings(report=report or ReportPolicy())
    async with Pool(root, catalog=toy_catalog(toy_spec("type_checked", log)), settings=settings) as pool:
        yield Host(pool, is_verbose=is_verbose)


_TEXTS = ("additionalContext", "additional_context", "contextModification", "followup_message", "reason", "context")


def heard(output: bytes) -> str:
    """The text in what a hook printed, whatever the host."""
    if not output:
        return ""
    found = cast("dict[str, object]", json.loads(output))
    inner = cast("dict[str, object]", found.get("hookSpecificOutput", {}))
    texts = [part[name] for part in (inner, found) for name in (*_TEXTS, "text") if name in part]
    return str(texts[0]) if texts else ""
