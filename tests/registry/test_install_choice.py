"""What a name means: a server, or a language and then the server that is best for it on this machine."""

from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument
from groundwire.registry.catalog import Catalog, LanguageSpec, load_catalog
from groundwire.registry.install.choice import bundled_program, choose, everything_meant
from groundwire.registry.spec import Managed, ServerSpec
from tests.registry.installers_at_hand import Installers


def server(name: str, method: str = "", *, linter: bool = False) -> ServerSpec:
    managed = {
        "npm": Managed(method="npm", packages=(f"{name}@1",), commands=(name,)),
        "pypi": Managed(method="pypi", packages=(f"{name}==1",), commands=(name,)),
        "gem": Managed(method="gem", packages=(f"{name}@1",), commands=(name,)),
    }
    return ServerSpec(
        id=name,
        languages=("toy",),
        command=(name,),
        role="linter" if linter else "primary",
        managed=managed.get(method),
        verified="",
    )


def catalog(*specs: ServerSpec) -> Catalog:
    language = LanguageSpec(
        extensions=(".ty",),
        servers=tuple(spec.id for spec in specs if spec.role == "primary"),
        linters=tuple(spec.id for spec in specs if spec.role == "linter"),
    )
    return Catalog({"toy": language}, {spec.id: spec for spec in specs})


FULL = catalog(server("first"), server("second", "npm"), server("third", "pypi"), server("lint", "gem", linter=True))


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return Installers(tmp_path).environment


def ids(names: list[str], environment: dict[str, str], *, every: bool = False, among: Catalog = FULL) -> list[str]:
    return [choice.spec.id for choice in choose(names, among, environment, every=every)]


@pytest.mark.parametrize("name", ["toy", "Toy", "ty", ".ty"])
def test_a_language_means_its_first_server_that_is_offered(environment: dict[str, str], name: str) -> None:
    assert ids([name], environment) == ["second"]


def test_where_the_installer_of_the_first_is_missing_the_next_is_taken_and_that_is_said(
    environment: dict[str, str],
) -> None:
    (choice,) = choose(["toy"], FULL, {**environment, "PATH": ""})
    assert choice.spec.id == "third"
    assert choice.note == "for toy, since second needs npm, which is not on the path"


def test_where_every_installer_is_missing_it_is_the_first_that_is_offered(environment: dict[str, str]) -> None:
    among = catalog(server("first"), server("second", "npm"), server("third", "gem"))
    assert ids(["toy"], {**environment, "PATH": ""}, among=among) == ["second"]


def test_where_nothing_is_offered_it_is_the_first_primary(environment: dict[str, str]) -> None:
    among = catalog(server("first"), server("other"), server("lint", "npm", linter=True))
    assert ids(["toy"], environment, among=among) == ["first"]


def test_all_servers_of_a_language_are_those_that_are_offered(environment: dict[str, str]) -> None:
    assert ids(["toy"], environment, every=True) == ["second", "third", "lint"]


def test_a_server_means_itself_offered_or_not_and_each_comes_once(environment: dict[str, str]) -> None:
    assert ids(["first", "toy", "second", "lint"], environment) == ["first", "second", "lint"]


def test_everything_that_has_to_do_with_a_name_can_be_listed() -> None:
    assert everything_meant(["toy"], FULL) == {"first", "second", "third", "lint"}
    assert everything_meant(["lint"], FULL) == {"lint"}
    assert everything_meant([], FULL) == frozenset()


@pytest.mark.parametrize(
    ("name", "hint"),
    [("seconb", "Did you mean second?"), ("qqqq", "`groundwire install --list` shows what there is.")],
)
def test_an_unknown_name_is_refused_with_a_suggestion(environment: dict[str, str], name: str, hint: str) -> None:
    with pytest.raises(InvalidArgument) as raised:
        choose([name], FULL, environment)
    assert (raised.value.message, raised.value.hint) == (f"{name!r} is neither a language nor a server", hint)


def test_a_server_that_groundwire_depends_on_is_bundled_and_its_development_tools_are_not() -> None:
    servers = load_catalog().servers
    bundled = bundled_program(servers["ty"])
    assert bundled is not None
    assert bundled.name == "ty"
    assert [bundled_program(servers[each]) for each in ("basedpyright", "ruff", "pyright", "rust-analyzer")] == [
        None
    ] * 4
