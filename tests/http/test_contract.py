"""openapi.yaml agrees with the program, in both directions, and with itself."""

import hashlib
import json
import re
import subprocess

import jsonschema
import pytest
from support.cluster import ROOT, RUMMYD
from support.contract import OPENAPI, check, resolve

METHODS = ("get", "post", "put", "patch", "delete")


def operations():
    for path, methods in OPENAPI["paths"].items():
        for method, operation in methods.items():
            assert method in METHODS
            yield method.upper(), path, operation


@pytest.fixture(scope="module")
def routes():
    return json.loads(subprocess.run([RUMMYD, "routes"], check=True, stdout=subprocess.PIPE).stdout)


def test_operations_that_need_a_token_say_so_in_their_problems():
    words = set(OPENAPI["components"]["schemas"]["TokenScope"]["enum"])
    assert {op.get("x-token-scope") for _, _, op in operations()} == {None, "account"} | words
    for _, _, op in operations():
        assert op.get("security") == [] or "401" in op["responses"], op["operationId"]
        if op.get("x-token-scope"):
            assert "scope_missing" in resolve(op["responses"]["403"])["x-codes"], op["operationId"]


def test_the_program_reads_every_body(routes):
    by_id = {r["id"]: r for r in routes}
    for _, path, op in operations():
        route = by_id[op["operationId"]]
        assert ("requestBody" in op) == route["body"], path
        if route["body"]:
            schema = resolve(resolve(op["requestBody"])["content"]["application/json"]["schema"])
            assert schema["additionalProperties"] is route["raw"], path
            assert not route["raw"] or "properties" not in schema, path  # a third party's format


def schemas_below(node, place, seen):
    """Each schema reachable from a body, once, with its location."""
    if isinstance(node, list):
        for item in node:
            yield from schemas_below(item, place, seen)
    elif isinstance(node, dict):
        if "$ref" in node:
            if node["$ref"] not in seen:
                seen.add(node["$ref"])
                yield from schemas_below(resolve(node), node["$ref"], seen)
            return
        yield place, node
        for key, value in node.items():
            if key not in ("not", "example", "examples"):
                yield from schemas_below(value, f"{place}/{key}", seen)


def bodies(what):
    for _, path, op in operations():
        for holder in [op.get("requestBody")] if what == "requests" else op["responses"].values():
            for media in resolve(holder or {}).get("content", {}).values():
                yield path, media["schema"]
    told = [
        *OPENAPI["x-webhooks"].items(),
        *(
            at
            for _, _, op in operations()
            for call in op.get("callbacks", {}).values()
            for at in call.items()
        ),
    ]
    for path, item in told if what == "answers" else ():
        yield path, item["post"]["requestBody"]["content"]["application/json"]["schema"]


def test_response_schemas_are_open_and_request_schemas_closed():
    """Members and values may be added to responses at any time (docs/api.md): a client built from the
    contract must accept them, whatever its generator does with schemas that leave this open. An integer
    without bounds needs more than 32 bits."""
    seen, n = set(), 0
    for path, schema in bodies("answers"):
        for place, part in schemas_below(schema, path, seen):
            kinds = part.get("type", ())
            if (
                isinstance(part.get("properties"), dict)
                and part.get("type")
                and not place.startswith(tuple(OPENAPI["x-webhooks"]))
            ):
                n += 1
                # {}: the server sends more members than the schema names
                assert part.get("additionalProperties") in (True, {}), place
            assert not isinstance(part.get("enum"), list), f"{place}: x-extensible-enum"
            if "integer" in ([kinds] if isinstance(kinds, str) else kinds) and "const" not in part:
                assert part.get("format") in ("int32", "int64") or part.get("maximum", 2**31) < 2**31, place
    assert n > 200
    seen = set()
    for path, schema in bodies("requests"):
        for place, part in schemas_below(schema, path, seen):
            assert part.get("additionalProperties") is False or "properties" not in part, place
            assert "x-extensible-enum" not in part, place


def test_filter_values_match_the_program():
    """The contract lists the values wherever a client may send them; others are refused
    (test_operations.py)."""
    listed = {
        name: resolve(OPENAPI["components"]["parameters"][name])["schema"]["enum"] for name in ("OfVariant",)
    }
    assert listed["OfVariant"] == list(
        json.loads(subprocess.run([RUMMYD, "variants"], check=True, stdout=subprocess.PIPE).stdout)
    )
    causes = next(
        p["schema"]["enum"]
        for p in OPENAPI["paths"]["/v1/wallet/postings"]["get"]["parameters"]
        if p.get("name") == "cause"
    )
    texts = json.loads((ROOT / "web/src/lib/messages/en.json").read_text())
    assert causes == sorted(
        key.removeprefix("posting.")
        for key in texts
        if key.startswith("posting.") and key != "posting.at_table"
    )


def test_notification_kinds_match_the_table_and_the_page():
    listed = OPENAPI["components"]["schemas"]["NotificationPage"]
    kinds = set(resolve(listed["properties"]["items"]["items"])["properties"]["kind"]["x-extensible-enum"])
    schema = (ROOT / "schema.sql").read_text()
    allowed = re.search(r"CREATE TABLE notifications .*?kind IN \((.*?)\)", schema, re.S)[1]
    assert set(re.findall(r"'(\w+)'", allowed)) == kinds
    page = (ROOT / "web/src/lib/notifications/sentences.ts").read_text()
    sentences = re.search(r"const SENTENCES.*?^};", page, re.S | re.M)[0]
    assert set(re.findall(r"^  (\w+): \(", sentences, re.M)) == kinds


def test_timestamps_have_the_date_time_format():
    seen = set()
    for path, schema in bodies("answers"):
        for place, part in schemas_below(schema, path, seen):
            for name, member in (
                part.get("properties", {}).items() if isinstance(part.get("properties"), dict) else ()
            ):
                if re.search(r"(_at|_until|_since)$", name):
                    told = [
                        resolve(one) for one in (member, *member.get("anyOf", ()), *member.get("oneOf", ()))
                    ]
                    assert any(one.get("format") == "date-time" for one in told), f"{place}/{name}"


def test_the_validator_refuses_undocumented_members():
    """The response validator treats schemas as closed. Otherwise an undocumented member would pass
    unnoticed."""
    check(
        {"type": "about"},
        {
            "type": "object",
            "properties": {"type": {"x-extensible-enum": ["about"]}},
            "additionalProperties": True,
        },
    )
    for wrong in {"type": "about", "more": 1}, {"type": "other"}:
        with pytest.raises(jsonschema.ValidationError):
            check(
                wrong,
                {
                    "type": "object",
                    "properties": {"type": {"x-extensible-enum": ["about"]}},
                    "additionalProperties": True,
                },
            )


def test_created_resources_have_a_location_and_patches_are_merge_patches():
    created, changed = 0, 0
    for method, path, op in operations():
        if "201" in op["responses"]:
            created += 1
            assert "Location" in resolve(op["responses"]["201"])["headers"], path
        if "requestBody" in op:
            content = resolve(op["requestBody"])["content"]
            assert list(content) == [
                "application/json",
                *["application/merge-patch+json"] * (method == "PATCH"),
            ], (method, path)
            assert len({json.dumps(media) for media in content.values()}) == 1, path
            changed += method == "PATCH"
    assert created > 10 and changed > 5


def test_tagged_operations_document_if_none_match(routes):
    by_id = {r["id"]: r for r in routes}
    for _, path, op in operations():
        names = {resolve(p)["name"] for p in op.get("parameters", [])}
        if by_id[op["operationId"]]["tagged"]:
            assert "If-None-Match" in names, path
        if path.startswith("/v1/"):
            assert ("If-None-Match" in names) == ("304" in op["responses"]), path
            assert "304" not in op["responses"] or "ETag" in resolve(op["responses"]["200"])["headers"], path


def test_every_operation_is_complete(routes):
    raw = {r["id"] for r in routes if r["raw"]}
    seen = set()
    tags = {t["name"] for t in OPENAPI["tags"]}
    for method, path, op in operations():
        assert op["operationId"] not in seen
        seen.add(op["operationId"])
        assert op["summary"] and len(op["tags"]) == 1 and op["tags"][0] in tags
        for status, ref in op["responses"].items():
            response = resolve(ref)
            assert response["description"], (path, status)
            problem = int(status) >= 400 and (path, status) != ("/readyz", "503")
            assert problem == ("x-codes" in response), (path, status)
            for media in response.get("content", {}).values():
                assert media["examples"], (method, path, status)
        if "requestBody" in op:
            for media in resolve(op["requestBody"])["content"].values():
                assert media["examples"]
        if path.startswith("/v1/"):
            assert {"400", "429", "500", "503"} <= set(op["responses"]), path
            if "requestBody" in op:
                wanted = {"413", "415"} if op["operationId"] in raw else {"413", "415", "422"}
                assert wanted <= set(op["responses"]), path


def medias():
    for method, path, op in operations():
        holders = [resolve(r) for r in op["responses"].values()]
        if "requestBody" in op:
            holders.append(resolve(op["requestBody"]))
        for holder in holders:
            for kind, media in holder.get("content", {}).items():
                yield f"{method} {path}", kind, media


def test_every_example_fits_its_schema():
    n = 0
    for where, kind, media in medias():
        for name, example in media["examples"].items():
            try:
                check(example["value"], media["schema"])
            except Exception as e:
                raise AssertionError(f"{where} {name}") from e
            if kind == "application/problem+json":
                assert example["value"]["code"] == name
            n += 1
    assert n > 100


def test_every_reference_resolves_and_every_component_is_used():
    used = set()

    def walk(node):
        if isinstance(node, dict):
            if "$ref" in node:
                used.add(node["$ref"])
                assert resolve(node) is not None
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(OPENAPI)
    for kind, parts in OPENAPI["components"].items():
        for name in parts:
            if kind != "securitySchemes":
                assert f"#/components/{kind}/{name}" in used, f"{kind}/{name} is used nowhere"


def test_every_error_belongs_to_operations_with_its_status():
    status_of = {e["code"]: e["status"] for e in OPENAPI["x-errors"]}
    used = set()
    for method, path, op in operations():
        for status, ref in op["responses"].items():
            for code in resolve(ref).get("x-codes", []):
                assert status_of[code] == int(status), (method, path, code)
                used.add(code)
    # Errors for unknown operations or malformed requests do not belong to any operation.
    nowhere = {
        "not_found",
        "method_not_allowed",
        "bad_request_line",
        "bad_header_line",
        "head_too_large",
        "too_many_parameters",
        "request_timeout",
        "too_many_connections",
    }
    nowhere |= {"origin_refused", "upgrade_required"}  # only on the WebSocket port
    assert used | nowhere == set(status_of)


def read_by_the_page(text):
    """The result of the page's YAML reader: (value, None) or (None, error message)."""
    script = (
        'const { parseYaml } = require("./server/http/docs/docs.js");'
        "const said = (f) => { try { return [f(), null]; } catch (error) { return [null, error.message]; } };"
        'console.log(JSON.stringify(said(() => parseYaml(require("fs").readFileSync(0, "utf8")))));'
    )
    read = subprocess.run(
        ["node", "-e", script],
        cwd=ROOT,
        check=True,
        input=text,
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
    )
    return tuple(json.loads(read.stdout))


def test_the_page_parses_the_contract_like_a_yaml_parser():
    """The page has its own reader for the subset of YAML in which the contract is written."""
    assert read_by_the_page((ROOT / "openapi.yaml").read_text()) == (OPENAPI, None)


@pytest.mark.parametrize(
    "text", ['a: "one\n  two"', "a: 'one", "a: [one, two", "a: { one: two", "a: { one", 'a: ["one']
)
def test_the_pages_parser_reports_unterminated_values(text):
    assert read_by_the_page(text) == (None, f"line 1 has no end: {text[3:].splitlines()[0]}")


def lint(*files):
    assert (ROOT / "node_modules/.bin/spectral").exists(), "scripts/install test brings the linters"
    return subprocess.run(
        ["node", "tests/http/lint.mjs", *files],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_the_contracts_are_lint_clean():
    """They are linted only if a text or a linter has changed, because linting takes 10 s of CPU time."""
    texts = ["openapi.yaml", "asyncapi.yaml", "tests/http/lint.mjs", "tests/http/spectral.yaml"]
    linted = b"".join((ROOT / name).read_bytes() for name in [*texts, "package-lock.json"])
    clean = ROOT / "var/cache/contracts" / f"lint-{hashlib.sha256(linted).hexdigest()[:16]}"
    if clean.exists():
        return
    done = lint("openapi.yaml", "asyncapi.yaml")
    assert done.returncode == 0, done.stdout
    clean.parent.mkdir(parents=True, exist_ok=True)
    for old in clean.parent.glob("lint-*"):
        old.unlink(missing_ok=True)
    clean.touch()


WRONG = """
openapi: 3.1.0
info: { title: x, version: "1" }
paths:
  /v1/admin/x:
    get:
      operationId: x
      summary: x
      security: [{ apiKey: [] }]
      responses:
        "200": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/Nothing"
        } } } }
        "404": { description: x, content: { application/json: { schema: { type: string }, example: 5 } } }
components:
  securitySchemes: { apiKey: { type: http, scheme: bearer } }
"""


def test_the_linters_find_errors(tmp_path):
    wrong = tmp_path / "openapi.yaml"
    wrong.write_text(WRONG)
    done = lint(str(wrong))
    assert done.returncode == 1
    for said in (
        "redocly no-unresolved-refs",
        "redocly no-invalid-media-type-examples",
        "spectral invalid-ref",
        "spectral operator-says-who",
        "spectral error-has-codes",
        "spectral trace-id",
        "spectral operation-description",
    ):
        assert said in done.stdout, done.stdout
