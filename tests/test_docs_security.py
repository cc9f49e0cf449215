"""Each claim of the page on security names a test, and that test exists."""

import re

import pytest

from tests.documents.pages import REPOSITORY

PAGE = (REPOSITORY / "docs/security.md").read_text("utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", PAGE)
# What begins with a bullet and is no part of a block.
CLAIMS = re.findall(r"^- (.*?)(?=^- |^#|^\n|\Z)", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("file", "test"), NAMED)
def test_a_test_that_is_named_exists(file: str, test: str) -> None:
    assert re.search(rf"^(?:async )?def {test}\(", (REPOSITORY / file).read_text("utf-8"), re.MULTILINE)


def test_every_claim_names_a_test() -> None:
    unproven = [claim for claim in CLAIMS if "`tests/" not in claim]
    assert [claim.partition(":")[0] for claim in unproven] == ["**Source is handed to the agent as it is**"]
    assert len(CLAIMS) > 20
