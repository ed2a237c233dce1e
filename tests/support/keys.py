"""API keys, made by the program's own command."""

import subprocess
import uuid

from .cluster import RUMMYD


def make_key(conninfo, role="owner", name=None, holder="tests"):
    """A new key of a role."""
    done = subprocess.run(
        [RUMMYD, "api-key", "make", name or uuid.uuid4().hex, role, holder, "--db", conninfo],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout.strip()
