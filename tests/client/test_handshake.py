"""What a server is told first."""

import os
from pathlib import Path

import pytest

from groundwire.client.handshake import initialize_params
from groundwire.client.options import SessionOptions


@pytest.mark.parametrize("is_ours", [True, False])
def test_only_a_server_of_our_own_is_told_whom_to_end_with(is_ours: bool) -> None:
    options = SessionOptions(server="toy", root=Path("/project"), is_ours=is_ours)
    assert initialize_params(options, windows=False)["processId"] == (os.getpid() if is_ours else None)
