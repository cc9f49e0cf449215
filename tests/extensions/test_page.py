"""What the page about extensions shows is what comes out, with the example installed."""

import re
import subprocess
import sys
from pathlib import Path

from tests.extensions.installed import EXAMPLE, ROOT, environment_of, install

PAGE = (ROOT / "docs/extensions.md").read_text("utf-8")
_TRANSCRIPT = re.compile(r"```console\n(.*?)```", re.DOTALL)


def test_the_transcript_is_what_comes_out(tmp_path: Path):
    install(EXAMPLE, tmp_path / "site")
    project = tmp_path / "drawings"
    project.mkdir()
    (project / "drawing.shapes").write_text("circle 1\nsquare 2\ncircle 3\n", "utf-8")
    (transcript,) = _TRANSCRIPT.findall(PAGE)
    for step in str(transcript).split("$ groundwire ")[1:]:
        words, _, printed = step.partition("\n")
        done = subprocess.run(
            [sys.executable, "-m", "groundwire", *words.split()],
            cwd=project,
            env=environment_of(tmp_path / "site", tmp_path / "home"),
            capture_output=True,
            text=True,
            timeout=50,
            check=False,
        )
        expected = re.escape(printed.strip()).replace("…", "(?:.|\n)*")
        assert re.fullmatch(expected, done.stdout.strip()), done.stdout


def test_the_entry_point_on_the_page_is_that_of_the_example():
    assert 'shapes = "groundwire_shapes:extension"' in PAGE
    assert 'shapes = "groundwire_shapes:extension"' in (EXAMPLE / "pyproject.toml").read_text("utf-8")
