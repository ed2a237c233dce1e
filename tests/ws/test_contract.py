"""asyncapi.yaml against itself, and its example commands against a live table."""

import asyncio
import itertools
import re

import jsonschema
import pytest
from support.cluster import ROOT
from support.table import CONTRACT, Player, Table


def test_every_message_is_in_its_channel_and_one_operation():
    messages = set(CONTRACT.document["components"]["messages"])
    lobby = set(CONTRACT.names("lobby"))
    assert set(CONTRACT.document["channels"]["table"]["messages"]) == messages - lobby
    assert lobby < set(CONTRACT.document["channels"]["lobby"]["messages"])
    listed = [name for operation in CONTRACT.document["operations"] for name in CONTRACT.names(operation)]
    assert sorted(listed) == sorted(messages)


@pytest.mark.parametrize("name", sorted(CONTRACT.document["components"]["messages"]))
def test_examples_are_valid(name):
    examples = CONTRACT.document["components"]["messages"][name]["examples"]
    assert examples
    for example in examples:
        CONTRACT.validator(name).validate(example["payload"])


def faults_of_frames():
    """Codes for invalid commands, whatever the state of the game."""
    rows = re.findall(
        r'^API_ERROR\(\w+, "(\w+)", (\d+), (?:WS|BOTH),', (ROOT / "api" / "errors.def").read_text(), re.M
    )
    faults = {code for code, status in rows if status in ("400", "413", "422")}
    assert {"bad_json", "unknown_member", "bad_seed", "unknown_emote"} <= faults
    return faults | {"bad_move", "flooding", "internal"}


SEED_WAIT_MS = 60000  # the deal waits for all seeds
LAST = ("drop", "leave")  # these end a hand or a game
# Commands that need no particular cards, at the right moment for each. The rules may refuse the others.
ACCEPTED = {
    "seed": "ack",
    "draw": "ack",
    "drop": "ack",
    "leave": "ack",
    "chat": "ack",
    "emote": "ack",
    "ping": "pong",
    "legal": "legal",
}


def commands(*kinds):
    """The examples of these commands, or of all commands; those in LAST come last."""
    examples = [
        example["payload"]
        for name in CONTRACT.names("command")
        for example in CONTRACT.document["components"]["messages"][name]["examples"]
        if not kinds or CONTRACT.type_of(name) in kinds
    ]
    return sorted(examples, key=lambda payload: LAST.index(payload["t"]) if payload["t"] in LAST else -1)


async def answers(player, variant, ids, kinds=()):
    """Sends a seed in time, and these commands on the first turn; returns the pairs (payload, reply)."""
    seat = player.post("/tables", {"variant": variant, "seats": 4, "bots": 3}).json()
    async with Table(player.server, seat["table_id"], seat["ticket"]) as table:

        async def do(payload):
            return payload, await table.do(payload["t"], payload.get("d"), id=f"example-{next(ids)}")

        heard = [await do(payload) for payload in commands("seed")]
        if table.me is None:
            await table.until("snapshot")
        await table.my_turn_comes()
        return heard + [await do(payload) for payload in commands(*kinds)]


@pytest.mark.quick("cancel_draw", "flip", "take_back", "lay_off", "swap", "meld", "return", "group")
def test_the_server_accepts_every_example_command_as_a_command(server):
    """The rules may refuse a command at this moment, but it must exist in one of the two families of
    games."""
    ids, faults = itertools.count(1), faults_of_frames()
    assert {payload["t"] for payload in commands()} == {
        CONTRACT.type_of(name) for name in CONTRACT.names("command")
    }
    games = [("rummy51", ()), ("points", ()), ("points", ("drop",))]
    heard = [
        pair for variant, kinds in games for pair in asyncio.run(answers(Player(server), variant, ids, kinds))
    ]
    for payload in commands():
        told = [answer for sent, answer in heard if sent == payload]
        assert any(answer["t"] != "nack" or answer["code"] not in faults for answer in told), (payload, told)
    for kind, wanted in ACCEPTED.items():
        told = [answer for sent, answer in heard if sent["t"] == kind]
        assert any(answer["t"] == wanted for answer in told), (kind, told)


def parts_of(node, seen):
    """Each schema reachable from a payload, once."""
    if isinstance(node, list):
        for item in node:
            yield from parts_of(item, seen)
    elif isinstance(node, dict):
        if "$ref" in node:
            name = node["$ref"].split("/")[-1]
            if name not in seen:
                seen.add(name)
                yield from parts_of(CONTRACT.document["components"]["schemas"][name], seen)
            return
        yield node
        for value in node.values():
            yield from parts_of(value, seen)


def test_server_frames_allow_extra_members_and_commands_do_not():
    """A client built from the contract must accept future members and values, as in REST responses
    (docs/api.md)."""
    objects = 0
    for operation in CONTRACT.document["operations"]:
        for part in parts_of(
            [
                CONTRACT.document["components"]["messages"][name]["payload"]
                for name in CONTRACT.names(operation)
            ],
            set(),
        ):
            if operation == "command":
                assert "x-extensible-enum" not in part and (
                    "properties" not in part or part["additionalProperties"] is False
                ), part
            elif isinstance(part.get("properties"), dict) and part.get("type"):
                objects += 1
                assert part["additionalProperties"] is True and not isinstance(part.get("enum"), list), part
            else:
                assert (
                    not isinstance(part.get("enum"), list) and part.get("additionalProperties") is not False
                ), part
    assert objects > 100
    schemas = CONTRACT.document["components"]["schemas"]
    for name in "end", "emote":
        assert schemas[name]["enum"] == schemas[f"{name}_value"]["x-extensible-enum"]


def test_a_frame_with_an_undocumented_member_is_detected():
    with pytest.raises(jsonschema.ValidationError):
        CONTRACT.check({"t": "ack", "id": "a", "v": 1, "hidden": "TH1"})
