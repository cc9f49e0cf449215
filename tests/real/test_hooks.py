"""Hooks of hosts with real servers: files are edited on disk, and the hook's process tells what that broke."""

import json
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.daemon.homes import Home
from tests.real.installed import environment_of
from tests.surfaces.hooks.hosting import heard
from tests.surfaces.hooks.payloads import Payload, claude, gemini

pytestmark = pytest.mark.timeout(240)

PYTHON = {
    "shapes.py": "def area(width: int) -> int:\n    return width * width\n",
    "report.py": "from shapes import area\n\nprint(area(3))\n",
}
TYPESCRIPT = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "lib": ["es2022"], "types": []}, "include": ["*.ts"]}\n',
    "shapes.ts": "export function area(width: number): number {\n  return width * width;\n}\n",
    "report.ts": 'import { area } from "./shapes";\n\nexport const total: number = area(3);\n',
}
CASES = {
    "ty": (PYTHON, "shapes.py", "width: int", "width: int, height: int", "report.py", "height"),
    "typescript-language-server": (
        TYPESCRIPT,
        "shapes.ts",
        "width: number",
        "width: number, height: number",
        "report.ts",
        "ts2554",
    ),
}


@pytest.fixture
def home(tmp_path: Path) -> Generator[Home]:
    """Without a server of its own, and closed whatever happens."""
    made = Home(tmp_path)
    try:
        yield made
    finally:
        left = made.close()
    assert not left, left


def hook(home: Home, payload: Payload, agent: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "groundwire", "hook", "--agent", agent],
        input=json.dumps({**payload, "cwd": str(home.root)}).encode(),
        capture_output=True,
        cwd=home.root,
        env={**home.environment, "GROUNDWIRE_HOOK_DEADLINE_S": "60"},
        timeout=90,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return heard(done.stdout)


def edit_of(host: str, file: Path, old: str, new: str) -> Payload:
    """The host's own tool replaces a string in a file, and tells of it."""
    before = file.read_text("utf-8")
    file.write_text(before.replace(old, new), "utf-8")
    given = {"file_path": str(file), "old_string": old, "new_string": new}
    if host == "gemini":
        shown = {"fileDiff": "", "originalContent": before}
        return gemini("AfterTool", tool_name="replace", tool_input=given, tool_response={"returnDisplay": shown})
    response = {"filePath": str(file), "originalFile": before}
    return claude("PostToolUse", tool_name="Edit", tool_input=given, tool_response=response)


@pytest.mark.parametrize("server", sorted(CASES))
@pytest.mark.parametrize("host", ["claude", "gemini"])
def test_a_changed_signature_is_told_with_its_caller_once_and_mended_it_is_silence(server: str, host: str, home: Home):
    files, library, old, new, caller, sign = CASES[server]
    environment = environment_of(server)
    home.environment["PATH"] = environment["PATH"]
    home.config_file.write_text(f'[languages.python]\nservers = ["{server}"]\n' if server == "ty" else "", "utf-8")
    for file in home.root.iterdir():
        file.unlink()
    home.fill(home.root, files)
    told = hook(home, edit_of(host, home.root / library, old, new), host)
    assert "LSP errors detected in other files:" in told
    assert f'<diagnostics file="{caller}">' in told
    assert sign in told
    assert hook(home, edit_of(host, home.root / library, "return width", "return  width"), host) == ""
    assert hook(home, edit_of(host, home.root / library, new, old), host) == ""
    (home.root / caller).write_bytes((home.root / caller).read_bytes().replace(b"area(3)", b"area('3')"))
    shell = "run_shell_command" if host == "gemini" else "Bash"
    event = gemini("AfterTool") if host == "gemini" else claude("PostToolUse")
    told = hook(home, {**event, "tool_name": shell, "tool_input": {"command": f"sed -i {os.sep}"}}, host)
    assert f'<diagnostics file="{caller}">' in told
