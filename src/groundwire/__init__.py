"""groundwire: what language servers know, proven for the content as it is now, for AI coding agents."""

__version__ = "0.1.0"

__all__ = ["__version__"]
