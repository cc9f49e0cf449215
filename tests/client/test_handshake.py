"""What a server is told first."""

import os
from pathlib import Path

import pytest

from groundwire.client.handshake import initialize_params
from groundwire.client.options import SessionOptions
from groundwire.protocol.jsonrpc import dump_request


@pytest.mark.parametrize("is_ours", [True, False])
def test_only_a_server_of_our_own_is_told_whom_to_end_with(is_ours: bool) -> None:
    options = SessionOptions(server="toy", root=Path("/project"), is_ours=is_ours)
    assert initialize_params(options, windows=False)["processId"] == (os.getpid() if is_ours else None)


def test_a_root_whose_name_is_no_text_is_told_by_its_bytes() -> None:
    options = SessionOptions(server="toy", root=Path(os.fsdecode(b"/caf\xe9")))
    params = initialize_params(options, windows=False)
    assert (params["rootUri"], params["rootPath"]) == ("file:///caf%E9", None)
    assert dump_request(1, "initialize", params)
