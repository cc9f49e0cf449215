"""The files of ``deploy``: what they run is what the command line takes, and what they ask for is there."""

import json
import shlex
import shutil
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from groundwire.surfaces.cli.arguments import Arguments, build_parser
from groundwire.surfaces.http.command import settings_of
from groundwire.surfaces.http.openapi import document
from groundwire.surfaces.http.settings import TOKEN_VARIABLE, ServeSettings, check
from groundwire.version import VERSION
from tests.daemon.conftest import home
from tests.surfaces.http.conftest import front
from tests.surfaces.http.front import Front

__all__ = ["front", "home"]

REPOSITORY = Path(__file__).parents[1]
DEPLOY = REPOSITORY / "deploy"
PORT = 8080
USER = 10001


def instructions() -> list[tuple[str, str]]:
    """Of the container file, each with what is behind it; the lines of one are joined."""
    lines = (DEPLOY / "Containerfile").read_text("utf-8").replace("\\\n", " ").splitlines()
    split = [line.partition(" ") for line in lines if line and not line.startswith("#")]
    return [(name, rest.strip()) for name, _, rest in split]


def last(instruction: str) -> str:
    return [rest for name, rest in instructions() if name == instruction][-1]


def manifests() -> dict[str, Any]:
    """Of the orchestrator, by kind."""
    documents = yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text("utf-8"))
    return {each["kind"]: each for each in documents}


def container() -> Any:
    (only,) = manifests()["Deployment"]["spec"]["template"]["spec"]["containers"]
    return only


def unit() -> ConfigParser:
    """Of systemd, whose files are like this as long as no name comes twice; what differs in case only is one name."""
    parsed = ConfigParser(interpolation=None, delimiters=["="])
    parsed.read(DEPLOY / "groundwire.service", "utf-8")
    return parsed


def settings(words: list[str], places: dict[str, Path]) -> ServeSettings:
    """What the command line means, with directories of the test in place of those that it names."""
    for named, place in places.items():
        words = [word.replace(named, str(place)) for word in words]
    assert words[0] == "serve"
    parser, _ = build_parser()
    given = parser.parse_args(words, namespace=Arguments())
    return check(settings_of(given, {TOKEN_VARIABLE: "0123456789abcdef"}, REPOSITORY))


@pytest.fixture
def places(tmp_path: Path) -> dict[str, Path]:
    """The directories that the files name, with a token where they expect one."""
    for name in ("root", "secret", "user/work", "user/.config/groundwire"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("secret/token", "user/.config/groundwire/token"):
        (tmp_path / name).write_text("from-a-file-0123456789\n", "utf-8")
    return {"/work": tmp_path / "root", "/run/secrets/groundwire": tmp_path / "secret"}


def test_the_container_runs_a_command_line_that_we_take(places: dict[str, Path]) -> None:
    entry = json.loads(last("ENTRYPOINT"))
    assert entry[-1] == "groundwire"
    meant = settings(json.loads(last("CMD")), places)
    assert (meant.listen, meant.port, meant.roots) == ("0.0.0.0", PORT, (places["/work"],))
    assert last("EXPOSE") == str(PORT)
    assert last("WORKDIR") == "/work"


def test_the_container_is_nobody_in_particular_and_copies_only_what_there_is() -> None:
    assert last("USER") == f"{USER}:{USER}"
    assert f"--uid {USER}" in last("RUN")
    sources = [rest.split()[:-1] for name, rest in instructions() if name == "COPY" and not rest.startswith("--from")]
    named = [source for each in sources for source in each]
    assert "src" in named
    assert [source for source in named if not (REPOSITORY / source).exists()] == []


def test_the_health_check_of_the_container_says_whether_the_service_is_well(front: Front) -> None:
    command = json.loads(last("HEALTHCHECK").partition("CMD ")[2])
    assert command[0] == "python"
    asked = [sys.executable, *(word.replace(f":{PORT}/", f":{front.port}/") for word in command[1:])]
    assert subprocess.run(asked, timeout=30, check=False).returncode == 0
    front.kill()
    assert subprocess.run(asked, timeout=30, check=False, capture_output=True).returncode != 0


def test_the_pod_runs_a_command_line_that_we_take(places: dict[str, Path]) -> None:
    meant = settings(container()["args"], places)
    assert (meant.listen, meant.port, meant.roots) == ("0.0.0.0", PORT, (places["/work"],))
    assert meant.token == "from-a-file-0123456789"
    name = manifests()["Service"]["metadata"]["name"]
    assert name in meant.allowed_hosts
    assert container()["image"] == f"groundwire:{VERSION}"


def test_the_probes_ask_what_needs_no_token_at_the_port_of_the_service() -> None:
    described = cast("dict[str, dict[str, dict[str, Any]]]", document()["paths"])
    probes = {name: container()[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert {name: probe["path"] for name, probe in probes.items()} == {
        "startupProbe": "/health",
        "livenessProbe": "/health",
        "readinessProbe": "/ready",
    }
    assert all(described[probe["path"]]["get"]["security"] == [] for probe in probes.values())
    assert {probe["port"] for probe in probes.values()} == {"http"}
    assert container()["ports"] == [{"name": "http", "containerPort": PORT}]
    (port,) = manifests()["Service"]["spec"]["ports"]
    assert port["targetPort"] == "http"


def test_the_pod_writes_only_where_it_is_given_room_and_has_no_rights() -> None:
    pod = manifests()["Deployment"]["spec"]["template"]["spec"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] == USER
    assert container()["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert pod["automountServiceAccountToken"] is False
    mounted = {each["name"]: each["mountPath"] for each in container()["volumeMounts"]}
    assert set(mounted) == {each["name"] for each in pod["volumes"]}
    home = next(word for word in last("ENV").split() if word.startswith("HOME=")).removeprefix("HOME=")
    assert {home, "/tmp", "/work"} <= set(mounted.values())


def test_the_service_finds_the_pod() -> None:
    labels = manifests()["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert manifests()["Service"]["spec"]["selector"] == labels
    assert manifests()["Deployment"]["spec"]["selector"]["matchLabels"] == labels
    assert manifests()["Deployment"]["spec"]["replicas"] == 1


@pytest.mark.usefixtures("places")
def test_the_unit_runs_a_command_line_that_we_take(tmp_path: Path) -> None:
    program, *words = shlex.split(unit()["Service"]["ExecStart"])
    assert program == "%h/.local/bin/groundwire"
    meant = settings(words, {"%h": tmp_path / "user"})
    assert meant.roots == (tmp_path / "user/work",)
    assert meant.listen == "127.0.0.1"
    assert meant.token == "from-a-file-0123456789"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not on this machine")
def test_systemd_has_nothing_against_the_unit(tmp_path: Path) -> None:
    program = tmp_path / ".local/bin/groundwire"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n", "utf-8")
    program.chmod(0o755)
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", DEPLOY / "groundwire.service"],
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
