"""A file that a server happens to read while it is being written, before it is told of it, is read again when it is."""

import os
from pathlib import Path

import pytest

from groundwire.client.diagnose import diagnose
from groundwire.client.sync import announce
from groundwire.operations.answer import FileFindings, Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool
from groundwire.workspace.changes import ChangeKind, FileChange
from tests.real.conftest import server_environment, why_unavailable
from tests.real.file_maker import filled
from tests.real.test_many_files import LANGUAGES, SCRIPTED, TYPESCRIPT, Language

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


@pytest.fixture(
    params=[
        *(name for name in LANGUAGES if name != SCRIPTED),
        "typescript-language-server",
    ]
)
def server(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    missing = why_unavailable(name)
    if missing:
        pytest.fail(missing) if os.environ.get("CI") == "true" else pytest.skip(missing)
    return name


async def check(pool: Pool, file: str) -> FileFindings:
    (found,) = (await check_files(pool, [Path(file)], wait_s=90)).value
    assert found.status is Status.CONFIRMED, found.reason
    return found


def errors(found: FileFindings) -> list[str]:
    return [finding.message for finding in found.diagnostics if finding.severity == "error"]


def write(root: Path, language: Language, number: int, text: str) -> FileChange:
    """Make one of the files; tells of its creation as the watcher would."""
    path = root / filled(language.path, number)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return FileChange(str(path), ChangeKind.CREATED)


async def test_a_file_that_was_read_half_written_is_read_again_once_it_is_told_of(server: str, tmp_path: Path) -> None:
    language = LANGUAGES.get(server, TYPESCRIPT)
    for name, text in {**language.files, language.probe: language.probing(1)}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    async with Pool(tmp_path, only=frozenset({server}), environment=server_environment(server)) as pool:
        assert errors(await check(pool, language.probe))
        (instance,) = pool.instances()
        # What the watcher would find is told by hand, so that it falls between two questions just as it can: the second
        # file is there, and empty, when the creation of the first makes the server look round.
        first = write(tmp_path, language, 0, filled(language.text, 0))
        write(tmp_path, language, 1, language.begins)
        announce(instance.session, [first])
        document = next(iter(instance.session.state.documents))  # the probe; a server may be shown the new file too
        await diagnose(instance.session, document, instance.session.now() + 60)
        write(tmp_path, language, 1, filled(language.text, 1))
        assert errors(await check(pool, language.probe)) == []
