"""Clients generated from openapi.yaml in the way an app developer would do it: the generator accepts the
whole file, the strictest compiler accepts its output, and a guest signs in, takes a seat, reads the purse of
a running server, and gets a typed error."""

import json
import shutil
import subprocess

import pytest
from support.cluster import ROOT
from support.contract import OPENAPI
from support.generated import RUN_S_MAX, judge, run

HERE = ROOT / "tests/clients"
NODE_MODULES = ROOT / "node_modules"  # has the generator and the compiler
PYTHON = ROOT / "tests/.venv/bin/python"  # created by scripts/install


# --- pitfalls of the generators in tests/apps, which does not run every time ---

TAKEN = {"name", "ordinal", "entries", "values"}  # members that every Kotlin enum has


def schemas_in(node, place=""):
    """Every schema of the contract that has a shape, with its location. Schemas below `not` have none."""
    if isinstance(node, list):
        for i, item in enumerate(node):
            yield from schemas_in(item, f"{place}/{i}")
    elif isinstance(node, dict):
        yield place, node
        for key, value in node.items():
            if key not in ("not", "example", "examples"):
                yield from schemas_in(value, f"{place}/{key}")


def stumbles(schema):
    kinds, words = (
        schema.get("type"),
        schema.get("enum", schema.get("x-extensible-enum", [schema["const"]] if "const" in schema else [])),
    )
    if isinstance(kinds, list) and len(set(kinds) - {"null"}) > 1:
        yield "a value of several types: a class without members"
    if isinstance(words, list) and any(isinstance(word, bool) for word in words):
        yield "an enum of booleans: Swift has none"
    if isinstance(words, list) and TAKEN & {word for word in words if isinstance(word, str)}:
        yield "a word that Kotlin's enums reserve"
    if isinstance(schema.get("properties"), dict) and {"oneOf", "anyOf"} & schema.keys():
        yield "alternatives in addition to members: a class without members"


def test_no_schema_has_a_shape_that_breaks_generators():
    found = [f"{place}: {what}" for place, schema in schemas_in(OPENAPI) for what in stumbles(schema)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": ["integer", "string"]},
        {"type": "boolean", "const": True},
        {"type": "string", "enum": ["size", "name"]},
        {"type": "object", "properties": {"a": {}}, "oneOf": [{"required": ["a"]}]},
    ],
)
def test_a_shape_that_breaks_generators_is_detected(schema):
    assert len(list(stumbles(schema))) == 1


def test_webhooks_have_separate_tags():
    """Generators make one class per tag, so the class of the webhooks would overwrite that of the
    requests."""
    told = {tag for path in OPENAPI["x-webhooks"].values() for tag in path["post"]["tags"]}
    asked = {
        tag
        for path in OPENAPI["paths"].values()
        for one in path.values()
        if isinstance(one, dict)
        for tag in one.get("tags", [])
    }
    assert told == {"webhooks"} and not told & asked


# --- TypeScript: openapi-typescript, openapi-fetch ---


WRONG = {"ace: 'high'": "ace: 'middle'", "seats: 2": "seats: 'two'"}


@pytest.fixture(scope="module")
def typescript(tmp_path_factory):
    """A folder with the compiled smoke test, and the compiler's output: one run compiles the smoke test and
    a copy with two values that the contract forbids."""
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "node_modules").symlink_to(NODE_MODULES)
    (folder / "package.json").write_text('{"type": "module"}')
    shutil.copy(HERE / "smoke.ts", folder)
    wrong = (HERE / "smoke.ts").read_text(encoding="utf-8")
    for good, bad in WRONG.items():
        assert good in wrong
        wrong = wrong.replace(good, bad)
    (folder / "wrong.ts").write_text(wrong, encoding="utf-8")
    bin_of = NODE_MODULES / ".bin"
    run(
        bin_of / "openapi-typescript",
        ROOT / "openapi.yaml",
        "--default-non-nullable",
        "false",
        "-o",
        folder / "rest.ts",
    )
    options = {
        "target": "ES2022",
        "module": "NodeNext",
        "lib": ["ES2022", "DOM", "DOM.Iterable"],
        "types": ["node"],
        "strict": True,
        "exactOptionalPropertyTypes": True,
        "noUncheckedIndexedAccess": True,
        "skipLibCheck": True,
    }
    files = ["smoke.ts", "wrong.ts", "rest.ts"]
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": files}))
    said = subprocess.run(
        [bin_of / "tsc", "-p", folder],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )
    return folder, said.stdout.splitlines()


def test_the_typescript_client_compiles_and_plays(typescript, server):
    folder, said = typescript
    assert all(line.startswith(("wrong.ts(", " ")) for line in said), said
    judge(run("node", folder / "smoke.js", server.url))


def test_typescript_refuses_what_the_contract_refuses(typescript):
    errors = [line for line in typescript[1] if ": error TS" in line]
    assert len(errors) == len(WRONG) and all(line.startswith("wrong.ts(") for line in errors), errors


# --- Python: openapi-python-client ---


def test_the_python_client_plays(tmp_path, server):
    shutil.copy(HERE / "smoke.py", tmp_path)
    # Treat non-JSON responses as text; otherwise the generator warns about them.
    texts = {"application/x-ndjson": "text/plain", "application/yaml": "text/plain"}
    (tmp_path / "config.json").write_text(json.dumps({"post_hooks": [], "content_type_overrides": texts}))
    run(
        PYTHON.parent / "openapi-python-client",
        "generate",
        "--fail-on-warning",
        "--meta",
        "none",
        "--config",
        tmp_path / "config.json",
        "--path",
        ROOT / "openapi.yaml",
        "--output-path",
        tmp_path / "rest",
    )
    judge(run(PYTHON, tmp_path / "smoke.py", server.url))
