"""Who is seated with whom on every way to a seat, and that each way assigns a seat only once under
concurrency."""

import pytest
from test_concurrency import at_once, halt_after_choosing, while_halted

TIMES = 4


def seats_of(rig, table):
    return [
        row[0]
        for row in rig.rows(
            "SELECT player_id FROM seats WHERE table_id = %s AND player_id IS NOT NULL ORDER BY seat", table
        )
    ]


# --- players who must not meet -----------------------------------------------------------------------


@pytest.mark.parametrize("blocker", [0, 1])
@pytest.mark.parametrize("way", ["id", "code", "bot", "rematch", "room"])
def test_blocked_players_do_not_meet(shared, way, blocker):
    rig = shared
    ann, bob, eve = (rig.player() for _ in range(3))
    rig.block(*((ann, bob) if blocker == 0 else (bob, ann)))
    if way == "room":
        assert rig.sit(ann, "desert")["table_id"] != rig.sit(bob, "desert")["table_id"]
        return
    private = way == "code"
    opened = rig.open_table(
        ann, seats=3, visibility="private" if private else "public", bots=2 if way == "bot" else 0
    )
    table = opened["table_id"]
    if way == "rematch":
        rig.block(*((ann, bob) if blocker == 0 else (bob, ann)), blocked=False)
        assert [rig.join(p, table)["code"] for p in (bob, eve)] == ["ok", "ok"]
        assert rig.start(table, bots=())["code"] == "ok"
        rig.settle(table, [1, 2, 3], won=[True, False, False])
        rig.block(*((ann, bob) if blocker == 0 else (bob, ann)))
        assert rig.rematch(ann, table)["code"] == "ok"
        refused = rig.rematch(bob, table)
    else:
        refused = rig.join(bob, table, opened["join_code"])
        assert seats_of(rig, table) == [ann]
        assert rig.join(eve, table, opened["join_code"])["code"] == "ok"
    assert refused["code"] == "blocked" and refused["table_id"] is None


@pytest.mark.parametrize("first", [0, 1])
def test_players_separated_by_an_operator_do_not_meet(shared, first):
    rig = shared
    ann, bob = sorted(rig.player() for _ in range(2))
    rig.rows("INSERT INTO separations (low_id, high_id) VALUES (%s, %s) RETURNING at", ann, bob)
    sits, comes = (ann, bob) if first == 0 else (bob, ann)
    assert rig.sit(sits, "desert")["table_id"] != rig.sit(comes, "desert")["table_id"]
    opened = rig.open_table(sits, visibility="public")
    assert rig.join(comes, opened["table_id"])["code"] == "blocked"
    rig.rows("DELETE FROM separations RETURNING at")
    assert rig.join(comes, opened["table_id"])["code"] == "ok"


def test_a_seated_player_gets_their_seat_again(shared):
    ann, bob = shared.player(), shared.player()
    table = shared.open_table(ann)["table_id"]
    seat = shared.join(bob, table)
    shared.block(ann, bob)
    again = shared.join(bob, table)
    assert (again["code"], again["seat"]) == ("ok", seat["seat"])


def test_players_who_sat_down_meanwhile_are_considered(rig):
    """The newcomer finds a table. Before they get their seat, a player who has blocked them sits down
    there."""
    waits, enemy, newcomer = (rig.player() for _ in range(3))
    table = rig.sit(waits)["table_id"]
    rig.block(enemy, newcomer)
    halt_after_choosing(rig)
    found = while_halted(
        rig,
        lambda via: rig.sit(newcomer, via=via),
        lambda: rig.rows("SELECT seat_player(%s, t) FROM tables t WHERE id = %s", enemy, table),
    )
    assert found["code"] == "ok" and found["table_id"] != table
    assert seats_of(rig, table) == [waits, enemy]


def test_blocked_players_who_arrive_together_are_not_seated_together(rig):
    for _ in range(TIMES):
        ann, bob, eve = (rig.player() for _ in range(3))
        rig.block(ann, bob)
        mine = rig.open_table(eve, seats=3)["table_id"]
        codes = at_once(rig, *[lambda via, p=p: rig.join(p, mine, via=via)["code"] for p in (ann, bob)])
        assert sorted(codes) == ["blocked", "ok"]
        seats = at_once(rig, *[lambda via, p=p: rig.sit(p, via=via) for p in (ann, bob)])
        assert seats[0]["table_id"] != seats[1]["table_id"]
        for seat in seats:
            rig.cancel(seat["table_id"])
    assert rig.proof() == []


# --- one seat, many candidates ---------------------------------------------------------------------


@pytest.mark.parametrize("way", ["id", "code", "bot"])
def test_two_players_cannot_take_one_seat(rig, way):
    for _ in range(TIMES):
        ann, bob, eve = (rig.player() for _ in range(3))
        opened = rig.open_table(
            ann, visibility="private" if way == "code" else "public", bots=1 if way == "bot" else 0
        )
        codes = at_once(
            rig,
            *[
                lambda via, p=p: rig.join(p, opened["table_id"], opened["join_code"], via=via)["code"]
                for p in (bob, eve)
            ],
        )
        assert sorted(codes) == ["ok", "table_full"]
        assert len(seats_of(rig, opened["table_id"])) == 2
        assert rig.one("SELECT people_n + bots_n FROM tables WHERE id = %s", opened["table_id"]) == 2


def test_one_player_cannot_take_two_seats(rig):
    """However they request it, a player has one seat at a table and one stake in it."""
    for _ in range(TIMES):
        ann, bob = rig.player(), rig.player()
        table = rig.open_table(ann, seats=3, stake=10)["table_id"]
        seats = at_once(rig, *[lambda via: rig.join(bob, table, via=via)] * 4)
        assert {(seat["code"], seat["seat"]) for seat in seats} == {("ok", 1)}
        assert rig.purse(bob) == (90, 0) and seats_of(rig, table) == [ann, bob]
    assert rig.proof() == []


def test_concurrent_requests_respect_the_table_limit_of_a_player(rig):
    rig.rows("UPDATE settings SET value = '3' WHERE name = 'tables_per_player_max'")
    for _ in range(3):
        others = [rig.player() for _ in range(3)]
        player = rig.player()
        tables = [rig.open_table(other)["table_id"] for other in others]
        ways = [lambda via, t=t: rig.join(player, t, via=via)["code"] for t in tables]
        ways += [
            lambda via: rig.sit(player, via=via)["code"],
            lambda via: rig.open_table(player, via=via)["code"],
        ]
        codes = at_once(rig, *ways)
        assert sorted(codes) == ["ok"] * 3 + ["too_many_tables"] * 2
        assert rig.one("SELECT count(*) FROM seats WHERE player_id = %s AND live", player) == 3
        for table in tables:
            rig.cancel(table)
    assert rig.proof() == []


def test_the_last_rematch_seat_goes_to_one_player(rig):
    for _ in range(TIMES):
        ann, bob, eve = (rig.player() for _ in range(3))
        table = rig.open_table(ann, stake=10)["table_id"]
        rig.join(bob, table)
        rig.start(table, bots=())
        rig.settle(table, [1, 2], won=[True, False])
        new = rig.rematch(ann, table)["table_id"]
        codes = at_once(
            rig,
            lambda via: rig.rematch(bob, table, via=via)["code"],
            lambda via: rig.join(eve, new, via=via)["code"],
        )
        assert sorted(codes) in (["ok", "rematch_over"], ["ok", "table_full"])
        assert len(seats_of(rig, new)) == 2
        rig.cancel(new)
    assert rig.proof() == []


@pytest.mark.parametrize("way", ["room", "table"])
def test_leaving_while_another_player_joins_loses_no_chips(rig, way):
    """Either the table continues with the newcomer, or it had closed and they are notified. In both cases
    no chips are lost."""
    for _ in range(TIMES):
        ann, bob = rig.player(), rig.player()
        table = (rig.sit(ann) if way == "room" else rig.open_table(ann, stake=10))["table_id"]
        left, seat = at_once(
            rig,
            lambda via: rig.leave(ann, table, via=via),
            lambda via: rig.sit(bob, via=via) if way == "room" else rig.join(bob, table, via=via),
        )
        assert left == "ok" and rig.purse(ann) == (100, 0)
        assert seat["code"] == "ok" or (way == "table" and seat["code"] == "table_over")
        if seat["code"] == "ok":
            assert seats_of(rig, seat["table_id"]) == [bob] and rig.purse(bob) == (90, 0)
            assert rig.leave(bob, seat["table_id"]) == "ok"
        assert rig.one("SELECT state FROM tables WHERE id = %s", table) == "cancelled"
        assert rig.purse(bob) == (100, 0)
    assert rig.proof() == []


def test_joining_while_the_table_starts_leaves_consistent_seats(rig):
    for _ in range(TIMES):
        ann, bob = rig.player(), rig.player()
        table = rig.open_table(ann, bots=1)["table_id"]
        joined, started = at_once(
            rig,
            lambda via: rig.join(bob, table, via=via)["code"],
            lambda via: rig.start(table, via=via)["code"],
        )
        assert (joined, started) in [("ok", "ok"), ("table_full", "ok")]
        people = [ann, bob] if joined == "ok" else [ann]
        assert seats_of(rig, table) == people
        assert rig.one("SELECT count(*) FROM seats WHERE table_id = %s", table) == 2


# --- bots' places, rematches -----------------------------------------------------------------------------


def test_a_bot_returns_when_the_player_who_replaced_it_leaves(shared):
    rig = shared
    ann, bob, eve = (rig.player() for _ in range(3))
    table = rig.open_table(ann, seats=4, bots=2)["table_id"]
    counts = lambda: tuple(rig.row("SELECT people_n, bots_n FROM tables WHERE id = %s", table))
    rig.join(bob, table)
    assert counts() == (2, 2)
    rig.join(eve, table)
    assert counts() == (3, 1)
    assert rig.leave(eve, table) == "ok"
    assert counts() == (2, 2)
    assert rig.leave(bob, table) == "ok"
    assert counts() == (1, 2)


def test_bots_fill_the_free_seats_of_a_private_table_and_its_rematch(shared):
    rig = shared
    ann, bob = rig.player(), rig.player()
    before = rig.purse(ann)
    table = rig.open_table(ann, seats=4, visibility="private")["table_id"]
    rig.join(bob, table, code=rig.one("SELECT code FROM tables WHERE id = %s", table))
    assert rig.start(table)["code"] == "ok"
    assert rig.one("SELECT count(*) FROM seats WHERE table_id = %s AND player_id IS NULL", table) == 2
    rig.settle(table, [1, 2, 3, 4], won=[True, False, False, False])
    assert rig.purse(ann) == before, "nothing is played for"
    new = rig.rematch(ann, table)["table_id"]
    assert tuple(rig.row("SELECT people_n, bots_n, bots_kept FROM tables WHERE id = %s", new)) == (1, 2, 2)
    public = rig.open_table(bob, seats=4)["table_id"]
    assert rig.start(public)["code"] == "seats_free", "a public table waits for human players"


def test_a_rematch_keeps_its_bots_and_its_spectator_setting(shared):
    rig = shared
    ann, bob = rig.player(), rig.player()
    table = rig.open_table(ann, seats=3, bots=1, watch_delay_ms=None)["table_id"]
    rig.join(bob, table)
    rig.start(table)
    rig.settle(table, [1, 2, 3], won=[True, False, False])
    new = rig.rematch(ann, table)["table_id"]
    rig.rematch(bob, table)
    assert rig.leave(bob, new) == "ok"
    assert tuple(rig.row("SELECT people_n, bots_n, watch_delay_ms FROM tables WHERE id = %s", new)) == (
        1,
        1,
        None,
    )


def test_a_rematch_does_not_wait_long_for_players_who_decline(rig):
    ann, bob = rig.player(), rig.player()
    table = rig.open_table(ann, seats=2, bots=0)["table_id"]
    rig.join(bob, table)
    rig.start(table, bots=())
    rig.settle(table, [1, 2], won=[True, False])
    new = rig.rematch(ann, table)["table_id"]
    assert (
        0 < rig.one("SELECT extract(epoch FROM fill_at - now())::float FROM tables WHERE id = %s", new) <= 15
    )
    rig.rows("UPDATE tables SET ended_at = now() - interval '121 s' WHERE id = %s", table)
    assert rig.rematch(bob, table)["code"] == "rematch_over"


def test_a_rematch_costs_what_the_game_cost(rig):
    rig.rows("UPDATE achievements SET gold = 0")
    ann, bob = rig.player(silver=100), rig.player(silver=85)
    table = rig.open_table(ann, "points", point_value=1)["table_id"]
    rig.join(bob, table)
    rig.start(table, bots=())
    rig.settle(table, [1, 2], won=[True, False], points=[0, 20])
    assert rig.purse(bob) == (65, 0)
    new = rig.rematch(ann, table)["table_id"]
    assert tuple(rig.row("SELECT stake, point_value FROM tables WHERE id = %s", new)) == (80, 1)
    assert rig.rematch(bob, table)["code"] == "no_funds", "65 are less than the 80 a seat holds"
    rig.credit(bob, "gold", 40)
    assert rig.rematch(bob, table)["code"] == "ok" and sum(rig.purse(bob)) == 25
    rig.start(new, bots=())
    rig.settle(new, [1, 2], won=[True, False], points=[0, 30])
    assert sum(rig.purse(bob)) == 75, "thirty points, not the whole stake"
    assert rig.proof() == []


def test_a_rematch_of_a_pot_needs_the_chips(rig):
    ann, bob = rig.player(silver=10), rig.player(silver=10)
    table = rig.open_table(ann, stake=10)["table_id"]
    rig.join(bob, table)
    rig.start(table, bots=())
    rig.rows("UPDATE achievements SET gold = 0")
    rig.settle(table, [1, 2], won=[True, False])
    assert rig.rematch(bob, table)["code"] == "no_funds"
    assert rig.rematch(ann, table)["code"] == "ok"
    assert rig.proof() == []
