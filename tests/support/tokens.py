"""Forged access tokens: valid ones, which only the server should be able to issue, and invalid ones."""

import base64
import hashlib
import hmac
import json
import time


def secret_of(server):
    """The signing key of a server with --dev."""
    return (server.folder / "jwt_secret").read_bytes()


def b64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def forge(header, claims, secret):
    signed = b".".join(b64url(json.dumps(part).encode()) for part in (header, claims))
    digest = {"HS256": hashlib.sha256, "HS512": hashlib.sha512}.get(header["alg"])
    signature = hmac.new(secret, signed, digest).digest() if digest else b""
    return (signed + b"." + b64url(signature)).decode()


def claims_of(player, session="1", **changes):
    now = int(time.time())
    claims = {
        "iss": "rummyd",
        "aud": "rummy",
        "sub": player,
        "sid": session,
        "iat": now,
        "nbf": now,
        "exp": now + 900,
        **changes,
    }
    return {k: v for k, v in claims.items() if v is not None}


OURS = {"alg": "HS256", "kid": "k1", "typ": "JWT"}


def read(token):
    """The claims of a token, unchecked."""
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def expired(token, secret):
    """The same token from an hour ago, correctly signed."""
    claims = read(token)
    return forge(
        OURS,
        {**claims, "iat": claims["iat"] - 3600, "nbf": claims["nbf"] - 3600, "exp": claims["exp"] - 3600},
        secret,
    )


def forgeries(token, secret):
    """(name, token) pairs: forgeries of a valid token without the secret, and outdated tokens."""
    claims = read(token)
    head, body, signature = token.split(".")
    other = b64url(json.dumps({**claims, "sub": str(int(claims["sub"]) + 1)}).encode()).decode()
    longer = b64url(json.dumps({**claims, "exp": claims["exp"] + 10**6}).encode()).decode()
    yield "signed with another key", forge(OURS, claims, b"another secret of thirty-two bytes")
    yield "signed with no key", forge(OURS, claims, b"")
    yield "unsigned", forge({"alg": "none", "kid": "k1", "typ": "JWT"}, claims, secret)
    yield "unsigned, with the old signature", f"{forge({**OURS, 'alg': 'none'}, claims, secret)}{signature}"
    yield "another algorithm", forge({**OURS, "alg": "HS512"}, claims, secret)
    yield "another kid", forge({**OURS, "kid": "k2"}, claims, secret)
    yield "another player", f"{head}.{other}.{signature}"
    yield "a longer life", f"{head}.{longer}.{signature}"
    yield "half a signature", f"{head}.{body}.{signature[:-8]}"
    yield "no signature", f"{head}.{body}."
    yield "two parts", f"{head}.{body}"
    yield "twice", f"{token}.{token}"
    yield "too long", token + "A" * 2000
