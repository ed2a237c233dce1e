"""asyncapi.yaml against itself."""

import jsonschema
import pytest
from support.table import CONTRACT


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
