"""Responses carry codes and data; the texts for a code are in the page's message files, one per language."""

import json
import re

import pytest
from support.cluster import ROOT
from support.contract import OPENAPI, Client

SHARES_SERVER = True

MESSAGES = ROOT / "web" / "src" / "lib" / "messages"
FILES = sorted(file for file in MESSAGES.glob("*.json") if file.name != "languages.json")


def bodies(text):
    """The contents of the outer braces of a text, in order."""
    depth, began = 0, 0
    for at, char in enumerate(text):
        if char == "{":
            depth += 1
            began = at + 1 if depth == 1 else began
        elif char == "}":
            depth -= 1
            if depth == 0:
                yield text[began:at]


def holes(sentence):
    """The values that an ICU MessageFormat sentence needs, including those in branches of a plural or
    select."""
    for body in bodies(sentence):
        name, *rest = (part.strip() for part in body.split(",", 2))
        yield name
        if len(rest) == 2:
            for branch in bodies(rest[1]):
                yield from holes(branch)


@pytest.fixture(params=FILES, ids=lambda file: file.stem)
def messages(request):
    return json.loads(request.param.read_text(encoding="utf-8"))


def test_english_messages_exist():
    assert "en" in [file.stem for file in FILES]


def test_every_posting_cause_has_a_text(messages, sql):
    # Settlements are transfers, not postings to a purse, and the purse of a deleted account has no readers.
    causes = {row[0] for row in sql("SELECT cause FROM causes")} - {"settle", "forfeit"}
    assert causes and {f"posting.{cause}" for cause in causes} <= set(messages)


def test_every_reason_for_a_locked_room_has_a_text(messages):
    codes = set(OPENAPI["components"]["schemas"]["Room"]["properties"]["why_locked"]["x-extensible-enum"]) - {
        None
    }
    assert codes == {
        key.removeprefix("room.")
        for key in messages
        if key.startswith("room.") and not key.startswith("room.name.")
    }


@pytest.mark.parametrize("schema", ["MySeasons", "RolloverPreview"])
def test_every_season_reason_has_a_text(messages, schema):
    line = OPENAPI["components"]["schemas"][schema]["properties"]["items"]["items"]
    assert set(line["properties"]["reason"]["x-extensible-enum"]) == {
        key.split(".")[1] for key in messages if key.startswith("season.")
    } - {"head"}


def test_every_achievement_has_a_name_and_a_task_text(messages, sql):
    rows = sql("SELECT id, counter FROM achievements")
    assert len(rows) == 30
    for achievement, counter in rows:
        assert {f"achievement.{achievement}", f"achievement.task.{counter}"} <= set(messages)


def test_every_variant_and_option_has_texts(messages, server):
    for variant in Client(server).get("/v1/variants")["items"]:
        assert {f"variant.{variant['id']}", f"variant.text.{variant['id']}"} <= set(messages)
        for option in variant["options"]:
            assert {
                f"option.{option['name']}",
                *(f"option.value.{word}" for word in option["values"] or ()),
            } <= set(messages)


def test_every_outcome_of_an_order_has_a_text(messages):
    order = OPENAPI["components"]["schemas"]["Order"]["properties"]
    codes = {*order["why"]["x-extensible-enum"], *order["state"]["x-extensible-enum"]} - {None}
    of_the_page = {"gold_back", "gold_short"}  # details of an order
    assert codes == {key.removeprefix("order.") for key in messages if key.startswith("order.")} - of_the_page


def test_every_problem_text_belongs_to_an_existing_code(messages):
    table = (ROOT / "api" / "errors.def").read_text(encoding="utf-8")  # those of REST and of live tables
    codes = set(re.findall(r'^API_ERROR\(\w+, "(\w+)"', table, re.M))
    assert {row["code"] for row in OPENAPI["x-errors"]} <= codes and "stale_base" in codes
    codes |= {"unreachable", "other"}  # the page's own messages
    assert {key.removeprefix("problem.") for key in messages if key.startswith("problem.")} <= codes


def test_texts_of_codes_have_placeholders_for_their_values(messages):
    """The page's own linter checks its other texts and their values (web/lint/messages.js)."""
    schemas = OPENAPI["components"]["schemas"]
    of_season = {"league", "to_league", "place", "games", "rating"}
    assert of_season <= set(schemas["MySeasons"]["properties"]["items"]["items"]["properties"])
    of_kind = {
        "season": of_season | set(schemas["SeasonRule"]["properties"]),
        "achievement": {"goal", "n"},
        "problem": {"when"} if "retry_s" in schemas["Problem"]["properties"] else set(),
        "fault": {"min", "max", "allowed"} & set(schemas["Fault"]["properties"]),
    }
    allowed = {"room.room_locked": {"title", "level"}, "fault.name_too_soon": {"when"}}
    seen = 0
    for key, sentence in messages.items():
        assert sentence.strip() == sentence != "", key
        kind = key.split(".")[0]
        if kind in of_kind or key in allowed:
            assert set(holes(sentence)) <= of_kind.get(kind, set()) | allowed.get(key, set()), key
            seen += 1
    assert seen > 100
