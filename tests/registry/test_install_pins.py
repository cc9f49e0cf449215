"""Pins: a name and a version, or a refusal; and every pin of the catalogue is one."""

import pytest

from groundwire.errors import InvalidArgument
from groundwire.registry.catalog import load_catalog
from groundwire.registry.install.pins import fingerprint, pin_of, version_of_pin
from groundwire.registry.spec import Managed


@pytest.mark.parametrize(
    ("package", "expected"),
    [
        ("ruff==0.17.4", ("ruff", "0.17.4")),
        ("python-lsp-server[all]==1.13.0", ("python-lsp-server[all]", "1.13.0")),
        ("pyright@1.1.414", ("pyright", "1.1.414")),
        ("@vue/language-server@3.0.0-beta.1", ("@vue/language-server", "3.0.0-beta.1")),
        ("golang.org/x/tools/gopls@v0.23.0", ("golang.org/x/tools/gopls", "v0.23.0")),
        ("solargraph:0.50.0", ("solargraph", "0.50.0")),
    ],
)
def test_a_pin_is_a_name_and_a_version(package: str, expected: tuple[str, str]) -> None:
    assert pin_of(package) == expected


@pytest.mark.parametrize("package", ["", "ruff", "@vue/language-server", "ruff==", "ruff>=1", "a@../b", "--global@1"])
def test_what_is_not_pinned_is_refused(package: str) -> None:
    with pytest.raises(InvalidArgument, match="not pinned"):
        pin_of(package)


def test_the_version_of_a_server_is_that_of_its_first_package_without_the_v_of_go() -> None:
    managed = Managed(method="go", packages=("example.org/a@v1.2.3", "example.org/b@v4.0.0"), commands=("a",))
    assert version_of_pin(managed) == "1.2.3"


def test_the_fingerprint_differs_with_every_part() -> None:
    base = Managed(method="npm", packages=("a@1",), commands=("a",))
    others = [
        Managed(method="pypi", packages=("a@1",), commands=("a",)),
        Managed(method="npm", packages=("a@1", "b@1"), commands=("a",)),
        Managed(method="npm", packages=("a@1",), commands=("a", "b")),
    ]
    assert len({fingerprint(each) for each in (base, *others)}) == 4
    assert fingerprint(base) == fingerprint(Managed(method="npm", packages=("a@1",), commands=("a",)))


def test_every_package_of_the_catalogue_is_pinned_and_brings_the_command_of_its_server() -> None:
    offered = [spec for spec in load_catalog().servers.values() if spec.managed]
    assert offered
    for spec in offered:
        assert spec.managed is not None
        assert all(pin_of(package) for package in spec.managed.packages), spec.id
        assert spec.managed.commands[0] == spec.command[0], spec.id
