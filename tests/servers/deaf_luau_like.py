"""The same, but it never asks to be told of files: what a client that ignores the wish would make of it."""

from luau_like import LuauLike


class DeafLuauLike(LuauLike):
    def watch(self) -> None:
        """Nothing is registered."""


DeafLuauLike().run()
