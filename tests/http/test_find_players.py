"""Player search by the beginning of the nickname: spelling variants, order, limits, and who is never
found."""

import uuid

import pytest

SHARES_SERVER = True


@pytest.fixture
def word():
    """A unique beginning of names: letters that resemble no others."""
    return "".join(chr(ord("a") + int(digit, 16) % 8) for digit in uuid.uuid4().hex[:8])


def found(client, nickname):
    return [
        item["nickname"]
        for item in client.call("GET", "/v1/players", params={"nickname": nickname}, status=200).json()[
            "items"
        ]
    ]


def test_one_is_found_with_all_that_a_list_shows(guest, new_client, word):
    ben = new_client().guest(nickname=f"Ben {word}").player
    items = guest.call("GET", "/v1/players", params={"nickname": f"Ben {word}"}, status=200).json()["items"]
    assert items == [
        {"player_id": ben["id"], "nickname": ben["nickname"], "avatar": ben["avatar"], "title": "Ant"}
    ]
    assert found(guest, f"Ben {word[:4]}") == [ben["nickname"]]
    assert found(guest, f"en {word}") == [] == found(guest, f"Ben {word}x")


def test_case_width_and_likeness_make_no_difference(guest, new_client, word):
    name = new_client().guest(nickname=f"Zoë C0co {word}").player["nickname"]
    for typed in (
        f"zoë c0co {word}",
        f"ZOË COCO {word}",
        "ｚｏｅ\u0308 ｃ０ｃｏ " + word,
        f"Zoë СОСО {word}",
        f"Zoe\u0308 Coco {word[:5]}",
    ):
        assert found(guest, typed) == [name], typed


def test_who_is_called_just_so_comes_first_then_all_by_name_ten_at_most(guest, new_client, word):
    names = [new_client().guest(nickname=f"{word} {letter}").player["nickname"] for letter in "kjihgfedcba"]
    new_client().guest(nickname=f"{word}")
    assert found(guest, word) == [word, *sorted(names)[:9]]
    assert found(guest, f"{word} K") == [f"{word} k"]


def test_who_is_not_found(guest, new_client, word, sql):
    people = {
        who: new_client().guest(nickname=f"{word} {who}")
        for who in ("blocked", "blocks", "muted", "banned", "gone", "going", "there")
    }
    ids = {who: client.player["id"] for who, client in people.items()}
    assert found(guest, word) == sorted(f"{word} {who}" for who in people)
    guest.call("PUT", f"/v1/players/{ids['blocked']}/block", status=200)
    guest.call("PUT", f"/v1/players/{ids['muted']}/mute", status=200)
    people["blocks"].call("PUT", f"/v1/players/{guest.player['id']}/block", status=200)
    sql("UPDATE players SET banned_at = now() WHERE id = %s", ids["banned"])
    sql("UPDATE players SET deleted_at = now() WHERE id = %s", ids["gone"])
    sql("INSERT INTO deletions (player_id, due_at) VALUES (%s, now() + interval '14 days')", ids["going"])
    assert found(guest, word) == [f"{word} muted", f"{word} there"]
    assert f"{word} there" not in found(people["there"], word), "players do not find themselves"
    assert f"{word} blocks" not in found(people["blocks"], word) and f"{word} blocked" in found(
        people["there"], word
    )


def test_a_name_that_was_given_up_finds_nobody(guest, new_client, word):
    player = new_client().guest(nickname=f"{word} old")
    player.call("PATCH", "/v1/me", {"nickname": f"{word} new"}, status=200)
    assert found(guest, f"{word} old") == [] and found(guest, word) == [f"{word} new"]


@pytest.mark.parametrize(
    "typed, code",
    [
        ("", "too_short"),
        ("Be", "too_short"),
        ("王王", "too_short"),
        ("x" * 121, "too_long"),
        ("ben@example.org", "name_character"),
    ],
)
def test_what_is_no_beginning_is_refused_by_name(guest, typed, code):
    answer = guest.call("GET", "/v1/players", params={"nickname": typed}, status=400, code="bad_parameter")
    assert [(fault["parameter"], fault["code"]) for fault in answer.json()["errors"]] == [("nickname", code)]


def test_it_has_to_be_given_once_by_somebody_signed_in(guest, anyone):
    guest.call("GET", "/v1/players", status=400, code="bad_parameter")
    guest.call("GET", "/v1/players?nickname=Ben&nickname=Mia", status=400, code="bad_parameter")
    anyone.call("GET", "/v1/players", params={"nickname": "Ben"}, status=401)


@pytest.mark.parametrize(
    "typed", ["\u200b" * 3, "\u0301" * 3, "\ufdfa" * 9, "%_%", "\\\\\\", "a\u202eb", "王" * 120]
)
def test_what_no_name_begins_with_finds_nobody(guest, typed):
    assert found(guest, typed) == []
