"""The operations as tools for an agent loop of one's own: function schemas, permissions, and text for the model.

    async with groundwire.toolkit(root) as tools:
        reply = await chat(messages, tools=tools.schemas)
        text = await tools.execute(reply.name, reply.arguments)

Above: Python programs. Below: ``api``, ``operations.table``, ``render``.
"""

import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, cast

import msgspec

from groundwire.config.load import load_config
from groundwire.errors import GroundwireError, InvalidArgument, PermissionDenied
from groundwire.operations.operation import WAIT_S
from groundwire.operations.table import OPERATIONS, AnyOperation, find_operation
from groundwire.pool.opening import open_pool
from groundwire.pool.trust import plan_servers
from groundwire.pool.trust_store import user_trust_store
from groundwire.registry.catalog import load_catalog
from groundwire.render.answers import render_answer
from groundwire.render.failure import render_failure
from groundwire.render.page import HARD_CAP
from groundwire.surfaces.api import Workspace, existing_directory

Permission = Literal["allow", "ask", "deny"]

Approve = Callable[[str, Mapping[str, object]], Awaitable[bool]]
"""Asks whoever decides whether a tool may run with these arguments."""

_BY_EFFECT: Mapping[str, Permission] = {
    "reads": "allow",
    "simulates": "allow",
    "manages": "allow",
    "executes": "ask",
    "writes": "ask",
}


class Toolkit:
    """Tools over one workspace. What is denied is not offered either."""

    def __init__(
        self,
        workspace: Workspace,
        permissions: Mapping[str, Permission] | None = None,
        *,
        approve: Approve | None = None,
        max_chars: int = HARD_CAP,
    ) -> None:
        self.workspace = workspace
        self.permissions: Mapping[str, Permission] = {**default_permissions(), **_by_name(permissions or {})}
        self._approve = approve
        self._max_chars = max_chars

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends every server."""
        await self.workspace.close()

    @property
    def schemas(self) -> list[dict[str, object]]:
        """The tools as function schemas, in the form that chat APIs take."""
        return [_schema(operation) for operation in OPERATIONS.values() if self.permissions[operation.name] != "deny"]

    async def execute(self, name: str, arguments_json: str) -> str:
        """What a tool says, as text for the model; a failure is text too, with what can be done about it."""
        try:
            return await self._execute(find_operation(name), _object(arguments_json))
        except GroundwireError as error:
            return render_failure(error)

    async def _execute(self, operation: AnyOperation, given: Mapping[str, object]) -> str:
        parsed = operation.parse(given)
        await self._require_permission(operation.name, given)
        answer = await self.workspace.run(operation, parsed)
        return render_answer(operation, answer, max_chars=self._max_chars, speak=self._offered)

    async def _require_permission(self, name: str, given: Mapping[str, object]) -> None:
        permission = self.permissions[name]
        if permission == "deny":
            raise PermissionDenied(f"{name} is denied here", hint="Do without it.")
        if permission == "ask":
            if self._approve is None:
                raise PermissionDenied(f"{name} needs approval, and nobody can be asked", hint="Ask the user to do it.")
            if not await self._approve(name, given):
                raise PermissionDenied(f"{name} was not approved", hint="Ask the user what to do instead.")

    def _offered(self, name: str) -> str:
        return name if self.permissions.get(name, "deny") != "deny" else ""


def toolkit(
    root: str | os.PathLike[str],
    *,
    permissions: Mapping[str, Permission] | None = None,
    approve: Approve | None = None,
    max_chars: int = HARD_CAP,
    wait_s: float = WAIT_S,
) -> Toolkit:
    """Tools over a directory. Those that only read run at once and those that write ask, unless it is said otherwise:
    by the configuration, or by ``permissions``, which goes before it.
    """
    directory = existing_directory(root)
    workspace = Workspace(open_pool(directory), wait_s=wait_s)
    said: dict[str, Permission] = {**_configured(directory), **(permissions or {})}
    return Toolkit(workspace, said, approve=approve, max_chars=max_chars)


def default_permissions() -> dict[str, Permission]:
    """By what each tool does."""
    return {operation.name: _BY_EFFECT[operation.effect] for operation in OPERATIONS.values()}


def _configured(directory: Path) -> dict[str, Permission]:
    """What the configuration says of the tools that there are, without what a project may not decide."""
    environment, catalog = dict(os.environ), load_catalog()
    loaded = load_config(directory, environment=environment, catalog=catalog)
    settings = plan_servers(directory, catalog, loaded, user_trust_store(environment)).settings
    return {name: permission for name, permission in settings.permissions.items() if name in OPERATIONS}


def _by_name(permissions: Mapping[str, Permission]) -> dict[str, Permission]:
    return {find_operation(name).name: permission for name, permission in permissions.items()}


def _object(text: str) -> Mapping[str, object]:
    """The arguments as a model writes them: an object, or nothing at all where none are needed."""
    try:
        given = cast("object", msgspec.json.decode(text or "{}"))
    except (msgspec.DecodeError, RecursionError) as problem:
        raise InvalidArgument(f"the arguments are not JSON: {problem}", hint="Give one JSON object.") from None
    if not isinstance(given, dict):
        raise InvalidArgument("the arguments are not an object", hint="Give one JSON object.")
    return cast("dict[str, object]", given)


def _schema(operation: AnyOperation) -> dict[str, object]:
    function = {"name": operation.name, "description": operation.summary, "parameters": operation.schema()}
    return {"type": "function", "function": function}
