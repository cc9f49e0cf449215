"""Installing: each method into its own directory, and whatever goes wrong leaves what was there before."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from groundwire.errors import GroundwireError, InvalidArgument, ServerUnavailable
from groundwire.registry.install.installing import install, present_installation, remove
from groundwire.registry.install.lock import one_at_a_time
from groundwire.registry.managed import installed, managed_bin_directories, read_receipt
from groundwire.registry.spec import ServerSpec
from groundwire.registry.versions import version_of
from tests.registry.installers_at_hand import PINS, Installers, silent, toy
from tests.transport.children_at_hand import eventually, lives

pytestmark = pytest.mark.anyio

PIP = ["-I", "-m", "pip", "install", "--no-cache-dir", "--disable-pip-version-check", "--no-input"]
NPM_OPTIONS = ["--location=project", "--no-audit", "--no-fund", "--ignore-scripts", "--no-update-notifier"]

GEM_OPTIONS = ["--no-user-install", "--no-document", "toy:1.2.3", "extra:4"]


@pytest.fixture
def installers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installers:
    made = Installers(tmp_path)
    monkeypatch.setattr(sys, "executable", str(made.python))
    return made


def expected_calls(method: str, directory: str) -> list[list[str]]:
    calls = {
        "pypi": [
            ["python", "-I", "-m", "venv", f"{directory}/venv"],
            ["python", *PIP, "--only-binary=:all:", "toy==1.2.3", "extra==4"],
        ],
        "npm": [
            ["npm", "install", "--prefix", directory, *NPM_OPTIONS, "--loglevel=error", "@scope/toy@1.2.3", "extra@4"]
        ],
        "go": [["go", "install", "example.org/toy@v1.2.3"]],
        "cargo": [["cargo", "install", "--locked", "--root", directory, "toy@1.2.3"]],
        "gem": [
            ["gem", "install", "--install-dir", f"{directory}/gems", "--bindir", f"{directory}/gem-bin", *GEM_OPTIONS]
        ],
    }
    return [[directory, *call] for call in calls[method]]


@pytest.mark.parametrize("method", PINS)
async def test_each_method_installs_into_a_directory_of_the_server(installers: Installers, method: str) -> None:
    done = await install(toy(method), installers.environment, silent)
    assert done.is_new
    assert installers.calls() == expected_calls(method, str(done.server.path))
    assert done.server.path.parent == installers.data / "servers" / "toy"
    assert done.server.path.name.startswith("1.2.3-")
    assert installed(installers.environment) == [done.server]
    receipt = read_receipt(done.server.path)
    assert receipt is not None
    assert (receipt.version, receipt.method, receipt.packages) == ("1.2.3", method, PINS[method])


@pytest.mark.parametrize("method", ["pypi", "npm", "gem"])
async def test_only_the_declared_commands_are_found(installers: Installers, method: str) -> None:
    await install(toy(method), installers.environment, silent)
    (place,) = managed_bin_directories(installers.environment)
    assert [path.name for path in place.iterdir()] == ["toy-server"]
    assert version_of(place / "toy-server", (), installers.environment) == "1.2.3"


async def test_the_commands_of_a_gem_look_only_into_their_own_gems(installers: Installers) -> None:
    installers.server_says('#!/bin/sh\n[ "$GEM_HOME" = "$GEM_PATH" ] && [ -n "$GEM_HOME" ] && echo "1.2.3 $1"\n')
    done = await install(toy("gem"), {**installers.environment, "GEM_PATH": "/elsewhere"}, silent)
    assert "gem-bin" in (done.server.path / "bin" / "toy-server").read_text("utf-8")


async def test_variables_that_lead_elsewhere_are_left_out_and_the_others_stay(installers: Installers) -> None:
    variables = {"PIP_TARGET": "/elsewhere", "PIP_USER": "1", "PIP_FIND_LINKS": "/wheels", "HTTPS_PROXY": "proxy"}
    await install(toy("pypi"), {**installers.environment, **variables}, silent)
    seen = installers.seen_environment()
    assert {name: seen.get(name) for name in variables} == {
        "PIP_TARGET": None,
        "PIP_USER": None,
        "PIP_FIND_LINKS": "/wheels",
        "HTTPS_PROXY": "proxy",
    }


async def test_what_has_no_wheel_is_built_from_source(installers: Installers) -> None:
    (installers.base / "no-wheel").touch()
    steps: list[str] = []
    await install(toy("pypi"), installers.environment, lambda doing, _: steps.append(doing))
    assert [call[2:] for call in installers.calls()][-1] == [*PIP, "--prefer-binary", "toy==1.2.3", "extra==4"]
    assert "building from source, since there is no wheel of every part" in steps


async def test_what_is_there_already_is_left_alone_and_needs_no_installer(installers: Installers) -> None:
    first = await install(toy(), installers.environment, silent)
    again = await install(toy(), {**installers.environment, "PATH": ""}, silent)
    assert (again.server, again.is_new) == (first.server, False)
    assert len(installers.calls()) == 1


async def test_a_new_pin_takes_the_place_of_the_old_one_which_stays_for_those_that_run_it(
    installers: Installers,
) -> None:
    paths = [
        (await install(toy(packages=(f"toy@{version}",)), installers.environment, silent)).server.path
        for version in ("1.0", "2.0", "3.0")
    ]
    assert [each.version for each in installed(installers.environment)] == ["3.0"]
    assert [path.exists() for path in paths] == [False, True, True]


async def test_an_installation_that_lost_its_command_is_made_anew_beside_it(installers: Installers) -> None:
    first = await install(toy(), installers.environment, silent)
    (first.server.path / "bin" / "toy-server").unlink()
    assert present_installation(toy(), installers.environment) is None
    second = await install(toy(), installers.environment, silent)
    assert (second.is_new, second.server.path.name) == (True, first.server.path.name + ".2")
    assert present_installation(toy(), installers.environment) == second.server


async def failure_of(spec: ServerSpec, environment: dict[str, str]) -> ServerUnavailable:
    with pytest.raises(ServerUnavailable) as raised:
        await install(spec, environment, silent)
    return raised.value


async def test_a_failure_shows_the_last_lines_and_leaves_nothing(installers: Installers) -> None:
    installers.mode("fail")
    error = await failure_of(toy(), installers.environment)
    assert error.message.startswith("toy: `npm install --prefix ")
    assert error.message.endswith("exited with code 3\n    line one\n    no such package")
    assert error.hint == "By hand: `brew install toy` or `apt install toy`."
    assert installers.left() == []
    assert not (installers.data / "servers" / "toy").exists()


async def test_after_a_failure_the_version_before_goes_on(installers: Installers) -> None:
    old = await install(toy(packages=("toy@1.0",)), installers.environment, silent)
    installers.mode("fail")
    await failure_of(toy(packages=("toy@2.0",)), installers.environment)
    assert installed(installers.environment) == [old.server]
    assert installers.left() == [f"toy/{old.server.path.name}", "toy/current"]


@pytest.mark.parametrize("says", ["#!/bin/sh\necho cannot find libtoy >&2; exit 127\n", "#!/no/such/interpreter\n"])
async def test_a_server_that_does_not_run_is_not_installed(installers: Installers, says: str) -> None:
    installers.server_says(says)
    error = await failure_of(toy(), installers.environment)
    assert "libtoy" in error.message or "interpreter" in error.message
    assert installers.left() == []


async def test_a_server_that_cannot_be_asked_counts_when_it_is_there(installers: Installers) -> None:
    installers.server_says("#!/bin/sh\nexit 1\n")
    assert (await install(toy(version_command=()), installers.environment, silent)).is_new


async def test_packages_without_the_command_are_a_failure(installers: Installers) -> None:
    installers.mode("empty")
    error = await failure_of(toy(), installers.environment)
    assert error.message == "toy: the packages hold no command 'toy-server'"
    assert installers.left() == []


@pytest.mark.parametrize(
    ("method", "brought_by"), [("npm", "Node.js"), ("go", "Go"), ("cargo", "Rust"), ("gem", "Ruby")]
)
async def test_a_missing_installer_is_told_with_what_brings_it(
    installers: Installers, method: str, brought_by: str
) -> None:
    error = await failure_of(toy(method), {**installers.environment, "PATH": f"relative{os.pathsep}/nowhere"})
    assert error.message == f"toy is installed with {method}, which is not on the path"
    assert error.hint.startswith(f"Install {brought_by}, which brings {method}, and try again. By hand: `brew")
    assert not installers.data.exists()


async def test_a_server_that_is_not_offered_is_told_with_the_commands_for_a_person(installers: Installers) -> None:
    spec = ServerSpec(id="x", languages=(), command=("x",), install={"rustup": "rustup add x"}, verified="")
    error = await failure_of(spec, installers.environment)
    assert error.message == "groundwire cannot install x by itself"
    assert error.hint == "By hand: `rustup add x`."


async def test_a_directory_that_cannot_be_made_is_a_typed_error(installers: Installers) -> None:
    (installers.base / "file").touch()
    environment = {**installers.environment, "GROUNDWIRE_DATA_DIR": str(installers.base / "file" / "data")}
    error = await failure_of(toy(), environment)
    assert "toy: " in error.message


async def test_an_interrupted_installation_leaves_nothing_and_nobody(installers: Installers) -> None:
    old = await install(toy(packages=("toy@1.0",)), installers.environment, silent)
    installers.mode("hang")
    task = asyncio.create_task(install(toy(packages=("toy@2.0",)), installers.environment, silent))
    assert await eventually(lambda: bool(installers.hanging()))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not any(lives(pid) for pid in installers.hanging())
    assert installers.left() == [f"toy/{old.server.path.name}", "toy/current"]
    assert installed(installers.environment) == [old.server]


async def test_two_installations_of_the_same_server_at_once_are_one(installers: Installers) -> None:
    said: list[str] = []
    both = await asyncio.gather(
        *(install(toy(), installers.environment, lambda doing, _: said.append(doing)) for _ in range(2))
    )
    assert sorted(each.is_new for each in both) == [False, True]
    assert len(installers.calls()) == 1
    assert "waiting for another groundwire that installs" in said


async def test_a_lock_that_is_never_released_is_a_typed_error(tmp_path: Path) -> None:
    waited: list[bool] = []
    async with one_at_a_time(tmp_path, lambda: waited.append(True)):
        with pytest.raises(ServerUnavailable, match="another groundwire"):
            async with one_at_a_time(tmp_path, lambda: waited.append(True), seconds=0.01):
                pytest.fail("the lock was given twice")
    async with one_at_a_time(tmp_path, lambda: waited.append(True)):
        assert waited == [True]


async def test_what_was_left_by_an_end_without_warning_is_swept_by_the_next(installers: Installers) -> None:
    servers = installers.data / "servers"
    for rubbish in ("toy/9.9-dead/venv", "toy/.pointer-x", ".removed-x/toy"):
        (servers / rubbish).mkdir(parents=True)
    assert installed(installers.environment) == []
    done = await install(toy(), installers.environment, silent)
    assert installers.left() == [f"toy/{done.server.path.name}", "toy/current"]
    assert [path.name for path in servers.iterdir()] == ["toy"]


async def test_removing_deletes_the_directory_of_that_server_and_nothing_else(installers: Installers) -> None:
    await install(toy(), installers.environment, silent)
    other = installers.data / "servers" / "other" / "file"
    other.parent.mkdir()
    other.touch()
    assert await remove("toy", installers.environment, silent) == installers.data / "servers" / "toy"
    assert installers.left() == ["other/file"]
    assert [path.name for path in (installers.data / "servers").iterdir()] == ["other"]


@pytest.mark.parametrize("name", ["toy", "..", "../..", "/", "", "a/b"])
async def test_removing_what_is_not_there_or_not_ours_is_refused_and_touches_nothing(
    installers: Installers, name: str
) -> None:
    with pytest.raises(InvalidArgument):
        await remove(name, installers.environment, silent)
    assert not installers.data.exists()


async def test_a_link_in_the_place_of_a_server_is_not_followed(installers: Installers) -> None:
    precious = installers.base / "precious"
    precious.mkdir()
    (installers.data / "servers").mkdir(parents=True)
    (installers.data / "servers" / "toy").symlink_to(precious)
    for attempt in (remove("toy", installers.environment, silent), install(toy(), installers.environment, silent)):
        with pytest.raises(GroundwireError, match="leads out of"):
            await attempt
    assert precious.is_dir()
