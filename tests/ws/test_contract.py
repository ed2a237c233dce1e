"""asyncapi.yaml and the program name the same commands, frames, events and codes."""

import json
import subprocess

import jsonschema
import pytest
from support.cluster import RUMMYD
from support.table import CONTRACT


@pytest.fixture(scope="module")
def frames():
    return json.loads(subprocess.run([RUMMYD, "frames"], check=True, stdout=subprocess.PIPE, text=True).stdout)


def types(*operations):
    return sorted(CONTRACT.type_of(name) for operation in operations for name in CONTRACT.names(operation))


def test_commands(frames):
    assert types("command") == sorted(frames["commands"])


def test_answers_and_states(frames):
    assert types("answer", "state") == sorted(frames["states"])


def test_lobby(frames):
    assert types("lobby") == sorted(frames["lobby"])


def test_events(frames):
    assert types("event") == sorted(frames["events"])


def test_codes(frames):
    nack = CONTRACT.document["components"]["messages"]["nack"]["payload"]["properties"]["code"]["enum"]
    assert sorted(nack) == sorted(frames["codes"])


def test_every_message_stands_in_its_channel_and_one_operation():
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


def test_a_frame_with_a_member_too_many_is_seen():
    with pytest.raises(jsonschema.ValidationError):
        CONTRACT.check({"t": "ack", "id": "a", "v": 1, "hidden": "TH1"})
