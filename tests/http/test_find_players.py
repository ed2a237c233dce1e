"""Player search by the beginning of the nickname: spelling variants, order, limits, and who is never
found."""

import uuid

import pytest

SHARES_SERVER = True


@pytest.fixture
def word():
    """A unique beginning for names, of letters that do not resemble others."""
    return "".join(chr(ord("a") + int(digit, 16) % 8) for digit in uuid.uuid4().hex[:8])


def found(client, nickname):
    return [
        item["nickname"]
        for item in client.call("GET", "/v1/players", params={"nickname": nickname}, status=200).json()[
            "items"
        ]
    ]


def test_a_player_is_found_with_all_fields_of_a_list(guest, new_client, word):
    ben = new_client().guest(nickname=f"Ben {word}").player
    items = guest.call("GET", "/v1/players", params={"nickname": f"Ben {word}"}, status=200).json()["items"]
    assert items == [
        {"player_id": ben["id"], "nickname": ben["nickname"], "avatar": ben["avatar"], "title": "Ant"}
    ]
    assert found(guest, f"Ben {word[:4]}") == [ben["nickname"]]
    assert found(guest, f"en {word}") == [] == found(guest, f"Ben {word}x")


def test_case_width_and_lookalikes_make_no_difference(guest, new_client, word):
    name = new_client().guest(nickname=f"Zoë C0co {word}").player["nickname"]
    for typed in (
        f"zoë c0co {word}",
        f"ZOË COCO {word}",
        "ｚｏｅ\u0308 ｃ０ｃｏ " + word,
        f"Zoë СОСО {word}",
        f"Zoe\u0308 Coco {word[:5]}",
    ):
        assert found(guest, typed) == [name], typed


def test_an_exact_match_comes_first_and_at_most_ten_are_returned(guest, new_client, word):
    names = [new_client().guest(nickname=f"{word} {letter}").player["nickname"] for letter in "kjihgfedcba"]
    new_client().guest(nickname=f"{word}")
    assert found(guest, word) == [word, *sorted(names)[:9]]
    assert found(guest, f"{word} K") == [f"{word} k"]


def test_players_who_are_not_found(guest, new_client, word, sql):
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


def test_a_former_name_finds_no_player(guest, new_client, word):
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
def test_invalid_search_texts_are_refused(guest, typed, code):
    answer = guest.call("GET", "/v1/players", params={"nickname": typed}, status=400, code="bad_parameter")
    assert [(fault["parameter"], fault["code"]) for fault in answer.json()["errors"]] == [("nickname", code)]


def test_the_search_requires_one_nickname_and_a_session(guest, anyone):
    guest.call("GET", "/v1/players", status=400, code="bad_parameter")
    guest.call("GET", "/v1/players?nickname=Ben&nickname=Mia", status=400, code="bad_parameter")
    anyone.call("GET", "/v1/players", params={"nickname": "Ben"}, status=401)


@pytest.mark.parametrize(
    "typed", ["\u200b" * 3, "\u0301" * 3, "\ufdfa" * 9, "%_%", "\\\\\\", "a\u202eb", "王" * 120]
)
def test_a_text_that_begins_no_name_finds_no_player(guest, typed):
    assert found(guest, typed) == []
