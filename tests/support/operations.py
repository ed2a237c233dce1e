"""The operations of openapi.yaml as data: allowed callers, parameters, and responses. Tests of every
operation are generated from them, so a new operation is tested as soon as the contract has it."""

import json
import re
from urllib.parse import urlencode

from .contract import OPENAPI, resolve


class Operation:
    def __init__(self, method, path, said):
        self.method, self.path, self.id = method.upper(), path, said["operationId"]
        parameters = [resolve(p) for p in said.get("parameters", [])]
        self.in_path = {p["name"]: resolve(p["schema"]) for p in parameters if p["in"] == "path"}
        self.in_query = {p["name"]: resolve(p["schema"]) for p in parameters if p["in"] == "query"}
        # Examples of the required query parameters.
        self.needed_query = urlencode(
            {p["name"]: p["example"] for p in parameters if p["in"] == "query" and p.get("required")}
        )
        self.keyed = any(p["name"] == "Idempotency-Key" for p in parameters)
        security = said.get("security", OPENAPI["security"])
        # reader: anyone may call it; a player who sends a token also gets their own data.
        self.role = (
            "anyone"
            if security == []
            else "key"
            if "apiKey" in security[0]
            else "reader"
            if {} in security
            else "player"
        )
        # roles of API keys, in addition to owner
        self.roles, self.scope = said.get("x-roles"), said.get("x-scope")
        self.token_scope = said.get("x-token-scope")  # scopes of a bot token
        self.responses = {int(status): resolve(response) for status, response in said["responses"].items()}
        self.body, self.example, self.body_optional = None, None, True
        if "requestBody" in said:
            body = resolve(said["requestBody"])
            media = body["content"]["application/json"]
            self.body, self.body_optional = resolve(media["schema"]), not body.get("required", False)
            self.example = next(iter(media["examples"].values()))["value"]
        # A body in a third party's format, which the endpoint parses itself.
        self.raw = self.body is not None and self.body.get("additionalProperties") is True
        self.ours = path.startswith("/v1/")

    def __repr__(self):
        return self.id

    def may_answer(self, status, code):
        return code in self.responses.get(status, {}).get("x-codes", [])

    def at(self, values):
        """The path with these parameters, ready to send."""
        return re.sub(r"\{(\w+)\}", lambda name: values[name[1]], self.path)


OPERATIONS = [
    Operation(method, path, said)
    for path, methods in OPENAPI["paths"].items()
    for method, said in methods.items()
]
BY_ID = {operation.id: operation for operation in OPERATIONS}


def as_bytes(value):
    return json.dumps(value).encode()
