"""Responses in brotli and gzip: which responses, for which clients, and what is never compressed."""

import gzip
import http.client
import json
import os
import subprocess

import pytest
from support.cluster import ROOT, RUMMYD, SERVER
from support.contract import OPENAPI, Client
from support.server import Server
from support.wait import HANG_S

SHARES_SERVER = True

FORMS = [
    ("br", "br", "-br"),
    ("gzip", "gzip", "-gz"),
    ("gzip, deflate, br, zstd", "br", "-br"),
    ("br;q=0.5, gzip", "gzip", "-gz"),
    ("identity", None, ""),
    ("br;q=0, gzip;q=0", None, ""),
    ("deflate", None, ""),
    ("br gzip", None, ""),
    ("", None, ""),
]


def plain(answer):
    """The decoded bytes."""
    coding = answer.headers.get("Content-Encoding")
    if coding == "gzip":
        return gzip.decompress(answer.body)
    if coding == "br":
        code = "process.stdout.write(require('zlib').brotliDecompressSync(require('fs').readFileSync(0)))"
        return subprocess.run(
            ["node", "-e", code], input=answer.body, check=True, stdout=subprocess.PIPE
        ).stdout
    assert coding is None, coding
    return answer.body


class Line:
    """One connection, whose responses are read raw."""

    def __init__(self, server, token=None):
        self.http = http.client.HTTPConnection("127.0.0.1", server.http_port, timeout=HANG_S)
        self.token = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, path, accept, method="GET", **headers):
        self.http.request(method, path, headers={**self.token, "Accept-Encoding": accept, **headers})
        answer = self.http.getresponse()
        answer.body = answer.read()
        return answer


@pytest.fixture(scope="module")
def page(cluster, database, tmp_path_factory):
    folder = tmp_path_factory.mktemp("compression")
    dist = folder / "dist"
    (dist / "assets").mkdir(parents=True)
    (dist / "index.html").write_text("<!doctype html><title>page</title>" + "<p>one more</p>" * 200)
    (dist / "assets" / "app-1a2b3c4d.js").write_text("export const a = [];\n" * 400)
    (dist / "assets" / "small-1a2b3c4d.js").write_text("export {}")
    (dist / "assets" / "face-1a2b3c4d.woff2").write_bytes(b"w" * 4000)
    subprocess.run(["node", ROOT / "web/scripts/compress.mjs", dist], check=True)
    it = Server(
        cluster.conninfo(database, SERVER), folder, web_dir=dist, node="compression", rate_limits="off"
    ).start()
    it.dist = dist
    yield it
    assert it.stop() == 0


@pytest.fixture(scope="module")
def line(page):
    client = Client(page).guest()
    it = Line(page, client.token)
    it.client = client
    return it


@pytest.mark.parametrize(
    ("path", "media"),
    [
        ("/v1/variants", "application/json"),
        ("/asyncapi.yaml", "application/yaml"),
        ("/", "text/html; charset=utf-8"),
        ("/assets/app-1a2b3c4d.js", "text/javascript; charset=utf-8"),
    ],
)
def test_each_encoding_has_the_same_text_and_a_distinct_etag(line, path, media):
    whole = line.ask(path, "identity")
    bare = whole.headers["ETag"].strip('"')
    assert whole.status == 200 and len(whole.body) > 1024
    for accept, coding, ending in FORMS:
        answer = line.ask(path, accept)
        assert (answer.status, answer.headers.get("Content-Encoding"), answer.headers["Content-Type"]) == (
            200,
            coding,
            media,
        ), accept
        assert answer.headers["ETag"] == f'"{bare}{ending}"' and "Accept-Encoding" in answer.headers.get_all(
            "Vary"
        )
        assert plain(answer) == whole.body and int(answer.headers["Content-Length"]) == len(answer.body)
        assert coding is None or len(answer.body) < len(whole.body) / 2
        head = line.ask(path, accept, "HEAD")
        assert (head.body, head.headers["Content-Length"], head.headers["ETag"]) == (
            b"",
            str(len(answer.body)),
            answer.headers["ETag"],
        )
        for other, _, its in FORMS[:5]:
            again = line.ask(path, other, **{"If-None-Match": answer.headers["ETag"]})
            assert again.status == (304 if its == ending else 200), (accept, other)
            assert again.headers["ETag"] == f'"{bare}{its}"' and "Accept-Encoding" in again.headers.get_all(
                "Vary"
            )


def test_short_binary_and_error_responses_are_not_compressed(line, page):
    for path in "/v1/me", "/assets/small-1a2b3c4d.js", "/assets/face-1a2b3c4d.woff2", "/v1/nosuch":
        assert line.ask(path, "br, gzip").headers.get("Content-Encoding") is None, path
    assert line.ask("/assets/face-1a2b3c4d.woff2", "br").headers.get_all("Vary") in (None, ["Origin"])
    bad = line.ask("/v1/games?" + "&".join(f"no{n}=1" for n in range(16)), "br, gzip")
    assert bad.status == 400 and len(bad.body) > 1024 and bad.headers.get("Content-Encoding") is None
    entered = line.ask("/v1/auth/guest", "br, gzip", "POST", **{"Content-Type": "application/json"})
    assert entered.status >= 200 and entered.headers.get("Content-Encoding") is None


def test_a_streamed_list_is_not_compressed(line):
    answer = line.ask("/v1/wallet/postings?format=ndjson", "br, gzip")
    assert answer.status == 200 and answer.headers["Content-Type"] == "application/x-ndjson"
    assert answer.headers.get("Content-Encoding") is None


def test_a_compressed_file_older_than_its_source_is_not_sent(line, page):
    file = page.dist / "assets" / "app-1a2b3c4d.js"
    was = file.stat().st_mtime
    os.utime(file, (was + 3600, was + 3600))
    try:
        assert line.ask("/assets/app-1a2b3c4d.js", "br, gzip").headers.get("Content-Encoding") is None
    finally:
        os.utime(file, (was, was))
    (page.dist / "assets" / "app-1a2b3c4d.js.br").unlink()
    assert line.ask("/assets/app-1a2b3c4d.js", "br, gzip").headers.get("Content-Encoding") == "gzip"


# ---- Secrets ----

SECRET = {"ticket", "token", "access_token", "refresh_token", "secret", "hand", "pay_url", "email", "url"}
# `code` in these grants no access to anything.
CODES = {"listAudit", "listLostTables"}
# `hand` in these is the number of a hand.
NUMBERED = {"getDailyPuzzle", "getNextPuzzle", "getPuzzle"}


def members(document, schema, seen):
    """All member names in a schema."""
    if isinstance(schema, list):
        return set().union(*(members(document, it, seen) for it in schema), set())
    if not isinstance(schema, dict) or schema.get("$ref") in seen:
        return set()
    if "$ref" in schema:
        there = document
        for step in schema["$ref"].split("/")[1:]:
            there = there[step]
        return members(document, there, {*seen, schema["$ref"]})
    names = set(schema.get("properties", {}))
    for name, value in schema.items():
        if name not in ("example", "examples", "enum", "const", "description", "headers"):
            names |= members(document, list(value.values()) if name == "properties" else value, seen)
    return names


def test_responses_with_secrets_are_never_compressed():
    """The route table marks every GET response that, by the contract, has a member that grants access or
    the player's hand."""
    document = OPENAPI
    routes = {
        row["id"]: row
        for row in json.loads(subprocess.run([RUMMYD, "routes"], check=True, stdout=subprocess.PIPE).stdout)
    }
    found = set()
    for operations in document["paths"].values():
        if "get" not in operations:
            continue
        operation = operations["get"]
        names = members(document, operation["responses"].get("200", {}), set())
        if operation["operationId"] in NUMBERED:
            names.discard("hand")
        if names & SECRET or ("code" in names and operation["operationId"] not in CODES):
            found.add(operation["operationId"])
            assert routes[operation["operationId"]]["secret"], (operation["operationId"], names & SECRET)
    assert {"getTable", "listMyTables", "listOrders", "listInvites"} <= found


def test_the_players_hand_is_not_compressed(line, page):
    opened = line.client.call(
        "POST",
        "/v1/tables",
        {"variant": "rummy51", "seats": 2, "bots": 1, "visibility": "private"},
        headers={"Idempotency-Key": "one-table-1234567"},
        status=201,
    )
    table = opened.json()["table_id"]
    answer = Line(page, line.client.token).ask(f"/v1/tables/{table}", "br, gzip")
    assert answer.status == 200 and answer.headers.get("Content-Encoding") is None
    assert "Accept-Encoding" not in (answer.headers.get_all("Vary") or [])
