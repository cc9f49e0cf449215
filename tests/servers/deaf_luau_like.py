"""The same, but it asks to be told of other files only: what a client that ignores the wish would make of it."""

from luau_like import LuauLike


class DeafLuauLike(LuauLike):
    def watch(self) -> None:
        """Neither modules nor sourcemap."""
        options = {"watchers": [{"globPattern": "**/*.nothing"}]}
        registration = {"id": "watch", "method": "workspace/didChangeWatchedFiles", "registerOptions": options}
        self.ask("client/registerCapability", {"registrations": [registration]})


DeafLuauLike().run()
