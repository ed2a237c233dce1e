"""The table of accounts in docs/state-changes.md: what becomes of each running thing at each event."""

from .cluster import ROOT

DOCUMENT = (ROOT / "docs" / "state-changes.md").read_text()
# What needs a node and its sockets: tests/ws/test_state_changes.py. Everything else:
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
