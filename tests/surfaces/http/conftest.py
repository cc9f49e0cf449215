"""A front for each test that asks for one. Whatever it started has ended when the test has, or the test fails."""

from collections.abc import Generator

import pytest

from tests.daemon.conftest import home
from tests.daemon.homes import Home
from tests.surfaces.http.front import Front, serving
from tests.surfaces.http.page_browser import browser, chromium, open_tab

__all__ = ["browser", "chromium", "home", "open_tab"]


@pytest.fixture
def front(home: Home) -> Generator[Front]:
    """``groundwire serve`` with the token of the tests and the home's project, listening."""
    with serving(Front(home)) as started:
        yield started
