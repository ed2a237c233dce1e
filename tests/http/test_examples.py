"""Each example request in openapi.yaml, sent to a server in the required state: a copied example succeeds.
Responses are validated against their schemas, and so are their examples (test_contract.py)."""

import json
import subprocess
from urllib.parse import urlencode

import operations_rig as rig
import pytest
from support.authenticator import Passkey
from support.cluster import RUMMYD
from support.contract import OPENAPI, check_response, resolve
from support.mailbox import RESET, VERIFY, Mailbox
from support.operations import BY_ID
from support.table import CONTRACT
from support.totp import PASSWORD
from support.wire import Wire


def examples():
    for methods in OPENAPI["paths"].values():
        for said in methods.values():
            media = resolve(said.get("requestBody", {})).get("content", {}).get("application/json", {})
            for name, example in media.get("examples", {}).items():
                yield pytest.param(
                    BY_ID[said["operationId"]], name, example["value"], id=f"{said['operationId']}-{name}"
                )


REAL = {}


def real(operation, *names):
    """Changes to examples that need a different state from that in operations_rig.py."""

    def keep(make):
        REAL.update({(operation, name): make for name in names})
        return make

    return keep


@real("enterAsGuest", "later")
def _(w):
    return rig.Good(w.anyone(), given={"device_secret": w.player().device_secret})


@real("login", "again")
def _(w):
    body = rig.good_request(w, BY_ID["login"]).body
    known = w.anyone().call("POST", "/v1/auth/login", body, status=200).json()
    return rig.Good(w.anyone(), given={"email": body["email"], "device_token": known["device_token"]})


@real("resetPassword", "reset")
@real("getResetWays", "link")
def _(w):
    box = Mailbox(w.server, w.account().email)
    box.wait(VERIFY)
    w.anyone().call("POST", "/v1/auth/forgot", {"email": box.address}, status=204)
    return rig.Good(w.anyone(), given={"token": box.link(RESET)})


@real("requestDeletion", "guest")
@real("requestExport", "guest")
@real("beginPasskey", "guest")
def _(w):
    return rig.Good(w.player())


@real("removePasskey", "account")
def _(w):
    ann = w.account()
    asked = ann.call("POST", "/v1/me/passkey/begin", {"password": PASSWORD}, status=200).json()
    made = ann.call("POST", "/v1/me/passkeys", Passkey().create(asked), status=201).json()
    return rig.Good(ann, {"passkey": made["id"]})


@real("submitReceipt", "google")
def _(w):
    return rig.Good(w.player(), given={"receipt": w.shop.google.buy("gold300")})


@real("openTable", "club")
def _(w):
    ann, number = rig.club(w)
    return rig.Good(ann, given={"club": number})


@real("watchTable", "private")
def _(w):
    table = w.table(w.player(), visibility="private", watch_delay_ms=0)
    return rig.Good(w.player(), {"table": table["table_id"]}, given={"code": table["code"]})


@real("changeClub", "hand_over")
def _(w):
    (ann, number), bob = rig.club(w), w.account()
    w.sql("UPDATE clubs SET joining = 'open' WHERE id = %s", int(number))
    bob.call("PUT", f"/v1/clubs/{number}/members/{bob.player['id']}", status=200)
    return rig.Good(ann, {"club": number}, given={"owner_id": bob.player["id"]})


@pytest.fixture(scope="module")
def world(cluster, database, sql, shared_every_shop, shared_stripe, shared_paypal, shared_google):
    return rig.new_world(
        cluster, database, sql, shared_every_shop, shared_stripe, shared_paypal, shared_google
    )


# Examples in a provider's format, signed as the provider does it. Apple and Google sign inside the body.
SIGNED = {
    "stripeWebhook": lambda w, example: (lambda body, mac: (body, {"Stripe-Signature": mac}))(
        *w.shop.stripe.signed(example)
    ),
    "paypalWebhook": lambda w, example: w.shop.paypal.signed(example),
    "smsWebhook": lambda w, example: w.shop.carrier.signed(example),
}
UNSIGNED = {"appleWebhook", "googleWebhook"}


def request_of(world, operation, name, example):
    if operation.raw:
        assert operation.id in SIGNED or operation.id in UNSIGNED, (
            f"{operation.id}: say in test_examples.SIGNED how its provider signs"
        )
        if operation.id in UNSIGNED:
            return rig.good_request(world, operation)
        body, headers = SIGNED[operation.id](world, example)
        return rig.Good(world.anyone(), body=body, headers=headers)
    if (operation.id, name) in REAL:
        good = REAL[operation.id, name](world)
        good.path = {
            **{part: rig.NAMES[part](world) for part in operation.in_path if part not in good.path},
            **good.path,
        }
    else:
        good = rig.good_request(world, operation)
    world.sql(
        "DELETE FROM name_keys k USING players p WHERE p.id = k.player_id AND p.nickname = %s",
        example.get("nickname"),
    )
    good.body = rig.filled(example, {"email": rig.fresh_email}, good.given)
    return good


def send(world, operation, good, query):
    target = operation.at(good.path) + (f"?{query}" if query else "")
    headers = {
        "Authorization": f"Bearer {good.caller.token}" if good.caller.token else None,
        **(rig.new_key() if operation.keyed else {}),
        **good.headers,
    }
    body = good.body if good.body is None or isinstance(good.body, bytes) else json.dumps(good.body).encode()
    answer = Wire(world.server).ask(operation.method, target, headers, body)
    check_response(operation.method, target.split("?")[0], answer)
    return answer


@pytest.mark.parametrize("operation, name, example", examples())
def test_an_example_is_accepted(world, operation, name, example):
    good = request_of(world, operation, name, example)
    answer = send(world, operation, good, operation.needed_query)
    if good.code:
        assert answer.json()["code"] == good.code, answer.text
    else:
        assert answer.status_code < 300, (good.body, answer.text)


def examples_of_queries():
    for methods in OPENAPI["paths"].values():
        for said in methods.values():
            for parameter in map(resolve, said.get("parameters", [])):
                if parameter["in"] == "query" and "example" in parameter:
                    yield pytest.param(
                        BY_ID[said["operationId"]],
                        parameter["name"],
                        parameter["example"],
                        id=f"{said['operationId']}-{parameter['name']}",
                    )


@pytest.mark.parametrize("operation, name, example", examples_of_queries())
def test_a_query_example_is_accepted(world, operation, name, example):
    answer = send(world, operation, rig.good_request(world, operation), urlencode({name: example}))
    assert answer.status_code == 200, answer.text


def variants_in(node):
    """Each `variant` named in an example."""
    if isinstance(node, list):
        for item in node:
            yield from variants_in(item)
    elif isinstance(node, dict):
        for name, value in node.items():
            yield from [value] if name == "variant" and isinstance(value, str) else variants_in(value)


def test_examples_use_existing_variants():
    known = set(json.loads(subprocess.run([RUMMYD, "variants"], check=True, stdout=subprocess.PIPE).stdout))
    medias = [
        media["examples"] for holder in holders() for media in resolve(holder).get("content", {}).values()
    ]
    payloads = [message["examples"] for message in CONTRACT.document["components"]["messages"].values()]
    named = list(variants_in([*medias, *payloads]))
    assert len(named) > 20 and set(named) <= known, set(named) - known


def holders():
    """Everything with bodies and examples: requests, responses, webhooks."""
    for methods in [*OPENAPI["paths"].values(), *OPENAPI["x-webhooks"].values()]:
        for said in methods.values():
            yield from [said["requestBody"]] if "requestBody" in said else []
            yield from said["responses"].values()
