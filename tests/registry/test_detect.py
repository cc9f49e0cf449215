"""The language of a file: its name first, then its first line."""

import os
from pathlib import Path

from groundwire.registry.catalog import load_catalog
from groundwire.registry.detect import detect_language


def detected(file: Path, text: str | bytes = "") -> tuple[str | None, str]:
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return detect_language(load_catalog(), file)


def test_a_name_that_tells_is_believed_whatever_the_file_holds(tmp_path: Path) -> None:
    assert detected(tmp_path / "a.py", "#!/bin/sh\n") == ("python", "by its ending .py")
    assert detected(tmp_path / "Rakefile", "#!/bin/sh\n") == ("ruby", "by its name")


def test_a_name_without_an_ending_is_read_for_its_interpreter(tmp_path: Path) -> None:
    language = detected(tmp_path / "deploy", "#!/usr/bin/env -S python3 -u\nprint(1)\n")
    assert language == ("python", "by its first line, #!/usr/bin/env -S python3 -u")
    assert detected(tmp_path / ".hook", "#!/bin/bash\r\necho\r\n")[0] == "shellscript"


def test_a_name_with_an_ending_that_nobody_knows_is_not_looked_into(tmp_path: Path) -> None:
    assert detected(tmp_path / "a.odd", "#!/bin/sh\n") == (None, "no language is known by the ending .odd")


def test_a_file_that_tells_nothing_has_no_language(tmp_path: Path) -> None:
    why = "neither its name nor its first line tells"
    assert detected(tmp_path / "README", "Read me\n") == (None, why)
    assert detected(tmp_path / "program", b"\x7fELF\x02\x01\x01\x00" + bytes(5000)) == (None, why)
    assert detected(tmp_path / "empty") == (None, why)


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert detect_language(load_catalog(), tmp_path / "pipe")[0] is None
    assert detect_language(load_catalog(), tmp_path)[0] is None
    assert detect_language(load_catalog(), tmp_path / "gone")[0] is None


def test_what_a_language_is_known_by_is_told(tmp_path: Path) -> None:
    assert detected(tmp_path / "Dockerfile.dev") == ("dockerfile", "by its name, which fits Dockerfile.*")
    assert detected(tmp_path / "A.PY") == ("python", "by its ending .PY")
