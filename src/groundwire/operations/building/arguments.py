"""What builds and tests are asked for. Above: ``run_build``, ``run_tests``. Below: ``operation``."""

import asyncio
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from groundwire.errors import InvalidArgument
from groundwire.operations.building.projects import existing_path
from groundwire.operations.operation import Arguments, Call


class RunTool(Arguments, frozen=True):
    """Where, and for how long."""

    path: Annotated[str, Meta(description="File or directory; without it, the whole project.")] = ""
    language: Annotated[str, Meta(description="Which language, where there are projects of several.")] = ""
    timeout_s: Annotated[int, Meta(ge=1, le=7200, description="Stop it after this many seconds.")] = 300
    workspace_dir: Annotated[str, Meta(description="The project's directory, if it is not the workspace.")] = ""


def paths_of(call: Call, arguments: RunTool) -> tuple[tuple[Path, ...], Path]:
    """The paths that were named, and the directory of the project. Raises why they are not usable."""
    directory = existing_path(call, arguments.workspace_dir) if arguments.workspace_dir else call.pool.workspace
    if not directory.is_dir():
        raise InvalidArgument(f"{arguments.workspace_dir} is not a directory")
    paths = (existing_path(call, arguments.path),) if arguments.path else ()
    return paths, directory


def deadline_of(arguments: RunTool) -> float:
    """By the event loop's clock. A run has its own: what answers usually take says nothing about it."""
    return asyncio.get_running_loop().time() + arguments.timeout_s
