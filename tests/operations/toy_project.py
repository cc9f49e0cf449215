"""A project in the toy language and a pool with the server that knows everything about it."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from groundwire.operations.answer import Answer, Place
from groundwire.operations.operation import A, Operation, R
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.fakes.toy_servers import ToyLog, toy_catalog, toy_spec

ZOO = {
    "animals.toy": (
        "# Everything that breathes.\n"
        "class Animal\n"
        "    # How loud it is.\n"
        "    def speak(volume, times)\n"
        "        use shout(volume)\n"
        "\n"
        "class Dog(Animal)\n"
        "    def speak(volume, times)\n"
        "        😀 use bark(volume, 2)\n"
        "        use shout(volume)\n"
    ),
    "voices.toy": "def bark(loudness, count)\n    use shout(loudness)\n\n# Makes noise.\ndef shout(what)\n",
    "lonely.toy": "def nobody()\n",
}


@asynccontextmanager
async def zoo(
    tmp_path: Path, habits: str = "", files: Mapping[str, str] = ZOO, log: ToyLog | None = None, **changes: object
) -> AsyncGenerator[Pool]:
    """A pool over the files, with the server in its habits and those changes of its spec."""
    root = tmp_path / "project"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())
    spec = toy_spec("well_read", log, **changes)
    spec = msgspec.structs.replace(spec, environment={**spec.environment, "WELL_READ": habits})
    async with Pool(root, catalog=toy_catalog(spec)) as pool:
        yield pool


async def ask(pool: Pool, operation: Operation[A, R], **given: object) -> Answer[R]:
    """The answer to an operation, its arguments given as every surface gives them."""
    return await perform(pool, operation, operation.parse(given))


def at(place: Place) -> str:
    """A place in short."""
    return f"{place.file}:{place.line}:{place.column}"
