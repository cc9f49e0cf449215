"""The page about the HTTP service: its commands start one and speak with it, but for the port."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.documents.pages import REPOSITORY, Command, blocks_of
from tests.documents.terminal import HOME, environment, fits, make_home

BLOCKS = [block._replace(not_run="") for block in blocks_of(REPOSITORY / "docs/serve.md") if block.not_run]
PORT = "8080"
ANSWER_S, END_S = 60.0, 30.0

pytestmark = pytest.mark.timeout(150)


def commands() -> list[Command]:
    return [command for block in BLOCKS for command in block.commands()]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    make_home(tmp_path / "home")
    for name in ("shop/api", "site"):
        (tmp_path / "home/work" / name).mkdir(parents=True)
    (tmp_path / "home/work/shop/.git").mkdir()
    return tmp_path / "home"


def test_the_page_has_these_commands() -> None:
    assert [command.text.split()[0] for command in commands()] == ["export", "groundwire", "curl"]


def test_the_service_of_the_page_says_that_it_serves_and_takes_a_conversation(home: Path) -> None:
    token, serve, put = commands()
    service = subprocess.Popen(
        ["bash", "-c", f"{token.text}\necho $GROUNDWIRE_TOKEN\nexec {serve.text} --port 0"],
        cwd=home,
        env=environment(home),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with service:
        try:
            assert service.stdout is not None
            secret, said = service.stdout.readline().strip(), service.stdout.readline()
            port = said.strip().rpartition(":")[2]
            assert fits(serve.printed or "", said.replace(port, PORT)), said
            given = put.text.replace(HOME, str(home)).replace(PORT, port)
            answer = subprocess.check_output(
                ["bash", "-c", given], env={**os.environ, "GROUNDWIRE_TOKEN": secret}, text=True, timeout=ANSWER_S
            )
            assert fits(put.printed or "", answer.replace(str(home), HOME)), answer
        finally:
            service.send_signal(signal.SIGTERM)
    assert service.wait(END_S) == 0
