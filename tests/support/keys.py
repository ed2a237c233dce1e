"""API keys, made by the program's own command."""

import subprocess
import uuid

from .cluster import RUMMYD


def make_key(conninfo, role="admin", name=None):
    """A new key of a role."""
    done = subprocess.run([RUMMYD, "api-key", "make", name or uuid.uuid4().hex, role, "--db", conninfo], check=True,
                          stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()
