"""The home of the daemon's tests, for hooks as processes."""

from tests.daemon.conftest import home

__all__ = ["home"]
