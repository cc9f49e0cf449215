"""What recorded outputs are compared by."""

from groundwire.operations.building.model import Problem, Ran, Reading


def ran(text: str, code: int = 1) -> Ran:
    return Ran(exit_code=code, stdout=text, text=text)


def places(problems: "tuple[Problem, ...] | list[Problem]") -> list[str]:
    return [f"{each.file}:{each.line}:{each.column} {each.test_name}|{each.message}" for each in problems]


def counts(reading: Reading) -> tuple[int, int, int]:
    assert reading.counts is not None
    return reading.counts.passed, reading.counts.failed, reading.counts.skipped
