"""The proxies that we ship in front of the server are at least as strict as its own limits: sizes, times,
headers. Each limit is read from where it is set, in the sources and in docker/ and scripts/."""

import re

import pytest
from support.cluster import ROOT

HAPROXY = ["docker/cluster/haproxy.cfg", "docker/cluster/haproxy.cfg.in"]


def source(path, name):
    """The value of an enum constant in our sources."""
    text = (ROOT / path).read_text()
    value = re.search(rf"\b{name} =\s+([0-9 *+()A-Z_]+?)(?:[,\n]| /)", text).group(1)
    value = re.sub(r"[A-Z_]{3,}", lambda m: str(source("server/edge/head.h", m.group())), value)
    assert re.fullmatch(r"[0-9 *+()]+", value)
    return eval(value)


HEAD_MAX = source("server/edge/head.h", "SRV_HEAD_MAX")
FIELDS_MAX = source("server/edge/head.h", "SRV_HEAD_FIELDS_MAX")
TARGET_MAX = source("server/edge/head.h", "SRV_HEAD_TARGET_MAX")
PARAMETERS_MAX = source("server/edge/head.h", "SRV_HEAD_PARAMETERS_MAX")
HALF_MS = source("server/http/loop.h", "HTTP_HALF_MS_MAX")
IDLE_S = source("server/http/loop.h", "HTTP_IDLE_S_MAX")
REQUEST_MS = source("server/http/loop.h", "HTTP_REQUEST_MS_MAX")
HANDSHAKE_MS = source("server/ws/acceptor.h", "WS_HANDSHAKE_MS_MAX")


def haproxy(path, key, default=None):
    """The values of a directive."""
    values = re.findall(rf"^\s*{re.escape(key)}\s+(\S.*?)\s*$", (ROOT / path).read_text(), re.M)
    return values or ([default] if default is not None else [])


def ms(text):
    number, unit = re.fullmatch(r"(\d+)(us|ms|s|m|h|d)?", text).groups()
    return (
        int(number)
        * {None: 1, "us": 0.001, "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}[unit]
    )


def test_limits_of_the_head_are_defined_once():
    """The largest head fits into the REST library's memory, and both ports use the same definition of the
    limits."""
    memory = source("server/http/loop.h", "HTTP_CONNECTION_MEMORY")
    assert memory >= HEAD_MAX + 64 * (FIELDS_MAX + PARAMETERS_MAX) + HEAD_MAX // 2, (
        "and the head of the response"
    )
    assert source("server/http/loop.h", "HTTP_URI_MAX") == TARGET_MAX + 1 < HEAD_MAX
    assert HALF_MS < IDLE_S * 1000 < REQUEST_MS, (
        "a client that stops halfway gets a response before the library closes"
    )
    for path in (ROOT / "server/ws").glob("*.[ch]"):
        assert not re.search(r"lws_hdr_|lws_get_urlarg", path.read_text()), (
            f"{path.name}: libwebsockets reads what server/edge/head.c has read"
        )
    for path in [*(ROOT / "server/http").glob("*.c"), *(ROOT / "server/ws").glob("*.c")]:
        assert "srv_proxies_follow" not in path.read_text() or path.name in (
            "request.c",
            "pending.c",
        ), "each port has one place that sets the client address"


@pytest.mark.parametrize("path", HAPROXY)
def test_haproxy_passes_on_what_the_server_accepts(path):
    buffer, rewrite = (
        int(haproxy(path, "tune.bufsize", "16384")[0]),
        int(haproxy(path, "tune.maxrewrite", "1024")[0]),
    )
    assert buffer - rewrite >= HEAD_MAX, "a head that the server takes fits"
    assert int(haproxy(path, "tune.http.maxhdr", "101")[0]) >= FIELDS_MAX
    assert ms(haproxy(path, "timeout http-request")[0]) < HALF_MS, (
        "the proxy refuses a slow request itself, by 408"
    )
    assert all(ms(value) > REQUEST_MS for value in haproxy(path, "timeout server")), (
        "the proxy waits for the server's response"
    )
    assert ms(haproxy(path, "timeout tunnel")[0]) > ms(haproxy(path, "timeout client")[0])
    assert not haproxy(path, "http-reuse") or haproxy(path, "http-reuse") == ["safe"]
    assert ms(haproxy(path, "pool-purge-delay", "5s")[0]) < IDLE_S * 1000, (
        "an idle connection is closed by the proxy first"
    )


@pytest.mark.parametrize("path", HAPROXY)
def test_haproxy_alone_names_the_client_and_follows_readiness(path):
    text = (ROOT / path).read_text()
    play = text[text.index("frontend play") : text.index("backend no-node")]
    lines = [line.strip() for line in play.splitlines()]
    assert lines.index("http-request del-header X-Forwarded-For") < lines.index("option forwardfor")
    assert "http-request del-header Forwarded" in lines
    rest = text[text.index("backend rest") : text.index("backend rest") + 600]
    assert "option httpchk GET /readyz" in rest and "http-check expect status 200" in rest
    check = haproxy(path, "default-server")[0]
    word = lambda name: re.search(rf"\b{name} (\S+)", check).group(1)
    assert ms(word("inter")) + (int(word("fall")) - 1) * ms(word("fastinter")) <= 1500, (
        "a node that is not ready gets nothing 1.5 s later"
    )


def test_both_haproxy_configurations_match():
    made, model = ((ROOT / path).read_text().splitlines() for path in HAPROXY)
    fixed = [line for line in model if "@" not in line and line.strip() and not line.startswith("#")]
    assert not [line for line in fixed if line not in made]


def test_caddy_passes_on_what_the_server_accepts():
    text = (ROOT / "docker/Caddyfile").read_text()
    assert "max_header_size" not in text, "its default is a megabyte"
    size = int(re.search(r"max_size (\d+)KB", text).group(1)) * 1000
    limits = re.findall(r"\bbytes_max = ([0-9]+)", (ROOT / "api/bodies.def").read_text())
    assert len(limits) > 10 and size >= max(map(int, limits))
    proxies = re.findall(r"reverse_proxy (\S+) \{([^}]*)\}", text)
    assert [port for port, _ in proxies] == ["rummyd:8081", "rummyd:8080"] and all(
        "header_up -Forwarded" in inside for _, inside in proxies
    )
    assert text.count("reverse_proxy") == 2 and "trusted_proxies" not in text, "Caddy names the client itself"
    assert "respond @inside 404" in text


def test_health_checks_poll_readyz_often_enough():
    kubernetes = (ROOT / "docker/kubernetes/rummyd.yaml").read_text()
    probe = kubernetes[kubernetes.index("readinessProbe:") :][:300]
    assert "path: /readyz" in probe
    period, failures = (
        int(re.search(rf"{name}: (\d+)", probe).group(1)) for name in ("periodSeconds", "failureThreshold")
    )
    assert period * failures <= 3
    assert "/readyz" in (ROOT / "docker/Dockerfile").read_text()
