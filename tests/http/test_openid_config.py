"""The file that lists the OpenID Connect providers."""

import json
import uuid

import pytest
from openid_rig import ENV, config_file, new_own
from support.cluster import SERVER
from support.contract import Client
from support.server import Server
from support.wait import HANG_S

GOOD = {"id": "google", "name": "Google", "issuer": "https://accounts.example", "client_id": "x"}
# tests/oidc/test_discovery.c has many more.
BAD_FILES = {
    "no JSON": "providers",
    "unknown member": {"providers": [GOOD], "more": 1},
    "secret in it": {"providers": [{**GOOD, "client_secret": "x"}]},
    "no such file": {"providers": [{**GOOD, "client_secret_file": "/nowhere/at/all"}]},
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_provider_files_are_refused_by_name(cluster, tmp_path, name):
    file = tmp_path / "oidc.json"
    bad = BAD_FILES[name]
    file.write_text(bad if isinstance(bad, str) else json.dumps(bad))
    server = Server(cluster.conninfo("nowhere", SERVER), tmp_path, env=ENV, oidc_file=file)
    server.start(wait=False)
    assert server.process.wait(HANG_S) == 1
    assert server.logged("oidc_file: "), server.log()


@pytest.mark.parametrize(
    "mode, said",
    [(0o644, "oidc_file: other users can read"), (0o600, "cannot connect to PostgreSQL")],
)
def test_a_secret_file_readable_by_others_is_refused(cluster, tmp_path, mode, said):
    secret = tmp_path / "client"
    secret.write_text("a secret of the provider's")
    secret.chmod(mode)
    file = config_file(tmp_path, {**GOOD, "client_secret_file": str(secret)})
    server = Server(
        "host=/nowhere dbname=x",
        tmp_path,
        dev=False,
        env={**ENV, "RUMMYD_JWT_SECRET": uuid.uuid4().hex},
        oidc_file=file,
        db_wait_s=0,
    )
    server.start(wait=False)
    assert server.process.wait(HANG_S) == 1
    assert server.logged(said) and "a secret of" not in server.log(), server.log()


def test_eight_providers_and_fifteen_redirects_are_accepted(new_own, tmp_path):
    file = config_file(
        tmp_path,
        *[{**GOOD, "id": f"p{i}", "issuer": f"https://p{i}.example"} for i in range(8)],
        redirect_uris=[f"app:/{i}" for i in range(15)],
    )
    assert len(Client(new_own(None, file)).get("/v1/auth/oidc")["items"]) == 8
