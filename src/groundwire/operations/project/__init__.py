"""A project at a glance: what it is written in, where it begins, how it is built."""
