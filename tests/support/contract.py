"""Validates every response that a test gets through `Client` against openapi.yaml."""

import contextlib
import functools
import hashlib
import json
import marshal
import os
import re
import sys
import uuid

import jsonschema
import yaml
from rummyd import Http

from .cluster import ROOT


def read_yaml(text):
    """Uses libyaml, which parses 20,000 lines in 0.5 s instead of 4 s."""
    return yaml.load(text, yaml.CSafeLoader)


def read_contract(name):
    """A contract of the tree. About twenty processes of a run read it, so the first one caches the parsed
    contract in var/cache until the text changes."""
    text = (ROOT / name).read_bytes()
    key = hashlib.sha256(sys.version.encode() + text).hexdigest()[:16]
    kept = ROOT / "var/cache/contracts" / f"{name}-{key}"
    try:
        return marshal.loads(kept.read_bytes())
    except (OSError, ValueError, EOFError, TypeError):
        pass
    document = read_yaml(text.decode())
    with contextlib.suppress(OSError):  # the clone belongs to another user
        kept.parent.mkdir(parents=True, exist_ok=True)
        for old in kept.parent.glob(f"{name}-*"):
            old.unlink(missing_ok=True)
        part = kept.with_name(f"{os.getpid()}.part")
        part.write_bytes(marshal.dumps(document))
        part.replace(kept)
    return document


OPENAPI = read_contract("openapi.yaml")
ERRORS = {row["code"]: row for row in OPENAPI["x-errors"]}
# Each path of the contract with a pattern for its addresses.
PATTERNS = {pattern: re.compile(re.sub(r"\{\w+\}", "[^/]+", pattern)) for pattern in OPENAPI["paths"]}


def closed(node):
    """The contract leaves responses open for future members and values. Tests allow only those that it
    lists."""
    if isinstance(node, list):
        return [closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    made = {key: closed(value) for key, value in node.items()}
    if "properties" in made and made.get("additionalProperties") is True:
        made["additionalProperties"] = False
    if "x-extensible-enum" in made:
        made["enum"] = made["x-extensible-enum"]
    return made


_FORMATS = jsonschema.FormatChecker()


@_FORMATS.checks("date-time", raises=AssertionError)
def _is_time(value):
    return (
        not isinstance(value, str)
        or re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", value) is not None
    )


# The whole contract as one schema, which resolves a part's "#/components/…" references.
_CONTRACT = jsonschema.Draft202012Validator(closed(OPENAPI), format_checker=_FORMATS)
_validators = {}  # id of a schema → the schema, kept so that no other object gets its id, and its validator


def resolve(node):
    """Resolves `$ref`s of the contract."""
    while isinstance(node, dict) and "$ref" in node:
        target = OPENAPI
        for name in node["$ref"].removeprefix("#/").split("/"):
            target = target[name.replace("~1", "/").replace("~0", "~")]
        node = target
    return node


def check(value, schema):
    """Validates a value against a schema that allows only what the contract lists today."""
    if id(schema) not in _validators:
        _validators[id(schema)] = schema, _CONTRACT.evolve(schema=closed(schema))
    _validators[id(schema)][1].validate(value)


@functools.lru_cache(None)
def find_operation(method, path):
    """The operation a request belongs to: (its path in the contract, the operation)."""
    method = "get" if method == "HEAD" else method.lower()
    for pattern, form in PATTERNS.items():
        if form.fullmatch(path) and method in OPENAPI["paths"][pattern]:
            return pattern, OPENAPI["paths"][pattern][method]
    return None, None


_headers = set()  # valid values: (id of the header in the contract, value)


def check_response(method, path, response):
    """Fails unless the contract allows this response of this operation."""
    assert re.fullmatch(r"[A-Za-z0-9._-]{8,64}", response.headers.get("X-Trace-Id", "")), response.headers
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    problem = response.headers.get("Content-Type", "") == "application/problem+json"
    assert problem == (response.status_code >= 400 and path != "/readyz"), response.text[:300]
    if problem and method != "HEAD":
        check_problem(path, response)
    pattern, operation = find_operation(method, path)
    if operation is None:
        assert response.status_code >= 400, (method, path, response.status_code)
        return
    assert str(response.status_code) in operation["responses"], (
        pattern,
        response.status_code,
        response.text[:300],
    )
    said = resolve(operation["responses"][str(response.status_code)])
    for name, header in said.get("headers", {}).items():
        if name.startswith("RateLimit"):
            continue  # present only if limits are enabled
        assert name in response.headers, (pattern, response.status_code, name)
        value = response.headers[name]
        if (id(header), value) not in _headers:
            check(_header_value(value, header), resolve(header)["schema"])
            _headers.add((id(header), value))
    if response.status_code == 201:
        assert any(form.fullmatch(response.headers["Location"]) for form in PATTERNS.values()), (
            response.headers
        )
    if problem and method != "HEAD":
        assert response.json()["code"] in said["x-codes"], (pattern, response.text)
    media = said.get("content")
    if not media:
        assert response.content == b""
        return
    kind = response.headers["Content-Type"].split(";")[0]
    assert kind in media, (pattern, kind)
    if kind == "application/json" and method != "HEAD":
        check(response.json(), media[kind]["schema"])


def _header_value(text, header):
    return int(text) if resolve(header)["schema"]["type"] == "integer" else text


PROBLEM = {"$ref": "#/components/schemas/Problem"}

# Problems that identify the wrong members, parameters, or headers.
NAMED = {
    "duplicate_member",
    "unknown_member",
    "missing_member",
    "wrong_type",
    "out_of_range",
    "bad_length",
    "bad_format",
    "bad_parameter",
    "bad_cursor",
    "bad_option",
    "idempotency_key_missing",
    "idempotency_key_bad",
    "unsupported_media_type",
}


_problems = set()  # valid problems, because a sweep sees the same ones thousands of times


def check_problem(path, response):
    body = response.json()
    assert body["status"] == response.status_code
    assert body["trace_id"] == response.headers["X-Trace-Id"]
    assert body["instance"] == path.split("?")[0]
    known = json.dumps({**body, "trace_id": None, "instance": None})
    if known not in _problems:
        check(body, PROBLEM)
        _problems.add(known)
    row = ERRORS[body["code"]]
    assert row["status"] == body["status"] and row["text"] == body["title"]
    assert body["type"] == f"/docs#error-{body['code']}"
    assert "errors" in body or body["code"] not in NAMED, body
    if "errors" in body:
        assert all(fault["detail"] for fault in body["errors"])


def a_name(first):
    """An unused nickname."""
    return f"{first} {uuid.uuid4().hex[:8]}"


class Client(Http):
    """One caller. Each response is validated against the contract before the test gets it."""

    def __init__(self, server):
        super().__init__(server.url)
        self.http.trust_env = False  # searching for a proxy of 127.0.0.1 takes a third of a request's time
        self.player = None
        self.device_secret = None

    def call(self, method, path, body=None, *, status=None, code=None, headers=None, **more):
        """Sends a request and returns the response, which must have this `status` and `code`."""
        response = self.send(method, path, body=body, headers=headers, **more)
        check_response(method, path.split("?")[0], response)
        if status is not None:
            assert response.status_code == status, (response.status_code, response.text)
        if code is not None:
            assert response.json()["code"] == code, response.text
        return response

    def get(self, path, **more):
        return self.call("GET", path, **{"status": 200, **more}).json()

    def take_seat(self, room="desert", key=None, **more):
        headers = {"Idempotency-Key": key or uuid.uuid4().hex}
        return self.call("POST", f"/v1/rooms/{room}/seats", headers=headers, **more)

    def new_ticket(self, table, key=None, **more):
        headers = {"Idempotency-Key": key or uuid.uuid4().hex}
        return self.call("POST", f"/v1/tables/{table}/tickets", headers=headers, **more)

    def _adopt(self, session):
        self.player = self.keep(session)["player"]
        return self

    def guest(self, secret=None, **more):
        """Signs in as a new guest, or as the guest with this device secret."""
        body = {**({"device_secret": secret} if secret else {}), **more}
        session = self.call("POST", "/v1/auth/guest", body, status=200).json()
        self.device_secret = session["device_secret"]
        return self._adopt(session)

    def refresh(self, token=None):
        body = {"refresh_token": token or self.refresh_token}
        return self._adopt(self.call("POST", "/v1/auth/refresh", body, status=200).json())

    def register(self, email=None, password="correct horse", nickname=None):
        body = {
            "email": email or f"{uuid.uuid4().hex}@example.org",
            "password": password,
            "nickname": nickname or a_name("Mia"),
        }
        return self._adopt(self.call("POST", "/v1/auth/register", body, status=201).json())
