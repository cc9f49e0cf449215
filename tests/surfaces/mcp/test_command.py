"""``groundwire mcp`` as an agent starts it."""

import json
import subprocess
import sys
from pathlib import Path

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


def test_it_greets_an_agent_and_ends_with_its_input(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "groundwire", "mcp", "--no-daemon", "--root", str(tmp_path), "--profile", "full"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(INITIALIZE) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        process.stdin.close()
        assert process.wait(30) == 0
    assert answer["result"]["serverInfo"]["name"] == "groundwire"
