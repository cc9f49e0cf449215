"""The files of the page: who gets them, with which headers, and what they never contain."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

import groundwire.surfaces.http
from groundwire.surfaces.http.page_routes import is_page, routes
from groundwire.surfaces.http.settings import ServeSettings

FILES = sorted(Path(groundwire.surfaces.http.__file__).with_name("page").iterdir())
SCRIPTS = [each for each in FILES if each.suffix == ".js"]
SETTINGS = ServeSettings(roots=(Path("/"),), token="0123456789abcdef")
FORBIDDEN = (
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|localStorage|cookie|EventSource"
)


def page(*, is_open: bool = False) -> TestClient:
    return TestClient(Starlette(routes=routes(replace(SETTINGS, is_open=is_open))))


def test_the_page_may_load_and_ask_only_its_own_service() -> None:
    answer = page().get("/")
    policy = answer.headers["content-security-policy"]
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


def test_every_file_has_its_type_and_is_for_everybody() -> None:
    client = page()
    for file in FILES:
        path = "/" if file.name == "index.html" else f"/page/{file.name}"
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.content == file.read_bytes()
        assert is_page(path)
        assert {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}[file.suffix] in str(answer.headers)


@pytest.mark.parametrize(
    "path", ["/page/", "/page/index.html", "/page/../settings.py", "/page/%2e%2e/settings.py", "/page/x.js"]
)
def test_nothing_else_is_served(path: str) -> None:
    assert page().get(path).status_code == 404
    assert not is_page(path)


def test_the_page_of_a_service_without_token_is_told_so() -> None:
    assert 'data-access="token"' in page().get("/").text
    assert 'data-access="open"' in page(is_open=True).get("/").text


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda file: file.name)
def test_no_script_can_turn_text_into_markup_or_keep_the_token_beyond_the_tab(script: Path) -> None:
    words = "\n".join(line.partition("//")[0] for line in script.read_text("utf-8").splitlines())
    assert not re.search(FORBIDDEN, words)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_file_names_another_place(file: Path) -> None:
    addresses = re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s'\"]*", file.read_text("utf-8"))
    assert set(addresses) <= {"http://www.w3.org/2000/svg"}


def test_nothing_is_written_into_the_markup_that_the_policy_would_refuse() -> None:
    markup = FILES[[each.name for each in FILES].index("index.html")].read_text("utf-8")
    assert not re.search(r"\sstyle=|\son\w+=|<style|<script(?![^>]*\ssrc=)", markup)


def test_every_route_of_the_page_is_a_plain_get() -> None:
    assert all(isinstance(each, Route) and each.methods == {"GET", "HEAD"} for each in routes(SETTINGS))
