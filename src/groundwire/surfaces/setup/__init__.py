"""Telling coding agents about groundwire, and taking it back: their configuration files, read and edited as text."""
