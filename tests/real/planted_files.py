"""New files and files that are gone, tried before that is so: not every server believes in them, and what one says only
because of that is told to nobody. Above: ``test_speculation``. Below: ``speculating``.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from groundwire.operations.answer import Answer
from groundwire.operations.operation import Call
from groundwire.operations.results.speculation import Evaluation
from groundwire.operations.speculation.evaluation import evaluate
from groundwire.operations.speculation.given_edits import virtual_texts
from groundwire.pool.pool import Pool
from tests.real.speculating import WAIT_S

Change = Mapping[str, Callable[[Mapping[str, str]], str] | None]
"""Of files, each by what it is to hold; None: it is to be gone."""


def moved(old: str, new: str) -> Change:
    return {old: None, new: lambda files: files[old]}


def used(new: str, text: str, user: str, line: str) -> Change:
    """A new file, and a line in front of another one that uses it."""
    return {new: lambda _: text, user: lambda files: f"{line}\n{files[user]}"}


_PYTHON: Sequence[Change] = (
    used("extra.py", "def make() -> str:\n    return ''\n", "use_a.py", "from extra import make"),
    used("extra.py", "def make() -> str:\n    return ''\n", "use_a.py", "from extra import make\nz: str = 1"),
    {
        "pack/__init__.py": lambda _: "",
        "pack/one.py": lambda _: "x = 1\n",
        "pack/two.py": lambda _: "from .one import x\n",
    },
    moved("lib.py", "lib/__init__.py"),
    {**moved("lib.py", "lib2.py"), "use_a.py": lambda files: files["use_a.py"].replace("from lib", "from lib2")},
)
_SCRIPT: Sequence[Change] = (
    used("src/extra.ts", "export const z: string = '';\n", "src/use_a.ts", 'import { z } from "./extra";\nz.length;'),
    used("src/extra.ts", "export const z: string = '';\n", "src/use_a.ts", 'import { z } from "./extra";\nz.none;'),
    {"src/p/one.ts": lambda _: "export const x = 1;\n", "src/p/two.ts": lambda _: 'import { x } from "./one";\nx;\n'},
    moved("src/lib.ts", "src/lib/index.ts"),
)
_GO: Sequence[Change] = (
    used("lib/extra.go", "package lib\n\nfunc Extra() int { return Double(1) }\n", "use_a.go", "// more"),
    used("lib/extra.go", 'package lib\n\nfunc Extra() int { return "" }\n', "use_a.go", "// more"),
    moved("lib/lib.go", "lib/lib2.go"),
)
CHANGES = {"ty": _PYTHON, "pyright": _PYTHON, "tsc": _SCRIPT, "typescript-language-server": _SCRIPT, "gopls": _GO}


async def judged(pool: Pool, texts: Mapping[str, str | None]) -> Answer[Evaluation]:
    call = Call(pool, asyncio.get_running_loop().time() + WAIT_S)
    virtual = virtual_texts(call)
    for name, text in texts.items():
        virtual.put(virtual.find(name), text)
    return await evaluate(call, virtual, "workspace")
