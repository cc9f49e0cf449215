"""What is shown for a moment is put back, and is no news to anybody; what happened on disk meanwhile is."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.client.session import Session
from groundwire.client.shown import ShownText, shown
from groundwire.client.sync import sync_file, uri_of
from tests.operations.toy_project import ZOO, zoo

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def ready(tmp_path: Path) -> AsyncGenerator[tuple[Session, Path]]:
    async with zoo(tmp_path) as pool:
        file = pool.workspace / "voices.toy"
        chosen = pool.route(file).primary
        assert chosen is not None
        yield await pool.instance(chosen).ready(asyncio.get_running_loop().time() + 30), file


def text_of(session: Session, file: Path) -> str | None:
    document = session.state.documents.get(uri_of(file))
    return document.text if document is not None else None


def news(session: Session) -> int:
    return session.state.documents.world - session.interlude.moved


async def test_a_text_is_shown_and_put_back_and_that_is_no_news(tmp_path: Path):
    async with ready(tmp_path) as (session, file):
        sync_file(session, file, "toy")
        fresh, before = file.with_name("fresh.toy"), news(session)
        async with session.interlude.on():
            with shown(session, [ShownText(file, "other"), ShownText(fresh, "new", is_gone=True)]) as world:
                assert (text_of(session, file), text_of(session, fresh)) == ("other", "new")
                assert session.state.documents.world == world
        assert (text_of(session, file), text_of(session, fresh)) == (ZOO["voices.toy"], None)
        assert news(session) == before
        assert session.state.documents.world > world


async def test_what_was_written_meanwhile_is_news_and_is_what_it_is_put_back_to(tmp_path: Path):
    async with ready(tmp_path) as (session, file):
        sync_file(session, file, "toy")
        before = news(session)
        async with session.interlude.on():
            with shown(session, [ShownText(file, "other")]):
                file.write_text("def written()\n", "utf-8")
        assert text_of(session, file) == "def written()\n"
        assert news(session) > before


async def test_a_file_of_another_language_is_not_shown_unless_its_language_is_named(tmp_path: Path):
    async with ready(tmp_path) as (session, file):
        odd = file.with_name("Odd")
        async with session.interlude.on():
            with shown(session, [ShownText(odd, "x", is_gone=True)]):
                assert text_of(session, odd) is None
            with shown(session, [ShownText(odd, "x", is_gone=True, language="toy")]):
                assert text_of(session, odd) == "x"
        assert text_of(session, odd) is None
