"""The account table of docs/state-changes.md: the effect of each event on each running thing."""

from .cluster import ROOT

DOCUMENT = (ROOT / "docs" / "state-changes.md").read_text()
# Cells that need a node and its sockets are in tests/ws/test_state_changes.py, the others in
# tests/db/test_state_changes.py.
AT_A_NODE = {
    "Playing seat",
    "Socket at a waiting table",
    "Socket at a playing table",
    "Spectator socket",
    "Socket in the lobby",
}


def table():
    """running thing -> {event: word}"""
    section = DOCUMENT.split("\n## Accounts\n")[1].split("\n## ")[0]
    head, _, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in section.splitlines()
        if line.startswith("|")
    ]
    assert all(len(row) == len(head) for row in rows)
    return {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in rows}
