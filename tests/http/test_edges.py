"""HTTP edge cases: unknown methods and addresses, tags, sizes, and the headers of every response."""

import http.client
import json
import re
import subprocess
from itertools import groupby

import pytest
import requests
from support.cluster import RUMMYD, SERVER
from support.contract import Client, check_response
from support.server import Server
from support.wait import HANG_S

CSP_OF_DATA = "default-src 'none'; frame-ancestors 'none'"


@pytest.fixture(scope="module")
def routes():
    rows = json.loads(subprocess.run([RUMMYD, "routes"], check=True, stdout=subprocess.PIPE).stdout)
    rows.sort(key=lambda row: row["path"])
    return {
        path: [row["method"] for row in group] for path, group in groupby(rows, key=lambda row: row["path"])
    }


@pytest.fixture(scope="module")
def page(cluster, database, tmp_path_factory):
    """A server with a page, which browsers reach by https."""
    folder = tmp_path_factory.mktemp("edges")
    (folder / "dist" / "assets").mkdir(parents=True)
    (folder / "dist" / "index.html").write_text("<!doctype html><title>page</title>")
    (folder / "dist" / "assets" / "app-1a2b3c4d.js").write_text("export {}")
    it = Server(
        cluster.conninfo(database, SERVER),
        folder,
        web_dir=folder / "dist",
        node="edges",
        public_url="https://play.example",
        rate_limits="off",
    ).start()
    yield it
    assert it.stop() == 0


# --- methods and addresses ---


def test_a_405_lists_the_methods_of_the_path(routes, anyone):
    """By the route table: a method that a path lacks gets 405 and the list of all methods that it has."""
    said = 0
    for path, methods in routes.items():
        allowed = {*methods, "OPTIONS"} | ({"HEAD"} if "GET" in methods else set())
        for method in sorted({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"} - allowed):
            refused = anyone.http.request(method, anyone.url + re.sub(r"\{\w+\}", "1", path), timeout=HANG_S)
            assert refused.status_code == 405, (method, path, refused.text)
            assert set(refused.headers["Allow"].split(", ")) == allowed, (method, path)
            assert method == "HEAD" or refused.json()["code"] == "method_not_allowed"
            said += 1
    assert said > 400


@pytest.mark.parametrize(
    "path",
    ["/v1", "/v1/", "/V1/me", "/V1", "/v1/me/", "/v1/ME", "//v1/me", "/v1//me", "/%56%31/me", "/readyz/",
     "/healthz//", "/HEALTHZ", "/Metrics",
     "/metrics/", "/version/", "/docs/", "/DOCS", "/docs.js/", "/openapi.yaml/", "/OpenAPI.yaml",
     "/v1/nosuch", "/v1" + "/a" * 900],
)  # fmt: skip
def test_paths_that_look_like_the_api_never_return_the_page(page, path):
    answer = requests.Session().send(requests.Request("GET", page.url).prepare(), timeout=HANG_S)
    assert "<title>page" in answer.text
    connection = http.client.HTTPConnection("127.0.0.1", page.http_port, timeout=HANG_S)
    connection.request("GET", path)
    answer = connection.getresponse()
    said = answer.read()
    assert (answer.status, answer.headers["Content-Type"]) == (404, "application/problem+json"), (path, said)
    assert json.loads(said)["code"] == "not_found"


# --- tags ---

LISTS = [
    ("{tag}", 304),
    ("W/{tag}", 304),
    ("*", 304),
    ("*  ", 304),
    ('"x", {tag}', 304),
    ('"x",{tag} ,"y"', 304),
    (',, "x" ,\tW/{tag}', 304),
    ('"x"', 200),
    ("", 200),
    ("{bare}", 200),
    ("w/{tag}", 200),
    ('"x{bare}"', 200),
    ('"x,{tag}"', 200),
    ('"x" {tag}', 200),
    ("*, {tag}", 200),
    ('"a, {tag}', 200),
    ("{half}", 200),
]


@pytest.mark.parametrize("path", ["/openapi.yaml", "/", "/assets/app-1a2b3c4d.js", "/docs.css"])
def test_etags_are_compared_as_rfc_9110_requires(page, path):
    """The same rules apply to the page's files and to generated ones."""
    with requests.Session() as session:
        tag = session.get(page.url + path, timeout=HANG_S).headers["ETag"]
        assert re.fullmatch(r'"[\x21\x23-\x7e]+"', tag)
        for form, status in LISTS:
            given = form.format(tag=tag, bare=tag.strip('"'), half=tag[:-1])
            answer = session.get(page.url + path, headers={"If-None-Match": given}, timeout=HANG_S)
            assert answer.status_code == status, given
            assert answer.headers["ETag"] == tag and (status == 200) == (answer.content != b"")


@pytest.mark.parametrize("path", ["/openapi.yaml", "/", "/v1/rooms"])
def test_a_304_keeps_the_connection(page, path):
    guest = Client(page).guest()
    headers = {"Authorization": f"Bearer {guest.token}"}
    line = http.client.HTTPConnection("127.0.0.1", page.http_port, timeout=HANG_S)
    line.request("GET", path, headers=headers)
    answer = line.getresponse()
    answer.read()
    held = line.sock
    for _ in range(3):
        line.request("GET", path, headers={**headers, "If-None-Match": answer.headers["ETag"]})
        again = line.getresponse()
        assert again.read() == b"" and again.status == 304
        assert again.headers.get("Connection", "").lower() != "close" and line.sock is held


# --- sizes ---


def test_a_too_long_request_gets_a_problem(server):
    """With a problem, never with libmicrohttpd's error page."""
    for path in ("/v1/games?cursor=" + "x" * 2100, "/" + "a" * 3000, "/healthz?" + "x" * 6000):
        answer = requests.get(server.url + path, timeout=HANG_S)
        check_response("GET", path.split("?")[0] if "?" in path else path[:2047], answer)
        assert (answer.status_code, answer.json()["code"]) == (414, "uri_too_long")
    for headers in ({"X-Long": "y" * 8200}, {f"X-{n}": "y" for n in range(81)}, {"Cookie": "c" * 90000}):
        answer = requests.get(server.url + "/v1/me", headers=headers, timeout=HANG_S)
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert (answer.status_code, answer.json()["code"]) == (431, "head_too_large")
    assert (
        requests.get(
            server.url + "/healthz?" + "x" * 2000, headers={"X-Long": "y" * 5500}, timeout=HANG_S
        ).status_code
        == 200
    )


# --- headers ---


def every_answer(server):
    """One of each kind of response: (kind, response)."""
    guest = Client(server).guest()
    token = {"Authorization": f"Bearer {guest.token}"}
    tag = requests.get(server.url + "/openapi.yaml", timeout=HANG_S).headers["ETag"]
    asked = [
        ("GET", "/", {}, 200), ("GET", "/lobby", {}, 200), ("GET", "/assets/app-1a2b3c4d.js", {}, 200),
        ("GET", "/assets/gone.js", {}, 404),
        ("HEAD", "/", {}, 200), ("GET", "/openapi.yaml", {"If-None-Match": tag}, 304),
        ("GET", "/docs", {}, 200), ("GET", "/metrics", {}, 200),
        ("GET", "/v1/me", token, 200), ("GET", "/v1/me", {}, 401), ("GET", "/v1/games/0", token, 400),
        ("DELETE", "/v1/me", {}, 405),
        ("GET", "/v1/nosuch", {}, 404), ("OPTIONS", "/v1/me", {}, 204), ("GET", "/" + "a" * 3000, {}, 414),
        ("POST", "/v1/auth/login", {}, 400), ]  # fmt: skip
    for method, path, headers, status in asked:
        answer = requests.request(method, server.url + path, headers=headers, timeout=HANG_S)
        assert answer.status_code == status, (method, path)
        yield f"{method} {path[:40]}", answer


def test_every_response_has_the_security_headers(page):
    for name, answer in every_answer(page):
        said = answer.headers
        assert said["X-Content-Type-Options"] == "nosniff", name
        assert said["Referrer-Policy"] == "no-referrer", name
        assert said["Cross-Origin-Opener-Policy"] == "same-origin", name
        assert {"camera=()", "microphone=()", "geolocation=()", "payment=()"} <= set(
            said["Permissions-Policy"].split(", ")
        ), name
        assert said["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains", name
        html = said.get("Content-Type", "").startswith("text/html")
        policy = said["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy and (html or "default-src" in policy), name
        if html:
            assert "object-src 'none'" in policy and "base-uri 'none'" in policy, name
            # The engine is WebAssembly, and the page never evaluates text as code.
            assert policy.startswith("default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "), name
            assert "script-src" not in policy[60:] and "'unsafe-eval'" not in policy, name
        if " /v1/" in name and not name.startswith("OPTIONS"):
            assert said["Cache-Control"] == "no-store", name
        assert len(re.findall("(?i)content-security-policy", str(said))) == 1, name


def test_hsts_is_not_sent_without_https(server):
    """A browser would remember it for a year, and for every port of the host."""
    assert "Strict-Transport-Security" not in requests.get(server.url + "/healthz", timeout=HANG_S).headers


# --- metered ---


def refused_until_told(client, method, path, headers=None):
    """Number of refusals that exhaust the rate limit for refusals."""
    for n in range(2000):
        answer = client.http.request(method, client.url + path, headers=headers, timeout=HANG_S)
        if answer.status_code == 429:
            check_response(method, path, answer)
            assert (answer.json()["code"], answer.json()["limit"]) == ("rate_limited", "address_refused")
            assert 1 <= int(answer.headers["Retry-After"]) <= 60
            return n
    raise AssertionError("no limit")


@pytest.mark.parametrize(
    "method, path, headers",
    [
        ("GET", "/v1/me", {}),
        ("GET", "/v1/me", {"Authorization": "Bearer forged"}),
        ("GET", "/v1/admin/audit", {}),
        ("GET", "/v1/nothing", {}),
        ("DELETE", "/v1/me", {}),
    ],
)
def test_refusals_count_against_the_rate_limit_of_the_address(new_server, method, path, headers):
    server = new_server(rate_limits="on")
    guest = Client(server).guest()
    assert refused_until_told(Client(server), method, path, headers) >= 600
    guest.get("/v1/me")  # a valid token continues to work from the same address
    assert server.stop() == 0


def test_contracts_count_as_reads(new_server):
    server = new_server(rate_limits="on")
    answer = requests.get(server.url + "/docs.css", timeout=HANG_S)
    assert answer.headers["RateLimit-Policy"] == '"address";q=3000;w=60'
    assert server.stop() == 0
