"""A project without an environment of its own imports what the Python on the path has, not what groundwire brought."""

import sys
from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(sys.platform == "win32", reason="programs without an ending")]

OURS, THEIRS = "import pydantic\n", "import only_there\n"
WAIT_S = 60.0


def pyenv(home: Path) -> Path:
    """One version of Python with one package, run by a stand-in; ty alone does not find out which."""
    package = home / "versions/3.11.9/lib/python3.11/site-packages/only_there"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (home / "version").write_text("3.11.9\n", "utf-8")
    for python in (home / "shims/python3", home / "versions/3.11.9/bin/python"):
        python.parent.mkdir()
        python.write_text("#!/bin/sh\nexit 1\n", "utf-8")
        python.chmod(0o755)
    return package.parent


async def test_ty_looks_where_the_python_on_the_path_does_and_notices_what_is_installed_there(tmp_path: Path) -> None:
    root, packages = tmp_path / "project", pyenv(tmp_path / "pyenv")
    root.mkdir()
    (root / "a.py").write_text(OURS + THEIRS, "utf-8")
    environment = {"PATH": f"{tmp_path}/pyenv/shims:/usr/bin:/bin", "HOME": str(tmp_path)}  # where no other ty is found

    async def unresolved(pool: Pool) -> list[int]:
        found = await check_files(pool, [root / "a.py"], wait_s=WAIT_S)
        assert found.status is Status.CONFIRMED, found.reason
        return [each.line for each in found.value[0].diagnostics]

    async with Pool(root, only=frozenset({"ty"}), environment=environment) as pool:
        assert await unresolved(pool) == [1]
        (packages / "pydantic.py").touch()
        assert await unresolved(pool) == []
        (tmp_path / "pyenv/versions/3.12.1/lib/python3.12/site-packages").mkdir(parents=True)
        (tmp_path / "pyenv/versions/3.12.1/bin").mkdir()
        (tmp_path / "pyenv/versions/3.12.1/bin/python").touch(0o755)
        (root / ".python-version").write_text("3.12.1\n", "utf-8")  # which has none of them
        assert await unresolved(pool) == [1, 2]
