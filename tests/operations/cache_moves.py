"""Random changes to a small project, every kind that may move a use: seeded, so that each run is the same."""

import random
import shutil
from pathlib import Path


class Moves:
    """Changes the files of a root, one move at a time. ``texts`` are what a file may hold."""

    def __init__(self, root: Path, seed: int, texts: tuple[str, ...], ending: str) -> None:
        self._root = root
        self._random = random.Random(seed)
        self._texts = texts
        self._ending = ending
        self._seen: list[dict[str, bytes]] = [self._state()]

    def change(self) -> str:
        """Make one move; its name."""
        changes = (self._write, self._append, self._space, self._add, self._remove, self._rename, self._move_directory)
        harmless = (self._revert, self._touch, self._configure, self._stay)
        move = self._random.choice((*changes, *harmless, *harmless))
        move()
        if self._random.random() < 0.3:
            self._seen = [*self._seen[-3:], self._state()]
        return move.__name__

    def some_symbol(self, words: dict[str, str]) -> tuple[str, str]:
        """A file and a name in it: of those whose word is in the file's text, where there is any."""
        files = {file: file.read_text("utf-8") for file in self._files()}
        known = [(file, name) for file, text in files.items() for name, word in words.items() if word in text]
        file, name = self._random.choice(known or [(next(iter(files)), next(iter(words)))])
        return file.relative_to(self._root).as_posix(), name

    def perhaps(self) -> bool:
        """Or not."""
        return self._random.random() < 0.3

    def some_file(self) -> Path:
        """One that is there."""
        return self._random.choice(self._files())

    def _files(self) -> list[Path]:
        return sorted(file for file in self._root.rglob(f"*{self._ending}") if file.is_file())

    def _state(self) -> dict[str, bytes]:
        return {file.relative_to(self._root).as_posix(): file.read_bytes() for file in self._files()}

    def _new_name(self) -> Path:
        directory = self._random.choice(("", "below", "below/deep"))
        path = self._root / directory / f"{self._random.choice('abcdefgh')}{self._ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def _write(self) -> None:
        self.some_file().write_text(self._random.choice(self._texts), "utf-8")

    def _append(self) -> None:
        file = self.some_file()
        file.write_bytes(file.read_bytes() + self._random.choice(self._texts).encode())

    def _space(self) -> None:
        file = self.some_file()
        file.write_bytes(b"\n" + file.read_bytes())

    def _add(self) -> None:
        self._new_name().write_text(self._random.choice(self._texts), "utf-8")

    def _remove(self) -> None:
        if len(self._files()) > 3:
            self.some_file().unlink()

    def _rename(self) -> None:
        file = self.some_file()
        file.replace(self._new_name())

    def _revert(self) -> None:
        wanted = self._random.choice(self._seen)
        for file in self._files():
            if file.relative_to(self._root).as_posix() not in wanted:
                file.unlink()
        for name, data in wanted.items():
            (self._root / name).parent.mkdir(parents=True, exist_ok=True)
            (self._root / name).write_bytes(data)

    def _move_directory(self) -> None:
        source, target = self._root / "below", self._root / "moved"
        if source.is_dir():
            shutil.rmtree(target, ignore_errors=True)
            source.rename(target)

    def _touch(self) -> None:
        self.some_file().touch()

    def _configure(self) -> None:
        (self._root / "settings.json").write_text(f'{{"n": {self._random.randrange(3)}}}', "utf-8")

    def _stay(self) -> None:
        """Nothing: the same question again."""
