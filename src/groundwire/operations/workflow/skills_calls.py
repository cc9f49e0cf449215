"""Calls as skills write them, ``find_references(symbol="total")``, taken apart.

Above: the surfaces, the tests of the skills. Below: ``skills``.
"""

import ast
import re
from collections.abc import Mapping
from typing import NamedTuple

from groundwire.errors import InvalidArgument
from groundwire.operations.workflow.skills import Skill

TRANSCRIPT = re.compile(
    r"(?P<begin><!-- transcript -->\n````\n)(?P<text>.*?)(?P<end>````\n<!-- /transcript -->\n)", re.DOTALL
)
PROMPT = "> "
"""Before each call of a transcript; its answer follows."""
_STEPS = re.compile(r"^ *```call\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)


class WrittenCall(NamedTuple):
    """The name of a tool, and its arguments."""

    tool: str
    given: Mapping[str, object]


def parse_call(text: str) -> WrittenCall:
    """Raises InvalidArgument for anything but a name with literal arguments by name."""
    try:
        call = ast.parse(text.strip(), mode="eval").body
        values = (
            {each.arg: ast.literal_eval(each.value) for each in call.keywords} if isinstance(call, ast.Call) else {}
        )
    except (SyntaxError, ValueError) as problem:
        raise InvalidArgument(f"{text.strip()[:100]!r} is no call: {problem}") from None
    given = {name: value for name, value in values.items() if name is not None}
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args or len(given) != len(values):
        raise InvalidArgument(f"{text.strip()[:100]!r} is no call of a name with arguments by name")
    return WrittenCall(call.func.id, given)


def step_calls(skill: Skill) -> list[WrittenCall]:
    """The calls that the steps of a skill show, with placeholders for what is the reader's."""
    blocks = _STEPS.findall(skill.body)
    return [parse_call(line) for block in blocks for line in block.splitlines() if line.strip()]


def transcript(skill: Skill) -> list[tuple[WrittenCall, str]]:
    """The calls of its example, in order, each with what came of it."""
    found = TRANSCRIPT.search(skill.body)
    parts = re.split(f"^{PROMPT}", found["text"], flags=re.MULTILINE)[1:] if found else []
    taken_apart = (part.partition("\n") for part in parts)
    return [(parse_call(call), answer.strip("\n")) for call, _, answer in taken_apart]
