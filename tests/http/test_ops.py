"""Health, metrics, contracts, the page: requests of operators, developers, and browsers."""

import re
import subprocess
import time

import pytest
from support.cluster import ROOT, RUMMYD, SERVER
from support.contract import Client, read_yaml, resolve
from support.wait import HANG_S


def test_health(anyone):
    assert anyone.get("/healthz") == {"status": "ok"}
    assert anyone.get("/readyz") == {
        "status": "ready",
        "database": True,
        "lease": True,
        "clock": True,
        "draining": False,
        "jobs_overdue": [],
        "lost_tables": 0,
    }


def test_version(anyone):
    version = anyone.get("/version")
    assert version["name"] == "rummyd" and version["node"] == "n1"
    assert version["version"] == (ROOT / "VERSION").read_text().strip()
    for contract in ("/openapi.yaml", "/asyncapi.yaml"):
        served = anyone.call("GET", contract, status=200).text
        said = re.search(r"^info:\n(?: .*\n)*?  version: (\S+)$", served, re.M)
        assert said[1] == version["version"], contract


def test_the_program_prints_its_version():
    said = subprocess.run([RUMMYD, "version"], capture_output=True, text=True, check=True).stdout
    assert said == f"rummyd {(ROOT / 'VERSION').read_text().strip()}\n"


def test_metrics_have_the_prometheus_format_and_count(anyone):
    def value(name):
        text = anyone.call("GET", "/metrics", status=200).text
        return float(re.search(rf"^{re.escape(name)} (\S+)$", text, re.M).group(1))

    before = value('rummyd_http_responses_total{class="4xx"}')
    anyone.call("GET", "/v1/nothing", status=404)
    assert value('rummyd_http_responses_total{class="4xx"}') == before + 1
    assert value("rummyd_http_connections") >= 1
    text = anyone.call("GET", "/metrics", status=200).text
    for line in text.splitlines():
        assert re.match(
            r"# (HELP|TYPE) [a-z_]+ .|[a-z_]+(\{[a-z]+=\"[^\"]*\"(,le=\"[^\"]*\")?\})? \S+$", line
        ), line
    types = re.findall(r"^# TYPE (\S+)", text, re.M)
    assert len(types) == len(set(types))
    count = value("rummyd_http_request_seconds_count")
    assert value('rummyd_http_request_seconds_bucket{le="+Inf"}') >= count > 0


@pytest.mark.parametrize("name", ["openapi.yaml", "asyncapi.yaml"])
def test_the_contracts_are_served_unchanged(anyone, name):
    answer = anyone.call("GET", "/" + name, status=200)
    assert answer.content == (ROOT / name).read_bytes()
    anyone.call("GET", "/" + name, headers={"If-None-Match": answer.headers["ETag"]}, status=304)


def test_the_contract_has_a_readable_page(anyone):
    page = anyone.call("GET", "/docs", status=200).text
    linked = re.findall(r'(?:src|href)="(/[^"]+)"', page)
    assert set(linked) == {"/docs.js", "/docs.css", "/openapi.yaml", "/asyncapi.yaml"}
    for path in linked:
        anyone.call("GET", path, status=200)
    assert "http:" not in page and "https:" not in page  # nothing from other sites


def test_head_is_get_without_a_body(anyone, guest):
    for path in ("/healthz", "/openapi.yaml", "/v1/me"):
        caller = guest if path.startswith("/v1") else anyone
        head = caller.call("HEAD", path, status=200)
        assert head.content == b"" and int(head.headers["Content-Length"]) > 10


def test_unknown_paths_return_404(anyone):
    for path in ("/v1", "/v1/", "/v1/nothing", "/v1/me/", "/v2/me", "/healthz/", "/docs/x.js"):
        anyone.call("POST", path, status=404, code="not_found")
    anyone.call("GET", "/v1/nothing", status=404, code="not_found")
    anyone.call("GET", "/assets/none.js", status=404, code="not_found")


@pytest.mark.parametrize("method", ["DELETE", "PUT", "POST", "BREW"])
def test_a_405_lists_the_allowed_methods(guest, method):
    refused = guest.call(method, "/v1/me", status=405, code="method_not_allowed")
    assert refused.headers["Allow"] == "GET, HEAD, PATCH, OPTIONS"


def test_a_given_trace_is_kept(anyone):
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    given = {"traceparent": f"00-{trace}-00f067aa0ba902b7-01"}
    assert anyone.call("GET", "/v1/me", headers=given, status=401).json()["trace_id"] == trace
    for bad in (f"00-{'0' * 32}-00f067aa0ba902b7-01", f"00-{'x' * 32}-00f067aa0ba902b7-01", "", trace):
        answer = anyone.call("GET", "/v1/me", headers={"traceparent": bad}, status=401)
        assert answer.json()["trace_id"] not in (trace, "0" * 32, "x" * 32)


def test_expired_rows_are_purged_automatically(guest, sql):
    sql(
        "INSERT INTO login_attempts (account_hash, source, at) SELECT sha256('x'), 'old', now() - interval '1"
        " day' FROM generate_series(1, 50)"
    )
    sql("INSERT INTO login_attempts (account_hash, source) VALUES (sha256('x'), 'new')")
    until = time.monotonic() + HANG_S
    while sql("SELECT count(*) FROM login_attempts WHERE source = 'old'") != [(0,)]:
        assert time.monotonic() < until
        time.sleep(0.5)
    assert sql("SELECT count(*) FROM login_attempts WHERE source = 'new'") == [(1,)]


# --- origins ---


def test_foreign_origins_get_no_cors_headers(anyone):
    for origin in (
        "https://evil.example",
        "http://localhost.evil.example:1",
        "http://localhost:80x",
        "null",
        "",
    ):
        headers = {"Origin": origin, "Access-Control-Request-Method": "GET"}
        answer = anyone.http.options(anyone.url + "/v1/me", headers=headers)
        assert answer.status_code == 204 and "Access-Control-Allow-Origin" not in answer.headers
        assert "Access-Control-Allow-Origin" not in anyone.call("GET", "/healthz", headers=headers).headers


def test_listed_origins_are_allowed(new_server):
    server = new_server(origins="https://play.example, https://b.example")
    anyone = Client(server)
    for origin in (
        "https://play.example",
        "https://b.example",
        "http://localhost:5173",
        "http://127.0.0.1:1",
    ):
        headers = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        answer = anyone.http.options(anyone.url + "/v1/rooms/desert/seats", headers=headers)
        assert answer.status_code == 204
        assert answer.headers["Access-Control-Allow-Origin"] == origin
        assert "POST" in answer.headers["Access-Control-Allow-Methods"]
        assert "Idempotency-Key" in answer.headers["Access-Control-Allow-Headers"]
        assert "Access-Control-Allow-Credentials" not in answer.headers
        refused = anyone.call("GET", "/v1/me", headers={"Origin": origin}, status=401)
        assert (
            refused.headers["Access-Control-Allow-Origin"] == origin and refused.headers["Vary"] == "Origin"
        )
    assert server.stop() == 0


# Headers that browser libraries add by themselves. Names as documented; a browser compares
# case-insensitively.
SENT_BY_LIBRARIES = {
    "fetch with JSON": ["content-type", "accept"],
    "our SDK": ["authorization", "idempotency-key", "if-none-match", "x-request-id"],
    "conditional writes": ["if-match"],
    "axios, jQuery": ["x-requested-with", "x-xsrf-token", "cache-control", "pragma"],
    "OpenTelemetry": [
        "traceparent",
        "tracestate",
        "baggage",
        "b3",
        "x-b3-traceid",
        "x-b3-spanid",
        "x-b3-parentspanid",
        "x-b3-sampled",
        "x-b3-flags",
        "uber-trace-id",
    ],
    "Sentry": ["sentry-trace", "baggage"],
    "Datadog": [
        "x-datadog-trace-id",
        "x-datadog-parent-id",
        "x-datadog-origin",
        "x-datadog-sampling-priority",
    ],
    "New Relic": ["newrelic", "traceparent", "tracestate"],
    "Elastic": ["elastic-apm-traceparent", "traceparent", "tracestate"],
    "clouds": [
        "x-amzn-trace-id",
        "x-cloud-trace-context",
        "request-id",
        "request-context",
        "x-correlation-id",
    ],
}


def words(text):
    return [word.strip().lower() for word in text.split(",")]


@pytest.mark.parametrize("library", SENT_BY_LIBRARIES)
def test_headers_sent_by_libraries_are_allowed(anyone, library):
    headers = {
        "Origin": "http://localhost:5173",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": ",".join(SENT_BY_LIBRARIES[library]),
    }
    answer = anyone.http.options(anyone.url + "/v1/auth/guest", headers=headers)
    allowed = words(answer.headers["Access-Control-Allow-Headers"])
    assert answer.status_code == 204 and not set(SENT_BY_LIBRARIES[library]) - set(allowed)
    assert len(allowed) == len(set(allowed)) and all(allowed) and "*" not in allowed


def test_every_header_of_the_contract_can_be_sent_and_read(anyone):
    """Each header parameter of a request, and each header of a response, that any operation names."""
    contract = read_yaml((ROOT / "openapi.yaml").read_text())
    sent = {
        p["name"].lower()
        for p in contract["components"]["parameters"].values()
        if p["in"] == "header" and not p["name"].startswith("webhook-")
    }
    read = {name.lower() for name in contract["components"]["headers"]}
    for operations in contract["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", []) if isinstance(operation, dict) else []:
                if parameter.get("in") == "header":
                    sent.add(parameter["name"].lower())
            for response in operation.get("responses", {}).values() if isinstance(operation, dict) else []:
                read |= {name.lower() for name in response.get("headers", {})}
    assert "idempotency-key" in sent and {"etag", "retry-after", "location"} <= read, (
        "the contract is read as it is written"
    )
    headers = {"Origin": "http://localhost:5173"}
    answer = anyone.http.options(
        anyone.url + "/v1/auth/guest", headers={**headers, "Access-Control-Request-Method": "POST"}
    )
    assert not sent - set(words(answer.headers["Access-Control-Allow-Headers"]))
    for path, status in (("/healthz", 200), ("/v1/me", 401), ("/v1/none", 404)):
        exposed = set(
            words(
                anyone.call("GET", path, headers=headers, status=status).headers[
                    "Access-Control-Expose-Headers"
                ]
            )
        )
        assert not read - exposed - {"cache-control", "content-type", "content-length"}, (
            "browsers show these anyway"
        )
        assert {"idempotency-replayed", "link"} <= exposed


# --- the page ---


@pytest.fixture(scope="module")
def page(cluster, database, tmp_path_factory):
    """A server with a test page, and a secret outside the page's folder."""
    from support.server import Server

    folder = tmp_path_factory.mktemp("page")
    web = folder / "dist"
    (web / "assets").mkdir(parents=True)
    (web / "index.html").write_text("<!doctype html><title>page</title>")
    (web / "admin").mkdir()
    (web / "admin" / "index.html").write_text("<!doctype html><title>operators</title>")
    (web / "assets" / "app-1a2b3c4d.js").write_text("export {}")
    (web / "assets" / "font.woff2").write_bytes(b"\0\1")
    (web / "assets" / "engine.wasm").write_bytes(b"\0asm")
    (web / "sw.js").write_text("self.skipWaiting")
    (web / "manifest.webmanifest").write_text("{}")
    (web / "icon-192.png").write_bytes(b"\x89PNG")
    (web / ".hidden").write_text("hidden")
    (folder / "secret.txt").write_text("secret")
    (web / "link.txt").symlink_to(folder / "secret.txt")
    it = Server(cluster.conninfo(database, SERVER), folder, web_dir=web, node="page").start()
    yield it
    assert it.stop() == 0


def get_page(server, path, **headers):
    import requests

    return requests.get(server.url + path, headers=headers, timeout=HANG_S)


@pytest.mark.parametrize("path", ["/", "/index.html", "/lobby", "/table/917", "/a/b/c"])
def test_every_path_of_the_page_returns_the_page(page, path):
    answer = get_page(page, path)
    assert answer.status_code == 200 and "<title>page" in answer.text
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    csp = answer.headers["Content-Security-Policy"]
    assert f"connect-src 'self' ws://localhost:{page.ws_port}" in csp and "object-src 'none'" in csp
    assert "script-src 'self' 'wasm-unsafe-eval';" in csp and "'unsafe-eval'" not in csp
    assert "style-src 'self';" in csp and "unsafe-inline" not in csp
    assert get_page(page, path, **{"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_only_a_replay_may_be_embedded_in_a_frame(page):
    def ancestors(path):
        csp = get_page(page, path).headers["Content-Security-Policy"]
        return [part.split() for part in csp.split("; ") if part.startswith("frame-ancestors")]

    for path in ("/embed/1", "/embed/917", "/embed/917?hand=2&turn=14&seat=1"):
        assert ancestors(path) == [["frame-ancestors", "*"]], path
        csp = get_page(page, path).headers["Content-Security-Policy"]
        assert "script-src 'self' 'wasm-unsafe-eval';" in csp and "worker-src 'self';" in csp
    others = [
        "/",
        "/index.html",
        "/embed",
        "/embed/",
        "/embed/917/",
        "/embed/917/more",
        "/embed/me",
        "/embed/9a",
    ]
    others += [
        "/embed/917%2f..",
        "/embeds/917",
        "/x/embed/917",
        "/games/917/replay",
        "/replay",
        "/table/917?/embed/917",
    ]
    others += ["/admin/embed/917", "/v1/embed/917", "/v1/rooms", "/Embed/917"]
    for path in others:
        assert ancestors(path) == [["frame-ancestors", "'none'"]], path


@pytest.mark.parametrize(
    "path", ["/admin", "/admin/", "/admin/index.html", "/admin/players", "/admin/players/42"]
)
def test_every_path_of_the_operator_page_returns_that_page(page, path):
    answer = get_page(page, path)
    assert answer.status_code == 200 and "<title>operators" in answer.text
    assert answer.headers["Cache-Control"] == "no-cache"
    csp = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in csp and "connect-src 'self';" in csp and "frame-ancestors 'none'" in csp
    assert "unsafe-inline" not in csp and "unsafe-eval" not in csp and "ws:" not in csp
    assert get_page(page, path, **{"If-None-Match": answer.headers["ETag"]}).status_code == 304


@pytest.mark.parametrize("path", ["/administrators", "/admin.html", "/admins/players", "/a/admin/"])
def test_paths_that_only_begin_alike_are_not_the_operator_page(page, path):
    answer = get_page(page, path)
    assert answer.status_code == 404 or "<title>page" in answer.text


@pytest.mark.parametrize(
    ("path", "media"),
    [
        ("/sw.js", "text/javascript; charset=utf-8"),
        ("/manifest.webmanifest", "application/manifest+json"),
        ("/icon-192.png", "image/png"),
    ],
)
def test_install_files_are_always_revalidated(page, path, media):
    answer = get_page(page, path)
    assert answer.status_code == 200 and answer.headers["Content-Type"] == media
    assert answer.headers["Cache-Control"] == "no-cache"
    csp = get_page(page, "/").headers["Content-Security-Policy"]
    assert "worker-src 'self';" in csp and "manifest-src 'self';" in csp


def test_hashed_files_are_cached_forever(page):
    answer = get_page(page, "/assets/app-1a2b3c4d.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "immutable" in answer.headers["Cache-Control"]
    assert get_page(page, "/assets/font.woff2").headers["Content-Type"] == "font/woff2"
    assert get_page(page, "/assets/engine.wasm").headers["Content-Type"] == "application/wasm"
    assert get_page(page, "/assets/gone-00000000.js").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/assets/../../secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "//etc/passwd",
        "/.hidden",
        "/link.txt",
        "/assets",
        "/assets/",
        "/secret.txt%00.js",
        "/..\\secret.txt",
        "/index.html/",
    ],
)
def test_paths_cannot_leave_the_folder(page, path):
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", page.http_port, timeout=HANG_S)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    assert b"secret" not in body.replace(b"secret.txt", b"") and b"hidden" not in body.replace(
        b".hidden", b""
    )
    assert b"root:" not in body
    assert answer.status in (400, 404) or b"<title>page" in body


def test_a_304_has_no_body_and_asyncapi_is_version_3():
    """In the contract, a 304 has no body."""
    assert "content" not in resolve({"$ref": "#/components/responses/NotModified"})
    assert read_yaml((ROOT / "asyncapi.yaml").read_text(encoding="utf-8"))["asyncapi"].startswith("3.")
