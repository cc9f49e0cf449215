"""Every argument of every tool, given what it does not take: an answer, or an error with a name of ours, never a
defect, and the next question is answered as ever. What is tried is left to dice that fall the same way every time.
"""

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from mcp_types import CallToolResult

from groundwire import errors
from groundwire.surfaces.mcp.profiles import PROFILES
from groundwire.surfaces.mcp.tools import SurfaceTool
from tests.operations.toy_project import ZOO
from tests.surfaces.mcp.conversations import EXAMPLES, error_of, text_of, zoo_client
from tests.thoroughness import examples

pytestmark = pytest.mark.anyio

LONGEST_REFUSAL = 10_000
KINDS = {name for name, each in vars(errors).items() if isinstance(each, type)} - {"Internal"}

PLACE: Mapping[str, object] = {
    **dict.fromkeys(("file_path", "path", "file"), "animals.toy"),
    "line": 5,
    "column": 13,
    "character": 12,
    "query": "bark",
    "kind": "hover",
}
"""What the tools with other names take."""

KNOWN_QUESTIONS: Mapping[str, tuple[str, dict[str, object]]] = {
    "core": ("find_references", {"symbol": "shout"}),
    "full": ("find_references", {"symbol": "shout"}),
    "navigation": ("lsp_find_references", {"file_path": "animals.toy", "line": 5, "column": 13}),
    "opta": ("lsp_references", {"path": "animals.toy", "line": 5, "character": 12}),
    "single": ("Lsp", {"kind": "references", "file": "animals.toy", "line": 5, "character": 13}),
}


def nested(levels: int, *, in_lists: bool) -> object:
    value: object = "x"
    for _ in range(levels):
        value = [value] if in_lists else {"a": value}
    return value


HOSTILE: tuple[object, ...] = (
    None,
    True,
    0,
    -1,
    10**30,
    -(2**63) - 1,
    1e308,
    float("inf"),
    float("nan"),
    0.5,
    "",
    " ",
    "\0",
    "\ud800",
    "\u202e\u0000\ufeff",
    "..",
    "/",
    "/dev/zero",
    "/proc/self/mem",
    "~",
    "animals.toy\n",
    "file:///animals.toy",
    "::",
    "a::b::c",
    ".".join("a" * 2_000),
    "[" * 5_000,
    "@@",
    "@@@@",
    "😀" * 3_000,
    "x" * 300_000,
    "${HOME}",
    "$(touch x)",
    "-1",
    "1e400",
    [],
    {},
    [None],
    ["x"] * 5_000,
    {"": ""},
    {f"k{number}": number for number in range(5_000)},
    nested(90, in_lists=True),
    nested(200, in_lists=True),
    nested(200, in_lists=False),
)


def valid_call(tool: SurfaceTool) -> dict[str, object]:
    """Arguments that the tool takes."""
    names = cast("Mapping[str, object]", tool.schema["properties"])
    return dict(EXAMPLES.get(tool.name) or {name: value for name, value in PLACE.items() if name in names})


def calls_of(tool: SurfaceTool, dice: random.Random) -> Iterator[dict[str, object]]:
    """Each argument in turn, the others right; then several at once, and names that there are not."""
    names = list(cast("Mapping[str, object]", tool.schema["properties"]))
    valid = valid_call(tool)
    for name in names:
        for value in dice.sample(HOSTILE, examples(5)):
            yield {**valid, name: value}
    for _ in range(examples(5)):
        yield {name: dice.choice(HOSTILE) for name in names if dice.random() < 0.7}
    for wrong in ("", "self", "__class__", "call", "😀", names[0].upper(), f"{names[0]} ", "x" * 5_000):
        yield {**valid, wrong: dice.choice(HOSTILE)}
    for name in valid:
        yield {each: value for each, value in valid.items() if each != name}


def what_is_wrong(tool: SurfaceTool, given: Mapping[str, object], result: CallToolResult) -> str:
    """Empty when the result is an answer or says what of ours it is not."""
    text = text_of(result)
    shown = f"{tool.name} {str(given)[:300]}: {text[:300]}"
    if "Traceback" in text or not text:
        return shown
    if not result.is_error:
        return ""
    is_typed = error_of(result)["kind"] in KINDS and len(text) < LONGEST_REFUSAL
    return "" if is_typed else shown


@pytest.mark.parametrize("output", ["text", "json"])
@pytest.mark.parametrize("profile", sorted(PROFILES))
async def test_no_argument_of_any_tool_can_be_given_so_that_it_fails_without_a_name(
    tmp_path: Path, profile: str, output: str
) -> None:
    dice = random.Random(f"{profile} {output}")
    name, question = KNOWN_QUESTIONS[profile]
    async with zoo_client(tmp_path, profile=profile, output=output) as client:
        before = await client.call_tool(name, question)
        wrong: list[str] = []
        for tool in PROFILES[profile].tools:
            for given in calls_of(tool, dice):
                result = await client.call_tool(tool.name, cast("dict[str, Any]", given))
                wrong += filter(None, [what_is_wrong(tool, given, result)])
        assert wrong == []
        _put_back(tmp_path / "project")
        assert _answered(await client.call_tool(name, question)) == _answered(before)


def _put_back(root: Path) -> None:
    """Some of the calls were right, and wrote."""
    for file in root.rglob("*.toy"):
        file.unlink()
    for name, text in ZOO.items():
        (root / name).write_bytes(text.encode())


def _answered(result: CallToolResult) -> object:
    assert not result.is_error
    told = cast("dict[str, object] | None", result.structured_content)
    return told["result"] if told else text_of(result)
