"""The first line of a script, in all the ways people write it."""

import pytest

from groundwire.registry.shebang import interpreter_of


@pytest.mark.parametrize(
    ("line", "interpreter"),
    [
        ("#!/bin/sh", "sh"),
        ("#! /bin/sh -e", "sh"),
        ("#!/usr/bin/python3.11", "python"),
        ("#!/usr/bin/python3", "python"),
        ("#!/usr/bin/pypy3", "pypy"),
        ("#!/usr/bin/env python", "python"),
        ("#!/usr/bin/env -S python3 -u", "python"),
        ("#!/usr/bin/env -Spython3 -u", "python"),
        ("#!/usr/bin/env -i -u HOME LANG=C perl -w", "perl"),
        ("#!/usr/bin/env --split-string node --trace", "node"),
        ("#!/usr/bin/lua5.4", "lua"),
        ("#!/usr/bin/guile-3.0", "guile"),
        ("#!C:\\Python\\python.exe", "python"),
        ("\ufeff#!/bin/bash", "bash"),
        ("#!/usr/bin/env", ""),
        ("#!", ""),
        ("# !/bin/sh", ""),
        ("import os", ""),
        ("", ""),
    ],
)
def test_the_interpreter_is_named_without_its_directory_and_version(line: str, interpreter: str) -> None:
    assert interpreter_of(line) == interpreter
