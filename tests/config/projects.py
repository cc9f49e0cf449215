"""A workspace and a user in temporary directories, with files written into them."""

from pathlib import Path

from groundwire.config.load import LoadedConfig, load_config


class Project:
    """Writes configuration files and loads them as groundwire would."""

    def __init__(self, directory: Path) -> None:
        self.workspace = directory / "project"
        self.home = directory / "home"
        self.workspace.mkdir()
        self.home.mkdir()
        self.environment = {"HOME": str(self.home), "PATH": "/usr/bin:/bin"}

    def write(self, name: str, text: str) -> Path:
        """A file of the project."""
        return _write(self.workspace / name, text)

    def write_user(self, name: str, text: str) -> Path:
        """A file in the user's configuration directory."""
        return _write(self.home / ".config" / name, text)

    def load(
        self, *, flags: dict[str, object] | None = None, config_file: Path | None = None, **variables: str
    ) -> LoadedConfig:
        """Everything, with these variables beside those of the user."""
        environment = {**self.environment, **variables}
        return load_config(self.workspace, environment=environment, flags=flags, config_file=config_file)

    def told(self) -> list[str]:
        """Every problem, with paths as seen from the project."""
        return [str(problem).replace(f"{self.workspace}/", "") for problem in self.load().problems]


def _write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file
