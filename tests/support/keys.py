"""API keys, created in the database as `rummyd api-key` does."""

import base64
import contextlib
import hashlib
import secrets
import subprocess
import uuid

import psycopg2

from .cluster import RUMMYD

SHOWN = 9  # characters of a key that the database keeps (API_KEY_SHOWN)
DAYS = 90


def make_key(conninfo, role="owner", name=None, holder="tests"):
    """Creates a key with a role. Tests create thousands, and the command would start the program for
    each."""
    random = base64.urlsafe_b64encode(secrets.token_bytes(32)).decode().rstrip("=")
    key = "rk_" + random
    given = (name or uuid.uuid4().hex, role, holder, DAYS, hashlib.sha256(key.encode()).digest(), key[:SHOWN])
    with contextlib.closing(psycopg2.connect(conninfo)) as connection:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute("SELECT code FROM do_make_key(%s, %s, %s, %s, %s, %s)", given)
            assert cursor.fetchone() == ("ok",)
    return key


def make_key_by_command(conninfo, role="owner", name=None, holder="tests"):
    """Creates a key with a role by `rummyd api-key`."""
    done = subprocess.run(
        [RUMMYD, "api-key", "make", name or uuid.uuid4().hex, role, holder, "--db", conninfo],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout.strip()
