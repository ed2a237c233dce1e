"""Nicknames over REST: refused with a reason at the member, unique, changeable every 30 days, renamed by an
operator."""

import concurrent.futures
import uuid

import pytest
from support.contract import Client, a_name

SHARES_SERVER = True


def body_of(nickname):
    return {"email": f"{uuid.uuid4().hex}@example.org", "password": "correct horse", "nickname": nickname}


def faults(answer):
    return [(fault["pointer"], fault["code"]) for fault in answer.json()["errors"]]


def rename(admin, player, nickname, **more):
    return admin.call(
        "POST",
        f"/v1/admin/players/{player}/rename",
        {"nickname": nickname, "reason": "an insult"},
        headers={"Idempotency-Key": uuid.uuid4().hex},
        **more,
    )


@pytest.fixture(scope="module")
def admin(holder):
    return holder("owner")


REFUSED = [
    ("x", "too_short"),
    ("x" * 21, "too_long"),
    ("王" * 41, "too_long"),
    ("a  b", "name_separator"),
    ("1234", "name_no_letter"),
    ("a🐈z", "name_character"),
    ("Z\u0300\u0301\u0302a", "name_marks"),
    ("a\u200db", "name_joiner"),
    ("p\u0430ypal", "name_scripts"),
    ("अन1२", "name_digits"),
    ("क्ष्म्य्" * 6 + "ab", "name_bytes"),
    ("Adm1n", "name_reserved"),
    ("Guest 12", "name_reserved"),
]


@pytest.mark.parametrize(
    "nickname, code", REFUSED, ids=[code + str(n) for n, (_, code) in enumerate(REFUSED)]
)
def test_each_reason_has_its_code_wherever_a_name_is_chosen(anyone, guest, admin, nickname, code):
    of = {"status": 422}
    assert faults(anyone.call("POST", "/v1/auth/register", body_of(nickname), **of)) == [("/nickname", code)]
    assert faults(anyone.call("POST", "/v1/auth/guest", {"nickname": nickname}, **of)) == [
        ("/nickname", code)
    ]
    assert faults(guest.call("POST", "/v1/auth/upgrade", body_of(nickname), **of)) == [("/nickname", code)]
    assert faults(guest.call("PATCH", "/v1/me", {"nickname": nickname}, **of)) == [("/nickname", code)]
    assert faults(rename(admin, guest.player["id"], nickname, **of)) == [("/nickname", code)]
    assert guest.get("/v1/me") == guest.player


def test_a_name_is_stored_in_a_normalized_form(new_client):
    word = uuid.uuid4().hex[:8]
    wide = "".join(chr(0xFEE0 + ord(letter)) for letter in "Mia" + word)
    assert new_client().guest(nickname=wide).player["nickname"] == "Mia" + word
    assert new_client().guest(nickname=f"O’Neill {word}").player["nickname"] == f"O'Neill {word}"


def test_a_lookalike_name_is_refused_as_taken(new_client, anyone):
    name = a_name("Coco")
    new_client().register(nickname=name)
    other = name.replace("Coco", "COC0")
    for path, body in (("/v1/auth/register", body_of(other)), ("/v1/auth/guest", {"nickname": name.upper()})):
        assert faults(anyone.call("POST", path, body, status=409, code="name_taken")) == [
            ("/nickname", "name_taken")
        ]
    guest = new_client().guest()
    assert faults(guest.call("PATCH", "/v1/me", {"nickname": other}, status=409, code="name_taken")) == [
        ("/nickname", "name_taken")
    ]
    guest.call("POST", "/v1/auth/upgrade", body_of(other), status=409, code="name_taken")
    assert guest.get("/v1/me") == guest.player


def test_concurrent_claims_of_a_name_give_it_to_one_account(server, sql):
    name = a_name("Race")
    forms = [name, name.upper(), name.lower(), name.replace("c", "\u217d")] * 3
    with concurrent.futures.ThreadPoolExecutor(len(forms)) as pool:
        answers = list(
            pool.map(lambda form: Client(server).call("POST", "/v1/auth/register", body_of(form)), forms)
        )
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * (len(forms) - 1)
    assert sql("SELECT count(*) FROM players WHERE nickname_folded = %s", name.lower()) == [(1,)]


def test_guests_get_distinct_names(new_client):
    people = [new_client().guest().player for _ in range(30)]
    assert len({player["nickname"] for player in people}) == 30
    assert all(
        player["nickname"].startswith("Guest ") and player["nickname_changes_at"] is None for player in people
    )


def test_a_name_can_be_changed_every_thirty_days(new_client, sql):
    guest = new_client().guest()
    first, second, third = a_name("One"), a_name("Two"), a_name("Six")
    assert (
        guest.call("PATCH", "/v1/me", {"nickname": first}, status=200).json()["nickname_changes_at"] is None
    ), "the first choice is free"
    me = guest.call("PATCH", "/v1/me", {"nickname": second}, status=200).json()
    refused = guest.call(
        "PATCH", "/v1/me", {"nickname": third, "avatar": "owl"}, status=429, code="name_too_soon"
    )
    assert faults(refused) == [("/nickname", "name_too_soon")]
    assert 30 * 86400 - 60 <= refused.json()["retry_s"] <= 30 * 86400 + 1 and refused.headers[
        "Retry-After"
    ] == str(refused.json()["retry_s"])
    assert guest.get("/v1/me") == me and me["nickname_changes_at"] > me["created_at"]
    guest.call("PATCH", "/v1/me", {"nickname": second, "avatar": "owl"}, status=200)
    guest.call("POST", "/v1/auth/upgrade", body_of(third), status=429, code="name_too_soon")
    new_client().call("POST", "/v1/auth/guest", {"nickname": first.upper()}, status=409, code="name_taken")
    sql(
        "UPDATE players SET nickname_changed_at = nickname_changed_at - interval '30 days' WHERE id = %s",
        int(guest.player["id"]),
    )
    sql(
        "UPDATE name_keys SET until = until - interval '30 days' WHERE player_id = %s",
        int(guest.player["id"]),
    )
    guest.call("PATCH", "/v1/me", {"nickname": third}, status=200)
    assert new_client().guest(nickname=first.upper()).player["nickname"] == first.upper(), "no one kept it"


def test_an_operator_can_rename_a_player_and_the_rename_is_noted(admin, new_client):
    name = a_name("Rude")
    player = new_client().guest(nickname=name)
    other = new_client().guest(nickname=a_name("Nice"))
    answer = rename(admin, player.player["id"], a_name("Tame"), status=200).json()
    assert answer["nickname"].startswith("Tame ") and (
        answer["notes"][0]["about"],
        answer["notes"][0]["text"],
    ) == ("rename", "an insult")
    assert player.get("/v1/me")["nickname_changes_at"] is None
    rename(admin, player.player["id"], other.player["nickname"], status=409, code="name_taken")
    rename(admin, "9" * 15, a_name("Tame"), status=404, code="player_unknown")
    assert admin.get("/v1/admin/audit?limit=4")["items"][3]["action"] == "rename"
    new_client().call("POST", "/v1/auth/guest", {"nickname": name}, status=409, code="name_taken")


def test_an_operator_finds_a_name_regardless_of_case_and_width(admin, new_client):
    word = uuid.uuid4().hex[:8]
    player = new_client().guest(nickname=f"Straße {word}").player["id"]
    for q in (f"straße {word}", f"STRASSE {word}", f"ｓｔｒａｓｓｅ {word}"):
        found = admin.call("GET", "/v1/admin/players", params={"q": q}, status=200).json()["items"]
        assert [each["id"] for each in found] == [player]
