"""Where the packages lie that a server reads."""

import os
from pathlib import Path

from groundwire.registry.package_places import package_places


def make(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()


def places(root: Path, environment: dict[str, str] | None = None) -> set[str]:
    return {os.path.relpath(place, root) for place in package_places(["python"], root, root, environment or {})}


def test_those_of_the_projects_environment_are_its_own_and_no_others(tmp_path: Path) -> None:
    make(tmp_path, ".venv/bin/python", ".venv/pyvenv.cfg", ".venv/lib/python3.12/site-packages/six.py")
    found = places(tmp_path, {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home")})
    assert found == {".venv/bin/python", ".venv/pyvenv.cfg", ".venv/lib/python3.12/site-packages"}


def test_an_environment_that_would_come_first_is_looked_for(tmp_path: Path) -> None:
    make(tmp_path, "venv/bin/python", "venv/lib/python3.12/site-packages/six.py")
    assert {".venv/bin/python", "venv/bin/python", "venv/lib/python3.12/site-packages"} <= places(tmp_path)


def test_an_environment_that_sees_the_systems_packages_has_those_too(tmp_path: Path) -> None:
    make(tmp_path, "usr/bin/python3", "usr/lib/python3/dist-packages/six.py", ".venv/bin/x")
    (tmp_path / ".venv/bin/python").symlink_to(tmp_path / "usr/bin/python3")
    (tmp_path / ".venv/pyvenv.cfg").write_text("include-system-site-packages = true\n")
    assert "usr/lib/python3/dist-packages" in places(tmp_path)


def test_without_an_environment_they_are_those_of_the_python_on_the_path_and_the_users_own(tmp_path: Path) -> None:
    make(tmp_path, "usr/bin/python3", "usr/lib/python3.11/site-packages/six.py")
    make(tmp_path, "home/.local/lib/python3.11/site-packages/six.py")
    (tmp_path / "usr/bin/python3").chmod(0o755)
    found = places(tmp_path, {"PATH": str(tmp_path / "usr/bin"), "HOME": str(tmp_path / "home")})
    assert "usr/lib/python3.11/site-packages" in found
    assert {"home/.local/lib", "home/.local/lib/python3.11/site-packages"} <= found
    assert ".venv/bin/python" in found


def test_node_finds_them_at_the_root_above_it_and_in_packages_below(tmp_path: Path) -> None:
    make(tmp_path, "node_modules/.package-lock.json", "app/node_modules/six/index.js")
    found = package_places(["node"], tmp_path / "app", tmp_path, {}, [str(tmp_path / "app/sub")])
    wanted = ["app/node_modules", "node_modules", "node_modules/.package-lock.json", "app/sub/node_modules"]
    assert [place for place in found if place.startswith(str(tmp_path))] == [str(tmp_path / name) for name in wanted]
