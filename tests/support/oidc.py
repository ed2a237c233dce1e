"""A stand-in for an OpenID Connect provider: discovery, keys, consent page, and token endpoint.

    provider = Provider()                      # listens; provider.config("google") for the server's file
    code, state = provider.agree(authorize_url, Person("248289761001", "mia@example.org"))

Every reply can be falsified: `claims` and `header` change the next ID tokens, `sign` signs them, `documents`
replaces the document at a path, and `manners` are those of StandIn.

`python3 -m support.oidc FOLDER NAME...`, run in tests/, starts one provider per name, prints the path of the
server's configuration file, and exits when its standard input closes."""

import base64
import dataclasses
import functools
import hashlib
import hmac
import html
import itertools
import json
import pathlib
import sys
import time
import urllib.parse
import uuid

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from support.stand_in import StandIn

CLIENT = "rummy.example.apps"
SECRET = "oidc-secret-0123456789 &/ü"  # every kind of character that a secret may contain
PAGE = """<!doctype html><html lang="en"><title>A provider</title>
<form action="/agree">{hidden}<label>Who are you? <input name="person" type="email"></label>
<button>Agree</button> <button name="error" value="access_denied">Cancel</button></form></html>"""


def b64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value):
    return b64url(value.to_bytes((value.bit_length() + 7) // 8, "big"))


@dataclasses.dataclass
class Person:
    subject: str
    email: str = None
    verified: object = True

    def claims(self):
        return {
            "sub": self.subject,
            **({"email": self.email, "email_verified": self.verified} if self.email else {}),
        }


class Key:
    numbers = itertools.count(1)
    later = []  # keys not generated yet; None once a provider exists

    def __init__(self, alg="RS256", kid=None, bits=2048, curve=None):
        self.alg, self.kid, self.bits, self.curve = alg, kid or f"key-{next(self.numbers)}", bits, curve
        if Key.later is None:
            self.make()
        else:
            Key.later.append(self)

    def make(self):
        return self.private

    @classmethod
    def make_all(cls):
        """Generates the keys before a server waits for a reply that needs one."""
        waiting, cls.later = cls.later or [], None
        for key in waiting:
            key.make()

    @functools.cached_property
    def private(self):
        """Generated together with the first provider, because RSA takes up to 1 s, and each process imports
        all files."""
        if self.alg[0] == "R":
            return rsa.generate_private_key(65537, self.bits)
        return ec.generate_private_key(self.curve or ec.SECP256R1())

    def jwk(self, **changes):
        public = self.private.public_key().public_numbers()
        if self.alg[0] == "R":
            it = {"kty": "RSA", "n": number(public.n), "e": number(public.e)}
        else:
            it = {
                "kty": "EC",
                "crv": "P-256",
                "x": b64url(public.x.to_bytes(32, "big")),
                "y": b64url(public.y.to_bytes(32, "big")),
            }
        it = {**it, "use": "sig", "alg": self.alg, "kid": self.kid, **changes}
        return {name: value for name, value in it.items() if value is not None}

    def sign(self, text):
        if self.alg[0] == "R":
            return self.private.sign(text, padding.PKCS1v15(), hashes.SHA256())
        r, s = decode_dss_signature(self.private.sign(text, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")

    def public_pem(self):
        return self.private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )


RSA_KEY = Key()


def jws(header, payload, sign):
    """A compact JWS; header and payload: an object, or raw bytes."""
    parts = [part if isinstance(part, bytes) else json.dumps(part).encode() for part in (header, payload)]
    text = ".".join(map(b64url, parts))
    return text + "." + b64url(sign(text.encode()))


def hs256(secret):
    return lambda text: hmac.new(secret, text, hashlib.sha256).digest()


class Provider(StandIn):
    def __init__(self, key=None, secret=SECRET, ways=("client_secret_basic",)):
        Key.make_all()
        self.keys = [key or RSA_KEY]
        self.secret, self.ways = secret, ways
        self.id = "google"  # id in the server's configuration
        self.codes = {}  # code: (the request, the person)
        self.claims, self.header = {}, {}  # replacements for the usual ones; None: omitted
        self.sign = None  # signs the next tokens: header, payload -> text
        self.documents = {}  # path: (status, body)
        self.dress = {}  # path: a function from status and body to the status, body, and headers to send
        super().__init__()

    def forget(self):
        with self.lock:
            for what in (
                self.codes,
                self.claims,
                self.header,
                self.documents,
                self.dress,
                self.requests,
                self.manners,
            ):
                what.clear()
            self.sign = None

    def config(self, id="google", name="Google", folder=None, **changes):
        self.id = id
        it = {"id": id, "name": name, "issuer": self.url, "client_id": CLIENT, **changes}
        if self.secret and folder:
            path = folder / f"{id}-secret"
            path.write_text(self.secret + "\n", encoding="utf-8")
            it["client_secret_file"] = str(path)
        return it

    def other(self, body):
        return body

    # --- the person

    def agree(self, authorize_url, person, iss=None):
        """A person gives consent in the browser; returns the code and state of the redirect."""
        where, _, query = authorize_url.partition("?")
        asked = dict(urllib.parse.parse_qsl(query, strict_parsing=True))
        assert where == self.url + "/authorize"
        assert (
            asked["response_type"] == "code"
            and asked["client_id"] == CLIENT
            and "openid" in asked["scope"].split()
        )
        assert asked["code_challenge_method"] == "S256" and len(asked["code_challenge"]) == 43
        assert len({asked["state"], asked["nonce"], asked["code_challenge"]}) == 3
        code = uuid.uuid4().hex
        with self.lock:
            self.codes[code] = {**asked, "person": person}
        return code, asked["state"]

    def _page(self, asked):
        hidden = "".join(
            f'<input type="hidden" name="{name}" value="{html.escape(value)}">'
            for name, value in asked.items()
        )
        return 200, PAGE.format(hidden=hidden).encode(), {"Content-Type": "text/html; charset=utf-8"}

    def _agreed(self, said):
        email, error = said.pop("person"), said.pop("error", None)
        back = {"state": said["state"], "error": error}
        if not error:
            code, state = self.agree(
                f"{self.url}/authorize?{urllib.parse.urlencode(said)}", Person(email, email)
            )
            back = {"state": state, "code": code, "iss": self.url}
        return 302, {}, {"Location": f"{said['redirect_uri']}?{urllib.parse.urlencode(back)}"}

    # --- the server

    def discovery(self, **changes):
        it = {
            "issuer": self.url,
            "authorization_endpoint": self.url + "/authorize",
            "token_endpoint": self.url + "/token",
            "jwks_uri": self.url + "/keys",
            "response_types_supported": ["code"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": list(self.ways),
            **changes,
        }
        return {name: value for name, value in it.items() if value is not None}

    def serve(self, method, path, form, headers):
        answer = self._serve(method, path, form, headers)
        dress = self.dress.get(path.partition("?")[0])
        return dress(*answer[:2]) if dress else answer

    def _serve(self, method, path, form, headers):
        path, _, query = path.partition("?")
        if method == "GET" and path in ("/authorize", "/agree"):
            return (self._page if path == "/authorize" else self._agreed)(
                dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
            )
        with self.lock:
            if path in self.documents:
                return self.documents[path]
            if (method, path) == ("GET", "/.well-known/openid-configuration"):
                return 200, self.discovery()
            if (method, path) == ("GET", "/keys"):
                return 200, {"keys": [key.jwk() for key in self.keys]}
            if (method, path) == ("POST", "/token"):
                return self._token(form, headers)
        return 404, {"error": "not_found"}

    def _is_client(self, form, headers):
        if not self.secret:
            return form.get("client_id") == CLIENT and "client_secret" not in form
        if "client_secret_post" in self.ways:
            return form.get("client_id") == CLIENT and form.get("client_secret") == self.secret
        kind, _, pair = headers.get("Authorization", "").partition(" ")
        user, _, password = base64.b64decode(pair).decode().partition(":")
        return (kind, urllib.parse.unquote_plus(user), urllib.parse.unquote_plus(password)) == (
            "Basic",
            CLIENT,
            self.secret,
        )

    def _token(self, form, headers):
        if not self._is_client(form, headers):
            return 401, {"error": "invalid_client"}
        asked = self.codes.pop(form["code"], None)
        verified = b64url(hashlib.sha256(form["code_verifier"].encode()).digest())
        if (
            asked is None
            or form["grant_type"] != "authorization_code"
            or form["redirect_uri"] != asked["redirect_uri"]
        ):
            return 400, {"error": "invalid_grant"}
        if verified != asked["code_challenge"]:
            return 400, {"error": "invalid_grant", "error_description": "PKCE"}
        return 200, {
            "access_token": uuid.uuid4().hex,
            "token_type": "Bearer",
            "expires_in": 3600,
            "id_token": self._id_token(asked["nonce"], asked["person"]),
        }

    def _id_token(self, nonce, person):
        now, key = int(time.time()), self.keys[0]
        claims = {
            "iss": self.url,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            **person.claims(),
            **self.claims,
        }
        header = {"alg": key.alg, "kid": key.kid, "typ": "JWT", **self.header}
        claims, header = (
            {name: value for name, value in it.items() if value is not None} for it in (claims, header)
        )
        return self.sign(header, claims) if self.sign else jws(header, claims, key.sign)

    def asked(self, path):
        """Number of requests for a path."""
        with self.lock:
            return sum(1 for _, at, _, _ in self.requests if at.partition("?")[0] == path)


def main(folder, *names):
    folder = pathlib.Path(folder)
    file = folder / "oidc.json"
    file.write_text(
        json.dumps({"providers": [Provider().config(name.lower(), name, folder) for name in names]}),
        encoding="utf-8",
    )
    print(file, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
