"""A table that no node can continue: which data is kept, what its players may do meanwhile, and that it
always ends."""

import json

import psycopg2
import pytest


def lose(rig, table, epoch=None, code="write_refused", data=None, record="", via=None):
    return rig.one(
        "SELECT code FROM do_lose_table(%s, %s, %s, %s, %s)",
        table,
        epoch or rig.epoch,
        code,
        json.dumps(data or {}),
        record,
        via=via,
    )


def end(rig, table, reason="by_operator"):
    return rig.one("SELECT end_table(%s, %s)", table, reason)


def state(rig, table):
    return rig.one("SELECT state FROM tables WHERE id = %s", table)


def lost_job(rig, at="now()"):
    return rig.row(f"SELECT more, result FROM stale_tables_step({at})")


def notes(rig, player):
    return [
        row[0]
        for row in rig.rows(
            "SELECT data FROM notifications WHERE player_id = %s AND kind = 'refund' ORDER BY id", player
        )
    ]


def test_a_lost_table_holds_its_stakes_until_it_ends_and_refunds_them(rig):
    ann, bob = rig.player(silver=4, gold=6), rig.player()
    table = rig.table_of(ann, bob)
    assert lose(rig, table) == "ok"
    assert state(rig, table) == "lost" and rig.held(ann, table) == (4, 6) and rig.proof() == []
    assert rig.rows("SELECT 1 FROM seats WHERE table_id = %s AND NOT live", table) == []
    assert lose(rig, table, code="replay_differs") == "already_done"
    assert rig.row("SELECT code, node, ended_at FROM lost_tables") == ["write_refused", "n1", None]
    assert end(rig, table) and not end(rig, table)
    assert state(rig, table) == "cancelled" and rig.purse(ann) == (4, 6) and rig.purse(bob) == (100, 0)
    assert rig.one("SELECT ended_at IS NOT NULL FROM lost_tables") and rig.proof() == []
    assert notes(rig, ann) == [{"table_id": str(table), "variant": "rummy51", "silver": 4, "gold": 6}]
    assert notes(rig, bob) == [{"table_id": str(table), "variant": "rummy51", "silver": 10, "gold": 0}]
    assert lose(rig, table) == "table_over"


def test_the_known_state_of_a_lost_table_is_kept(rig):
    table = rig.table_of(rig.player())
    assert (
        rig.one(
            "SELECT do_journal_append('n1', %s, ARRAY[%s]::bigint[], '{1}', '{9}', '{0}',"
            " ARRAY['\\x0102'::bytea], '{-3}', '{c1}', '{40}')",
            rig.epoch,
            table,
        )
        == 1
    )
    before = rig.row("SELECT * FROM journal")
    assert lose(rig, table, data={"v": 11}, record="[Rummyd") == "ok"
    assert rig.one("SELECT count(*) FROM journal") == 0
    for _ in range(2):
        kept = rig.row(
            "SELECT table_id, hand_no, v, epoch, seat, move, hash, command, at, time_bank_ms, hand_clock_ms"
            " FROM lost_moves"
        )
        assert [bytes(x) if isinstance(x, memoryview) else x for x in kept] == [
            bytes(x) if isinstance(x, memoryview) else x for x in before
        ]
        assert rig.row("SELECT data, record FROM lost_tables") == [{"v": 11}, "[Rummyd"]
        end(rig, table)


def test_a_lost_table_accepts_no_players(rig):
    ann, bob = rig.player(), rig.player()
    table = rig.open_table(ann, seats=3)["table_id"]
    assert lose(rig, table) == "ok"
    assert rig.join(bob, table)["code"] == "table_lost"
    assert rig.leave(ann, table) == "table_lost"
    ticket = "SELECT code FROM do_new_ticket(%s, %s, %s, 'b', gen_random_uuid())"
    assert (
        rig.one(ticket, ann, table, "t1") == "table_lost"
        and rig.one(ticket, bob, table, "t2") == "no_such_seat"
    )
    assert (
        rig.one("SELECT code FROM do_spectator_ticket(%s, %s, NULL, 'w', 'b', gen_random_uuid())", bob, table)
        == "table_lost"
    )
    assert rig.start(table)["code"] == "table_over"
    assert rig.rematch(ann, table)["code"] == "rematch_over"
    assert rig.rows("SELECT * FROM q_lobby(9) WHERE kind = 'table'") == []
    epoch = rig.one("SELECT epoch FROM do_node_start('heir')", via=(heir := rig.connect()))
    assert rig.renew("heir", epoch) == "ok" and rig.adopt("heir", epoch, "n1") == []
    heir.close()
    rig.epoch = rig.one("SELECT epoch FROM do_node_start('n1')", via=rig.node_session)


def test_a_lost_game_cannot_be_settled_or_written(rig):
    ann = rig.player()
    table = rig.table_of(ann)
    lose(rig, table)
    assert rig.settle(table, [1, 2, 3, 4])[0]["code"] == "not_playing"
    end(rig, table)
    assert rig.settle(table, [1, 2, 3, 4])[0]["code"] == "not_playing"
    assert rig.purse(ann) == (100, 0)


def test_lost_tables_count_for_the_cap_but_not_for_other_limits(rig):
    player = rig.player(gold=1000)
    tables = [rig.sit(player)["table_id"] for _ in range(4)]
    assert rig.sit(player)["code"] == "too_many_tables"
    assert rig.open_table(player)["code"] == "too_many_tables"
    owned = rig.one("SELECT silver_owned(%s)", player)
    for table in tables:
        rig.start(table)
        rig.rows("UPDATE tables SET started_at = now() - interval '1 hour' WHERE id = %s", table)
        assert lose(rig, table) == "ok"
    assert rig.one("SELECT silver_owned(%s)", player) == owned
    rig.rows("UPDATE lost_tables SET at = now() - interval '59 minutes'")
    assert rig.one("SELECT played_today_s(%s, now())", player) <= 60
    assert [rig.sit(player)["code"] for _ in range(5)] == ["ok"] * 4 + ["too_many_tables"]
    assert rig.proof() == []


def test_only_the_owning_node_can_report_a_table_lost(rig):
    table = rig.table_of(rig.player())
    assert lose(rig, table, epoch=rig.epoch + 1) == "stale_epoch"
    assert lose(rig, 999) == "no_such_table"
    assert state(rig, table) == "playing"
    with pytest.raises(psycopg2.errors.CheckViolation):
        lose(rig, table, code="bad luck")


def test_the_job_ends_a_lost_table_after_its_deadline(rig):
    people = [rig.player() for _ in range(3)]
    tables = [rig.table_of(player) for player in people]
    for table in tables:
        lose(rig, table)
    assert lost_job(rig) == [False, {"tables": 0}]
    assert lost_job(rig, "now() + interval '23 hours'") == [False, {"tables": 0}]
    rig.rows("UPDATE settings SET value = '2' WHERE name = 'lost_table_hours'")
    end(rig, tables[0])
    for _ in tables[1:]:
        assert lost_job(rig, "now() + interval '121 minutes'") == [True, {"tables": 0, "lost": 1}]
    assert lost_job(rig, "now() + interval '121 minutes'") == [False, {"tables": 0}]
    assert [rig.purse(player) for player in people] == [(100, 0)] * 3
    assert [len(notes(rig, player)) for player in people] == [1] * 3 and rig.proof() == []


def test_a_lost_solo_game_is_not_counted(rig):
    player = rig.player()
    table = rig.table_of(player)
    assert rig.one("SELECT games FROM solo_games WHERE player_id = %s", player) == 1
    lose(rig, table)
    end(rig, table)
    assert rig.one("SELECT games FROM solo_games WHERE player_id = %s", player) == 0


def test_it_ends_even_if_its_refund_or_settlement_key_is_taken(rig):
    player = rig.player()
    table = rig.table_of(player)
    take = rig.one("SELECT take FROM seats WHERE table_id = %s AND player_id IS NOT NULL", table)
    for key in (f"settle:table:{table}", f"refund:table:{table}:take:{take}"):
        assert rig.credit(player, "gold", 1, key=key)[0] == "ok"
    with pytest.raises(psycopg2.Error):
        rig.settle(table, [1, 2, 3, 4])
    with pytest.raises(psycopg2.errors.RaiseException, match="given back before"):
        rig.cancel(table)
    assert rig.held(player, table) == (10, 0)
    lose(rig, table)
    assert rig.cancel(table) == "ok" and rig.cancel(table) == "already_done"
    assert rig.purse(player) == (100, 2) and rig.held(player, table) == (0, 0)


def test_it_ends_even_if_its_holds_are_wrong(rig):
    """The chips were taken away meanwhile; none are created."""
    player = rig.player(silver=4, gold=6)
    table = rig.table_of(player)
    rig.rows(
        "SELECT ledger_post('grant', 'x', %s, '', ARRAY[ROW(account_hold(%s, %s, 'gold'), -6, 'grant'),"
        " ROW(account_house('grant', 'gold'), 6, 'grant')]::ledger_leg[])",
        table,
        table,
        player,
    )
    lose(rig, table)
    assert end(rig, table)
    assert rig.purse(player) == (4, 0)
    assert notes(rig, player) == [{"table_id": str(table), "variant": "rummy51", "silver": 4, "gold": 0}]
