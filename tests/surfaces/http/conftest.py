"""A front for each test that asks for one, and one for all that only look; nothing is left of them, or a test fails."""

from collections.abc import Generator

import pytest

from tests.daemon.conftest import home
from tests.daemon.homes import Home
from tests.surfaces.http.front import Front, serving, shared_front
from tests.surfaces.http.page_browser import browser, chromium, open_tab

__all__ = ["browser", "chromium", "home", "open_tab"]


@pytest.fixture
def front(home: Home) -> Generator[Front]:
    """``groundwire serve`` with the token of the tests and the home's project, listening."""
    with serving(Front(home)) as started:
        yield started


@pytest.fixture(scope="session")
def common(tmp_path_factory: pytest.TempPathFactory) -> Generator[Front]:
    """One for all tests that leave it, its daemon and the files of its project as they were; they may add files.

    It has all tools.
    """
    with shared_front(tmp_path_factory.mktemp("common"), "--profile=full") as started:
        yield started
