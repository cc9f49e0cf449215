"""To what all of a file belongs: where that changes, all of its names are lost to those who used them."""

import pytest

from groundwire.operations.reporting.touched import lost_names

GO = "// Package sample is one.\npackage sample\n\nfunc Keep() int { return 1 }\n\ntype Box struct{ held int }\n"
SCRIPT = "interface Shared {\n  size: number;\n}\n"
PYTHON = 'def keep():\n    return "x"\n'


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        (GO, f"//go:build windows\n\n{GO}", {"Keep", "Box"}),
        (f"//go:build windows\n\n{GO}", GO, {"Keep", "Box"}),
        (f"//go:build linux\n\n{GO}", f"//go:build !linux\n\n{GO}", {"Keep", "Box"}),
        (GO, f"// +build windows\n\n{GO}", {"Keep", "Box"}),
        (GO, GO.replace("package sample", "package sampled"), {"Keep", "Box"}),
        (GO, f"var early = 1\n\n{GO}", {"Keep", "Box"}),
        (SCRIPT, f"{SCRIPT}\nexport {{}};\n", {"Shared"}),
        (f'import "./other";\n{SCRIPT}', SCRIPT, {"Shared"}),
        (f"import {{\n  other,\n}} from './other';\n{SCRIPT}", SCRIPT, {"Shared"}),
    ],
)
def test_all_names_of_a_file_are_lost_where_it_belongs_to_something_else(before: str, after: str, names: set[str]):
    assert names <= lost_names(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (GO, f"// Written by hand.\n\n{GO}"),
        (GO, GO.replace("return 1", "return 2")),
        (GO, f"{GO}\n//go:build windows\n"),
        (SCRIPT, f"// export nothing\n{SCRIPT}"),
        (f"export {{}};\n{SCRIPT}", f"import './other';\nexport {{}};\n{SCRIPT}"),
        (PYTHON, f"import os\n\n{PYTHON}"),
    ],
)
def test_no_name_is_lost_where_it_belongs_to_what_it_did(before: str, after: str):
    assert not lost_names(before, after)
