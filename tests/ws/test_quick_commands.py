"""`scripts/test quick` covers every command of the socket."""

import re

import pytest
from support.cluster import ROOT


@pytest.mark.quick
def test_every_command_has_a_quick_scenario():
    """A test declares the commands that it covers; conftest.py verifies that."""
    frames = (ROOT / "wire/frames.def").read_text(encoding="utf-8")
    commands = set(re.findall(r'^WIRE_COMMAND\(\w+, "(\w+)"', frames, re.M))
    covered = set()
    for file in (ROOT / "tests/ws").glob("test_*.py"):
        for names in re.findall(r"^@pytest\.mark\.quick\(([^)]*)\)", file.read_text(encoding="utf-8"), re.M):
            covered |= set(re.findall(r'"(\w+)"', names))
    assert commands - covered == set(), 'mark a test of tests/ws with @pytest.mark.quick("COMMAND")'
    assert covered - commands == set(), "unknown commands"
