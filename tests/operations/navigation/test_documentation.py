"""Documentation comes from the tools of a language or from its server, and says from which."""

from pathlib import Path

import pytest

from groundwire.errors import CapabilityMissing, FileNotFound, InvalidArgument, NoSuchSymbol
from groundwire.operations.answer import Status
from groundwire.operations.navigation.documentation import get_symbol_documentation
from groundwire.operations.results.context import Documentation
from groundwire.workspace.rules import SettleRule
from tests.operations.toy_project import ask, zoo

pytestmark = pytest.mark.anyio

SHOUT = Documentation(symbol="shout", language="toy", source="server", signature="def shout(what)", doc="Makes noise.")


@pytest.mark.parametrize("symbol", ["shout", "voices.toy::shout"])
async def test_a_symbol_of_the_project_is_known_to_its_server(tmp_path: Path, symbol: str):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, get_symbol_documentation, symbol=symbol)
        assert (answer.status, answer.servers, answer.value) == (Status.CONFIRMED, ("well_read",), SHOUT)


async def test_a_place_means_what_is_used_there(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, get_symbol_documentation, file_path="animals.toy", line=10, text="shout")
        assert (answer.value.symbol, answer.value.doc) == ("def shout(what)", "Makes noise.")


async def test_a_qualified_name_is_known_to_the_tools_without_any_server(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, get_symbol_documentation, symbol="json.dumps", language_id="Python")
        assert (answer.status, answer.servers) == (Status.CONFIRMED, ("pydoc",))
        assert (answer.value.symbol, answer.value.language, answer.value.source) == (
            "json.dumps",
            "python",
            "toolchain",
        )
        assert answer.value.signature.startswith("dumps(obj")
        assert pool.instances() == ()


async def test_a_bare_name_is_the_projects_before_it_is_a_librarys(tmp_path: Path):
    async with zoo(tmp_path, files={"a.toy": "# Our own.\ndef len(what)\n"}) as pool:
        answer = await ask(pool, get_symbol_documentation, symbol="len", language_id="python")
        assert (answer.value.source, answer.value.doc) == ("server", "Our own.")
        other = await ask(pool, get_symbol_documentation, symbol="sum", language_id="python")
        assert (other.value.source, other.servers) == ("toolchain", ("pydoc",))


async def test_a_signature_can_be_had_as_markdown(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, get_symbol_documentation, symbol="shout", format="markdown")
        assert answer.value.signature == "```toy\ndef shout(what)\n```"


async def test_what_nobody_knows_is_no_symbol(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        with pytest.raises(NoSuchSymbol) as raised:
            await ask(pool, get_symbol_documentation, symbol="nothing.at_all", language_id="python")
        assert raised.value.doubt == ""
        with pytest.raises(NoSuchSymbol, match="well_read has no documentation"):
            await ask(pool, get_symbol_documentation, file_path="animals.toy", line=1, column=1)


async def test_a_tool_that_cannot_be_asked_is_a_doubt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    async with zoo(tmp_path) as pool:
        with pytest.raises(NoSuchSymbol, match="there is no go that may be run") as raised:
            await ask(pool, get_symbol_documentation, symbol="fmt.Println", language_id="go")
        assert raised.value.doubt


async def test_a_server_without_hover_says_what_else_can_be_asked(tmp_path: Path):
    async with zoo(tmp_path, "lacks=textDocument/hover") as pool:
        with pytest.raises(CapabilityMissing) as raised:
            await ask(pool, get_symbol_documentation, symbol="shout")
        assert "go_to_definition" in raised.value.hint


async def test_what_is_not_proven_is_partial(tmp_path: Path):
    async with zoo(tmp_path, settle=SettleRule(scope="file")) as pool:
        answer = await ask(pool, get_symbol_documentation, symbol="shout")
        assert (answer.status, answer.value) == (Status.PARTIAL, SHOUT)


async def test_wrong_use_is_named(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        with pytest.raises(InvalidArgument):
            await ask(pool, get_symbol_documentation)
        with pytest.raises(FileNotFound):
            await ask(pool, get_symbol_documentation, symbol="shout", file_path="nowhere.toy")
        with pytest.raises(InvalidArgument):
            await ask(pool, get_symbol_documentation, symbol="shout", format="html")
