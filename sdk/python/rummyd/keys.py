"""Random ids for requests, commands, and seeds."""

import secrets


def new_key() -> str:
    """Idempotency key of a request."""
    return secrets.token_hex(16)
