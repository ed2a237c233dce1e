"""Clients built by openapi-generator with default settings, in Go and TypeScript (typescript-fetch): they
compile, a guest can sign in and read data, and the clients accept responses from a newer server that contain
members and enum values missing from the contract. `scripts/install apps` installs the generator; install Go
from Debian or another source.
"""

import json
import shutil

import pytest
from support.cluster import ROOT
from support.generated import generate, run

CLIENTS = ROOT / "tests/clients"


def judge(printed):
    seen = json.loads(printed)
    assert seen["player"] and seen["silver"] > 0 and seen["rooms"] > 3


def test_go_compiles_and_takes_what_is_added(server, tmp_path):
    if not shutil.which("go"):
        pytest.skip("this system has no Go")
    generate(tmp_path / "client", "go")
    shutil.rmtree(tmp_path / "client/test")  # its generated example tests need an extra library
    smoke = tmp_path / "client/smoke"
    shutil.copytree(CLIENTS / "go", smoke)
    run("go", "build", "./...", cwd=tmp_path / "client")
    run("go", "build", "-o", tmp_path / "smoke", "./smoke", cwd=tmp_path / "client")
    judge(run(tmp_path / "smoke", server.url))


def test_typescript_fetch_compiles_and_takes_what_is_added(server, tmp_path):
    generate(tmp_path / "fetch", "typescript-fetch", "--additional-properties", "importFileExtension=.js")
    shutil.copy(CLIENTS / "smoke_fetch.ts", tmp_path)
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    options = {
        "target": "ES2022",
        "module": "NodeNext",
        "lib": ["ES2022", "DOM", "DOM.Iterable"],
        "types": ["node"],
        "strict": True,
        "skipLibCheck": True,
    }
    (tmp_path / "tsconfig.json").write_text(
        json.dumps({"compilerOptions": options, "files": ["smoke_fetch.ts"]})
    )
    run(ROOT / "node_modules/.bin/tsc", "-p", tmp_path)
    judge(run("node", tmp_path / "smoke_fetch.js", server.url))
