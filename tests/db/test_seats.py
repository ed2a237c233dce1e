"""Taking and leaving seats, tickets, idempotency keys."""

import psycopg2
import pytest


def test_silver_is_spent_before_gold(shared):
    for silver, gold, held in [
        (100, 5, (10, 0)),
        (10, 5, (10, 0)),
        (4, 6, (4, 6)),
        (0, 10, (0, 10)),
        (9, 50, (9, 1)),
    ]:
        player = shared.player(silver=silver, gold=gold)
        seat = shared.sit(player)
        assert seat["code"] == "ok"
        assert shared.held(player, seat["table_id"]) == held
        assert shared.purse(player) == (silver - held[0], gold - held[1])
    assert shared.proof() == []


@pytest.mark.parametrize("silver, gold", [(0, 0), (9, 0), (0, 9), (4, 5)])
def test_less_than_the_stake_is_refused(shared, silver, gold):
    player = shared.player(silver=silver, gold=gold)
    assert shared.sit(player)["code"] == "no_funds"
    assert shared.purse(player) == (silver, gold)
    assert shared.one("SELECT count(*) FROM seats WHERE player_id = %s", player) == 0


@pytest.mark.parametrize(
    "room, level", [("tundra", 6), ("steppe", 12), ("savannah", 18), ("oasis", 27), ("forest", 38)]
)
def test_rooms_open_at_the_level_of_their_title(shared, room, level):
    assert shared.sit(shared.player(level=level - 1, gold=100), room)["code"] == "room_locked"
    assert shared.sit(shared.player(level=level, gold=100), room)["code"] == "ok"


def test_unknown_closed_and_banned_requests_are_refused(rig):
    player = rig.player()
    assert rig.sit(player, "atlantis")["code"] == "no_such_room"
    assert rig.sit(999999)["code"] == "no_such_player"
    rig.rows("UPDATE rooms SET open = false WHERE id = 'desert'")
    assert rig.sit(player)["code"] == "room_closed"
    rig.rows(
        "UPDATE rooms SET open = true WHERE id = 'desert'; UPDATE players SET banned_at = now() WHERE id"
        " = %s",
        player,
    )
    assert rig.sit(player)["code"] == "banned"


def test_four_players_share_a_table_and_the_fifth_opens_another(rig):
    seats = [rig.sit(rig.player()) for _ in range(5)]
    assert [(s["table_id"] == seats[0]["table_id"], s["seat"]) for s in seats] == [
        (True, 0),
        (True, 1),
        (True, 2),
        (True, 3),
        (False, 0),
    ]
    assert len({s["ticket"] for s in seats}) == 5


def test_a_player_sits_once_per_table_and_at_a_limited_number_of_tables(rig):
    player = rig.player(gold=1000)
    seats = [rig.sit(player) for _ in range(5)]
    assert [s["code"] for s in seats] == ["ok"] * 4 + ["too_many_tables"]
    assert len({s["table_id"] for s in seats}) == 5
    with pytest.raises(psycopg2.errors.UniqueViolation):
        rig.rows(
            "INSERT INTO seats (table_id, seat, player_id, nickname) VALUES (%s, 3, %s, 'x')",
            seats[0]["table_id"],
            player,
        )
    rig.leave(player, seats[0]["table_id"])
    assert rig.sit(player)["code"] == "ok"


def test_a_repeated_key_gets_the_first_reply(shared):
    player = shared.player()
    first = shared.sit(player, key="same")
    again = shared.sit(player, key="same")
    assert not first["repeated"] and again["repeated"]
    assert {**first, "repeated": True} == {**again}
    assert shared.purse(player) == (90, 0)
    assert shared.sit(player, key="same", body=b"other")["code"] == "idempotency_key_reused"
    assert shared.sit(shared.player(), key="same")["code"] == "ok", "keys are each player's own"


def test_a_repeated_key_also_repeats_a_refusal(shared):
    player = shared.player(silver=0)
    assert shared.sit(player, key="poor")["code"] == "no_funds"
    shared.credit(player, "gold", 100)
    assert shared.sit(player, key="poor")["code"] == "no_funds"
    assert shared.sit(player, key="rich")["code"] == "ok"


def test_leaving_a_waiting_table_refunds_exactly(rig):
    player = rig.player(silver=4, gold=6)
    for _ in range(3):
        table = rig.sit(player)["table_id"]
        assert rig.leave(player, table) == "ok"
        assert rig.purse(player) == (4, 6)
        assert rig.leave(player, table) == "no_such_seat"
    assert rig.one("SELECT count(*) FROM tables WHERE state = 'cancelled'") == 3
    assert rig.proof() == []


def test_a_table_continues_for_the_others_and_a_seat_can_be_retaken(rig):
    ann, bob = rig.player(), rig.player()
    table = rig.sit(ann)["table_id"]
    assert rig.sit(bob)["table_id"] == table
    assert rig.leave(ann, table) == "ok"
    assert rig.one("SELECT state FROM tables WHERE id = %s", table) == "waiting"
    back = rig.sit(ann)
    assert (back["table_id"], back["seat"]) == (table, 0)
    assert rig.leave(ann, table) == "ok" and rig.leave(bob, table) == "ok"
    assert rig.purse(ann) == rig.purse(bob) == (100, 0)
    assert rig.proof() == []


def test_a_running_game_cannot_be_left_this_way(shared):
    player = shared.player()
    table = shared.table_of(player)
    assert shared.leave(player, table) == "game_running"
    shared.settle(table, [1, 2, 3, 4])
    assert shared.leave(player, table) == "table_over"
    assert shared.leave(shared.player(), table) == "no_such_seat"
    assert shared.leave(player, 999999) == "no_such_table"


def redeem(rig, ticket, table):
    return tuple(rig.row("SELECT code, player_id, seat FROM do_redeem_ticket(%s, %s)", ticket, table))


def test_a_ticket_opens_one_table_once(shared):
    player = shared.player()
    seat = shared.sit(player)
    other = shared.sit(player)
    assert redeem(shared, seat["ticket"], other["table_id"])[0] == "no_such_ticket"
    assert redeem(shared, seat["ticket"], seat["table_id"]) == ("ok", player, 0)
    assert redeem(shared, seat["ticket"], seat["table_id"])[0] == "ticket_used"
    shared.rows("UPDATE tickets SET expires_at = now() WHERE id = %s", other["ticket"])
    assert redeem(shared, other["ticket"], other["table_id"])[0] == "ticket_expired"


def test_batched_tickets_are_redeemed_like_single_ones(shared):
    """Replies are in the requested order. A request given twice, or one among invalid ones, gets the reply
    that it would get alone."""
    people = [shared.player() for _ in range(3)]
    seats = [shared.sit(player) for player in people]
    nobodys = "00000000-0000-4000-8000-00000000dead"
    asked = [
        (seats[2]["ticket"], seats[2]["table_id"]),
        (nobodys, seats[0]["table_id"]),
        (seats[0]["ticket"], seats[0]["table_id"]),
        (seats[2]["ticket"], seats[2]["table_id"]),
        (seats[1]["ticket"], 0),
    ]
    found = shared.rows(
        "SELECT code, player_id, seat FROM do_redeem_tickets(%s::uuid[], %s::bigint[])",
        [ticket for ticket, _ in asked],
        [table for _, table in asked],
    )
    assert [tuple(row) for row in found][:1] + [tuple(row) for row in found][2:3] == [
        ("ok", people[2], seats[2]["seat"]),
        ("ok", people[0], seats[0]["seat"]),
    ]
    assert [row[0] for row in found] == ["ok", "no_such_ticket", "ok", "ticket_used", "no_such_ticket"]
    assert redeem(shared, seats[1]["ticket"], seats[1]["table_id"])[0] == "ok", (
        "the ticket for the lobby was refused without being used up"
    )


def test_a_ticket_of_an_abandoned_seat_is_refused(shared):
    player = shared.player()
    seat = shared.sit(player)
    shared.leave(player, seat["table_id"])
    assert redeem(shared, seat["ticket"], seat["table_id"])[0] == "no_such_ticket"


def new_ticket(rig, player, table, key, ticket="00000000-0000-4000-8000-000000000001", body=b"b"):
    return rig.row("SELECT * FROM do_new_ticket(%s, %s, %s, %s, %s)", player, table, key, body, ticket)


def test_a_new_ticket_needs_a_seat_and_is_issued_once_per_key(rig):
    player = rig.player()
    table = rig.table_of(player)
    first = new_ticket(rig, player, table, "t1")
    again = new_ticket(rig, player, table, "t1", ticket="00000000-0000-4000-8000-000000000002")
    assert (first["code"], first["seat"], again["ticket"], again["repeated"]) == (
        "ok",
        0,
        first["ticket"],
        True,
    )
    assert new_ticket(rig, player, table, "t1", body=b"other")["code"] == "idempotency_key_reused"
    assert redeem(rig, first["ticket"], table) == ("ok", player, 0)
    assert new_ticket(rig, rig.player(), table, "t2")["code"] == "no_such_seat"
    assert new_ticket(rig, 999999, table, "t2")["code"] == "no_such_player"
    rig.settle(table, [1, 2, 3, 4])
    assert new_ticket(rig, player, table, "t3")["code"] == "table_over"


def test_a_seat_keeps_the_name_of_the_moment_it_was_taken(shared):
    player = shared.player()
    table = shared.sit(player)["table_id"]
    before = shared.one("SELECT nickname FROM seats WHERE table_id = %s AND player_id = %s", table, player)
    shared.rows("UPDATE players SET nickname = 'Other' WHERE id = %s", player)
    assert (
        shared.one("SELECT nickname FROM seats WHERE table_id = %s AND player_id = %s", table, player)
        == before
    )


def test_a_changed_room_opens_a_new_table(rig):
    ann, bob = rig.player(), rig.player()
    table = rig.sit(ann)["table_id"]
    rig.rows("UPDATE rooms SET stake = 15 WHERE id = 'desert'")
    assert rig.sit(bob)["table_id"] != table
    assert rig.purse(bob) == (85, 0)
    assert rig.proof() == []
