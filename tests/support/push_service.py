"""Push services and a browser for the tests. The web push service accepts messages (RFC 8030), decrypts them
(RFC 8291), and verifies their sender (RFC 8292). Written from the RFCs, using only Python's cryptography
package."""

import base64
import json
import os
import urllib.parse
import uuid

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from .receiver import Receiver
from .rsa_keys import rsa_key

POINT = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def hkdf(salt, secret, info, length):
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def make_key(path):
    """A private key for `vapid_key_file`."""
    key = ec.generate_private_key(ec.SECP256R1())
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    path.chmod(0o600)
    return b64(key.public_key().public_bytes(*POINT))


class Browser:
    """The result of PushManager.subscribe, and the messages that a service worker gets."""

    def __init__(self, service):
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.point = self.key.public_key().public_bytes(*POINT)
        self.path = "/send/" + uuid.uuid4().hex
        self.endpoint = service.origin + self.path

    @property
    def subscription(self):
        return {
            "kind": "webpush",
            "endpoint": self.endpoint,
            "p256dh": b64(self.point),
            "auth": b64(self.auth),
        }

    def read(self, message):
        body = message.body
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert message.headers["Content-Encoding"] == "aes128gcm" and length == 65 and len(sealed) <= size
        shared = self.key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        )
        ikm = hkdf(self.auth, shared, b"WebPush: info\0" + self.point + sender, 32)
        plain = AESGCM(hkdf(salt, ikm, b"Content-Encoding: aes128gcm\0", 16)).decrypt(
            hkdf(salt, ikm, b"Content-Encoding: nonce\0", 12), sealed, None
        )
        assert plain[-1] == 2, "the last record"
        return json.loads(plain[:-1])


class PushService(Receiver):
    def __init__(self):
        super().__init__(usual=201)
        self.origin = self.url.removesuffix("/hook")

    def sender(self, message):
        """The verified sender of the message: claims and public key."""
        scheme, rest = message.headers["Authorization"].split(" ", 1)
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert scheme == "vapid" and set(parts) == {"t", "k"}
        head, claims, signature = parts["t"].split(".")
        assert json.loads(unb64(head)) == {"typ": "JWT", "alg": "ES256"}
        raw = unb64(signature)
        der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(parts["k"]))
        key.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        return json.loads(unb64(claims)), parts["k"]


def verified(token, key):
    """Header and claims of a JWT with a valid signature."""
    head, claims, signature = token.split(".")
    raw, text = unb64(signature), f"{head}.{claims}".encode()
    if isinstance(key, rsa.RSAPublicKey):
        key.verify(raw, text, padding.PKCS1v15(), hashes.SHA256())
    else:
        key.verify(
            utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")),
            text,
            ec.ECDSA(hashes.SHA256()),
        )
    return json.loads(unb64(head)), json.loads(unb64(claims))


class AppServices(Receiver):
    """Firebase and Apple behind one address. says: a status and a reply for each of the next messages, in
    order."""

    def __init__(self, folder):
        super().__init__(usual=self.serve)
        self.origin, self.says, self.tokens = self.url.removesuffix("/hook"), [], []
        google, apple = rsa_key("firebase"), ec.generate_private_key(ec.SECP256R1())
        self.google, self.apple = google.public_key(), apple.public_key()
        pem = lambda key: key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ).decode()
        self.files = {"fcm_account_file": folder / "firebase.json", "apns_key_file": folder / "apple.p8"}
        self.files["fcm_account_file"].write_text(
            json.dumps(
                {"client_email": "push@rummy.example", "project_id": "rummy-7", "private_key": pem(google)}
            )
        )
        self.files["apns_key_file"].write_text(pem(apple))
        for path in self.files.values():
            path.chmod(0o600)
        self.options = {
            **self.files,
            "fcm_url": self.origin,
            "google_token_url": self.origin + "/token",
            "apns_url": self.origin,
            "apns_key_id": "KEY0000001",
            "apns_team_id": "TEAM000001",
            "apns_topic": "example.rummy",
        }

    def serve(self, handler):
        if handler.path == "/token":
            form = dict(urllib.parse.parse_qsl(self.messages[-1].body.decode()))
            head, claims = verified(form["assertion"], self.google)
            assert (
                form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer" and head["alg"] == "RS256"
            )
            assert (
                claims["scope"] == "https://www.googleapis.com/auth/firebase.messaging"
                and claims["iss"] == "push@rummy.example"
            )
            assert claims["aud"] == self.origin + "/token"
            self.tokens.append("ya29." + uuid.uuid4().hex)
            status, answer = 200, {"access_token": self.tokens[-1], "expires_in": 3600}
        else:
            status, answer = self.says.pop(0) if self.says else (200, {})
        body = json.dumps(answer).encode()
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)
