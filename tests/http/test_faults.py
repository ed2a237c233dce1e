"""A refusal names every fault of a request, not only the first; and a refused request changes nothing."""

import uuid

import pytest

SHARES_SERVER = True


def faults(answer):
    """(location, code) of each fault."""
    listed = answer.json()["errors"]
    return [
        (next(f[place] for place in ("pointer", "parameter", "header") if place in f), f["code"])
        for f in listed
    ]


def state(sql):
    return sql(
        "SELECT (SELECT count(*) FROM players), (SELECT count(*) FROM tables), (SELECT"
        " md5(string_agg(p::text, ',' ORDER BY id)) FROM players p)"
    )


def test_every_wrong_member_is_named_in_the_order_of_the_body(anyone, sql):
    before = state(sql)
    body = {"nickname": " x", "password": "short", "colour": 1, "email": "nobody", "invite_code": 5}
    answer = anyone.call("POST", "/v1/auth/register", body, status=422, code="bad_format")
    assert faults(answer) == [
        ("/nickname", "name_separator"),
        ("/password", "too_short"),
        ("/colour", "unknown"),
        ("/email", "not_an_email"),
        ("/invite_code", "wrong_type"),
    ]
    problem = answer.json()
    assert problem["detail"] == problem["errors"][0]["detail"]
    assert problem["errors"][1] == {
        "pointer": "/password",
        "code": "too_short",
        "min": 8,
        "max": 128,
        "detail": "The member `password` must have 8 to 128 characters.",
    }
    assert problem["errors"][4]["allowed"] == ["string"]
    assert state(sql) == before


def test_missing_members_are_named_last(anyone):
    answer = anyone.call("POST", "/v1/auth/register", {"nickname": "x"}, status=422, code="bad_length")
    assert faults(answer) == [("/nickname", "too_short"), ("/email", "missing"), ("/password", "missing")]


def test_one_valid_member_among_invalid_ones_changes_nothing(guest, sql):
    before = state(sql)
    answer = guest.call(
        "PATCH", "/v1/me", {"nickname": "Anna", "avatar": "A B", "level": 99}, status=422, code="bad_format"
    )
    assert faults(answer) == [("/avatar", "bad_name"), ("/level", "unknown")]
    assert state(sql) == before


def test_at_most_twenty_faults_are_named(guest):
    answer = guest.call("PATCH", "/v1/me", {f"x{i}": i for i in range(40)}, status=422, code="unknown_member")
    assert faults(answer) == [(f"/x{i}", "unknown") for i in range(20)]


def test_options_unknown_to_the_engine_are_named_with_the_other_faults(guest, sql):
    def opening(status=422, **body):
        return guest.call(
            "POST", "/v1/tables", body, headers={"Idempotency-Key": uuid.uuid4().hex}, status=status
        )

    before = state(sql)
    wrong = {"a/b": 1, "turn_s": 9, "opening_min": 51}
    assert faults(opening(variant="rummy51", seats=9, options=wrong)) == [("/seats", "too_large")]
    assert faults(opening(variant="rummy51", seats=5, bots=5, options=wrong)) == [
        ("/bots", "too_large"),
        ("/options/a~1b", "no_such_option"),
        ("/options/turn_s", "option_range"),
        ("/seats", "too_large"),
    ]
    assert faults(opening(variant="whist", seats=2, bots=3)) == [
        ("/bots", "too_large"),
        ("/variant", "no_such_variant"),
    ]
    assert faults(
        opening(variant="rummy51", seats=2, options={"turn_s": None, "ace": []}, visibility="hidden")
    ) == [
        ("/options/turn_s", "wrong_type"),
        ("/options/ace", "wrong_type"),
        ("/visibility", "unknown_choice"),
    ]
    told = opening(variant="straight", seats=2, options={"ace": "middle", "turn_s": 9}).json()
    assert told["code"] == "bad_option" and told["errors"] == [
        {
            "pointer": "/options/ace",
            "code": "option_choice",
            "allowed": ["low", "high"],
            "detail": "The member `ace` of `options` must be low or high.",
        },
        {
            "pointer": "/options/turn_s",
            "code": "option_range",
            "min": 10,
            "max": 120,
            "detail": "The member `turn_s` of `options` must be between 10 and 120.",
        },
    ]
    assert state(sql) == before


@pytest.mark.parametrize(
    "path, wanted",
    [
        ("/v1/games?limit=0&cursor=x", [("limit", "too_small"), ("cursor", "bad_cursor")]),
        ("/v1/games?limit=x", [("limit", "not_an_integer")]),
        (
            "/v1/tables?variant=A-B&limit=1000&cursor=x",
            [("variant", "bad_name"), ("limit", "too_large"), ("cursor", "bad_cursor")],
        ),
        ("/v1/games/x/record?hand=100", [("hand", "too_large"), ("game", "bad_id")]),
        ("/v1/tables/0", [("table", "bad_id")]),
    ],
)
def test_every_wrong_parameter_is_named(guest, path, wanted):
    answer = guest.call("GET", path, status=400)
    assert faults(answer) == wanted
    assert all("parameter" in fault for fault in answer.json()["errors"])


def test_an_operators_search_names_all_wrong_parameters(holder):
    answer = holder("owner").call(
        "GET", f"/v1/admin/players?q={'x' * 300}&limit=0", status=400, code="bad_parameter"
    )
    assert faults(answer) == [("q", "bad_text"), ("limit", "too_small")]


@pytest.mark.parametrize(
    "headers, status, wanted",
    [
        ({}, 400, ("Idempotency-Key", "missing")),
        ({"Idempotency-Key": "a b"}, 400, ("Idempotency-Key", "bad_token")),
        ({"Idempotency-Key": "k", "Content-Type": "text/plain"}, 415, ("Content-Type", "not_json")),
    ],
)
def test_a_wrong_header_is_named(guest, headers, status, wanted):
    answer = guest.call(
        "POST", "/v1/tables", {"variant": "rummy51", "seats": 2}, headers=headers, status=status
    )
    assert faults(answer) == [wanted] and "header" in answer.json()["errors"][0]


def test_variable_parts_of_a_problem_are_separate_members(anyone):
    def post(body):
        return anyone.call(
            "POST", "/v1/auth/guest", data=body, headers={"Content-Type": "application/json"}
        ).json()

    long = post(b"{" + b" " * 5000 + b"}")
    assert (long["code"], long["detail"]) == ("body_too_large", long["title"]) and 0 < long[
        "bytes_max"
    ] < 5000
    broken = post('{"device_secret":\n  }')
    assert (broken["code"], broken["detail"], broken["line"]) == ("bad_json", broken["title"], 2) and broken[
        "column"
    ] > 0


def test_duplicate_members_and_out_of_range_numbers_are_named(anyone):
    def post(body):
        return anyone.call("POST", "/v1/auth/guest", data=body, headers={"Content-Type": "application/json"})

    assert faults(post('{"device_secret": "aaaaaaaaaaaaaaaa", "device_secret": "b"}')) == [
        ("/device_secret", "duplicate")
    ]
    assert faults(post('{"device_secret": 1e999}')) == [("/device_secret", "out_of_range")]
    assert faults(post('{"device_secret": "aaaaaaaaaaaaaaaa\\u0000"}')) == [
        ("/device_secret", "nul_character")
    ]
    assert "errors" not in post('{"device_secret": }').json()
