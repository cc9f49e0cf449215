"""Names of suggested fixes: short, stable, bounded, never given twice."""

import weakref
from pathlib import Path
from typing import cast

import pytest
from msgspec import Raw

from groundwire.client.session import Session
from groundwire.errors import InvalidArgument
from groundwire.operations.editing.fix_ids import FixIds, KeptFix
from groundwire.pool.routing import Chosen
from groundwire.protocol.lsp_actions import CodeAction, OfferedAction
from tests.fakes.toy_servers import toy_spec


class _Owner:
    """Stands for a session: only whether it is still there matters here."""


OWNER = _Owner()


def fix(title: str, file: str = "/w/a.toy", content: str = "hash") -> KeptFix:
    offered = OfferedAction(Raw(title.encode()), CodeAction(title))
    chosen = Chosen(toy_spec("well_read"), (), Path("/w"), "")
    owner = cast("weakref.ref[Session]", weakref.ref(OWNER))
    return KeptFix(offered, chosen, owner, Path(file), "toy", content, 1)


def test_names_count_up_and_the_same_fix_keeps_its_name() -> None:
    ids = FixIds()
    assert [ids.keep(fix("a")), ids.keep(fix("b")), ids.keep(fix("a"))] == ["f1", "f2", "f1"]
    assert ids.keep(fix("a", content="another")) == "f3"
    assert ids.get("f2").offered.action.title == "b"


def test_those_of_a_file_that_changed_are_forgotten_and_their_names_are_not_used_again() -> None:
    ids = FixIds()
    ids.keep(fix("a"))
    ids.keep(fix("b", file="/w/b.toy"))
    ids.forget(Path("/w/a.toy"))
    with pytest.raises(InvalidArgument, match="f1") as raised:
        ids.get("f1")
    assert "suggest_fixes" in raised.value.hint
    assert ids.get("f2").file == Path("/w/b.toy")
    assert ids.keep(fix("a")) == "f3"


def test_only_the_last_are_kept() -> None:
    ids = FixIds()
    names = [ids.keep(fix(str(number))) for number in range(600)]
    with pytest.raises(InvalidArgument):
        ids.get(names[0])
    assert ids.get(names[-1]).offered.action.title == "599"
