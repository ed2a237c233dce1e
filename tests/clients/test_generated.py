"""Clients generated from openapi.yaml, as an app maker has them: the generator takes all of it, the strictest compiler
takes what it made, and a guest enters, takes a seat, reads the purse of a running server and is refused in a typed way."""

import json
import shutil
import subprocess

import pytest
from support.cluster import ROOT
from support.generated import RUN_S_MAX, judge, run

HERE = ROOT / "tests/clients"
TYPESCRIPT = ROOT / "sdk/typescript"  # has the generator and the compiler
PYTHON = HERE / ".venv/bin/python"  # scripts/install makes it


# --- TypeScript: openapi-typescript, openapi-fetch ---


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
    judge(run("node", typescript / "smoke.js", server.url))


def test_typescript_refuses_what_the_contract_does(typescript):
    smoke = typescript / "smoke.ts"
    good = smoke.read_text(encoding="utf-8")
    try:
        smoke.write_text(good.replace("ace: 'high'", "ace: 'middle'").replace("seats: 2", "seats: 'two'"), encoding="utf-8")
        it = compiled(typescript)
    finally:
        smoke.write_text(good, encoding="utf-8")
    assert it.returncode != 0 and it.stdout.count("error TS") == 2, it.stdout


# --- Python: openapi-python-client ---


def test_python_plays(tmp_path, server):
    shutil.copy(HERE / "smoke.py", tmp_path)
    # Other answers than JSON: a text, not a warning.
    texts = {"application/x-ndjson": "text/plain", "application/yaml": "text/plain"}
    (tmp_path / "config.json").write_text(json.dumps({"post_hooks": [], "content_type_overrides": texts}))
    run(PYTHON.parent / "openapi-python-client", "generate", "--fail-on-warning", "--meta", "none", "--config",
        tmp_path / "config.json", "--path", ROOT / "openapi.yaml", "--output-path", tmp_path / "rest")
    judge(run(PYTHON, tmp_path / "smoke.py", server.url))
