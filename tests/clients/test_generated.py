"""Clients generated from openapi.yaml, as an app maker has them: the strictest compiler takes them, and a guest enters,
takes a seat and reads the purse of a running server."""

import json
import shutil
import subprocess

import pytest
from support.cluster import ROOT

HERE = ROOT / "tests/clients"
TYPESCRIPT = ROOT / "sdk/typescript"  # has the generator and the compiler
RUN_S_MAX = 120


def run(*command, **options):
    it = subprocess.run(command, capture_output=True, text=True, timeout=RUN_S_MAX, check=False, **options)
    assert it.returncode == 0, it.stdout + it.stderr
    return it.stdout


@pytest.fixture(scope="module")
def typescript(tmp_path_factory):
    """A folder with the generated types, the smoke test and the packages it is compiled with."""
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "node_modules").symlink_to(TYPESCRIPT / "node_modules")
    (folder / "package.json").write_text('{"type": "module"}')
    shutil.copy(HERE / "smoke.ts", folder)
    bin_of = TYPESCRIPT / "node_modules/.bin"
    run(bin_of / "openapi-typescript", ROOT / "openapi.yaml", "--default-non-nullable", "false", "-o", folder / "rest.ts")
    options = {
        "target": "ES2022", "module": "NodeNext", "lib": ["ES2022", "DOM", "DOM.Iterable"], "types": ["node"],
        "strict": True, "exactOptionalPropertyTypes": True, "noUncheckedIndexedAccess": True, "skipLibCheck": True,
    }
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": ["smoke.ts", "rest.ts"]}))
    return folder


def compiled(folder):
    return subprocess.run([TYPESCRIPT / "node_modules/.bin/tsc", "-p", folder], capture_output=True, text=True,
                          timeout=RUN_S_MAX, check=False)


def test_typescript_compiles_and_plays(typescript, server):
    it = compiled(typescript)
    assert it.returncode == 0, it.stdout
    seen = json.loads(run("node", typescript / "smoke.js", server.url))
    assert seen["player"]["id"] and seen["player"]["nickname"]
    assert seen["seat"]["seat"] == 0 and seen["seat"]["ws_url"].startswith("ws")
    assert seen["wallet"]["silver"] > 0
    assert seen["refused"] == "token_missing"


def test_typescript_refuses_what_the_contract_does(typescript):
    smoke = typescript / "smoke.ts"
    good = smoke.read_text(encoding="utf-8")
    try:
        smoke.write_text(good.replace("ace: 'high'", "ace: ['high']").replace("seats: 2", "seats: 'two'"), encoding="utf-8")
        it = compiled(typescript)
    finally:
        smoke.write_text(good, encoding="utf-8")
    assert it.returncode != 0 and it.stdout.count("error TS") == 2, it.stdout
