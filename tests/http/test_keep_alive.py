"""One connection serves any number of requests, whatever the outcome of the previous one."""

import json
import socket

import pytest
from support.wait import HANG_S

SHARES_SERVER = True

JSON = "Content-Type: application/json\r\n"
GUEST = "POST /v1/auth/guest"
# A request line without the version, its headers, its body, and the status of the response.
REQUESTS = {
    "an answer": ("GET /healthz", "", "", 200),
    "its head": ("HEAD /healthz", "", "", 200),
    "a preflight": ("OPTIONS /v1/me", "", "", 204),
    "no token": ("GET /v1/me", "", "", 401),
    "a bad token": ("GET /v1/me", "Authorization: Bearer no\r\n", "", 401),
    "no such address": ("GET /v1/nosuch", "", "", 404),
    "no such method": ("BREW /v1/me", "", "", 405),
    "a parameter that is not known": ("GET /v1/auth/oidc?no=1", "", "", 400),
    "an encoded slash": ("GET /v1%2Fme", "", "", 400),
    "bad JSON": (GUEST, JSON, "{", 400),
    "a member that is not known": (GUEST, JSON, '{"no":1}', 422),
    "refused before its body: no token": ("PATCH /v1/me", JSON, '{"avatar":"x"}', 401),
    "refused before its body: no such address": ("POST /v1/nosuch", JSON, "{}" + " " * 60000, 404),
    "refused before its body: no such method": ("PUT /v1/auth/guest", JSON, "{}", 405),
    "refused before its body: no JSON": (GUEST, "Content-Type: text/plain\r\n", "x" * 300, 415),
}


class Line:
    def __init__(self, server):
        self.socket = socket.create_connection(("127.0.0.1", server.http_port), timeout=HANG_S)
        self.file = self.socket.makefile("rb")

    def ask(self, version, line, headers, body):
        length = f"Content-Length: {len(body)}\r\n" if body else ""
        self.socket.sendall(
            f"{line} HTTP/{version}\r\nHost: localhost\r\n{headers}{length}\r\n{body}".encode()
        )
        status = int(self.file.readline().split()[1])
        said = {}
        while (row := self.file.readline().strip()) != b"":
            name, _, value = row.decode().partition(":")
            said[name.lower()] = value.strip()
        body = (
            b"" if line.startswith("HEAD") or status == 204 else self.file.read(int(said["content-length"]))
        )
        return status, said, body

    def ended(self):
        return self.file.read(1) == b""


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize(("version", "asked"), [("1.1", ""), ("1.0", "Connection: keep-alive\r\n")])
def test_the_next_request_is_answered_on_the_same_connection(server, name, version, asked):
    line, headers, body, wanted = REQUESTS[name]
    one = Line(server)
    for _ in range(2):
        status, said, text = one.ask(version, line, headers + asked, body)
        assert status == wanted, text
        assert said.get("connection", "").lower() == ("keep-alive" if asked else "")
        assert status < 400 or json.loads(text)["status"] == status
    status, _, text = one.ask(version, "GET /healthz", asked, "")
    assert (status, text) == (200, one.ask(version, "GET /healthz", asked, "")[2])


@pytest.mark.parametrize(("version", "asked"), [("1.0", ""), ("1.1", "Connection: close\r\n")])
@pytest.mark.parametrize("path", ["/healthz", "/v1/me"])
def test_a_client_that_wants_no_further_answer_gets_none(server, version, asked, path):
    one = Line(server)
    one.ask(version, f"GET {path}", asked, "")
    assert one.ended()


@pytest.mark.parametrize(("headers", "body"), [
    ("Content-Length: 70000\r\n", ""),  # more than the server reads for a refused request
    ("Content-Length: 2\r\nExpect: 100-continue\r\n", ""),  # refused before the client sends it
    ("Transfer-Encoding: chunked\r\n", ""),  # the length is unknown
])  # fmt: skip
def test_an_unread_body_closes_the_connection(server, headers, body):
    one = Line(server)
    status, said, _ = one.ask("1.1", "POST /v1/nosuch", JSON + headers, body)
    assert (status, said["connection"].lower()) == (404, "close") and one.ended()


def test_a_too_large_request_is_refused_before_its_body_is_sent(server):
    one = Line(server)
    status, said, _ = one.ask("1.1", GUEST, JSON + "Content-Length: 60000\r\n", "")
    assert (status, said["connection"].lower()) == (413, "close") and one.ended()
