"""How a front may be run, and how the command line says so."""

import os
from pathlib import Path

import pytest

from groundwire.errors import FileNotFound, InvalidArgument
from groundwire.surfaces.cli.arguments import Arguments, build_parser
from groundwire.surfaces.http.command import settings_of
from groundwire.surfaces.http.settings import ServeSettings, check

TOKEN = "0123456789abcdef"


def asked(*words: str, here: Path, **environment: str) -> ServeSettings:
    parser, _ = build_parser()
    return settings_of(parser.parse_args(["serve", *words], namespace=Arguments()), environment, here)


def test_without_words_it_listens_on_loopback_in_the_workspace_round_us(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "below").mkdir()
    settings = asked(here=tmp_path / "below")
    assert (settings.listen, settings.port, settings.roots) == ("127.0.0.1", 8080, (tmp_path,))
    assert (settings.profile, settings.output, settings.is_open, settings.is_stateless) == (
        "core",
        "text",
        False,
        False,
    )


def test_every_word_of_the_command_line_is_heard(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    words = "--port 0 --listen ::1 --no-auth --stateless --root a --root b --profile full --output json"
    settings = asked(*words.split(), "--allowed-host", "one", "--allowed-host", "two:81", here=tmp_path)
    assert (settings.port, settings.listen, settings.is_open, settings.is_stateless) == (0, "::1", True, True)
    assert settings.roots == (tmp_path / "a", tmp_path / "b")
    assert (settings.profile, settings.output, settings.allowed_hosts) == ("full", "json", ("one", "two:81"))
    assert check(settings) is settings


def test_a_root_whose_name_is_no_text_is_refused(tmp_path: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/odd\xff"))
    odd.mkdir()
    with pytest.raises(InvalidArgument, match="not UTF-8"):
        asked("--root", str(odd), here=tmp_path)


def test_a_root_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFound):
        asked("--root", "nowhere", here=tmp_path)


def test_the_token_comes_from_the_environment_and_is_handed_on_to_nobody(tmp_path: Path) -> None:
    settings = asked(here=tmp_path, GROUNDWIRE_TOKEN=TOKEN, PATH="/bin")
    assert settings.token == TOKEN
    assert settings.environment == {"PATH": "/bin"}
    assert TOKEN not in repr(settings)


def test_the_command_line_counts_before_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}-of-the-file\n")
    assert asked("--token", f"{TOKEN}-said", here=tmp_path, GROUNDWIRE_TOKEN=TOKEN).token == f"{TOKEN}-said"
    assert asked("--token-file", str(file), here=tmp_path, GROUNDWIRE_TOKEN=TOKEN).token == f"{TOKEN}-of-the-file"


@pytest.mark.parametrize("content", [None, b"", b" \n", b"x" * 5000])
def test_a_token_file_that_holds_no_token_is_refused(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "token").write_bytes(content)
    with pytest.raises(InvalidArgument, match="token file"):
        asked("--token-file", str(tmp_path / "token"), here=tmp_path)


def test_two_places_for_a_token_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="exclude each other"):
        asked("--token", TOKEN, "--token-file", "any", here=tmp_path)


def test_without_a_token_it_is_refused_with_a_way_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="a token is needed") as caught:
        check(asked(here=tmp_path))
    assert "secrets.token_urlsafe" in caught.value.hint
    assert "--no-auth" in caught.value.hint


def test_without_a_token_where_others_reach_it_no_way_round_is_offered(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument) as caught:
        check(asked("--listen", "0.0.0.0", here=tmp_path))
    assert "--no-auth" not in caught.value.hint


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.0.2.1", "2001:db8::1"])
def test_without_authentication_it_listens_on_loopback_only(tmp_path: Path, address: str) -> None:
    with pytest.raises(InvalidArgument, match="loopback"):
        check(asked("--no-auth", "--listen", address, here=tmp_path))
    with pytest.raises(InvalidArgument, match="loopback"):
        check(asked("--no-auth", "--listen", address, "--token", TOKEN, here=tmp_path))


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_on_loopback_it_may_be_open(tmp_path: Path, address: str) -> None:
    assert check(asked("--no-auth", "--listen", address, here=tmp_path)).is_open


@pytest.mark.parametrize("token", ["short", "x" * 15])
def test_a_short_token_is_refused_with_a_way_to_make_a_long_one(tmp_path: Path, token: str) -> None:
    with pytest.raises(InvalidArgument, match="16 characters") as caught:
        check(asked("--token", token, here=tmp_path))
    assert "secrets.token_urlsafe" in caught.value.hint
    assert token not in str(caught.value) + caught.value.hint


@pytest.mark.parametrize("token", [f"{TOKEN} {TOKEN}", f"{TOKEN}é", f"{TOKEN}\n"])
def test_a_token_that_no_header_carries_is_refused(tmp_path: Path, token: str) -> None:
    with pytest.raises(InvalidArgument, match="visible ASCII"):
        check(asked("--token", token, here=tmp_path))


@pytest.mark.parametrize(
    "words", [("--listen", "example.org"), ("--listen", ""), ("--port", "65536"), ("--port", "-1")]
)
def test_what_cannot_be_listened_on_is_refused(tmp_path: Path, words: tuple[str, str]) -> None:
    with pytest.raises(InvalidArgument):
        check(asked("--token", TOKEN, "=".join(words), here=tmp_path))
