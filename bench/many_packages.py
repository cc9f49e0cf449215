"""A Python workspace of any size: packages of classes that use one another, and some of other packages.

Its shape is that of large ones that are published (django, sympy, ansible, homeassistant): 5 to 10 files a directory,
150 to 500 lines a file. Above: ``indexing``, tests. Below: nothing.
"""

import random
from pathlib import Path

_METHODS = 24
_PER_DIRECTORY = 10
_NEIGHBOURS = 3
"""How far away, in packages, those are that a package imports from."""


def write_packages(root: Path, packages: int, modules: int) -> None:
    """``packages`` times ``modules`` files, always the same ones."""
    dice = random.Random(7)
    root.mkdir(parents=True, exist_ok=True)
    (root / "pyproject.toml").write_text('[project]\nname = "many"\nversion = "1"\n', "utf-8")
    for package in range(packages):
        for module in range(modules):
            other = (package + dice.randint(1, _NEIGHBOURS)) % packages if module % 10 == 5 else None
            text = _module(package, module, other, dice) if module % _PER_DIRECTORY else ""
            file = root / f"{_module_name(package, module).replace('.', '/')}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")


def package_name(number: int) -> str:
    """Of a package."""
    return f"package_{number:03}"


def _module_name(package: int, number: int) -> str:
    """The first few are the package's own; the rest are in packages below it, each of which has an empty beginning."""
    part, at = divmod(number, _PER_DIRECTORY)
    place = f"{package_name(package)}.part_{part:02}" if part else package_name(package)
    return f"{place}.module_{number:03}" if at else f"{place}.__init__"


def _module(package: int, module: int, other: int | None, dice: random.Random) -> str:
    near = {dice.randrange(1, module) for _ in range(2)} if module > 1 else set[int]()
    used = [(package, each) for each in sorted(near) if each % _PER_DIRECTORY]
    used += [(other, 1)] if other is not None else []
    imports = [
        f"from {_module_name(owner, each)} import Thing{each} as Used{at}" for at, (owner, each) in enumerate(used)
    ]
    steps = "\n".join(_step(number) for number in range(_METHODS))
    total = " + ".join([f"Used{at}(1).value" for at in range(len(used))] or ["0"])
    return (
        "\n".join(imports)
        + f'\n\n\nclass Thing{module}:\n    """One of many."""\n\n'
        + "    def __init__(self, value: int) -> None:\n        self.value = value\n\n"
        + f"{steps}\n\ndef make_{module}() -> int:\n    return {total}\n"
    )


def _step(number: int) -> str:
    return (
        f"    def step_{number}(self, given: int) -> int:\n"
        '        """Adds up."""\n'
        "        total = given + self.value\n"
        f"        for each in range({number}):\n"
        "            total += each * given\n"
        "        return total\n"
    )
