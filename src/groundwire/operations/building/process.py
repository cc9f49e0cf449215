"""Running one step: in a session of its own, with nothing to read, to its end or that of its time.

Whatever ends the wait, cancellation too, ends the program and all that it started. Above: ``running``. Below:
``output``, ``transport.process``.
"""

import asyncio
from collections.abc import Mapping

from groundwire.errors import CapabilityMissing, ServerUnavailable
from groundwire.operations.building.model import Ran, Step
from groundwire.operations.building.output import Output
from groundwire.operations.operation import Call
from groundwire.operations.waiting import Waiting
from groundwire.transport.pipes import OutputPipe
from groundwire.transport.process import ChildProcess, ProcessSpec, spawn

_ALL_LINES = 1_000_000
_TERM_GRACE_S = 0.5
_LAST_BYTES_S = 1.0
_LOOK_EVERY_S = 1.0


async def run_step(call: Call, step: Step, environment: Mapping[str, str], deadline: float) -> Ran:
    """Raises CapabilityMissing when it cannot be started."""
    output = Output(step.live)
    spec = ProcessSpec(step.words, str(step.directory), {**environment, **step.environment})
    try:
        child = await spawn(spec, stdout=OutputPipe(output.add_stdout))
    except ServerUnavailable as error:
        raise CapabilityMissing(f"{step.tool} cannot be started: {error.message}", hint=error.hint) from error
    # Nothing is awaited in between: what came until now is in the tail, the rest comes here.
    output.add_stderr("".join(f"{line}\n" for line in child.stderr_tail(_ALL_LINES).splitlines()).encode())
    child.stderr.deliver_to(output.add_stderr)
    try:
        child.stdin.finish()
        with Waiting(call, lambda: f"{step.tool}: {output.last_line() or 'running'}"):
            is_late = not await _ended(child, deadline)
    finally:
        await child.stop(grace=0, term_grace=_TERM_GRACE_S)
    return Ran(
        exit_code=-1 if child.returncode is None else child.returncode,
        stdout=output.stdout(),
        text=output.text(),
        is_late=is_late,
        is_cut=output.is_cut,
    )


async def _ended(child: ChildProcess, deadline: float) -> bool:
    """Whether it ended in time. Who it started is noted on the way: some leave its session to outlive it."""
    loop = asyncio.get_running_loop()
    ending = asyncio.ensure_future(child.wait())
    try:
        while not ending.done():
            left = deadline - loop.time()
            if left <= 0:
                return False
            await asyncio.wait([ending], timeout=min(left, _LOOK_EVERY_S))
            if not ending.done():
                child.remember_family()
    finally:
        ending.cancel()
    pipes = [asyncio.ensure_future(pipe.ended.wait()) for pipe in (child.stdout, child.stderr)]
    _, pending = await asyncio.wait(pipes, timeout=_LAST_BYTES_S)
    for waiter in pending:  # somebody that it left behind holds them open
        waiter.cancel()
    return True
