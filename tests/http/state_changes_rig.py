"""Reads the tables of a section of docs/state-changes.md, and records which test covers which cell."""

import pathlib
import re
import time

from support.cluster import ROOT
from support.wait import HANG_S

SECTION = "Clubs, rooms, providers, and keys"
FILES = {"test_state_changes_things.py", "test_state_changes_providers.py"}
TESTED = {}  # (table, row, column) -> the file and the name of the test


def cells(table, row, *columns):
    """Names the cells that a test covers."""

    def note(test):
        TESTED.update(
            {
                (table, row, column): (pathlib.Path(test.__code__.co_filename), test.__name__)
                for column in columns
            }
        )
        return test

    return note


def covered_by(path, name, *places):
    """Names cells that a test in another file covers."""
    TESTED.update(dict.fromkeys(places, (ROOT / path, name)))


def documented():
    """The tables of the section: heading -> {(row, column): text}, without the cells marked –, which do not
    exist."""
    text = (ROOT / "docs/state-changes.md").read_text().split(f"\n## {SECTION}\n")[1].split("\n## ")[0]
    tables = {}
    for part in text.split("\n### ")[1:]:
        lines = [
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in part.split("\n")
            if line.startswith("|")
        ]
        cells_of = tables.setdefault(part.split("\n")[0], {})
        for line in lines[2:]:
            assert len(line) == len(lines[0]) and all(line), line
            cells_of.update(
                {(line[0], column): cell for column, cell in zip(lines[0][1:], line[1:]) if cell != "–"}
            )
    return tables


def assert_tested(file, *headings):
    """These tables belong to the file: each of their cells has a test, and each test has a cell. Other
    files cover the other tables."""
    tables = documented()
    wanted = {(heading, *place) for heading in headings for place in tables[heading]}
    assert len(wanted) > 20 and wanted == {place for place in TESTED if place[0] in headings}
    for place in wanted:
        path, name = TESTED[place]
        assert re.search(rf"^def {name}\(", path.read_text(), re.M), name
    claimed = set()
    for name in FILES:
        claimed |= set(
            re.findall(
                r'"([^"]+)"',
                re.search(
                    r"assert_tested\(\s*__file__,(.*?)\)",
                    (pathlib.Path(file).parent / name).read_text(),
                    re.S,
                )[1],
            )
        )
    assert claimed == set(tables)


def eventually(true, what):
    """Waits until a condition holds."""
    until = time.monotonic() + HANG_S
    while not true():
        assert time.monotonic() < until, what
        time.sleep(0.02)
