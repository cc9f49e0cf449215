"""Findings of real servers: named with the right columns behind an emoji, by the right symbol, of the right files, and
gone once they are mended.
"""

import subprocess
from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.diagnostics.get_diagnostics import get_diagnostics
from groundwire.operations.results.diagnostics import DiagnosticEntry, Diagnostics
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment
from tests.real.shapes import SAMPLES, Sample

WAIT_S = 120.0
SERVERS = ("ty", "pyright", "typescript-language-server", "gopls", "clangd")
POINTS_AT_THE_CALL = frozenset({"clangd"})
"""These find the function wrong, and the others the argument."""

UNPROVEN = {"gopls": ["go.mod"]}
"""Files of the sample about which a server tells nothing when it is asked: then the workspace is not called clean."""

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


async def ask(pool: Pool, **given: object) -> Diagnostics:
    """The answer, which must be confirmed."""
    answer: Answer[Diagnostics] = await perform(pool, get_diagnostics, get_diagnostics.parse(given), wait_s=WAIT_S)
    assert answer.status is Status.CONFIRMED, answer.reason
    return answer.value


async def ask_workspace(pool: Pool, server: str, severity: str) -> Diagnostics:
    """The answer about all files, which must be confirmed but for those that cannot be."""
    given = {"scope": "workspace", "severity": severity}
    answer: Answer[Diagnostics] = await perform(pool, get_diagnostics, get_diagnostics.parse(given), wait_s=WAIT_S)
    unproven = UNPROVEN.get(server, [])
    assert answer.status is (Status.PARTIAL if unproven else Status.CONFIRMED), answer.reason
    assert [file.file for file in answer.value.files if file.status is not Status.CONFIRMED] == unproven
    assert answer.value.checked == answer.value.candidates - len(unproven)
    return answer.value


def write(sample: Sample, root: Path) -> None:
    for name, text in sample.files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text.replace("{root}", str(root)), encoding="utf-8")


def commit(root: Path) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.invalid", "-c", "init.defaultBranch=main")
    for arguments in (("init",), ("add", "--all"), ("commit", "-m", "x")):
        subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True, timeout=30)


def broken(server: str) -> tuple[str, tuple[int, int]]:
    """The text with a wrong argument, and where a finding about it must be."""
    sample = SAMPLES[server]
    text = sample.files[sample.user].replace(f"{sample.double}(1, 2)", f'{sample.double}("no", 2)')
    lines = text.splitlines()
    line = next(number for number, line in enumerate(lines) if '"no"' in line)
    word = f'{sample.double}("no"' if server in POINTS_AT_THE_CALL else '"no"'
    return text, (line + 1, lines[line].index(word) + 1)


def errors(found: tuple[DiagnosticEntry, ...]) -> list[tuple[int, int]]:
    return [(each.line, each.column) for each in found if each.severity == "error"]


@pytest.mark.parametrize("server", SERVERS, indirect=True)
async def test_findings_are_those_of_the_files_as_they_are(server: str, tmp_path: Path) -> None:
    sample = SAMPLES[server]
    write(sample, tmp_path)
    commit(tmp_path)
    user, (text, place) = tmp_path / sample.user, broken(server)
    async with Pool(tmp_path, only=frozenset({server}), environment=server_environment(server)) as pool:
        clean = await ask_workspace(pool, server, "warning")
        assert (clean.total, clean.clean) == (0, clean.checked)
        assert (await ask(pool, scope="changed")).candidates == 0
        user.write_text(text, "utf-8")
        (named,) = (await ask(pool, file_path=sample.user)).files
        assert errors(named.diagnostics) == [place]
        grouped = await ask(pool, file_path=sample.user, group_by="symbol", severity="error")
        assert grouped.symbols is not None
        (symbol,) = grouped.symbols
        assert (symbol.name in ("total", "total.second"), errors(symbol.diagnostics)) == (True, [place])
        assert grouped.ungrouped == ()
        changed = await ask(pool, scope="changed", severity="error")
        assert [(file.file, errors(file.diagnostics)) for file in changed.files] == [(sample.user, [place])]
        everything = [file for file in (await ask_workspace(pool, server, "error")).files if file.diagnostics]
        assert [(file.file, errors(file.diagnostics)) for file in everything] == [(sample.user, [place])]
        user.write_text(sample.files[sample.user], "utf-8")
        mended = await ask(pool, file_path=sample.user, severity="warning")
        assert (mended.total, mended.clean) == (0, 1)
        assert (await ask(pool, scope="changed")).candidates == 0
