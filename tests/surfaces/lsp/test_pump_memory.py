"""What the pump remembers is what the next daemon must hear, and no more."""

import json
from typing import Any

from groundwire.surfaces.lsp.pump_memory import Memory


def body(**message: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode()


def about(method: str, uri: str, **more: Any) -> bytes:
    return body(method=method, params={"textDocument": {"uri": uri}, **more})


INITIALIZE = body(id=1, method="initialize", params={})
INITIALIZED = body(method="initialized", params={})
OPEN_A, OPEN_B = about("textDocument/didOpen", "a"), about("textDocument/didOpen", "b")
CHANGE_A = about("textDocument/didChange", "a", contentChanges=[{"text": "x"}])
HOVER = body(id=2, method="textDocument/hover", params={})


def begun() -> Memory:
    memory = Memory()
    for each in (INITIALIZE, INITIALIZED, OPEN_A, OPEN_B, CHANGE_A):
        memory.heard(each)
    return memory


def test_another_daemon_hears_of_open_documents_and_of_what_waits():
    memory = begun()
    assert memory.answered(body(id=1, result={}))
    memory.heard(HOVER)
    memory.heard(about("textDocument/didClose", "b"))
    assert memory.to_be_told() == [INITIALIZE, INITIALIZED, OPEN_A, CHANGE_A, HOVER]


def test_the_client_gets_one_answer_to_its_initialize():
    memory = begun()
    assert memory.answered(body(id=1, result={}))
    assert memory.to_be_told()[0] == INITIALIZE
    assert not memory.answered(body(id=1, result={}))
    assert memory.answered(body(id=7, method="window/workDoneProgress/create"))


def test_what_may_have_been_done_already_is_not_done_again():
    memory = begun()
    memory.heard(body(id=3, method="workspace/executeCommand", params={}))
    memory.heard(HOVER)
    failures = [json.loads(each) for each in memory.given_up("gone", is_all=False)]
    assert [(each["id"], each["error"]["message"]) for each in failures] == [(3, "gone")]
    assert memory.to_be_told()[-1] == HOVER


def test_a_cancelled_question_is_not_asked_again_and_an_end_is_an_end():
    memory = begun()
    memory.heard(HOVER)
    memory.heard(body(method="$/cancelRequest", params={"id": 2}))
    assert HOVER not in memory.to_be_told()
    assert not memory.is_over
    memory.heard(body(method="exit"))
    assert memory.is_over


def test_what_is_no_message_is_let_pass():
    memory = Memory()
    for junk in (b"", b"{", b"[1]", b'"x"', body(method="textDocument/didOpen", params=[])):
        memory.heard(junk)
        assert memory.answered(junk)
    assert memory.to_be_told() == []
