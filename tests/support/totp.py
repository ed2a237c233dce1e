"""An authenticator app (RFC 6238), and an account that uses one."""

import base64
import hashlib
import hmac
import struct
import time
import uuid

from .contract import Client

PASSWORD = "seven sleeping camels"


def now_step():
    return int(time.time()) // 30


def code_of(secret, step):
    """The code of a base32 secret at a step."""
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", step), hashlib.sha1).digest()
    offset = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[offset : offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06d}"


def wrong_code(secret):
    """Six digits that are not the code of any step around now."""
    near = {code_of(secret, now_step() + off) for off in range(-4, 5)}
    return next(f"{n:06d}" for n in range(100) if f"{n:06d}" not in near)


class Member:
    """An account. `sql` runs statements as the owner of its database."""

    def __init__(self, server, sql):
        self.server, self.sql, self.email = server, sql, f"{uuid.uuid4().hex}@example.org"
        self.client = Client(server)
        self.client.register(self.email, PASSWORD)
        self.player = int(self.client.player["id"])
        self.secret, self.codes = None, []

    def prove(self):
        """Confirms the address without opening the emailed link."""
        self.sql("UPDATE players SET email_verified_at = now() WHERE id = %s", self.player)

    def set_up(self):
        """Starts the setup of a second factor."""
        self.secret = self.call("", {"password": PASSWORD}, status=200).json()["secret"]
        return self

    def confirm(self):
        self.codes = self.call("/confirm", {"factor_code": self.code()}, status=200).json()["recovery_codes"]
        return self

    def call(self, what, body, **more):
        return self.client.call("POST", f"/v1/me/factor{what}", body, **more)

    def status(self):
        return self.client.get("/v1/me/factor")

    def code(self, fresh=True, ahead=0):
        """The code of the current step, or of a later one. The server also accepts the code of the next
        step, which is valid for longer. fresh: makes the server forget that a code was used."""
        if fresh:
            self.sql("UPDATE totp_factors SET last_step = 0 WHERE player_id = %s", self.player)
        return code_of(self.secret, now_step() + ahead)

    def proof(self, **more):
        return {"password": PASSWORD, "factor_code": self.code(), **more}

    def login(self, password=PASSWORD, **more):
        """The first step of the sign-in."""
        headers = more.pop("headers", None)
        body = {"email": self.email, "password": password, **more.pop("body", {})}
        return Client(self.server).call("POST", "/v1/auth/login", body, headers=headers, **more)

    def challenge(self):
        return self.login(status=401, code="second_factor_needed").json()["challenge"]

    def finish(self, challenge, typed, headers=None, body=None, **more):
        """The second step of the sign-in."""
        body = {"challenge": challenge, "factor_code": typed, **(body or {})}
        return Client(self.server).call("POST", "/v1/auth/login/factor", body, headers=headers, **more)
