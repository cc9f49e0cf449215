"""The plugin of opencode and Kilo, run by node as the host runs it: it asks a real hook, and never does any harm."""

import json
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import cast

import pytest

from groundwire.surfaces.setup.words import filled_text
from tests.daemon.homes import Home
from tests.surfaces.hooks.hosting import BROKEN, OWN_ERROR, PROJECT

NODE = shutil.which("node")
pytestmark = [pytest.mark.skipif(NODE is None, reason="node is not installed"), pytest.mark.timeout(150)]

HOST = """
const [, plugin, given] = process.argv;
const { directory, config, calls } = JSON.parse(given);
const hooks = await (await import(plugin)).Groundwire({ directory });
if (config) await hooks.config(config);
for (const [input, output] of calls) {
  await hooks["tool.execute.after"](input, output);
  console.log(JSON.stringify(output));
}
"""
SOURCE = (files("groundwire") / "surfaces/hooks/plugins/opencode.js").read_text("utf-8")
OURS = (sys.executable, "-m", "groundwire")


@pytest.fixture(autouse=True)
def _project(home: Home) -> None:  # pyright: ignore[reportUnusedFunction]  pytest uses it
    home.configure(server="type_checked")
    for file in home.root.iterdir():
        file.unlink()
    home.fill(home.root, PROJECT)
    home.start()


def run(home: Home, *calls: object, command: tuple[str, ...] = OURS, config: object = None) -> list[dict[str, object]]:
    """What the outputs of tools are after the plugin has seen them."""
    plugin = home.directory / "opencode" / "plugins" / "groundwire.mjs"
    plugin.parent.mkdir(parents=True, exist_ok=True)
    plugin.write_text(filled_text(SOURCE, {"$command": list(command)}), "utf-8")
    given = json.dumps({"directory": str(home.root), "config": config, "calls": calls})
    assert NODE is not None
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", HOST, str(plugin), given],
        capture_output=True,
        env=home.environment,
        timeout=50,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return [cast("dict[str, object]", json.loads(line)) for line in done.stdout.splitlines()]


def call(home: Home, tool: str = "edit", output: object = "done", session: str = "s1") -> list[object]:
    args = {"filePath": str(home.root / "library.toy"), "oldString": "shout(what)", "newString": "shout(what, how)"}
    return [{"tool": tool, "sessionID": session, "callID": "c1", "args": args}, {"output": output}]


def test_what_an_edit_broke_is_added_to_its_result_once(home: Home):
    (home.root / "library.toy").write_text(BROKEN, "utf-8")
    first, second = run(home, call(home), call(home))
    assert str(first["output"]).startswith("done\n\n2 errors")
    assert OWN_ERROR in str(first["output"])
    assert second == {"output": "done"}


def test_tools_that_only_look_and_our_own_tools_are_left_alone(home: Home):
    (home.root / "library.toy").write_text(BROKEN, "utf-8")
    seen = run(home, call(home, "read"), call(home, "groundwire_apply_edit"), call(home, output=None))
    assert seen == [{"output": "done"}, {"output": "done"}, {"output": None}]


def test_it_is_quiet_where_the_host_shows_findings_itself_and_only_there(home: Home):
    (home.root / "library.toy").write_text(BROKEN, "utf-8")
    for number, lsp in enumerate((True, {"toy": {"command": ["x"]}})):
        assert run(home, call(home, session=f"quiet{number}"), config={"lsp": lsp}) == [{"output": "done"}]
    for number, lsp in enumerate((False, None, {"toy": {"disabled": True}})):
        (seen,) = run(home, call(home, session=f"speaks{number}"), config={"lsp": lsp})
        assert OWN_ERROR in str(seen["output"])


@pytest.mark.parametrize("command", [("/nowhere/groundwire",), (sys.executable, "-c", "print('{')")])
def test_a_command_that_fails_leaves_the_result_as_it_was(home: Home, command: tuple[str, ...]):
    assert run(home, call(home), command=command) == [{"output": "done"}]


def test_copied_by_hand_it_looks_for_the_plain_name(tmp_path: Path):
    assert 'let command = ["groundwire"]' in SOURCE
    assert SOURCE.count("$command") == 1
