"""A Python workspace of any size: packages of classes that use one another, and some of other packages.

Above: ``indexing``, tests. Below: nothing.
"""

import random
from pathlib import Path

_METHODS = 8
_NEIGHBOURS = 3
"""How far away, in packages, those are that a package imports from."""


def write_packages(root: Path, packages: int, modules: int) -> None:
    """``packages`` times ``modules`` files, always the same ones."""
    dice = random.Random(7)
    root.mkdir(parents=True, exist_ok=True)
    (root / "pyproject.toml").write_text('[project]\nname = "many"\nversion = "1"\n', "utf-8")
    for package in range(packages):
        directory = root / package_name(package)
        directory.mkdir()
        (directory / "__init__.py").write_text("", "utf-8")
        for module in range(1, modules):
            other = (package + dice.randint(1, _NEIGHBOURS)) % packages if module % 10 == 0 else None
            text = _module(package, module, other, dice)
            (directory / f"module_{module:03}.py").write_text(text, "utf-8")


def package_name(number: int) -> str:
    """Of a package."""
    return f"package_{number:03}"


def _module(package: int, module: int, other: int | None, dice: random.Random) -> str:
    near = sorted({dice.randrange(1, module) for _ in range(2)}) if module > 1 else []
    used = [(package_name(package), each) for each in near]
    used += [(package_name(other), 1)] if other is not None else []
    imports = [f"from {name}.module_{each:03} import Thing{each} as Used{at}" for at, (name, each) in enumerate(used)]
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
