"""The whole contract as Schemathesis reads it: requests that should be accepted, requests that should be
refused, and sequences in which one response leads to the next request. The server must respond to each as
openapi.yaml specifies: no 5xx, no undocumented status, header, or shape, nothing accepted that it forbids
and nothing refused that it allows.

RUMMY_API_CASES: the minimum number of cases (`make nightly` sets 10,000). 5,000 of them come from the
examples and bounds of each schema; the others are random. Without it, only one operation in SAMPLE is
tried, and no sequences, because all of it takes 1 min of CPU time."""

import collections
import copy
import json
import os
import subprocess
import xml.etree.ElementTree

import operations_rig as rig
import pytest
from support.cluster import ROOT
from support.contract import OPENAPI
from support.operations import OPERATIONS
from support.wait import HANG_S

HERE = ROOT / "tests/http"
PROGRAM = ROOT / "tests/.venv/bin/st"
CASES = int(os.environ.get("RUMMY_API_CASES", "0"))
# random cases per operation, in addition to examples and bounds
MADE_UP = max(1, (CASES - 5000) * 2 // len(OPERATIONS))
SAMPLE = 1 if CASES else 16
TRIED = OPERATIONS[::SAMPLE]
CASES = CASES or 200
RUN_S_MAX = 10 * HANG_S + CASES // 10
TOKEN = "whosoever"  # schemathesis_hooks.py replaces it with an operation's own caller
# These need external input: a link from an email, a sign-in or push provider, a provider's signature.
NEVER_ACCEPTED = {
    "resetPassword",
    "getResetWays",
    "undoEmail",
    "unlockAccount",
    "beginLink",
    "beginSignIn",
    "finishLink",
    "finishSignIn",
    "addDevice",
    "appleWebhook",
    "googleWebhook",
    "paypalWebhook",
    "smsWebhook",
    "stripeWebhook",
}
THE_PROVIDER_REFUSES = ("refundOrder", "502")  # it rejects orders that were not paid there


@pytest.fixture(scope="module")
def world(cluster, database, sql, shared_every_shop, shared_stripe, shared_paypal, shared_google):
    """The ids of its players and clubs are so large that random input does not hit them. Otherwise an
    operator who bans a random id could ban a caller."""
    for table in ("players", "clubs"):
        sql("SELECT setval(pg_get_serial_sequence(%s, 'id'), 7000000000)", table)
    return rig.new_world(
        cluster, database, sql, shared_every_shop, shared_stripe, shared_paypal, shared_google
    )


@pytest.fixture(scope="module")
def goods(world):
    return {operation.id: rig.good_request(world, operation) for operation in OPERATIONS}


class Run:
    def __init__(self, world, goods, folder, contract, *options):
        good, answers = folder / "good.json", folder / "answers"
        body = lambda it: it.anew() if it.anew else None if isinstance(it.body, bytes) else it.body
        good.write_text(
            json.dumps(
                {
                    name: {"token": it.caller.token, "path": it.path, "body": body(it)}
                    for name, it in goods.items()
                }
            )
        )
        env = os.environ | {
            "TOKEN": TOKEN,
            "GOOD_REQUESTS": str(good),
            "ANSWERS": str(answers),
            "PYTHONPATH": str(HERE),
            "SCHEMATHESIS_HOOKS": "schemathesis_hooks",
        }
        done = subprocess.run(
            [
                PROGRAM,
                "--config-file",
                HERE / "schemathesis.toml",
                "run",
                contract,
                "--url",
                world.server.url,
                "--no-shrink",
                "--report-junit-path",
                folder / "junit.xml",
                *options,
            ],
            env=env,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=RUN_S_MAX,
            check=False,
        )
        assert done.returncode in (0, 1), done.stdout + done.stderr  # 1: it found failures
        self.answers = collections.Counter(tuple(line.split()) for line in answers.read_text().splitlines())
        self.failures = {}
        for case in xml.etree.ElementTree.parse(folder / "junit.xml").iter("testcase"):
            found = [
                f"{it.tag}: {it.get('message')}\n{it.text}" for it in case if it.tag in ("failure", "error")
            ]
            self.failures.setdefault(case.get("name"), []).extend(found)


@pytest.fixture(scope="module")
def run(world, goods, tmp_path_factory):
    folder = tmp_path_factory.mktemp("schemathesis")
    contract = folder / "openapi.json"  # which Schemathesis parses ten times as fast
    contract.write_text(json.dumps(OPENAPI))
    return Run(
        world,
        goods,
        folder,
        contract,
        "--max-examples",
        str(MADE_UP),
        *(["--phases", "examples,coverage,fuzzing"] if SAMPLE > 1 else []),
        *(f"--include-operation-id={operation.id}" for operation in TRIED if SAMPLE > 1),
    )


@pytest.mark.parametrize("operation", TRIED, ids=str)
def test_responses_match_the_contract(run, operation):
    failures = run.failures[f"{operation.method} {operation.path}"]
    assert not failures, "\n".join(failures)


@pytest.mark.skipif(SAMPLE > 1, reason="a sample has no sequences; make nightly tries them")
def test_responses_to_sequences_match_the_contract(run):
    assert run.failures["Stateful tests"] == []


def test_all_cases_were_tried(run):
    assert sum(run.answers.values()) >= CASES


def test_valid_requests_are_accepted(run):
    accepted = {name for name, status in run.answers if status[0] in "23"}
    tried = {operation.id for operation in TRIED}
    assert tried - accepted == NEVER_ACCEPTED & tried


def test_the_server_had_no_internal_errors(run):
    assert not [answer for answer in run.answers if answer[1][0] == "5" and answer != THE_PROVIDER_REFUSES]


def test_deviations_from_the_contract_are_detected(world, goods, tmp_path):
    """The body of GET /v1/me and the status of GET /v1/wallet are reported as wrong."""
    contract = copy.deepcopy(OPENAPI)
    contract["components"]["schemas"]["Me"]["required"].append("shoe_size")
    paths = contract["paths"] = {
        path: contract["paths"][path] for path in ("/v1/me", "/v1/wallet", "/v1/variants")
    }
    paths["/v1/me"] = {"get": paths["/v1/me"]["get"]}
    paths["/v1/wallet"]["get"]["responses"]["204"] = paths["/v1/wallet"]["get"]["responses"].pop("200")
    (tmp_path / "openapi.json").write_text(json.dumps(contract))
    run = Run(world, goods, tmp_path, tmp_path / "openapi.json", "--phases", "coverage")
    assert "shoe_size" in "".join(run.failures["GET /v1/me"])
    assert "Undocumented status code" in "".join(run.failures["GET /v1/wallet"])
    assert run.failures["GET /v1/variants"] == []
