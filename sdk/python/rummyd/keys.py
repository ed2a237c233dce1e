"""Random names: of requests, of commands, for seeds."""

import secrets


def new_key() -> str:
    """What makes a request count once, however often it is sent."""
    return secrets.token_hex(16)
