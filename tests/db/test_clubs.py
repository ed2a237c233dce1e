"""Clubs after account deletions and concurrent actions: each has one owner and a correct count, and none is
empty."""

import uuid

from db_rig import at_once, named


def registered(rig):
    player = rig.player()
    rig.rows("UPDATE players SET kind = 'registered' WHERE id = %s", player)
    return player


def club(rig, owner, name, joining="open"):
    answer = rig.row(
        "SELECT code, body::jsonb FROM do_create_club(%s, %s, '', %s, %s, 'x')",
        owner,
        named(name),
        joining,
        name,
    )
    assert answer["code"] == "ok"
    return int(answer["body"]["id"])


def join(rig, player, number, who=None, via=None):
    return rig.rows("SELECT code FROM do_join_club(%s, %s, %s)", player, number, who or player, via=via)[0][0]


def erase(rig, player):
    rig.rows("INSERT INTO deletions (player_id, due_at) VALUES (%s, now())", player)
    rig.rows("SELECT erase_player(%s)", player)


def people(rig, number):
    return [
        tuple(row)
        for row in rig.rows(
            "SELECT player_id, role FROM club_members WHERE club_id = %s ORDER BY at, player_id", number
        )
    ]


def counted(rig):
    return rig.rows(
        "SELECT id FROM clubs c WHERE members_n <> (SELECT count(*) FROM club_members m WHERE m.club_id ="
        " c.id AND m.role <> 'asks')"
    )


def test_a_club_passes_to_its_oldest_registered_member(rig):
    owner, guest, ann, ben = registered(rig), rig.player(), registered(rig), registered(rig)
    owls, alone = club(rig, owner, "Owls"), club(rig, owner, "Alone")
    for n, member in enumerate((guest, ann, ben)):
        assert join(rig, member, owls) == "ok"
        rig.rows(
            "UPDATE club_members SET at = now() + make_interval(secs => %s) WHERE player_id = %s",
            n + 1,
            member,
        )
    assert join(rig, guest, alone) == "ok"
    erase(rig, owner)
    assert people(rig, owls) == [(guest, "member"), (ann, "owner"), (ben, "member")]
    assert rig.rows("SELECT 1 FROM clubs WHERE id = %s", alone) == [], "no member can own it"
    assert (
        rig.one("SELECT data->>'state' FROM notifications WHERE kind = 'club' AND player_id = %s", ann)
        == "owner"
    )
    erase(rig, guest)
    assert people(rig, owls) == [(ann, "owner"), (ben, "member")] and counted(rig) == []


def test_concurrent_joins_and_leaves_are_counted_correctly(rig):
    owner = registered(rig)
    number = club(rig, owner, "Crowd")
    players = [rig.player() for _ in range(8)]

    def come_and_go(player):
        def act(via):
            for _ in range(10):
                assert join(rig, player, number, via=via) == "ok"
                rig.rows("SELECT code FROM do_leave_club(%s, %s, %s)", player, number, player, via=via)
            assert join(rig, player, number, via=via) == "ok"

        return act

    at_once(rig, *map(come_and_go, players))
    assert rig.one("SELECT members_n FROM clubs WHERE id = %s", number) == 9 and counted(rig) == []


def test_a_full_club_accepts_no_concurrent_joins(rig):
    owner = registered(rig)
    number = club(rig, owner, "Small")
    rig.rows("UPDATE settings SET value = '3' WHERE name = 'club_members_max'")
    players = [rig.player() for _ in range(8)]
    codes = at_once(
        rig, *[lambda via, player=player: join(rig, player, number, via=via) for player in players]
    )
    rig.rows("UPDATE settings SET value = '500' WHERE name = 'club_members_max'")
    assert sorted(codes) == 6 * ["club_full"] + 2 * ["ok"]
    assert rig.one("SELECT members_n FROM clubs WHERE id = %s", number) == 3


def test_join_requests_of_blocked_players_are_not_notified(rig):
    owner, guest = registered(rig), rig.player()
    number = club(rig, owner, "Quiet", "ask")
    rig.rows("INSERT INTO player_blocks (player_id, other_id, blocked) VALUES (%s, %s, true)", owner, guest)
    assert join(rig, guest, number) == "ok" and people(rig, number)[-1] == (guest, "asks")
    assert rig.rows("SELECT 1 FROM notifications WHERE player_id = %s", owner) == []


def said(rig, player, number, text="Hello", via=None):
    return rig.rows(
        "SELECT code FROM do_club_chat(%s, %s, %s, %s, 'x')", player, number, text, uuid.uuid4().hex, via=via
    )[0][0]


def test_at_most_five_concurrent_messages_are_accepted(rig):
    owner = registered(rig)
    number = club(rig, owner, "Loud")
    codes = at_once(rig, *[lambda via: said(rig, owner, number, via=via) for _ in range(8)])
    assert sorted(codes) == 3 * ["chat_too_fast"] + 5 * ["ok"]


def test_a_club_can_be_closed_while_a_member_sends_a_message(rig):
    owner, ben = registered(rig), rig.player()
    for n in range(5):
        number = club(rig, owner, f"Brief {n}")
        join(rig, ben, number)
        code, _ = at_once(
            rig,
            lambda via: said(rig, ben, number, via=via),
            lambda via: rig.rows("SELECT code FROM do_close_club(%s, %s)", owner, number, via=via),
        )
        assert (
            code in ("ok", "no_such_club")
            and rig.one("SELECT count(*) FROM club_chat WHERE club_id = %s", number) == 0
        )


def test_messages_of_a_deleted_account_are_deleted(rig):
    owner, ben = registered(rig), registered(rig)
    number = club(rig, owner, "Kept")
    join(rig, ben, number)
    assert said(rig, owner, number, "hers") == said(rig, ben, number, "his") == "ok"
    erase(rig, ben)
    while rig.one("SELECT erase_names(%s, 10)", ben):
        pass
    assert [text for (text,) in rig.rows("SELECT text FROM club_chat WHERE club_id = %s", number)] == ["hers"]
