"""The tools of a language are asked so that nothing of the project runs, and only programs that may be run."""

import asyncio
import os
import venv
from pathlib import Path

import pytest

from groundwire.operations.navigation.toolchain_docs import ToolchainDoc, toolchain_doc
from groundwire.operations.operation import Call
from groundwire.pool.pool import Pool
from groundwire.pool.settings import PoolSettings

pytestmark = pytest.mark.anyio

EVIL = "from pathlib import Path\nPath(__file__).with_name('ran').touch()\ndef f(): 'Evil.'\n"
FAKE_GO = """#!/bin/sh
echo "$PWD|$GOTOOLCHAIN|$GOPROXY|$GOVCS|$*" >> "{log}"
case "$*" in
  *Known*) printf 'package x // import "x"\\n\\nfunc Known()\\n    It is \\033[1mknown\\033[0m.\\n';;
  *) exit 1;;
esac
"""


async def asked(
    root: Path, language: str, symbol: str, file: Path | None = None, settings: PoolSettings | None = None
) -> ToolchainDoc:
    async with Pool(root, settings=settings) as pool:
        call = Call(pool, asyncio.get_running_loop().time() + 30)
        return await toolchain_doc(call, language, symbol, file)


def files_like(root: Path, pattern: str) -> list[Path]:
    return list(root.rglob(pattern))


def fake_go(directory: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A go that writes down how it was called."""
    directory.mkdir()
    log = directory / "log"
    (directory / "go").write_text(FAKE_GO.replace("{log}", str(log)), "utf-8")
    (directory / "go").chmod(0o755)
    monkeypatch.setenv("PATH", f"{directory}{os.pathsep}{os.environ['PATH']}")
    return log


async def test_pydoc_knows_the_standard_library(tmp_path: Path):
    found = await asked(tmp_path, "python", "json.dumps")
    assert found.signature.startswith("dumps(obj, ")
    assert found.doc.startswith("function dumps in json\n\nSerialize ``obj``")


async def test_pydoc_knows_what_is_built_in(tmp_path: Path):
    assert (await asked(tmp_path, "python", "len")).signature.startswith("len(obj")


@pytest.mark.parametrize("name", ["nothing.of_that_name", "json.dumpz", "-h", "json; import os", "__main__", "a" * 400])
async def test_what_pydoc_does_not_know_is_not_known_without_a_doubt(tmp_path: Path, name: str):
    assert await asked(tmp_path, "python", name) == ToolchainDoc()


@pytest.mark.parametrize("name", ["antigravity", "this", "json.__main__", "json.tool.__main__"])
async def test_modules_that_act_when_they_are_imported_are_not_asked_about(tmp_path: Path, name: str):
    assert not (await asked(tmp_path, "python", name)).is_known


async def test_a_module_of_the_project_is_never_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "inner").mkdir()
    for file in (tmp_path / "evil.py", tmp_path / "json.py", tmp_path / "inner/evil2.py"):
        file.write_text(EVIL, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{tmp_path / 'inner'}")
    for name in ("evil.f", "evil", "evil2.f", "json.f", "json.dumps"):
        assert not (await asked(tmp_path, "python", name)).is_known
    assert not files_like(tmp_path, "ran")


async def test_an_editable_install_or_a_link_does_not_lead_to_the_project(tmp_path: Path):
    root = tmp_path / "project"
    (root / "code").mkdir(parents=True)
    (root / "code/evil.py").write_text(EVIL, "utf-8")
    (root / "code/evil3.py").write_text(EVIL, "utf-8")
    venv.create(root / ".venv", symlinks=True)
    (packages,) = (root / ".venv").glob("lib/python*/site-packages")
    (packages / "own.pth").write_text(f"{root / 'code'}\nimport evil\n", "utf-8")
    (packages / "evil3.py").symlink_to(root / "code/evil3.py")
    (packages / "good.py").write_text("def f():\n    '''Good.'''\n", "utf-8")
    for name in ("evil.f", "evil3.f", "evil3"):
        assert not (await asked(root, "python", name)).is_known
    assert (await asked(root, "python", "good.f")).doc == "function f in good\n\nGood."
    assert not files_like(tmp_path, "ran")
    assert not files_like(packages, "*.pyc")


async def test_the_projects_interpreter_is_not_run_where_it_may_not_be(tmp_path: Path):
    scripts = tmp_path / ".venv/bin"
    scripts.mkdir(parents=True)
    (scripts / "python").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n", "utf-8")
    (scripts / "python").chmod(0o755)
    refused = PoolSettings(program_gate=lambda program: "no" if program.is_relative_to(tmp_path) else "")
    assert (await asked(tmp_path, "python", "json.dumps", settings=refused)).is_known
    assert not (tmp_path / "ran").exists()


async def test_go_is_asked_about_the_package_of_the_file_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    log = fake_go(tmp_path / "bin", monkeypatch)
    (tmp_path / "pkg").mkdir()
    found = await asked(tmp_path, "go", "(*T).Known", tmp_path / "pkg/a.go")
    assert found == ToolchainDoc("func Known()", 'package x // import "x"\n\nIt is known.')
    assert log.read_text().splitlines() == [f"{tmp_path / 'pkg'}|local|off|*:off|doc -c -u . T.Known"]


async def test_what_is_not_in_the_package_may_be_qualified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    log = fake_go(tmp_path / "bin", monkeypatch)
    assert await asked(tmp_path, "go", "fmt.Nothing") == ToolchainDoc()
    assert [line.rpartition("|")[2] for line in log.read_text().splitlines()] == [
        "doc -c -u . fmt.Nothing",
        "doc -c fmt.Nothing",
    ]


@pytest.mark.parametrize("name", ["-http=:80", "a b", "$(touch x)", ""])
async def test_what_is_no_name_is_not_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str):
    log = fake_go(tmp_path / "bin", monkeypatch)
    assert await asked(tmp_path, "go", name) == ToolchainDoc()
    assert not log.exists()


async def test_a_go_of_a_project_that_is_not_trusted_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    log = fake_go(tmp_path / "bin", monkeypatch)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    refused = PoolSettings(program_gate=lambda program: "no")
    found = await asked(tmp_path, "go", "Known", settings=refused)
    assert (found.is_known, found.doubt) == (False, "there is no go that may be run")
    assert not log.exists()


async def test_without_any_python_on_the_path_our_own_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    assert (await asked(tmp_path, "python", "json.dumps")).is_known
