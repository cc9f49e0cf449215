"""URIs: every path comes back, every spelling of one file has one key."""

import os
import string
import time
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from groundwire import errors
from groundwire.protocol.uris import is_file_uri, path_to_uri, uri_key, uri_to_path

# Any byte may be in a POSIX name; those that are no UTF-8 are surrogates in a str.
escaped_bytes = st.characters(min_codepoint=0xDC80, max_codepoint=0xDCFF, categories=["Cs"])
any_character = st.one_of(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), st.sampled_from("/%#?: \\äß😀"), escaped_bytes
)
posix_paths = st.text(any_character, max_size=30).map(lambda rest: "/" + rest)
names = st.text(st.characters(exclude_characters='\0/\\:*?"<>|', exclude_categories=["Cs"]), min_size=1, max_size=8)
drives = st.sampled_from([f"{letter}:\\" for letter in string.ascii_letters])
windows_paths = st.tuples(drives, st.lists(names, max_size=4).map("\\".join)).map("".join)


@given(posix_paths)
def test_any_posix_path_comes_back_byte_for_byte(path: str):
    # Adjacent escaped bytes may happen to form a character; as bytes, which is what the system sees, they are the same.
    there_and_back = uri_to_path(path_to_uri(path))
    assert there_and_back.encode("utf-8", "surrogateescape") == path.encode("utf-8", "surrogateescape")


@given(posix_paths)
def test_a_uri_is_plain_ascii_and_agrees_with_the_standard_library(path: str):
    assume(not path.startswith("//"))
    uri = path_to_uri(path)
    assert uri.isascii()
    assert uri == "file://" + quote(path, errors="surrogateescape")
    assert unquote(urlsplit(uri).path, errors="surrogateescape") == uri_to_path(uri)


@pytest.mark.skipif(os.name != "posix", reason="pathlib makes the URIs of the system it runs on")
@pytest.mark.parametrize("path", ["/", "/a/b.py", "/a b/ä.py", "/a:b/c#d?e%20.py", "/日本/😀"])
def test_a_posix_uri_is_the_one_pathlib_makes(path: str):
    assert path_to_uri(path) == Path(path).as_uri()


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("C:\\", "file:///C:/"),
        ("c:\\a b\\ä.py", "file:///c:/a%20b/%C3%A4.py"),
        ("C:\\x#y\\100%.py", "file:///C:/x%23y/100%25.py"),
        ("\\\\server\\share\\a b.py", "file://server/share/a%20b.py"),
    ],
)
def test_a_windows_path_keeps_its_drive_readable_and_comes_back(path: str, uri: str):
    assert path_to_uri(path, windows=True) == uri
    assert uri_to_path(uri, windows=True) == path


@given(windows_paths)
def test_any_windows_path_comes_back(path: str):
    assert uri_to_path(path_to_uri(path, windows=True), windows=True) == path


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("\\\\?\\C:\\a", "file:///C:/a"),
        ("\\\\?\\UNC\\server\\share\\a", "file://server/share/a"),
        ("C:/a/b", "file:///C:/a/b"),
        ("\\\\wsl$\\Debian", "file://wsl%24/Debian"),
    ],
)
def test_windows_spellings_are_understood(path: str, uri: str):
    assert path_to_uri(path, windows=True) == uri


def test_a_lone_surrogate_in_a_windows_name_comes_back():
    path = "C:\\\ud800.py"
    assert uri_to_path(path_to_uri(path, windows=True), windows=True) == path


@pytest.mark.parametrize(("path", "windows"), [("a/b", False), ("", False), ("a", True), ("C:a", True)])
def test_a_relative_path_has_no_uri(path: str, windows: bool):
    with pytest.raises(errors.InvalidArgument, match="absolute"):
        path_to_uri(path, windows=windows)


def test_a_name_no_system_could_have_is_refused():
    with pytest.raises(errors.InvalidArgument):
        path_to_uri("/\ud800")


@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "jdt://contents/a", "/a", "", "file://server/share/a", "file:///a%00b", "file:a"]
)
def test_a_uri_that_names_no_local_file_is_refused(uri: str):
    with pytest.raises(errors.InvalidArgument):
        uri_to_path(uri)


@pytest.mark.parametrize(
    "uri",
    [
        "file:///a%20b/c.py",
        "file:///a b/c.py",
        "FILE:///a%20b/c.py",
        "file:/a b/c.py",
        "file://localhost/a%20b/c.py#L3",
    ],
)
def test_every_spelling_leads_to_the_path(uri: str):
    assert uri_to_path(uri) == "/a b/c.py"


@pytest.mark.parametrize("uri", ["file:///c%3A/x/y", "file:///c:/x/y", "file://c:/x/y", "file:/c:/x/y"])
def test_every_spelling_leads_to_the_windows_path(uri: str):
    assert uri_to_path(uri, windows=True) == "c:\\x\\y"


@pytest.mark.parametrize(
    "spellings",
    [
        ["file:///c%3A/x", "file:///C:/x", "file:///C%3a/x", "file:///c:/x/", "file://C:/x", "file:/c:/x"],
        ["file:///a b", "file:///a%20b", "file://localhost/a%20b", "file:///a%20b/", "File:///%61 b", "file:///a b#L1"],
        ["file:///%C3%A4", "file:///%c3%a4", "file:///ä"],
        ["file://Server/share/x", "file://server/share/x", "file://SERVER/share/%78"],
        ["file:///", "file://localhost/", "file:/"],
        ["file:///100%.py", "file:///100%25.py"],
        ["file:///a%2Bb(c)@d~e", "file:///a+b%28c%29%40d%7Ee"],
    ],
)
def test_the_spellings_of_one_file_have_one_key(spellings: list[str]):
    assert len({uri_key(uri) for uri in spellings}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("file:///a/b", "file:///a/B"),
        ("file:///a", "file://a/"),
        ("file:///a%2520b", "file:///a%20b"),
        ("file:///c:/x", "file:///d:/x"),
        ("file:///%FF", "file:///%FE"),
        ("untitled:a%20b", "untitled:a b"),
    ],
)
def test_different_files_have_different_keys(one: str, other: str):
    assert uri_key(one) != uri_key(other)


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "jdt://contents/rt.jar/%3C?=x/", "", "git:/a%3Ab"])
def test_other_schemes_are_left_alone(uri: str):
    assert uri_key(uri) == uri
    assert not is_file_uri(uri)


@given(st.one_of(posix_paths.map(path_to_uri), st.text(any_character, max_size=20).map(lambda rest: "file://" + rest)))
def test_the_key_of_a_key_is_itself(uri: str):
    assert uri_key(uri_key(uri)) == uri_key(uri)


@given(posix_paths, posix_paths)
def test_keys_are_equal_exactly_for_equal_paths(one: str, other: str):
    assume(":" not in one + other)
    same = (one.rstrip("/") or "/").encode("utf-8", "surrogateescape") == (other.rstrip("/") or "/").encode(
        "utf-8", "surrogateescape"
    )
    assert (uri_key(path_to_uri(one)) == uri_key(path_to_uri(other))) == same


@given(posix_paths)
def test_escaping_more_or_otherwise_does_not_change_the_key(path: str):
    everything = "".join(f"%{byte:02x}" if byte != 0x2F else "/" for byte in path.encode("utf-8", "surrogateescape"))
    assert uri_key(f"file://{everything}") == uri_key(path_to_uri(path))


def test_a_known_uri_costs_next_to_nothing():
    uris = [f"file:///c%3A/src/module%20{number}.py" for number in range(1000)]
    keys = [uri_key(uri) for uri in uris]
    begin = time.process_time()
    for _ in range(20):
        assert [uri_key(uri) for uri in uris] == keys
    assert time.process_time() - begin < 0.5
