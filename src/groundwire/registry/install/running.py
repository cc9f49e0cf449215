"""Running the steps of an installation: bounded in time, with an end for everything they start.

Above: ``installing``. Below: ``transport.process``.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from groundwire.errors import ServerUnavailable
from groundwire.registry.install.plans import Step
from groundwire.transport.process import ChildProcess, ProcessSpec, spawn

Report = Callable[[str, str], None]
"""Is told what is being done and, every now and then, the last thing it said."""

_LISTEN_EVERY = 0.5
_SHOWN_LINES = 12
_SHOWN_COLUMNS = 200
_UNPRINTABLE = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x1f\x7f-\x9f]")


async def run_step(step: Step, directory: Path, environment: Mapping[str, str], report: Report) -> str:
    """Runs the step, or what it names instead of itself, and gives the end of what that said.

    Raises:
        ServerUnavailable: it could not be started, failed or took too long; its last lines are in the message.

    """
    variables = {name: value for name, value in environment.items() if name not in step.without}
    report(step.doing, "")
    child = await spawn(ProcessSpec(step.command, str(directory), {**variables, **step.environment}))
    try:
        child.stdin.finish()  # nobody is there to answer a question
        has_ended = await _ends_in_time(child, step, report)
    finally:
        await child.stop(grace=0)
    if has_ended and child.returncode == 0:
        return child.stderr_tail()
    said = child.stderr_tail(_SHOWN_LINES)
    if has_ended and step.instead and any(sign in child.stderr_tail(200) for sign in step.instead_when):
        return await run_step(step.instead, directory, environment, report)
    ending = child.ending() if has_ended else f"was stopped after {step.seconds:,.0f} s"
    raise ServerUnavailable(f"`{_shown(step)}` {ending}{_indented(said)}", hint="")


async def _ends_in_time(child: ChildProcess, step: Step, report: Report) -> bool:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + step.seconds
    ending = asyncio.ensure_future(child.wait())
    try:
        while not ending.done() and loop.time() < deadline:
            await asyncio.wait([ending], timeout=min(_LISTEN_EVERY, deadline - loop.time()))
            report(step.doing, child.last_words())
        return ending.done()
    finally:
        ending.cancel()


def _shown(step: Step) -> str:
    return " ".join((Path(step.command[0]).name, *step.command[1:]))


def _indented(said: str) -> str:
    lines = (_UNPRINTABLE.sub(" ", line).rstrip() for line in said.splitlines())
    return "".join(f"\n    {_cut(line)}" for line in lines if line)


def _cut(line: str) -> str:
    # A version that does not exist is answered by some with all that do.
    return line if len(line) <= _SHOWN_COLUMNS else f"{line[: _SHOWN_COLUMNS - 1]}…"
