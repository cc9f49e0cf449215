"""What a run proves: of how the program ended and what it reported, the worse is believed.

Pure. Above: ``run_build``, ``run_tests``. Below: ``model``.
"""

import signal
from typing import NamedTuple

from groundwire.operations.answer import Status
from groundwire.operations.building.model import Ran, Reading, Step


class Verdict(NamedTuple):
    """Whether it went well; None: not known. ``reason`` is empty only when confirmed."""

    went_well: bool | None
    status: Status
    reason: str = ""


def judge(step: Step, ran: Ran, reading: Reading, seconds: float, *, is_test: bool) -> Verdict:
    """Of the last step that was run. ``is_test``: tests were asked for."""
    if ran.is_late:
        return Verdict(None, Status.UNKNOWN, f"{step.tool} did not end within {seconds:.0f} s and was stopped")
    if ran.exit_code < 0:
        return Verdict(None, Status.UNKNOWN, f"{step.tool} was ended by {_signal(-ran.exit_code)}")
    if is_test and step.is_test:
        return _judge_tests(step, ran, reading)
    if is_test and not reading.problems and ran.exit_code == 0:
        return Verdict(None, Status.UNKNOWN, f"after {step.tool} no tests were run")
    return _judge_build(step, ran, reading)


def _judge_build(step: Step, ran: Ran, reading: Reading) -> Verdict:
    code = f"{step.tool} exited with code {ran.exit_code}"
    if reading.doubt:
        is_bad = bool(reading.problems or (ran.exit_code and not reading.excuses_exit))
        return Verdict(False if is_bad else None, Status.PARTIAL, f"{code}, and {reading.doubt}")
    if ran.exit_code and not reading.problems:
        return Verdict(False, Status.PARTIAL, f"{code} and names no place: see its output")
    if reading.problems and not ran.exit_code:
        return Verdict(False, Status.PARTIAL, f"{code}, though it reports errors")
    return Verdict(not reading.problems, Status.CONFIRMED)


def _judge_tests(step: Step, ran: Ran, reading: Reading) -> Verdict:
    code = f"{step.tool} exited with code {ran.exit_code}"
    counts = reading.counts
    failed = max(counts.failed if counts else 0, len(reading.problems))
    if reading.doubt:
        went_well = False if failed or (ran.exit_code and ran.exit_code not in step.none_ran) else None
        return Verdict(went_well, Status.PARTIAL, f"{code}, and {reading.doubt}")
    if failed:
        contradiction = f"{code}, though its report has {failed:,} failed"
        return Verdict(False, Status.CONFIRMED) if ran.exit_code else Verdict(False, Status.PARTIAL, contradiction)
    if ran.exit_code and ran.exit_code not in step.none_ran:
        return Verdict(False, Status.PARTIAL, f"{code}, though its report has no failure: see its output")
    if counts is None or not counts.passed:
        why = f": all {counts.skipped:,} were skipped" if counts and counts.skipped else ""
        return Verdict(None, Status.UNKNOWN, f"no test was run{why}")
    if ran.exit_code:
        return Verdict(False, Status.PARTIAL, f"{code}, which says that no test was run, though its report has some")
    return Verdict(True, Status.CONFIRMED)


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
