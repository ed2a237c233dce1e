#!/usr/bin/python3
"""Compares docs/security.md with the standard's numbers and with the tree; called by
tests/scripts/test-security.

  tests/scripts/security.py [DOCUMENT]     DOCUMENT: what to read (default docs/security.md)

- Each number of tests/scripts/asvs-5-level-2.txt is in exactly one row, and there are no other numbers.
- A status is one of four. A row that is met lists a test or a document; a partial row lists where.
- Files that a row lists exist, and so does each test_… in one of the files of its row.
- The last section lists all rows that are partial or not met, and no others.

Prints one line per violation; exits with 1 if there is one.
"""

import re
import sys
from collections import Counter
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
NUMBER = r"\d+\.\d+\.\d+"
STATES = {"met", "partial", "not applicable", "not met"}
LAST = "## Open requirements"


def rows(text):
    """Yields (number, state, where) of each row that begins with a number."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if line.startswith("|") and re.fullmatch(NUMBER, cells[0]):
            yield cells[0], cells[2] if len(cells) == 4 else "", cells[-1].rstrip("| ")


def faults_of_row(number, state, where):
    if state not in STATES:
        yield f"{number}: '{state}' is not a state"
        return
    files = [name for name in re.findall(r"`([\w./-]+)`", where) if "/" in name and not name.startswith("/")]
    links = re.findall(r"\]\(([\w./-]*)#?[\w-]*\)", where)
    sources = [TOP / name for name in files]
    for name, path in zip(files, sources):
        if not path.exists():
            yield f"{number}: there is no {name}"
    tests = [path for path in sources if path.is_file() and re.search(r"/tests/|\.test\.ts$", str(path))]
    documents = links or any(name in where for name in ("`openapi.yaml`", "`schema.sql`"))
    if state == "met" and not tests and not documents:
        yield f"{number}: met, and neither a test nor a document shows it"
    if not where or state == "partial" and not files and not documents and len(where) < 40:
        yield f"{number}: says nothing"
    for test in re.findall(r"`(test_\w+)`", where):
        if not any(re.search(rf"^def {test}\(", path.read_text(encoding="utf-8"), re.M) for path in tests):
            yield f"{number}: no file of its row has {test}"


def faults(text):
    wanted = re.findall(r"^(?!#).*$", (TOP / "tests/scripts/asvs-5-level-2.txt").read_text(), re.M)
    wanted = " ".join(wanted).split()
    found = list(rows(text))
    seen = Counter(number for number, _, _ in found)
    yield from (f"{number}: {seen[number]} rows, not one" for number in wanted if seen[number] != 1)
    yield from (f"{number}: no requirement of level 1 or 2" for number in seen if number not in wanted)
    for row in found:
        yield from faults_of_row(*row)
    listed = set(re.findall(rf"\b{NUMBER}\b", text.partition(LAST)[2]))
    open_ = {number for number, state, _ in found if state in ("partial", "not met")}
    yield from (f"{number}: is not under '{LAST}'" for number in sorted(open_ - listed))
    yield from (f"{number}: is under '{LAST}', and is not open" for number in sorted(listed - open_))


if __name__ == "__main__":
    document = Path(sys.argv[1]) if len(sys.argv) > 1 else TOP / "docs/security.md"
    said = list(faults(document.read_text(encoding="utf-8")))
    print("\n".join(said), end="\n" if said else "")
    sys.exit(1 if said else 0)
