"""Tables that players open: permitted options, the list, joining by code, and the rewards of a private
game."""

import uuid

import pytest
from support.contract import OPENAPI, Client


def key():
    return {"Idempotency-Key": uuid.uuid4().hex}


def open_table(client, status=201, code=None, **body):
    return client.call(
        "POST",
        "/v1/tables",
        {"variant": "rummy51", "seats": 2, **body},
        status=status,
        code=code,
        headers=key(),
    )


def join(client, word, **more):
    return client.call("POST", f"/v1/tables/by-code/{word}/seats", headers=key(), **more)


@pytest.fixture
def ann(server):
    return Client(server).guest()


@pytest.fixture
def bob(server):
    return Client(server).guest()


def test_the_variants_list_their_options(server):
    items = Client(server).get("/v1/variants")["items"]
    by_id = {item["id"]: item for item in items}
    assert {"rummy51", "straight", "treff", "rummy40", "rami"} <= set(by_id)
    options = {option["name"]: option for option in by_id["straight"]["options"]}
    assert options["target"] == {
        "name": "target",
        "least": 50,
        "greatest": 500,
        "default": 150,
        "default_word": None,
        "values": None,
    }
    assert options["ace"]["values"] == ["low", "high"] and (
        options["ace"]["default"],
        options["ace"]["default_word"],
    ) == (None, "low")
    assert "opening_min" not in options
    for variant in ("points", "pool101", "pool201", "deals2", "deals3"):
        options = {option["name"]: option for option in by_id[variant]["options"]}
        assert set(options) == {"wild_scope", "wild_natural_pure", "turn_s", "hand_s"}
        assert (options["wild_scope"]["values"], options["wild_scope"]["default_word"]) == (
            ["rank", "exact"],
            "rank",
        )
    assert (by_id["rummy51"]["seats_min"], by_id["rummy51"]["seats_max"]) == (2, 4)


def test_the_contract_lists_every_option_with_its_limits(server):
    said = {}
    for option in (
        option for item in Client(server).get("/v1/variants")["items"] for option in item["options"]
    ):
        number = {"type": "integer", "minimum": option["least"], "maximum": option["greatest"]}
        kind = {"type": "string", "enum": option["values"]} if option["values"] else number
        assert said.setdefault(option["name"], kind) == kind
    contract = OPENAPI["components"]["schemas"]["TableOptions"]["properties"]
    assert {
        name: {k: v for k, v in of.items() if k != "description"} for name, of in contract.items()
    } == said


def test_every_default_can_be_set_explicitly(server):
    for item in Client(server).get("/v1/variants")["items"]:
        client = Client(server).guest()
        options = {option["name"]: option["default_word"] or option["default"] for option in item["options"]}
        seat = open_table(client, variant=item["id"], seats=item["seats_min"], options=options).json()
        client.call("DELETE", f"/v1/tables/{seat['table_id']}/seats/me", status=204)


@pytest.mark.parametrize(
    "body, code, named",
    [
        ({"variant": "whist"}, "no_such_variant", "variant"),
        ({"variant": "../etc"}, "bad_format", "variant"),
        ({"seats": 5}, "out_of_range", "seats"),
        ({"seats": 1}, "out_of_range", "seats"),
        ({"seats": 7}, "out_of_range", "seats"),
        ({"seats": "2"}, "wrong_type", "seats"),
        ({"options": {"target": 100}}, "bad_option", "target"),
        ({"options": {"opening_min": 0}}, "bad_option", "opening_min"),
        ({"options": {"opening_min": "a" * 40}}, "wrong_type", "opening_min"),
        ({"options": {"turn_s": 9}}, "bad_option", "turn_s"),
        ({"options": {"turn_s": 1.5}}, "wrong_type", "turn_s"),
        ({"options": {"turn_s": 2**40}}, "bad_option", "turn_s"),
        ({"options": {"turn_s": "20"}}, "wrong_type", "turn_s"),
        ({"options": {"turn_s": None}}, "wrong_type", "turn_s"),
        ({"options": {"taken_discard_in_opening": True}}, "wrong_type", "taken_discard_in_opening"),
        ({"variant": "straight", "options": {"ace": 1}}, "wrong_type", "ace"),
        ({"options": [1]}, "wrong_type", "options"),
        ({"options": {f"o{i}": 1 for i in range(9)}}, "bad_length", "options"),
        ({"variant": "straight", "options": {"ace": "a" * 40}}, "bad_option", "ace"),
        ({"variant": "straight", "options": {"ace": "middle"}}, "bad_option", "ace"),
        ({"variant": "points", "options": {"wild_scope": "suit"}}, "bad_option", "wild_scope"),
        ({"variant": "deals2", "options": {"rounds": 3}}, "bad_option", "rounds"),
        ({"variant": "pool101", "options": {"target": 150}}, "bad_option", "target"),
        ({"visibility": "hidden"}, "bad_format", "visibility"),
        ({"bots": 2}, "out_of_range", "bots"),
        ({"bots": -1}, "out_of_range", "bots"),
        ({"bots": "all"}, "wrong_type", "bots"),
        ({"bots": True}, "wrong_type", "bots"),
        ({"bot_level": "best"}, "bad_format", "bot_level"),
        ({"watch_delay_ms": -1}, "out_of_range", "watch_delay_ms"),
        ({"watch_delay_ms": 3600001}, "out_of_range", "watch_delay_ms"),
        ({"watch_delay_ms": True}, "wrong_type", "watch_delay_ms"),
        ({"watch_delay_ms": 1.5}, "wrong_type", "watch_delay_ms"),
        ({"stakes": 5}, "unknown_member", "stakes"),
    ],
)
def test_invalid_settings_are_named_and_open_no_table(ann, body, code, named):
    answer = open_table(ann, status=422, code=code, **body)
    assert named in answer.json()["detail"]
    assert ann.get("/v1/me/tables")["items"] == []


def test_options_are_stored_and_shown(server, ann):
    seat = open_table(
        ann, variant="rami", seats=3, options={"opening_min": 30, "turn_s": 60}, visibility="public", bots=1
    ).json()
    assert seat["code"] is None
    shown = ann.get(f"/v1/tables/{seat['table_id']}")["d"]
    assert shown["params"]["opening_min"] == 30 and shown["params"]["turn_s"] == 60
    assert shown["table"]["visibility"] == "public" and shown["table"]["room"] is None
    item = ann.get("/v1/tables?variant=rami")["items"][0]
    assert (item["table_id"], item["options"]) == (seat["table_id"], {"opening_min": 30, "turn_s": 60})
    assert (item["seats"], item["people"], item["bots"]) == (3, 1, 1)
    assert item["table_id"] not in [i["table_id"] for i in ann.get("/v1/tables?variant=treff")["items"]]


@pytest.mark.parametrize(
    "options, hand_s",
    [
        ({}, 120),
        ({"turn_s": 60}, 240),
        ({"turn_s": 60, "hand_s": 120}, 120),
        ({"hand_s": 120, "turn_s": 60}, 120),
        ({"hand_s": 30}, 30),
        ({"hand_s": 1200, "turn_s": 120}, 1200),
        ({"hand_s": 0}, 0),
        ({"hand_s": 0, "turn_s": 10}, 0),
    ],
)
def test_a_hand_clock_defaults_to_four_turns(ann, options, hand_s):
    seat = open_table(ann, options=options).json()
    params = ann.get(f"/v1/tables/{seat['table_id']}")["d"]["params"]
    assert params["hand_s"] == hand_s and params["turn_s"] == options.get("turn_s", 30)


@pytest.mark.parametrize(
    "more, fault",
    [
        ({"options": {"hand_s": 29}}, {"code": "hand_clock_short", "min": 30}),
        ({"options": {"hand_s": 1}, "visibility": "public"}, {"code": "hand_clock_short", "min": 30}),
        ({"options": {"turn_s": 60, "hand_s": 59}}, {"code": "hand_clock_short", "min": 60}),
        ({"options": {"hand_s": 59, "turn_s": 60}}, {"code": "hand_clock_short", "min": 60}),
        ({"options": {"hand_s": 0}, "visibility": "public"}, {"code": "hand_clock_needed"}),
        ({"options": {"hand_s": 120}, "turn_hours": 24}, {"code": "hand_clock_slow"}),
        ({"options": {"hand_s": 120}, "turn_hours": 24, "visibility": "public"}, {"code": "hand_clock_slow"}),
        ({"options": {"hand_s": -1}}, {"code": "option_range", "min": 0, "max": 1200}),
        ({"options": {"hand_s": 1201}}, {"code": "option_range", "min": 0, "max": 1200}),
        ({"options": {"hand_s": "off"}}, {"code": "wrong_type"}),
        ({"options": {"hand_s": None}}, {"code": "wrong_type"}),
    ],
)
def test_an_invalid_hand_clock_is_refused(ann, more, fault):
    said = open_table(ann, status=422, **more).json()["errors"]
    assert len(said) == 1 and said[0]["pointer"] == "/options/hand_s"
    assert {name: said[0].get(name) for name in fault} == fault
    assert ann.get("/v1/me/tables")["items"] == []


@pytest.mark.parametrize("visibility", ["private", "public"])
@pytest.mark.parametrize("options", [{}, {"hand_s": 0}])
def test_correspondence_tables_have_no_hand_clock(ann, visibility, options):
    seat = open_table(ann, options=options, turn_hours=24, visibility=visibility).json()
    assert ann.get(f"/v1/tables/{seat['table_id']}")["d"]["params"]["hand_s"] == 0


def test_the_table_list_is_paged_and_a_cursor_belongs_to_its_filter(server):
    opened = [
        open_table(Client(server).guest(), variant="treff", visibility="public").json()["table_id"]
        for _ in range(3)
    ]
    client = Client(server).guest()
    first = client.get("/v1/tables?variant=treff&limit=2")
    assert [item["table_id"] for item in first["items"]] == opened[:0:-1]
    rest = client.get(f"/v1/tables?variant=treff&limit=2&cursor={first['next']}")
    assert rest["items"][0]["table_id"] == opened[0]
    client.call("GET", f"/v1/tables?cursor={first['next']}", status=400, code="bad_cursor")
    client.call("GET", "/v1/tables?variant=%20", status=400, code="bad_parameter")


def test_joining_a_public_table_fills_it(server, ann, bob):
    table = open_table(ann, visibility="public").json()["table_id"]
    seat = bob.call("POST", f"/v1/tables/{table}/seats", status=201, headers=key()).json()
    assert (seat["table_id"], seat["seat"]) == (table, 1)
    again = bob.call("POST", f"/v1/tables/{table}/seats", status=201, headers=key()).json()
    assert again["seat"] == 1 and again["ticket"] != seat["ticket"]
    Client(server).guest().call(
        "POST", f"/v1/tables/{table}/seats", status=409, code="table_full", headers=key()
    )
    assert table not in [item["table_id"] for item in ann.get("/v1/tables")["items"]]


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_blocked_players_cannot_join_each_others_tables(server, ann, bob, visibility):
    seat = open_table(ann, visibility=visibility, seats=3).json()
    mine = ann.get("/v1/me")["id"]
    bob.call("PUT", f"/v1/players/{mine}/block", status=200)
    if visibility == "public":
        bob.call("POST", f"/v1/tables/{seat['table_id']}/seats", status=409, code="blocked", headers=key())
    else:
        join(bob, seat["code"], status=409, code="blocked")
    assert bob.get("/v1/me/tables")["items"] == []


def test_a_private_table_can_only_be_joined_by_its_code(server, ann, bob):
    seat = open_table(ann, visibility="private").json()
    assert seat["table_id"] not in [item["table_id"] for item in ann.get("/v1/tables")["items"]]
    assert ann.get("/v1/me/tables")["items"][0]["code"] == seat["code"]
    bob.call("POST", f"/v1/tables/{seat['table_id']}/seats", status=404, code="no_such_table", headers=key())
    assert join(bob, seat["code"].lower(), status=201).json()["table_id"] == seat["table_id"]
    join(Client(server).guest(), seat["code"], status=409, code="table_full")
    join(bob, "AAAAA0", status=404, code="no_such_table")
    for word in ("AAA", "AAA%20AA", "AAAAAAA", "AAAA-A"):
        problem = join(bob, word, status=400, code="bad_parameter").json()
        assert [(fault["parameter"], fault["code"]) for fault in problem["errors"]] == [("code", "bad_code")]


def test_a_repeat_opens_and_joins_once(ann, bob):
    headers = key()
    body = {"variant": "rummy51", "seats": 2}
    one = ann.call("POST", "/v1/tables", body, status=201, headers=headers).json()
    two = ann.call("POST", "/v1/tables", body, status=201, headers=headers).json()
    assert one == two
    ann.call(
        "POST", "/v1/tables", {**body, "bots": 1}, status=422, code="idempotency_key_reused", headers=headers
    )
    headers = key()
    seats = [
        bob.call("POST", f"/v1/tables/by-code/{one['code']}/seats", status=201, headers=headers).json()
        for _ in range(2)
    ]
    assert seats[0] == seats[1]


def test_a_code_shows_the_host_and_the_game(ann, bob, server):
    ann.call("PATCH", "/v1/me", {"nickname": "Mia Host", "avatar": "fox"}, status=200)
    seat = open_table(ann, variant="straight", seats=3, options={"target": 100}, bots=1).json()
    shown = {
        "state": "waiting",
        "variant": "straight",
        "options": {"target": 100},
        "seats": 3,
        "people": 1,
        "bots": 1,
        "free": 2,
        "stake": 0,
        "turn_hours": None,
        "seated": False,
        "host": {"nickname": "Mia Host", "avatar": "fox"},
        "players": [{"nickname": "Mia Host", "avatar": "fox"}],
    }
    path = f"/v1/tables/by-code/{seat['code']}/invitation"
    assert bob.get(path) == bob.get(path.lower()) == shown, "and nothing more"
    assert ann.get(path) == {**shown, "seated": True}
    Client(server).call("GET", path, status=401)
    bob.call("GET", "/v1/tables/by-code/ZZZZZZ/invitation", status=404, code="no_such_table")
    bob.call("GET", "/v1/tables/by-code/no-code/invitation", status=400)
    ann.call("DELETE", f"/v1/tables/{seat['table_id']}/seats/me", status=204)
    over = {**shown, "state": "over", "people": 0, "bots": 0, "free": 0, "players": []}
    assert bob.get(path) == ann.get(path) == over
    slow = open_table(ann, turn_hours=8).json()
    assert bob.get(f"/v1/tables/by-code/{slow['code']}/invitation")["turn_hours"] == 8


def test_turn_hours_outside_the_offered_range_are_refused(ann, sql):
    open_table(ann, turn_hours=0, status=422)
    open_table(ann, turn_hours=73, status=422)
    sql("UPDATE settings SET value = '48' WHERE name = 'turn_hours_max'")
    try:
        open_table(ann, turn_hours=72, status=409, code="turn_hours_range")
    finally:
        sql("UPDATE settings SET value = '72' WHERE name = 'turn_hours_max'")


def test_too_many_tables_and_closed_tables_are_refused(ann, bob):
    seats = [open_table(ann).json() for _ in range(4)]
    open_table(ann, status=409, code="too_many_tables")
    ann.call("DELETE", f"/v1/tables/{seats[0]['table_id']}/seats/me", status=204)
    join(bob, seats[0]["code"], status=404, code="no_such_table")
    seat = open_table(ann, visibility="public").json()
    ann.call("DELETE", f"/v1/tables/{seat['table_id']}/seats/me", status=204)
    bob.call("POST", f"/v1/tables/{seat['table_id']}/seats", status=409, code="table_over", headers=key())
