"""Club chat: who receives it and who does not, rate limits, deletion, reports, and retention."""

import pytest
from club_rig import ben, cat, club, key, member, owner
from support.contract import a_name

SHARES_SERVER = True


def say(client, club, text="Hello", status=201, code=None, headers=None):
    return client.call(
        "POST", f"/v1/clubs/{club}/chat", {"text": text}, headers=headers or key(), status=status, code=code
    )


def heard(reader, club):
    return [line["text"] for line in reader.get(f"/v1/clubs/{club}/chat")["items"]]


def delete(client, club, line, status=204, code=None):
    client.call("DELETE", f"/v1/clubs/{club}/chat/{line}", status=status, code=code)


def report(client, club, line, status=201, code=None, **body):
    return client.call(
        "POST",
        f"/v1/clubs/{club}/chat/{line}/reports",
        {"reason": "insult", **body},
        status=status,
        code=code,
    )


def test_members_read_each_others_messages_newest_first(owner, club, ben):
    first = say(owner, club, "Nine o’clock?").json()
    assert first | {"at": ""} == {
        "id": first["id"],
        "player_id": owner.player["id"],
        "nickname": owner.player["nickname"],
        "avatar": owner.player["avatar"],
        "text": "Nine o’clock?",
        "at": "",
    }
    say(ben, club, "  ten 👨‍👩‍👧 ")
    assert heard(ben, club) == heard(owner, club) == ["  ten 👨‍👩‍👧 ", "Nine o’clock?"]
    assert ben.get(f"/v1/clubs/{club}/chat")["items"][1] == first


def test_non_members_can_neither_read_nor_write(owner, club, ben, cat, sql):
    line = say(owner, club).json()["id"]
    sql("UPDATE clubs SET joining = 'ask' WHERE id = %s", int(club))
    for other in (cat, member(cat, club)):  # a stranger, and a player with a pending request
        other.call("GET", f"/v1/clubs/{club}/chat", status=403, code="not_club_member")
        say(other, club, status=403, code="not_club_member")
        delete(other, club, line, status=403, code="not_club_member")
        report(other, club, line, status=403, code="not_club_member")
    say(owner, "999999", status=404, code="no_such_club")
    owner.call("GET", "/v1/clubs/999999/chat", status=404, code="no_such_club")
    ben.call("DELETE", f"/v1/clubs/{club}/members/{ben.player['id']}", status=204)
    ben.call("GET", f"/v1/clubs/{club}/chat", status=403, code="not_club_member")


@pytest.mark.parametrize(
    "text, code",
    [
        ("", "bad_length"),
        ("x" * 201, "bad_length"),
        (" ", "bad_format"),
        ("\u200d", "bad_format"),
        ("two\nlines", "bad_format"),
        ("\u202eturned", "bad_format"),
        ("a\u0007b", "bad_format"),
        ("\ufeffx", "bad_format"),
        (7, "wrong_type"),
        (None, "wrong_type"),
    ],
)
def test_invalid_messages_are_refused(owner, club, text, code):
    say(owner, club, text, status=422, code=code)
    assert heard(owner, club) == []


def test_a_message_has_up_to_200_characters_of_any_script(owner, club):
    for text in ("ह" * 200, "𝄞" * 200):
        assert say(owner, club, text).json()["text"] == text


def test_a_player_can_send_five_messages_in_ten_seconds_across_clubs(owner, club, ben, sql):
    second = owner.call("POST", "/v1/clubs", {"name": a_name("Larks")}, headers=key(), status=201).json()[
        "id"
    ]
    lines = [say(owner, place).json()["id"] for place in (club, club, club, second, second)]
    delete(owner, club, lines[0])
    for place in (club, second):
        say(owner, place, status=429, code="chat_too_fast")
    say(ben, club)
    sql("UPDATE club_chat SET at = at - interval '10 s' WHERE id = %s", int(lines[1]))
    say(owner, second)
    say(owner, second, status=429, code="chat_too_fast")


def test_a_repeated_message_is_sent_once(owner, club):
    headers = key()
    first = say(owner, club, "once", headers=headers).json()
    assert say(owner, club, "once", headers=headers).json() == first and heard(owner, club) == ["once"]
    say(owner, club, "other", headers=headers, status=422, code="idempotency_key_reused")


def test_a_muted_player_cannot_write(holder, owner, club, ben):
    admin = holder("owner")
    admin.call(
        "POST",
        f"/v1/admin/players/{ben.player['id']}/mute",
        {"hours": 1, "reason": "x"},
        headers=key(),
        status=200,
    )
    say(ben, club, status=403, code="chat_muted")
    admin.call(
        "POST",
        f"/v1/admin/players/{ben.player['id']}/mute",
        {"hours": 0, "reason": "x"},
        headers=key(),
        status=200,
    )
    say(ben, club)


@pytest.mark.parametrize("how", ["mute", "block"])
def test_messages_of_muted_or_blocked_players_are_hidden(owner, club, ben, how):
    say(owner, club, "hers"), say(ben, club, "his")
    owner.call("PUT", f"/v1/players/{ben.player['id']}/{how}", status=200)
    assert heard(owner, club) == ["hers"] and heard(ben, club) == ["his", "hers"]
    owner.call("DELETE", f"/v1/players/{ben.player['id']}/{how}", status=200)
    assert heard(owner, club) == ["his", "hers"]


def test_the_author_and_the_owner_can_delete_a_message(owner, club, ben, cat):
    member(cat, club)
    first, second, third = (
        say(client, club, text).json()["id"] for client, text in ((owner, "hers"), (ben, "his"), (ben, "too"))
    )
    for line in (first, second):
        delete(cat, club, line, status=403, code="not_your_message")
    delete(ben, club, first, status=403, code="not_your_message")
    for _ in range(2):
        delete(ben, club, second)
    delete(owner, club, third)
    assert heard(cat, club) == ["hers"]
    delete(owner, club, "999999", status=404, code="no_such_message")
    other = owner.call("POST", "/v1/clubs", {"name": a_name("Larks")}, headers=key(), status=201).json()["id"]
    delete(owner, other, first, status=404, code="no_such_message")
    late = say(ben, club, "late").json()["id"]
    ben.call("DELETE", f"/v1/clubs/{club}/members/{ben.player['id']}", status=204)
    delete(ben, club, late)
    assert heard(owner, club) == ["hers"], "one's own, also after one has left"


def test_a_report_keeps_the_text_of_the_message(holder, owner, club, ben, cat):
    member(cat, club)
    line = say(ben, club, "You fools").json()["id"]
    first = report(owner, club, line, text="Look.").json()["id"]
    assert (
        report(owner, club, line, reason="other").json()["id"]
        == first
        != report(cat, club, line).json()["id"]
    )
    report(ben, club, line, status=409, code="own_message")
    report(owner, club, "999999", status=404, code="no_such_message")
    for wrong in ({"reason": "club_name"}, {"text": "x" * 501}, {"more": 1}):
        report(owner, club, line, status=422, **wrong)
    assert cat.call("POST", f"/v1/clubs/{club}/reports", {"reason": "club_name"}, status=201).json()[
        "id"
    ] not in (first, line), "the club is another matter"
    delete(ben, club, line)
    report(owner, club, line, status=404, code="no_such_message")
    seen = next(r for r in holder("owner").get("/v1/admin/reports?limit=100")["items"] if r["id"] == first)
    assert (seen["club_id"], seen["message_id"], seen["said"], seen["reason"]) == (
        club,
        line,
        "You fools",
        "insult",
    )
    assert (seen["reporter"]["player_id"], seen["reported"]["player_id"]) == (
        owner.player["id"],
        ben.player["id"],
    )


def test_chat_is_paged_and_old_messages_are_removed(owner, club, ben, sql):
    sql(
        "INSERT INTO club_chat (club_id, player_id, text, at) SELECT %s, %s, 'line ' || n, now() - interval"
        " '1 hour' FROM generate_series(1, 12) n",
        int(club),
        int(ben.player["id"]),
    )
    first = ben.get(f"/v1/clubs/{club}/chat", params={"limit": 5})
    second = ben.get(f"/v1/clubs/{club}/chat", params={"limit": 5, "cursor": first["next"]})
    assert [line["text"] for line in first["items"] + second["items"]] == [
        f"line {n}" for n in range(12, 2, -1)
    ] and second["next"]
    sql("UPDATE settings SET value = '10' WHERE name = 'club_chat_max'")
    try:
        say(owner, club, "the latest")
    finally:
        sql("UPDATE settings SET value = '500' WHERE name = 'club_chat_max'")
    assert heard(ben, club) == ["the latest"] + [f"line {n}" for n in range(12, 3, -1)]
    sql(
        "UPDATE club_chat SET at = now() - interval '91 days' WHERE club_id = %s AND text <> 'the latest'",
        int(club),
    )
    sql("SELECT do_purge(1000)")
    assert sql("SELECT text FROM club_chat WHERE club_id = %s", int(club)) == [("the latest",)]


def test_chat_is_deleted_with_the_club(owner, club, sql):
    say(owner, club)
    owner.call("DELETE", f"/v1/clubs/{club}", status=204)
    assert sql("SELECT count(*) FROM club_chat WHERE club_id = %s", int(club)) == [(0,)]
