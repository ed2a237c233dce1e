"""A server with two OpenID Connect providers, and the steps of a sign-in."""

import json
import os
import uuid

import pytest
from support.cluster import SERVER
from support.contract import Client
from support.oidc import SECRET, Key, Person, Provider
from support.server import Server
from support.wait import PROVIDER_TIMEOUT_MS

ENV = {
    **{k: v for k, v in os.environ.items() if not k.startswith("RUMMYD_")},
    "no_proxy": "127.0.0.1",
    "NO_PROXY": "127.0.0.1",
}
APP = "com.example.rummy:/sign-in"
PROVIDERS_MAX = 8  # providers of one server


def config_file(folder, *providers, **more):
    path = folder / f"oidc-{uuid.uuid4().hex[:8]}.json"
    path.write_text(json.dumps({"providers": list(providers), **more}))
    return path


@pytest.fixture(scope="module")
def shared(quiet, cluster, database, tmp_path_factory):
    """One server with two providers."""
    folder = tmp_path_factory.mktemp("oidc")
    first, second = Provider(), Provider(key=Key("ES256"), secret=None)
    file = config_file(
        folder, first.config(folder=folder), second.config("other", "Other"), redirect_uris=[APP]
    )
    server = Server(
        cluster.conninfo(database, SERVER),
        folder,
        env=ENV,
        rate_limits="off",
        oidc_file=file,
        oidc_timeout_ms=PROVIDER_TIMEOUT_MS,
    ).start()
    yield server, first, second
    assert server.stop() == 0, server.log()[-2000:]
    assert SECRET not in server.log() and "eyJ" not in server.log()
    first.close()
    second.close()


@pytest.fixture
def server(shared):
    return shared[0]


@pytest.fixture
def provider(shared):
    shared[1].forget()
    shared[1].keys = shared[1].keys[-1:]
    return shared[1]


@pytest.fixture
def other(shared):
    shared[2].forget()
    return shared[2]


@pytest.fixture
def new_own(cluster, database, tmp_path):
    """Separate servers on one database, for data that is kept about a provider between sign-ins."""
    made = []

    def make(it, file=None, **options):
        file = file or config_file(tmp_path, it.config(folder=tmp_path))
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(
            Server(
                cluster.conninfo(database, SERVER),
                folder,
                env=ENV,
                rate_limits="off",
                node=uuid.uuid4().hex[:12],
                oidc_file=file,
                **{"oidc_timeout_ms": PROVIDER_TIMEOUT_MS, **options},
            )
        )
        return made[-1].start()

    yield make
    for server in made:
        assert server.stop() == 0, server.log()[-2000:]


class Pool:
    """Providers that no sign-in has used yet, and the server that has them. The server caches a provider's
    data, so each test needs another provider. It needs another server only when all providers are used."""

    def __init__(self, start):
        self.start, self.server, self.unused = start, None, []

    def take(self):
        if not self.unused:
            self.unused = [Provider() for _ in range(PROVIDERS_MAX)]
            self.server = self.start(self.unused)
        return self.server, self.unused.pop()


@pytest.fixture(scope="module")
def pool(cluster, database, tmp_path_factory):
    made = []

    def start(providers):
        folder = tmp_path_factory.mktemp("oidc")
        configs = [it.config(f"p{n}", f"P{n}", folder) for n, it in enumerate(providers)]
        made.append(
            Server(
                cluster.conninfo(database, SERVER),
                folder,
                env=ENV,
                rate_limits="off",
                node=uuid.uuid4().hex[:12],
                oidc_file=config_file(folder, *configs),
                oidc_timeout_ms=PROVIDER_TIMEOUT_MS,
            )
        )
        return made[-1].start()

    it = Pool(start)
    yield it
    for provider in it.unused:
        provider.close()
    for server in made:
        assert server.stop() == 0, server.log()[-2000:]


@pytest.fixture
def fresh(pool):
    """A client, and a provider that the server has not contacted yet."""
    server, provider = pool.take()
    yield Client(server), provider
    provider.close()


def somebody(email=True, **more):
    subject = uuid.uuid4().hex
    return Person(subject, f"{subject}@example.org" if email else None, **more)


def begin(client, id="google", path="/v1/auth/oidc/", body=None, **more):
    answer = client.call("POST", path + id, body or {}, **{"status": 200, **more})
    return answer.json()


def finish(client, begun, code, state, id="google", path="/v1/auth/oidc/", **more):
    wanted = {name: more.pop(name) for name in ("status", "code_wanted") if name in more}
    body = {"code": code, "state": state, "secret": begun["secret"], **more}
    return client.call(
        "POST", f"{path}{id}/finish", body, status=wanted.get("status"), code=wanted.get("code_wanted")
    )


def sign_in(client, provider, person, status=201, id=None, code_wanted=None, path="/v1/auth/oidc/", **more):
    id = id or provider.id
    begun = begin(client, id, path)
    answer = finish(
        client,
        begun,
        *provider.agree(begun["authorize_url"], person),
        id=id,
        status=status,
        code_wanted=code_wanted,
        path=path,
        **more,
    )
    return client._adopt(answer.json()) if answer.ok else answer.json()


def link(client, provider, person, id="google", **more):
    return sign_in(client, provider, person, id=id, path="/v1/me/oidc/", **{"status": 200, **more})


def identities(client):
    return client.get("/v1/me/identities")["items"]
