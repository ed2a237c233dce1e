"""The export of a player's data: all of it (counted a second time here, straight from the tables), no one
else's except public names, in bounded steps that may be interrupted anywhere."""

import collections
import json

from support.volume import volume
from test_deletion import lived, operator, register

# Expected number of lines of a section, by a separate statement.
COUNTS = {
    "account": "SELECT 1",
    "sessions": "SELECT count(*) FROM sessions WHERE player_id = {me}",
    "devices": "SELECT count(*) FROM push_devices WHERE player_id = {me}",
    "passkeys": "SELECT count(*) FROM passkeys WHERE player_id = {me}",
    "identities": "SELECT count(*) FROM identities WHERE player_id = {me}",
    "mails": "SELECT count(*) FROM mails WHERE player_id = {me}",
    "limits": "SELECT 1",
    "purses": "SELECT 2",
    "postings": (
        "SELECT count(*) FROM postings p JOIN accounts a ON a.id = p.account_id WHERE a.player_id = {me} AND"
        " a.kind = 'purse'"
    ),
    "orders": "SELECT count(*) FROM shop_orders WHERE player_id = {me}",
    "seats": "SELECT count(*) FROM seats WHERE player_id = {me}",
    "games": "SELECT count(*) FROM game_players WHERE player_id = {me}",
    "chat": "SELECT count(*) FROM table_chat WHERE player_id = {me}",
    "statistics": "SELECT count(*) FROM player_stats WHERE player_id = {me}",
    "ratings": "SELECT count(*) FROM ratings WHERE player_id = {me}",
    "achievements": "SELECT count(DISTINCT counter) FROM player_counters WHERE player_id = {me}",
    "quests": "SELECT count(*) FROM quest_progress WHERE player_id = {me}",
    "seasons": (
        "SELECT count(DISTINCT season_no) FROM (SELECT season_no FROM league_games WHERE player_id = {me}"
        " UNION SELECT season_no FROM season_results WHERE player_id = {me} UNION SELECT season_no FROM"
        " league_rows WHERE player_id = {me}) s"
    ),
    "prizes": "SELECT count(*) FROM month_winners WHERE player_id = {me}",
    "puzzles": "SELECT count(*) FROM puzzle_tries WHERE player_id = {me}",
    "friends": "SELECT count(*) FROM friends WHERE {me} IN (from_id, to_id)",
    "clubs": "SELECT count(*) FROM club_members WHERE player_id = {me}",
    "club_chat": "SELECT count(*) FROM club_chat WHERE player_id = {me} AND text <> ''",
    "blocks": "SELECT count(*) FROM player_blocks WHERE player_id = {me}",
    "invites": "SELECT count(*) FROM invites WHERE inviter_id = {me}",
    "notifications": "SELECT count(*) FROM notifications WHERE player_id = {me}",
    "reports": "SELECT count(*) FROM reports WHERE reporter_id = {me}",
}


def ask(rig, player):
    return rig.row("SELECT code, body::jsonb FROM do_request_export(NULL, %s, NULL, NULL, NULL)", player)


def steps(rig):
    n = 0
    while rig.one("SELECT do_export_step()"):
        n += 1
        assert n < 100_000
    return n


def lines_of(rig, player):
    export = rig.row("SELECT * FROM exports WHERE player_id = %s ORDER BY id DESC LIMIT 1", player)
    parts = [
        rig.one("SELECT part FROM q_export_part(%s, %s, %s)", player, export["id"], n + 1)
        for n in range(export["parts_n"])
    ]
    text = "".join(parts)
    assert all(part.endswith("\n") for part in parts) and len(text.encode()) == export["bytes"]
    lines = [json.loads(line) for line in text.splitlines()]
    assert len(lines) == export["lines_n"] == lines[-1]["data"]["lines"]
    return lines


def counted(lines):
    return collections.Counter(line["section"] for line in lines)


def test_an_export_contains_all_own_data_and_no_one_else_s(rig, lived):
    me = lived["me"]
    rig.rows("UPDATE players SET nickname = 'Friendly' WHERE id = %s", lived["friend"])
    rig.rows("SELECT * FROM do_befriend(%s, %s)", rig.player(), me)  # a pending request
    rig.rows("UPDATE players SET nickname_changed_at = '2026-11-02 10:00Z' WHERE id = %s", me)
    rig.rows(
        "INSERT INTO name_keys VALUES ('zorbefore', %s, '2099-01-02Z'), ('zorover', %s, now() - interval '1"
        " day'), ('zornow', %s, NULL), ('frbefore', %s, '2099-01-02Z')",
        me,
        me,
        me,
        lived["friend"],
    )
    before = {name: rig.one(sql.format(me=me)) for name, sql in COUNTS.items()}
    rig.rows("INSERT INTO exports (player_id) VALUES (%s)", me)
    steps(rig)
    lines = lines_of(rig, me)
    assert lines[0]["section"] == "head" and (lines[0]["data"]["format"], lines[0]["data"]["version"]) == (
        "rummyd-export",
        1,
    )
    assert lines[0]["data"]["sections"] == list(COUNTS) and lines[-1]["section"] == "end"
    assert counted(lines[1:-1]) == {name: n for name, n in before.items() if n}
    assert sum(n > 0 for n in before.values()) >= 15, before
    of = lambda section: [line["data"] for line in lines if line["section"] == section]
    assert of("account")[0]["email"] == "zorblax@example.org" and of("account")[0]["invite_code"] == "ZORKEY"
    names = of("account")[0]
    assert names["nickname_changed_at"] == "2026-11-02T10:00:00.000Z"
    assert names["names_kept"] == [{"key": "zorbefore", "until": "2099-01-02T00:00:00.000Z"}], (
        "neither expired names nor the current one"
    )
    assert of("sessions")[0]["network"] == "198.51.100.0/24" and of("games")[0]["own"]["place"] == 1
    assert [line["text"] for line in of("chat")] == [
        "I am Zorblax 0",
        "I am Zorblax 1",
        "I am Zorblax 2",
        "wave",
    ]
    assert sum(p["amount"] for p in of("postings") if p["currency"] == "gold") == next(
        p["balance"] for p in of("purses") if p["currency"] == "gold"
    )
    assert {line["nickname"] for line in of("friends")} > {"Friendly"}
    text = json.dumps(lines)
    # Passwords, tokens, what others wrote about or to the player, and operators' notes.
    for secret in (
        "zorhash",
        "token",
        "hello",
        "Zorblax is no name",
        "Zorblax wrote us",
        "Zorblax and them",
        "other@example.net",
        "password",
    ):
        assert secret not in text, secret


def test_a_file_is_available_only_to_its_owner_and_only_when_ready(rig):
    me, other = rig.player(), rig.player()
    made = ask(rig, me)
    assert (made["code"], made["body"]["state"], made["body"]["parts"]) == ("ok", "making", 0)
    rig.one("SELECT do_export_step()")
    part = lambda who, n=1: rig.rows("SELECT part FROM q_export_part(%s, %s, %s)", who, made["body"]["id"], n)
    assert part(me) == [], "never half"
    steps(rig)
    assert len(part(me)) == 1 and part(other) == [] and part(me, 99) == []
    rig.rows("UPDATE exports SET expires_at = now() - interval '1 second'")
    assert part(me) == [] and rig.one("SELECT body::jsonb FROM q_export(%s)", me) == {"state": "none"}
    rig.rows("SELECT do_purge(1000)")
    assert rig.one("SELECT count(*) FROM exports") == rig.one("SELECT count(*) FROM export_parts") == 0


def test_expired_files_are_purged_ten_at_a_time(rig):
    for _ in range(12):
        rig.rows(
            "INSERT INTO exports (player_id, ready_at, expires_at) VALUES (%s, now(), now() - interval '1"
            " second')",
            rig.player(),
        )
    assert [rig.one("SELECT do_purge(1000)") for _ in range(3)] == [10, 2, 0]


def test_a_player_can_request_one_export_per_day(rig):
    me = rig.player()
    first = ask(rig, me)["body"]["id"]
    assert ask(rig, me)["body"]["id"] == first, "it is being created"
    steps(rig)
    assert ask(rig, me)["body"]["id"] == first, "today's exists"
    rig.rows("UPDATE exports SET asked_at = now() - interval '25 hours'")
    assert ask(rig, me)["body"]["id"] != first
    assert rig.one("SELECT count(*) FROM exports") == 1 and rig.one("SELECT count(*) FROM export_parts") == 0


def test_the_owner_is_notified_in_the_app_and_by_email(rig):
    me, _ = register(rig)
    assert ask(rig, me)["code"] == "wrong_password", "only a guest has none"
    rig.rows("INSERT INTO exports (player_id) VALUES (%s)", me)
    steps(rig)
    assert rig.one("SELECT count(*) FROM notifications WHERE player_id = %s AND kind = 'export'", me) == 1
    assert rig.rows("SELECT data FROM mails WHERE player_id = %s AND template = 'export_ready'", me) == [
        [{"valid_s": 604800}]
    ]


def test_an_interrupted_step_is_repeated_and_jobs_share_the_work(rig, lived):
    me, friend = lived["me"], lived["friend"]
    rig.rows("UPDATE settings SET value = '1' WHERE name = 'export_batch'")
    rig.rows("UPDATE settings SET value = '400' WHERE name = 'export_part_bytes'")
    rig.rows("INSERT INTO exports (player_id) VALUES (%s), (%s)", me, friend)
    n = 0
    while True:
        with rig.undone() as via:
            rig.one("SELECT do_export_step()", via=via)  # killed before its commit
            if n % 3 == 0 and rig.one("SELECT count(*) FROM exports WHERE ready_at IS NULL") == 2:
                assert rig.one("SELECT do_export_step()") == 1, "the other file meanwhile"
        if not rig.one("SELECT do_export_step()"):
            break
        n += 1
    assert n > 20
    wanted = {
        name: rig.one(sql.format(me=me))
        for name, sql in COUNTS.items()
        if name not in ("notifications", "mails")
    }
    found = counted(lines_of(rig, me)[1:-1])
    assert {name: found[name] for name in wanted} == wanted
    assert rig.one("SELECT max(octet_length(text)) FROM export_parts WHERE text LIKE '%%}\n{%%'") <= 400, (
        "many lines only within the bound"
    )
    assert lines_of(rig, friend)[-1]["section"] == "end"


def test_exports_of_different_size_take_turns(rig):
    """A small account waits only for as many steps of a large one as its own file has, instead of all of
    them."""
    large, small = rig.player(), rig.player()
    rig.rows("UPDATE settings SET value = '1' WHERE name = 'export_batch'")
    rig.rows(
        "INSERT INTO notifications (player_id, kind, data) SELECT %s, 'level', '{}' FROM generate_series(1,"
        " 500)",
        large,
    )
    rig.rows("INSERT INTO exports (player_id) VALUES (%s)", large)
    for _ in range(100):
        assert rig.one("SELECT do_export_step()") == 1
    rig.rows("INSERT INTO exports (player_id) VALUES (%s)", small)
    n = 0
    while rig.one("SELECT ready_at IS NULL FROM exports WHERE player_id = %s", small):
        before = rig.one("SELECT stepped_at FROM exports WHERE player_id = %s", small)
        for _ in range(2):
            assert rig.one("SELECT do_export_step()") == 1
        assert rig.one("SELECT stepped_at > %s FROM exports WHERE player_id = %s", before, small), (
            "one of any two steps is theirs"
        )
        n += 2
        assert n < 200
    assert rig.one("SELECT ready_at IS NULL FROM exports WHERE player_id = %s", large), (
        "the large one is still made"
    )
    rig.rows("DELETE FROM exports")
    rig.rows("UPDATE settings SET value = '200' WHERE name = 'export_batch'")


def test_deleting_an_account_deletes_its_export(rig):
    me = rig.player()
    ask(rig, me)
    steps(rig)
    rig.rows("SELECT * FROM do_request_deletion(NULL, %s, NULL, NULL, NULL)", me)
    rig.steps("erase_players_step", rig.one("SELECT now() + interval '15 days'"))
    assert rig.one("SELECT count(*) FROM export_parts") == 0


def test_thousands_of_games_are_exported_in_limited_steps(rig):
    """No step reads or writes more than its limit, however much data there is."""
    games, me = volume(10000, 2000), rig.player()
    table = rig.table_of(me)
    rig.settle(table, [1, 2, 3, 4])
    rig.rows(
        """WITH t AS (INSERT INTO tables (room_id, variant, params, seats_n, stake, reward, multiplier_tenths,
                                               state, node, server_seed, commit, fill_at, ended_at)
                           SELECT room_id, variant, params, seats_n, stake, reward, multiplier_tenths,
                               'finished', node, server_seed, commit,
                                  fill_at, now() FROM tables, generate_series(2, %s) WHERE id = %s
                                  RETURNING id),
                s AS (INSERT INTO seats (table_id, seat, player_id, nickname, live) SELECT id, 0, %s, 'P',
                false FROM t),
                g AS (INSERT INTO games (table_id, hand_no, room_id, variant, params, stake, reward,
                multiplier_tenths, people_n, rated,
                                         practice, ending, moves_n, server_seed, commit, started_at)
                      SELECT t.id, hand_no, room_id, variant, params, stake, reward, multiplier_tenths,
                          people_n, false, true, ending, moves_n,
                             server_seed, commit, started_at FROM games, t WHERE table_id = %s RETURNING id,
                             variant)
                INSERT INTO game_players (game_id, seat, player_id, nickname, avatar, client_seed, place,
                    points, opened, cards_left, won, rummy, left_early, variant)
                SELECT id, 0, %s, 'P', '', '', 1, 0, true, 0, true, false, false, variant FROM g""",
        games,
        table,
        me,
        table,
        me,
    )
    rig.rows("ANALYZE")
    ask(rig, me)
    n = steps(rig)
    assert n >= 2 * games / 200
    found = counted(lines_of(rig, me))
    assert found["games"] == found["seats"] == games
    assert rig.one("SELECT max(octet_length(text)) FROM export_parts") <= 262144
    assert rig.one("SELECT count(*) FROM export_parts WHERE octet_length(text) < 100000") <= 2, (
        "parts are full"
    )
