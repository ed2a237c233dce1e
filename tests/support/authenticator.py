"""A software authenticator with its browser: creates passkeys and signs with them, correctly or with one
fault.

python3 tests/support/authenticator.py >tests/api/webauthn_vectors.def     # regenerates the vectors
"""

import base64
import hashlib
import json
import os
import struct

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

PRESENT, VERIFIED, ELIGIBLE, BACKED_UP, ATTESTED, EXTENDED = 0x01, 0x04, 0x08, 0x10, 0x40, 0x80


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def cbor(value):
    """The subset of RFC 8949 that authenticators use: integers, bytes, texts, lists, maps."""

    def head(kind, number):
        for more, form, limit in (
            (None, "", 24),
            (24, ">B", 1 << 8),
            (25, ">H", 1 << 16),
            (26, ">I", 1 << 32),
        ):
            if number < limit:
                return bytes([kind << 5 | (number if more is None else more)]) + (
                    struct.pack(form, number) if form else b""
                )
        raise ValueError(number)

    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    return head(5, len(value)) + b"".join(cbor(k) + cbor(v) for k, v in value.items())


class Passkey:
    """One credential. Values given as `odd` to create() and get() replace the correct ones."""

    def __init__(
        self,
        alg="ES256",
        origin="http://localhost:8080",
        count=0,
        step=0,
        backed_up=False,
        key=None,
        credential_id=None,
    ):
        self.alg, self.origin, self.count, self.step = alg, origin, count, step
        self.key = (
            key
            or {
                "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
                "EdDSA": ed25519.Ed25519PrivateKey.generate,
                "RS256": lambda: rsa.generate_private_key(65537, 2048),
            }[alg]()
        )
        self.credential_id = credential_id or os.urandom(32)
        self.backup = ELIGIBLE | BACKED_UP if backed_up else 0
        self.handle = self.rp_id = None

    def cose(self):
        public = self.key.public_key()
        if self.alg == "ES256":
            n = public.public_numbers()
            return {1: 2, 3: -7, -1: 1, -2: n.x.to_bytes(32, "big"), -3: n.y.to_bytes(32, "big")}
        if self.alg == "EdDSA":
            from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

            return {1: 1, 3: -8, -1: 6, -2: public.public_bytes(Encoding.Raw, PublicFormat.Raw)}
        n = public.public_numbers()
        return {1: 3, 3: -257, -1: n.n.to_bytes(256, "big"), -2: n.e.to_bytes(3, "big")}

    def sign(self, data):
        if self.alg == "ES256":
            return self.key.sign(data, ec.ECDSA(hashes.SHA256()))
        if self.alg == "EdDSA":
            return self.key.sign(data)
        return self.key.sign(data, padding.PKCS1v15(), hashes.SHA256())

    def client_data(self, kind, challenge, odd):
        said = {
            "type": kind,
            "challenge": challenge,
            "origin": self.origin,
            "crossOrigin": False,
            **odd.get("client", {}),
        }
        said = {name: value for name, value in said.items() if value is not None}
        return odd.get("client_text", json.dumps(said).encode())

    def data(self, odd, flags=0, rest=b""):
        flags = odd.get("flags", flags | PRESENT | VERIFIED | self.backup)
        rp = hashlib.sha256(odd.get("rp_id", self.rp_id).encode()).digest()
        return rp + struct.pack(">BI", flags, odd.get("count", self.count)) + odd.get("rest", rest)

    def create(self, options, name="Key", **odd):
        """The body of addPasskey for beginPasskey's reply."""
        public = options["public_key"]
        self.rp_id, self.handle = public["rp"]["id"], unb64(public["user"]["id"])
        client = self.client_data("webauthn.create", public["challenge"], odd)
        key = odd.get("cose", self.cose())
        rest = (
            bytes(16)
            + struct.pack(">H", len(self.credential_id))
            + self.credential_id
            + cbor(key)
            + odd.get("behind", b"")
        )
        data = self.data(odd, ATTESTED, rest)
        fmt = odd.get("fmt", "none")
        statement = odd.get("statement", {})
        if fmt == "packed" and not statement:
            number = {"ES256": -7, "EdDSA": -8, "RS256": -257}[self.alg]
            statement = {"alg": number, "sig": self.sign(data + hashlib.sha256(client).digest())}
        self.object = odd.get("object") or cbor({"fmt": fmt, "attStmt": statement, "authData": data})
        body = {
            "client_data": b64(client),
            "attestation_object": b64(self.object),
            "name": name,
            "transports": "internal",
        }
        return {**body, **odd.get("body", {})}

    def get(self, options, **odd):
        """The body of loginWithPasskey for beginPasskeyLogin's reply."""
        self.count += self.step
        client = self.client_data("webauthn.get", options["public_key"]["challenge"], odd)
        data = odd.get("data") or self.data(odd)
        signature = odd.get("signature") or odd.get("signer", self).sign(
            data + hashlib.sha256(client).digest()
        )
        body = {
            "credential_id": b64(self.credential_id),
            "client_data": b64(client),
            "authenticator_data": b64(data),
            "signature": b64(signature),
            "user_handle": b64(self.handle),
        }
        return {**body, **odd.get("body", {})}


def vectors():
    """A passkey per algorithm and one with a self attestation, all with the same challenge."""
    challenge = b64(bytes(range(32)))
    options = {
        "public_key": {
            "challenge": challenge,
            "rp": {"id": "play.example.org"},
            "user": {"id": b64(bytes(32))},
        }
    }
    print(
        "/* Generated by tests/support/authenticator.py: VECTOR(algorithm, attestation object, client data of"
        " both, data,\n * signature), bytes in hexadecimal. The challenge is the bytes 0 to 31, the site"
        " play.example.org. */"
    )
    for alg, fmt in (("ES256", "none"), ("EdDSA", "none"), ("RS256", "none"), ("ES256", "packed")):
        key = Passkey(
            alg,
            origin="https://play.example.org",
            count=7,
            backed_up=alg == "EdDSA",
            credential_id=bytes(range(100, 120)),
        )
        created = key.create(options, fmt=fmt)
        got = key.get(options)
        texts = [
            alg,
            *(
                unb64(text).hex()
                for text in (
                    created["attestation_object"],
                    created["client_data"],
                    got["client_data"],
                    got["authenticator_data"],
                    got["signature"],
                )
            ),
        ]
        print("VECTOR(" + ",\n       ".join(f'"{text}"' for text in texts) + ")")


if __name__ == "__main__":
    vectors()
