"""Answers carry codes and data; what a code is called stands in the message files of the page, one for each language."""

import json
import pathlib
import re

import pytest

from support.contract import OPENAPI, Client

FILES = sorted((pathlib.Path(__file__).parents[2] / "web" / "src" / "lib" / "messages").glob("*.json"))
HOLES = re.compile(r"\{(\w+)\}")


@pytest.fixture(params=FILES, ids=lambda file: file.stem)
def messages(request):
    return json.loads(request.param.read_text(encoding="utf-8"))


def test_there_are_messages():
    assert "en" in [file.stem for file in FILES]


def test_every_cause_of_a_posting_has_a_sentence(messages, sql):
    # Settlements are transfers, and no posting to a purse; what an account had that was deleted is read by nobody.
    causes = {row[0] for row in sql("SELECT cause FROM causes")} - {"settle", "forfeit"}
    assert causes and {f"posting.{cause}" for cause in causes} <= set(messages)


def test_every_reason_why_a_room_is_locked_has_a_sentence(messages):
    codes = set(OPENAPI["components"]["schemas"]["Room"]["properties"]["why_locked"]["enum"]) - {None}
    assert codes == {key.removeprefix("room.") for key in messages if key.startswith("room.")}


@pytest.mark.parametrize("schema", ["MySeasons", "RolloverPreview"])
def test_every_reason_of_a_season_has_a_sentence(messages, schema):
    line = OPENAPI["components"]["schemas"][schema]["properties"]["items"]["items"]
    assert set(line["properties"]["reason"]["enum"]) == {key.split(".")[1] for key in messages if key.startswith("season.")}


def test_every_achievement_has_a_name_and_a_sentence_of_what_is_to_be_done(messages, sql):
    rows = sql("SELECT id, counter FROM achievements")
    assert len(rows) == 30
    for achievement, counter in rows:
        assert {f"achievement.{achievement}", f"achievement.task.{counter}"} <= set(messages)


def test_every_variant_and_its_options_have_words(messages, server):
    for variant in Client(server).get("/v1/variants")["items"]:
        assert {f"variant.{variant['id']}", f"variant.text.{variant['id']}"} <= set(messages)
        for option in variant["options"]:
            assert {f"option.{option['name']}", *(f"option.value.{word}" for word in option["values"] or ())} <= set(messages)


def test_every_reason_why_an_order_came_to_nothing_has_a_sentence(messages):
    order = OPENAPI["components"]["schemas"]["Order"]["properties"]
    codes = set(order["why"]["enum"]) - {None} - set(order["state"]["enum"])
    assert codes == {key.removeprefix("order.") for key in messages if key.startswith("order.")}


def test_sentences_of_problems_are_of_codes_there_are(messages):
    codes = {row["code"] for row in OPENAPI["x-errors"]} | {"unreachable"}
    assert {key.removeprefix("problem.") for key in messages if key.startswith("problem.")} <= codes


def test_sentences_have_holes_for_the_values_there_are(messages):
    schemas = OPENAPI["components"]["schemas"]
    of_season = {"league", "to_league", "place", "games", "rating"}
    assert of_season <= set(schemas["MySeasons"]["properties"]["items"]["items"]["properties"])
    season = of_season | set(schemas["SeasonRule"]["properties"])
    allowed = {"posting.at_table": {"what", "table"}, "room.room_locked": {"title", "level"}, "name.changes_at": {"when"}, "fault.name_too_soon": {"when"},
               "sign_in.cancelled": {"name"}, "sign_in.failed": {"name"}}
    for key, sentence in messages.items():
        of_kind = {
            "season": season,
            "achievement": {"goal"},
            "problem": {"retry_s"} & set(schemas["Problem"]["properties"]),
            "fault": {"min", "max", "allowed"} & set(schemas["Fault"]["properties"]),
        }
        may = of_kind.get(key.split(".")[0], set()) | allowed.get(key, set())
        assert set(HOLES.findall(sentence)) <= may, key
        assert sentence.strip() == sentence != ""
