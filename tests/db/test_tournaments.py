"""Tournaments in the database: draws and places, idempotent payments into and out of a pot.
tests/support/tournament.py computes the expected results."""

import hashlib
import json
import random
import uuid

import psycopg2
import pytest
from support import tournament as oracle
from test_concurrency import at_once

SECRET = hashlib.sha256(b"tournament").digest()
KEY = hashlib.sha256(b"an api key").digest()


@pytest.fixture
def games(rig):
    """The rig, with the key of an operator."""
    rig.rows(
        "INSERT INTO api_keys (name, role, holder, key_hash, prefix, expires_at)"
        " VALUES ('t', 'games', 't', %s, 'rak_00000', now() + interval '1 day')",
        KEY,
    )
    rig.renew(rig.node, rig.epoch, table_max=10000)
    return rig


SIZE = {"knockout": "advance", "stages": "keep", "swiss": "rounds"}


def announce(rig, kind="knockout", seats=4, entry=10, most=8, size=None, starts_s=None, key=None, **more):
    """Creates a tournament; returns its id, or the code of the refusal."""
    given = {"advance": None, "keep": None, "rounds": None, SIZE.get(kind): size}
    asked = {
        "prizes": None,
        "least": None,
        "bots": 0,
        "late": 0,
        "wait": 60,
        "pause": 0,
        "variant": "straight",
        "duplicate": None,
        **more,
    }
    if asked.pop("fees", True):
        rig.rows("UPDATE settings SET value = 'on' WHERE name = 'duplicate_prizes'")
    code, body = rig.row(
        "SELECT * FROM do_admin_tournament(%s, %s, 'b', 'A cup', %s, %s, '', '{}', %s, %s, %s, %s, %s, %s,"
        " %s, %s, %s, 2, (extract(epoch FROM now() + make_interval(secs => %s)) * 1000)::bigint, %s, %s, %s,"
        " %s, %s)",
        KEY,
        key or uuid.uuid4().hex,
        kind,
        asked["variant"],
        seats,
        given["advance"],
        given["keep"],
        given["rounds"],
        entry,
        asked["prizes"],
        asked["least"],
        most,
        asked["bots"],
        starts_s,
        asked["late"],
        asked["wait"],
        asked["pause"],
        SECRET,
        asked["duplicate"],
    )
    return int(json.loads(body)["id"]) if code == "ok" else code


def enter(rig, player, tournament, seed=b"", key=None, via=None, team=None):
    return rig.one(
        "SELECT code FROM do_enter_tournament(%s, %s, %s, %s, %s, 'b')",
        player,
        tournament,
        seed.hex() or None,
        team,
        key or uuid.uuid4().hex,
        via=via,
    )


def one_step(rig, tournament, draw=None, seats=None, repeats=None, least=None, via=None):
    return rig.rows(
        "SELECT * FROM do_tournament_step(%s, %s, 1000, %s, %s::integer[], %s, %s)",
        tournament,
        rig.node,
        draw,
        seats,
        repeats,
        least,
        via=via,
    )


def step(rig, via=None):
    """The next step of the first tournament that has one due; [] if none has."""
    for (tournament,) in rig.rows("SELECT q_tournaments_due()", via=via):
        done = one_step(rig, tournament, via=via)
        if done and done[0]["pairs"]:
            for row in rig.rows("SELECT * FROM q_tournament_order(%s)", tournament, via=via):
                seats, repeats = oracle.draw_of(row)
                done = one_step(rig, tournament, row["draw"], seats, repeats, True, via=via)
        if done:
            return done
    return []


def state(rig, tournament):
    return rig.one("SELECT state FROM tournaments WHERE id = %s", tournament)


def shift(rig, tournament, seconds=3600):
    """Simulates that time passes for this tournament."""
    rig.rows(
        "UPDATE tournaments SET starts_at = starts_at - make_interval(secs => %s), next_at = next_at -"
        " make_interval(secs => %s), late_until = late_until - make_interval(secs => %s) WHERE id = %s",
        seconds,
        seconds,
        seconds,
        tournament,
    )


def steps(rig, tournament, until):
    for _ in range(3000):
        if until():
            return
        shift(rig, tournament)
        step(rig)
    raise AssertionError("it does not come so far")


def drawn(rig, tournament, round_no):
    """{table: [entry by seat]} of a round."""
    tables = {}
    for table, entry in rig.rows(
        "SELECT table_no, entry_no FROM tournament_seats WHERE tournament_id = %s AND round_no = %s"
        " ORDER BY table_no, seat",
        tournament,
        round_no,
    ):
        tables.setdefault(table, []).append(entry)
    return tables


def open_tables(rig, tournament, round_no):
    return rig.rows(
        "SELECT table_no, table_id, seats_n FROM tournament_tables WHERE tournament_id = %s AND round_no = %s"
        " AND seats_n > 1 AND over_at IS NULL ORDER BY table_no",
        tournament,
        round_no,
    )


def end_tables(rig, tournament, round_no, dice, leave=0.0):
    """Plays all tables of a round to a random end; {entry: (place, points, left)}. Only players leave; bots
    never do."""
    results, seats = {}, drawn(rig, tournament, round_no)
    people = {
        row[0]
        for row in rig.rows(
            "SELECT entry_no FROM tournament_entries WHERE tournament_id = %s AND player_id IS NOT NULL",
            tournament,
        )
    }
    for table_no, table, n in open_tables(rig, tournament, round_no):
        assert rig.start(table)["code"] == "ok"
        points = [dice.choice([0, 15, 40, 40, 75, 150]) for _ in range(n)]
        places = [1 + sum(other > own for other in points) for own in points]
        for seat, entry in enumerate(seats[table_no]):
            results[entry] = (places[seat], points[seat], dice.random() < leave and entry in people)
        done = [
            {
                "seat": seat,
                "place": places[seat],
                "points": points[seat],
                "opened": True,
                "cards_left": 1,
                "won": places[seat] == 1,
                "rummy": False,
                "left": results[seats[table_no][seat]][2],
                "facts": {},
            }
            for seat in range(n)
        ]
        rows = rig.rows(
            "SELECT * FROM do_settle_batch(ARRAY[%s]::bigint[], %s, ARRAY['out'], ARRAY[%s]::jsonb[],"
            " ARRAY['r'])",
            table,
            rig.epoch,
            json.dumps(done),
        )
        assert {row["code"] for row in rows} == {"ok"}
    return results


def deal_is_that_of_the_oracle(rig, tournament, round_no, clients):
    """All tables of the current round have its deal and its seeds, which are secret."""
    link = oracle.deal_link(SECRET, round_no)
    deal = oracle.deal_seed(link, clients, tournament, round_no)
    assert oracle.sha(link) == oracle.deal_link(SECRET, round_no - 1)
    rows = rig.rows(
        "SELECT DISTINCT b.deal_id, b.server_seed, b.commit, b.watch_delay_ms, d.number, d.seed FROM"
        " tournament_tables k JOIN tables b ON b.id = k.table_id JOIN deals d ON d.id = b.deal_id WHERE"
        " k.tournament_id = %s AND k.round_no = %s",
        tournament,
        round_no,
    )
    [(_, server_seed, commit, delay, number, seed)] = rows
    assert (bytes(server_seed), bytes(seed), number, delay) == (
        oracle.hand_seed(deal, 1),
        deal,
        tournament,
        None,
    )
    assert bytes(commit) == oracle.sha(bytes(server_seed))
    assert {
        (seat == 0, bytes(of_seat))
        for seat, of_seat in rig.rows(
            "SELECT s.seat, s.client_seed FROM seats s JOIN tournament_tables k ON k.table_id = s.table_id"
            " WHERE k.tournament_id = %s AND k.round_no = %s",
            tournament,
            round_no,
        )
    } == {(True, clients), (False, b"")}
    code, body = rig.row("SELECT code, body FROM q_tournament(NULL, %s)", tournament)
    assert [row["round"] for row in json.loads(body)["deals"]] == list(range(1, round_no)), (
        "only what is over"
    )
    assert (
        rig.one(
            "SELECT code FROM q_tournament_seat(NULL, %s, %s, 0, NULL, NULL, NULL, 10)", tournament, round_no
        )
        == "deal_not_open"
    )


def follow(rig, tournament, dice, kind, seats, size, best_high=None):
    """Plays a tournament to its end, compares each draw and each place with the oracle, and returns the
    oracle. best_high: for a duplicate."""
    steps(rig, tournament, lambda: state(rig, tournament) == "running")
    seeds = {
        no: bytes(seed)
        for no, seed in rig.rows(
            "SELECT entry_no, client_seed FROM tournament_entries WHERE tournament_id = %s", tournament
        )
    }
    teams = dict(
        rig.rows(
            "SELECT entry_no, team FROM tournament_entries WHERE tournament_id = %s AND team IS NOT NULL",
            tournament,
        )
    )
    it = oracle.Tournament(
        tournament,
        kind,
        seats,
        sorted(seeds),
        **({SIZE[kind]: size} if size else {}),
        best_high=best_high,
        teams=teams,
    )
    it.history = []
    commit = bytes(rig.one("SELECT commit FROM tournaments WHERE id = %s", tournament))
    while True:
        round_no = it.round + 1
        steps(
            rig,
            tournament,
            lambda n=round_no: rig.one("SELECT round_no FROM tournaments WHERE id = %s", tournament) == n,
        )
        draw, seed = rig.row(
            "SELECT draw_no, seed FROM tournament_draws WHERE tournament_id = %s AND round_no = %s",
            tournament,
            round_no,
        )
        assert hashlib.sha256(bytes(seed)).digest() == commit, (
            "each draw reveals the commitment of the previous one"
        )
        commit = bytes(seed)
        tables = it.draw(bytes(seed), oracle.clients(seeds), draw)
        assert list(drawn(rig, tournament, round_no).values()) == tables
        assert max(map(len, tables)) - min(map(len, tables)) <= 1 and (
            seats == 2 or min(map(len, tables)) > 1
        )
        steps(
            rig, tournament, lambda n=round_no: all(table for _, table, _ in open_tables(rig, tournament, n))
        )
        if it.duplicate:
            deal_is_that_of_the_oracle(rig, tournament, round_no, oracle.clients(seeds))
        results = end_tables(rig, tournament, round_no, dice, 0.1 if it.duplicate else 0)
        it.history.append(tables)
        it.play(tables, results)
        if it.over:
            break
    steps(rig, tournament, lambda: state(rig, tournament) == "ended")
    places = dict(
        rig.rows("SELECT entry_no, place FROM tournament_entries WHERE tournament_id = %s", tournament)
    )
    assert places == it.place
    assert teams or sorted(places.values()) == list(range(1, len(places) + 1)), "no two share a place"
    sums = {
        no: (score, margin)
        for no, score, margin in rig.rows(
            "SELECT entry_no, score, margin FROM tournament_entries WHERE tournament_id = %s", tournament
        )
    }
    assert sums == {no: (sum(it.scores[no]), sum(it.margins[no])) for no in it.scores}
    assert {
        no: (wins, byes)
        for no, wins, byes in rig.rows(
            "SELECT entry_no, wins, byes FROM tournament_entries WHERE tournament_id = %s", tournament
        )
    } == {no: (it.wins[no], it.byes[no]) for no in it.wins}
    return it


WAYS = [
    ("knockout", 4, 1, 16),
    ("knockout", 4, 2, 13),
    ("knockout", 2, 1, 11),
    ("knockout", 3, 2, 7),
    ("stages", 4, 50, 16),
    ("stages", 3, 75, 10),
    ("stages", 2, 50, 9),
    ("swiss", 2, 4, 9),
    ("swiss", 4, 3, 14),
    ("swiss", 2, 5, 6),
    ("knockout", 4, 1, 4),
    ("swiss", 4, 2, 4),
]


@pytest.mark.parametrize("kind,seats,size,people", WAYS)
def test_draws_places_and_prizes_match_the_oracle(games, kind, seats, size, people):
    dice = random.Random(f"{kind}{seats}{people}")
    tournament = announce(games, kind, seats, entry=10, most=64, size=size, starts_s=60)
    players = [games.player(silver=dice.choice([0, 4, 10]), gold=10) for _ in range(people)]
    for player in players:
        assert enter(games, player, tournament, seed=dice.randbytes(dice.choice([16, 20, 32]))) == "ok"
    paid = games.row(
        "SELECT sum(paid_silver), sum(paid_gold) FROM tournament_entries WHERE tournament_id = %s", tournament
    )
    it = follow(games, tournament, dice, kind, seats, size)
    shares = [
        share
        for (share,) in games.rows(
            "SELECT share FROM prize_shares WHERE prize_table = 'standard' AND entries_min = (SELECT"
            " max(entries_min) FROM prize_shares WHERE prize_table = 'standard' AND entries_min <= %s) ORDER"
            " BY place",
            people,
        )
    ]
    due = oracle.colours(oracle.prizes(int(sum(paid)), shares), *map(int, paid))
    won = games.rows(
        "SELECT player_id, place, prize_silver, prize_gold FROM tournament_entries WHERE tournament_id = %s"
        " ORDER BY place",
        tournament,
    )
    assert [(row[2], row[3]) for row in won[: len(shares)]] == due and not any(
        row[2] + row[3] for row in won[len(shares) :]
    )
    brought = {
        row[0]: row[1:]
        for row in games.rows(
            "SELECT a.player_id, sum(o.amount) FILTER (WHERE a.currency = 'silver'), sum(o.amount) FILTER"
            " (WHERE a.currency = 'gold'), sum(o.amount) FILTER (WHERE o.reason = 'over_cap') FROM transfers"
            " t JOIN postings o ON o.transfer_id = t.id JOIN accounts a ON a.id = o.account_id AND a.kind ="
            " 'purse' WHERE t.cause = 'prize' GROUP BY a.player_id"
        )
    }
    for player, _, silver, gold in won:
        got, got_gold, lost = (n or 0 for n in brought.get(player, (0, 0, 0)))
        assert (got - lost, got_gold) == (silver, gold) and lost <= 0
        assert lost == 0 or games.purse(player)[0] == 100, "silver is lost above the cap, and only there"
    assert games.rows(
        "SELECT balance FROM accounts WHERE kind = 'pot' AND tournament_id = %s", tournament
    ) == [[0], [0]]
    assert it.over and games.proof() == [] and step(games) == []
    assert (
        sorted(row[0] for row in games.rows("SELECT player_id FROM counts_due WHERE counter = 'tournaments'"))
        == players
    )


def test_house_bots_fill_seats_keep_playing_and_win_no_chips(games):
    dice = random.Random(3)
    tournament = announce(games, entry=20, most=8, bots=8, wait=60)
    one = games.player()
    assert enter(games, one, tournament) == "ok"
    assert step(games) == [], "human players get a minute to arrive"
    shift(games, tournament)
    follow(games, tournament, dice, "knockout", 4, None)
    assert games.row("SELECT people_n, bots_n FROM tournaments WHERE id = %s", tournament) == [1, 7]
    assert games.one("SELECT prize_silver FROM tournament_entries WHERE player_id = %s", one) == 20, (
        "the only one who has paid"
    )
    assert games.purse(one)[0] == 100 and games.proof() == []
    assert games.rows("SELECT player_id, counter, n FROM counts_due") == [[one, "tournaments", 1]], (
        "for the weekly quests of human players only"
    )


def test_a_tournament_of_bots_alone_runs_to_its_end(games):
    tournament = announce(games, "swiss", 4, entry=0, most=16, size=3, bots=16, least=0, starts_s=5)
    follow(games, tournament, random.Random(5), "swiss", 4, 3)
    assert games.proof() == []


def test_a_tournament_with_too_few_entrants_is_canceled_and_refunded(games):
    tournament = announce(games, entry=30, most=100, least=3, starts_s=60)
    players = [games.player(silver=20, gold=50), games.player(silver=100)]
    for player in players:
        assert enter(games, player, tournament) == "ok"
    assert [games.purse(player) for player in players] == [(0, 40), (70, 0)] and games.proof() == []
    steps(games, tournament, lambda: state(games, tournament) == "cancelled")
    assert [games.purse(player) for player in players] == [(20, 50), (100, 0)]
    assert (
        games.rows("SELECT kind, data->>'reason' FROM notifications ORDER BY id")
        == [["tournament_cancelled", "too_few"]] * 2
    )
    assert games.proof() == [] and step(games) == []


def test_entry_fees_count_for_the_cap_and_are_refunded_in_full(games):
    tournament = announce(games, entry=60, most=100, starts_s=60)
    player = games.player(silver=100)
    assert enter(games, player, tournament) == "ok"
    assert games.credit(player, "silver", 50) == ("ok", 50), "they own 100 all the same"
    assert games.one("SELECT code FROM do_withdraw_tournament(%s, %s)", player, tournament) == "ok"
    assert games.purse(player) == (100, 0) and games.proof() == []


def test_entering_and_withdrawing_repeatedly_pays_and_refunds_once(games):
    tournament = announce(games, entry=10, most=4)
    player = games.player()
    for _ in range(3):
        assert enter(games, player, tournament, key="same") == "ok"
        assert enter(games, player, tournament) == "ok" and games.purse(player) == (
            90,
            0,
        ), "once, whichever session calls"
        assert games.one("SELECT code FROM do_withdraw_tournament(%s, %s)", player, tournament) == "ok"
        games.rows("DELETE FROM idempotency")
        assert (
            games.one("SELECT code FROM do_withdraw_tournament(%s, %s)", player, tournament) == "not_entered"
        )
        assert games.purse(player) == (100, 0)
    assert games.proof() == []


def test_each_state_refuses_invalid_actions_by_name(games):
    tournament = announce(games, entry=10, most=4)
    players = [games.player() for _ in range(6)]
    poor = games.player(silver=9)
    assert enter(games, poor, tournament) == "no_funds"
    assert enter(games, players[0], 999) == "no_such_tournament"
    assert games.one("SELECT code FROM do_withdraw_tournament(%s, 999)", players[0]) == "no_such_tournament"
    assert [enter(games, player, tournament) for player in players] == ["ok"] * 4 + ["tournament_full"] * 2
    steps(games, tournament, lambda: state(games, tournament) == "running")
    assert enter(games, players[5], tournament) == "entries_closed"
    assert (
        games.one("SELECT code FROM do_withdraw_tournament(%s, %s)", players[0], tournament)
        == "tournament_begun"
    )
    follow(games, tournament, random.Random(1), "knockout", 4, None)
    assert enter(games, players[5], tournament) == "tournament_over"
    assert (
        games.one("SELECT code FROM do_withdraw_tournament(%s, %s)", players[0], tournament)
        == "tournament_over"
    )
    games.rows("UPDATE players SET banned_at = now() WHERE id = %s", players[5])
    assert enter(games, players[5], announce(games)) == "banned"
    games.rows("UPDATE settings SET value = '0' WHERE name = 'tournaments_per_player_max'")
    assert enter(games, players[4], announce(games)) == "too_many_entries"
    assert (
        announce(games, "knockout", 4, size=4) == announce(games, "knockout", 2, size=2) == "tournament_kind"
    )
    assert (
        announce(games, most=5)
        == announce(games, most=8, bots=9)
        == announce(games, most=8, late=5)
        == "tournament_size"
    )
    assert (
        announce(games, most=8, starts_s=-5)
        == announce(games, most=8, starts_s=86400 * 400)
        == "tournament_time"
    )
    assert announce(games, prizes="none") == "no_such_prize_table"
    games.rows("UPDATE settings SET value = '1' WHERE name = 'tournaments_max'")
    assert announce(games) == "too_many_tournaments" and games.proof() == []


def test_concurrent_entries_fill_the_last_seats_and_pay_once(games):
    tournament = announce(games, entry=10, most=4)
    players = [games.player() for _ in range(8)]
    codes = at_once(
        games, *[lambda via, who=who: enter(games, who, tournament, via=via) for who in players + players]
    )
    assert sorted(set(map(str, codes))) == ["ok", "tournament_full"]
    assert games.one("SELECT people_n FROM tournaments WHERE id = %s", tournament) == 4
    assert (
        sorted(games.purse(player)[0] for player in players) == [90] * 4 + [100] * 4 and games.proof() == []
    )


def test_concurrent_nodes_do_each_step_once(games):
    tournament = announce(games, "stages", 4, entry=10, most=16, size=50)
    for _ in range(16):
        assert enter(games, games.player(), tournament, seed=uuid.uuid4().bytes) == "ok"
    dice = random.Random(8)
    for _ in range(40):
        shift(games, tournament)
        done = at_once(games, *[lambda via: step(games, via=via) for _ in range(4)])
        assert not [error for error in done if isinstance(error, Exception)], done
        round_no = games.one("SELECT round_no FROM tournaments WHERE id = %s", tournament)
        if all(table for _, table, _ in open_tables(games, tournament, round_no)):
            end_tables(games, tournament, round_no, dice)
        if state(games, tournament) == "ended":
            break
    assert state(games, tournament) == "ended" and games.proof() == []
    assert games.one("SELECT count(*) FROM transfers WHERE cause = 'prize'") == 5
    assert games.one("SELECT count(*) FROM tournament_draws") == games.one(
        "SELECT max(round_no) FROM tournament_draws"
    )


def test_late_entries_get_separate_tables_and_the_round_waits(games):
    tournament = announce(games, "knockout", 4, entry=10, most=100, starts_s=60, late=600)
    seeds = {}
    for _ in range(5):
        assert enter(games, games.player(), tournament, seed=uuid.uuid4().bytes) == "ok"
    shift(games, tournament, 60)
    while step(games):
        pass
    assert sorted(map(len, drawn(games, tournament, 1).values())) == [2, 3]
    for _ in range(3):
        assert enter(games, games.player(), tournament, seed=uuid.uuid4().bytes) == "ok"
    end_tables(games, tournament, 1, random.Random(1))
    assert step(games) == [], "more may come"
    shift(games, tournament, 600)
    while step(games):
        pass
    tables = drawn(games, tournament, 1)
    assert [len(table) for table in tables.values()] == [3, 2, 3] and sorted(tables[3]) == [6, 7, 8]
    seeds = {
        no: bytes(seed) for no, seed in games.rows("SELECT entry_no, client_seed FROM tournament_entries")
    }
    seed, of_clients = games.row("SELECT seed, clients FROM tournament_draws WHERE draw_no = 2")
    assert bytes(of_clients) == oracle.clients(seeds)
    it = oracle.Tournament(tournament, "knockout", 4, seeds)
    it.lots = {}
    assert it.draw(bytes(seed), bytes(of_clients), 2, entries=[6, 7, 8]) == [tables[3]]
    assert enter(games, games.player(), tournament) == "entries_closed"
    end_tables(games, tournament, 1, random.Random(2))
    while step(games):
        pass
    assert games.one("SELECT round_no FROM tournaments") == 2 and games.proof() == []


def test_an_aborted_table_is_replayed_and_finally_decided_by_lot(games):
    tournament = announce(games, entry=10, most=4)
    for _ in range(4):
        enter(games, games.player(), tournament)
    tables = []
    for _ in range(3):
        steps(
            games,
            tournament,
            lambda: [t for _, t, _ in open_tables(games, tournament, 1) if t and t not in tables],
        )
        tables.append(open_tables(games, tournament, 1)[0][1])
        assert games.cancel(tables[-1]) == "ok"
    assert len(set(tables)) == 3
    assert games.one("SELECT count(DISTINCT player_id) FROM seats WHERE table_id = ANY (%s)", tables) == 4
    steps(games, tournament, lambda: state(games, tournament) == "ended")
    assert games.rows(
        "SELECT e.place FROM tournament_entries e JOIN tournament_seats s USING (entry_no) ORDER BY s.lot"
    ) == [[1], [2], [3], [4]]
    assert games.proof() == []


def test_an_operator_can_cancel_a_running_tournament(games):
    tournament = announce(games, entry=10, most=4)
    players = [games.player() for _ in range(4)]
    for player in players:
        enter(games, player, tournament)
    steps(
        games,
        tournament,
        lambda: open_tables(games, tournament, 1) and open_tables(games, tournament, 1)[0][1],
    )
    table = open_tables(games, tournament, 1)[0][1]
    key = uuid.uuid4().hex
    for _ in range(2):
        assert (
            games.one(
                "SELECT code FROM do_admin_cancel_tournament(%s, %s, 'b', %s, 'no light')",
                KEY,
                key,
                tournament,
            )
            == "ok"
        )
    assert games.one("SELECT cancel_asked_at IS NOT NULL FROM tables WHERE id = %s", table)
    assert step(games)[0]["cancels"] in (True, False)
    assert (
        state(games, tournament) == "cancelled"
        and [games.purse(player) for player in players] == [(100, 0)] * 4
    )
    assert games.cancel(table) == "ok" and step(games) == [] and games.proof() == []
    assert (
        games.one(
            "SELECT code FROM do_admin_cancel_tournament(%s, %s, 'b', %s, 'no light')",
            KEY,
            uuid.uuid4().hex,
            tournament,
        )
        == "tournament_over"
    )


def test_barred_entrants_are_refunded_at_the_start(games):
    tournament = announce(games, entry=10, most=100, starts_s=60)
    players = [games.player() for _ in range(4)]
    for player in players:
        enter(games, player, tournament)
    games.rows("UPDATE players SET banned_at = now() WHERE id = %s", players[0])
    games.rows("INSERT INTO deletions (player_id, due_at) VALUES (%s, now() + interval '1 day')", players[1])
    follow(games, tournament, random.Random(1), "knockout", 4, None)
    assert games.one("SELECT people_n FROM tournaments") == 2 and games.purse(players[0]) == games.purse(
        players[1]
    ) == (100, 0)
    assert games.proof() == []


def test_bot_accounts_and_excluded_players_cannot_enter(games):
    tournament = announce(games, entry=0)
    owner, bot, out = games.player(), games.player(), games.player()
    games.rows("INSERT INTO bot_accounts (player_id, owner_id) VALUES (%s, %s)", bot, owner)
    games.rows(
        "SELECT set_limit(%s, 'exclusion', extract(epoch FROM now() + interval '3 days')::bigint)", out
    )
    for player, refusal in ((bot, "RU005"), (out, "RU001")):
        with pytest.raises(psycopg2.Error) as refused:
            enter(games, player, tournament)
        assert refused.value.pgcode == refusal
    assert games.one("SELECT people_n FROM tournaments WHERE id = %s", tournament) == 0


def counted(rig, people, seats=2, rounds=2):
    """Creates a Swiss tournament whose first round is counted and whose second is due; returns its id."""
    tournament = announce(rig, "swiss", seats, entry=0, most=64, size=rounds, starts_s=60)
    for _ in range(people):
        assert enter(rig, rig.player(), tournament, seed=uuid.uuid4().bytes) == "ok"
    steps(
        rig,
        tournament,
        lambda: (
            open_tables(rig, tournament, 1) and all(table for _, table, _ in open_tables(rig, tournament, 1))
        ),
    )
    end_tables(rig, tournament, 1, random.Random(1))
    steps(rig, tournament, lambda: rig.one("SELECT round_over FROM tournaments WHERE id = %s", tournament))
    shift(rig, tournament)
    return tournament


def test_an_outdated_or_repeated_draw_is_not_accepted(games):
    """The server draws without a lock. Its result counts once, and only for the draw that is due and the
    current entrants."""
    tournament = counted(games, 6)
    [row] = games.rows("SELECT * FROM q_tournament_order(%s)", tournament)
    seats, repeats = oracle.draw_of(row)
    assert repeats == 0 and row["draw"] == 2
    for draw, drawn_seats in (
        (1, seats),
        (3, seats),
        (2, seats[1:]),
        (2, [*seats, 99]),
        (2, [99, *seats[1:]]),
        (2, [seats[1], *seats[1:]]),
        (None, None),
    ):
        [done] = one_step(games, tournament, draw, drawn_seats, repeats, True)
        assert done["pairs"] and games.one("SELECT draw_no FROM tournaments") == 1
    assert not one_step(games, tournament, 2, seats, repeats, True)[0]["pairs"]
    assert [no for table in drawn(games, tournament, 2).values() for no in table] == seats
    assert games.row("SELECT repeats, least FROM tournament_draws WHERE draw_no = 2") == [0, True]
    assert games.rows("SELECT * FROM q_tournament_order(%s)", tournament) == [], (
        "the key of a draw stays secret until it is due"
    )
    while step(games):
        pass
    assert games.one("SELECT count(*) FROM tournament_draws") == 2


def test_the_key_of_a_draw_is_secret_until_it_is_due(games):
    tournament = counted(games, 4)
    assert games.rows("SELECT draw FROM q_tournament_order(%s)", tournament) == [[2]]
    for change in (
        "next_at = now() + interval '1 minute'",
        "round_over = false",
        "round_no = 2",
        "state = 'open'",
    ):
        games.rows("BEGIN")
        games.rows(f"UPDATE tournaments SET {change}")
        assert games.rows("SELECT * FROM q_tournament_order(%s)", tournament) == []
        games.rows("ROLLBACK")


def test_byes_and_tables_decided_by_lot_do_not_count_as_wins(games):
    games.rows("UPDATE settings SET value = '1' WHERE name = 'tournament_tries_max'")
    tournament = announce(games, "swiss", 2, entry=0, most=64, size=1, starts_s=60)
    for _ in range(5):
        assert enter(games, games.player(), tournament) == "ok"
    steps(
        games,
        tournament,
        lambda: (
            open_tables(games, tournament, 1)
            and all(table for _, table, _ in open_tables(games, tournament, 1))
        ),
    )
    one, two = (table for _, table, _ in open_tables(games, tournament, 1))
    assert games.cancel(one) == "ok"
    games.start(two)
    games.settle(two, [1, 2], points=[30, 10])
    steps(games, tournament, lambda: state(games, tournament) == "ended")
    rows = games.rows(
        "SELECT s.table_no, e.score, e.wins, e.byes FROM tournament_entries e JOIN tournament_seats s USING"
        " (tournament_id, entry_no) ORDER BY s.table_no, e.score DESC"
    )
    assert rows == [[1, 120, 0, 0], [1, 0, 0, 0], [2, 120, 1, 0], [2, 0, 0, 0], [3, 120, 0, 1]]


def test_the_database_guards_the_pot(games):
    tournament = announce(games, entry=10, most=4)
    assert enter(games, games.player(), tournament) == "ok"
    with pytest.raises(psycopg2.Error, match="its pot is not empty"):
        games.rows("UPDATE tournaments SET state = 'ended', ended_at = now() WHERE id = %s", tournament)
    games.rows("UPDATE tournament_entries SET paid_silver = 9")
    assert {row[0] for row in games.proof()} == {"pot_differs", "entry_differs"}


def test_prize_tables_are_validated_and_stored(games):
    def make(name, steps_):
        flat = [(least, place, share) for least, shares in steps_ for place, share in enumerate(shares, 1)]
        return games.one(
            "SELECT code FROM do_admin_prize_table(%s, %s, 'b', %s, %s::bigint[], %s::bigint[],"
            " %s::bigint[])",
            KEY,
            uuid.uuid4().hex,
            name,
            [row[0] for row in flat],
            [row[1] for row in flat],
            [row[2] for row in flat],
        )

    assert make("two", [(1, [10000]), (5, [6000, 4000])]) == "ok"
    assert make("two", [(1, [10000])]) == "prize_table_exists"
    for n, bad in enumerate(
        ([(2, [6000, 4000])], [(1, [9999])], [(1, [5000, 5000])], [(1, [10000]), (4, [6000, 4001])])
    ):
        assert make(f"bad{n}", bad) == "bad_prizes"
    games.rows("UPDATE settings SET value = '3' WHERE name = 'prize_tables_max'")
    assert make("more", [(1, [10000])]) == "too_many_prize_tables"
    assert isinstance(announce(games, prizes="two"), int)
    with pytest.raises(psycopg2.Error):
        games.rows("DELETE FROM prize_shares")


# ---- A round has an end ----


def seated(games, most, **more):
    """Creates a tournament whose first round is being played."""
    tournament = announce(games, entry=10, most=most, **more)
    for _ in range(most):
        enter(games, games.player(), tournament)
    steps(
        games,
        tournament,
        lambda: (found := open_tables(games, tournament, 1)) and all(table for _, table, _ in found),
    )
    for _, table, _ in open_tables(games, tournament, 1):
        assert games.start(table)["code"] == "ok"
    return tournament


def finish_hand(games, table, places, totals, gone=(), no=1, own=None):
    """Ends a hand of the table with this result; another one follows. own: how many of eight turns each
    seat played itself."""
    done = [
        {
            "seat": seat,
            "place": place,
            "points": 5,
            "total": total,
            "won": False,
            "opened": True,
            "cards_left": 1,
            "rummy": False,
            "left": seat in gone,
            "facts": {},
            **({"turns": 8, "own_turns": own[seat]} if own else {}),
        }
        for seat, (place, total) in enumerate(zip(places, totals))
    ]
    assert (
        games.one(
            "SELECT code FROM do_end_hand(%s, %s, %s, 'out', %s, 'r', %s, %s)",
            table,
            games.epoch,
            no,
            json.dumps(done),
            bytes(32),
            hashlib.sha256(bytes(32)).digest(),
        )
        == "ok"
    )


def time_is_over(games, tournament):
    games.rows("UPDATE tournaments SET round_ends_at = now() - interval '1 ms' WHERE id = %s", tournament)


def at_table(games, tournament, table):
    return [
        tuple(row)
        for row in games.rows(
            "SELECT s.place, s.points, s.score, s.margin FROM tournament_seats s JOIN tournament_tables k"
            " USING (tournament_id, round_no, table_no) WHERE k.tournament_id = %s AND k.table_id = %s ORDER"
            " BY s.seat",
            tournament,
            table,
        )
    ]


def is_ended(games, table):
    return games.one("SELECT cancel_asked_at IS NOT NULL FROM tables WHERE id = %s", table)


def all_over(games, tournament):
    return (
        games.one(
            "SELECT count(*) FROM tournament_tables WHERE tournament_id = %s AND round_no = 1 AND over_at IS"
            " NULL",
            tournament,
        )
        == 0
    )


def test_the_time_limit_of_a_round_is_a_setting(games):
    tournament = seated(games, 4)
    left = games.one(
        "SELECT extract(epoch FROM round_ends_at - now())::float FROM tournaments WHERE id = %s", tournament
    )
    assert 10800 - 600 < left <= 10800
    finish_hand(games, open_tables(games, tournament, 1)[0][1], [1, 2, 3, 4], [40, 30, 20, 10])
    assert games.rows("SELECT q_tournaments_due()") == [], "until then a running table is left alone"


def test_at_the_time_limit_a_table_ends_with_its_last_finished_hand(games):
    tournament = seated(games, 8)
    (_, held, _), (_, other, _) = open_tables(games, tournament, 1)
    finish_hand(games, held, [1, 2, 3, 4], [10, 5, 0, 0])
    games.rows(
        "UPDATE hands SET dealt_at = now(), client_seeds = '' WHERE table_id = %s AND hand_no = 2", held
    )
    finish_hand(games, held, [2, 4, 3, 1], [40, 90, 15, 60], gone=[1], no=2)
    time_is_over(games, tournament)
    assert step(games)[0]["cancels"] is True and is_ended(games, held)
    assert not is_ended(games, other), "its first hand is not over: there is nothing to count yet"
    assert step(games) == [], "each is ended once"
    assert games.cancel(held) == "ok"
    step(games)
    assert [row[:3] for row in at_table(games, tournament, held)] == [
        (2, 40, 80),
        (4, 90, 0),
        (3, 15, 40),
        (1, 60, 120),
    ]
    finish_hand(games, other, [4, 3, 2, 1], [0, 10, 20, 30])
    assert step(games)[0]["cancels"] is True and is_ended(games, other)
    assert games.cancel(other) == "ok"
    step(games)
    assert [row[0] for row in at_table(games, tournament, other)] == [4, 3, 2, 1] and all_over(
        games, tournament
    )
    steps(
        games,
        tournament,
        lambda: games.one("SELECT round_no FROM tournaments WHERE id = %s", tournament) == 2,
    )
    assert games.one("SELECT round_ends_at > now() FROM tournaments WHERE id = %s", tournament), (
        "the next round has its own time limit"
    )
    assert games.proof() == []


def test_tables_are_not_replayed_after_the_time_limit(games):
    tournament = seated(games, 4)
    [(_, table, _)] = open_tables(games, tournament, 1)
    time_is_over(games, tournament)
    assert games.cancel(table) == "ok", "an operator ends it in its first hand"
    steps(games, tournament, lambda: state(games, tournament) == "ended")
    assert games.rows(
        "SELECT e.place FROM tournament_entries e JOIN tournament_seats s USING (entry_no) ORDER BY s.lot"
    ) == [[1], [2], [3], [4]]
    assert games.one("SELECT tries FROM tournament_tables") == 1 and games.proof() == []


def test_a_duplicate_ends_at_the_time_limit_and_compares_the_rest(games):
    tournament = seated(games, 8, kind="swiss", size=1, duplicate=True)
    (_, held, _), (_, other, _) = open_tables(games, tournament, 1)
    finish_hand(games, held, [1, 2, 3, 4], [40, 30, 20, 10])
    time_is_over(games, tournament)
    step(games)
    assert is_ended(games, held) and games.cancel(held) == "ok"
    finish_hand(games, other, [1, 2, 3, 4], [90, 80, 70, 60])
    step(games)
    assert games.cancel(other) == "ok"
    steps(games, tournament, lambda: state(games, tournament) == "ended")
    assert games.rows("SELECT DISTINCT score FROM tournament_seats") == [[60]] and games.proof() == []


def credited(games):
    """The players for whom a tournament counts."""
    return sorted(row[0] for row in games.rows("SELECT player_id FROM counts_due"))


def entrants_at(games, table):
    return [
        row[0] for row in games.rows("SELECT player_id FROM seats WHERE table_id = %s ORDER BY seat", table)
    ]


@pytest.mark.parametrize("kind, size", [("knockout", 1), ("swiss", 1), ("stages", 50)])
def test_a_tournament_counts_for_players_who_took_part_in_a_game(games, kind, size):
    """Entering a tournament only to leave every table or let bots play completes no quest."""
    tournament = seated(games, 4, kind=kind, size=size)
    [(_, table, _)] = open_tables(games, tournament, 1)
    players = entrants_at(games, table)
    games.settle(
        table,
        [1, 2, 3, 4],
        left=[False, False, True, False],
        turns=[8, 8, 8, 8],
        own_turns=[3, 4, 8, 0],
    )
    steps(games, tournament, lambda: state(games, tournament) == "ended")
    assert credited(games) == [players[1]]


def test_a_tournament_counts_once_however_many_rounds_were_played(games):
    """A player who was away in one round of a Swiss tournament and played the other one."""
    tournament = seated(games, 4, kind="swiss", size=2)
    players = sorted(entrants_at(games, open_tables(games, tournament, 1)[0][1]))
    for number, own in ((1, 0), (2, 8)):
        steps(games, tournament, lambda n=number: any(t for _, t, _ in open_tables(games, tournament, n)))
        [(_, table, _)] = open_tables(games, tournament, number)
        games.start(table)
        games.settle(table, [1, 2, 3, 4], turns=[8] * 4, own_turns=[own] * 4)
    steps(games, tournament, lambda: state(games, tournament) == "ended")
    assert credited(games) == players


def test_a_further_tournament_with_the_same_players_does_not_count(games):
    games.rows("UPDATE settings SET value = '1' WHERE name = 'same_players_games_per_day'")
    for _ in range(2):
        tournament = announce(games, entry=0, most=4)
        players = [row[0] for row in games.rows("SELECT id FROM players ORDER BY id")] or [
            games.player() for _ in range(4)
        ]
        for player in players:
            assert enter(games, player, tournament) == "ok"
        steps(games, tournament, lambda t=tournament: any(x for _, x, _ in open_tables(games, t, 1)))
        [(_, table, _)] = open_tables(games, tournament, 1)
        games.start(table)
        games.settle(table, [1, 2, 3, 4], turns=[8] * 4, own_turns=[8] * 4)
        steps(games, tournament, lambda t=tournament: state(games, t) == "ended")
    assert credited(games) == players, "the first of the two"


def test_without_a_game_the_last_finished_hand_decides_who_took_part(games):
    tournament = seated(games, 4)
    [(_, table, _)] = open_tables(games, tournament, 1)
    players = entrants_at(games, table)
    finish_hand(games, table, [1, 2, 3, 4], [40, 30, 20, 10], gone=[2], own=[3, 4, 8, 0])
    time_is_over(games, tournament)
    step(games)
    assert games.cancel(table) == "ok"
    steps(games, tournament, lambda: state(games, tournament) == "ended")
    assert credited(games) == [players[1]]


@pytest.mark.parametrize(
    "kind, seats, size, people, rounds",
    [
        ("knockout", 2, 1, 16, 4),
        ("knockout", 4, 1, 16, 2),
        ("knockout", 4, 2, 16, 3),
        ("stages", 4, 50, 16, 3),
        ("swiss", 2, 3, 8, 3),
    ],
)
def test_a_stalled_tournament_still_ends_in_as_many_rounds(games, kind, seats, size, people, rounds):
    """In every round each table has a player who stalls until the time limit."""
    tournament = announce(games, kind=kind, seats=seats, size=size, entry=10, most=people)
    for _ in range(people):
        enter(games, games.player(), tournament)
    held = set()
    for _ in range(3000):
        if state(games, tournament) == "ended":
            break
        shift(games, tournament)
        step(games)
        number = games.one("SELECT round_no FROM tournaments WHERE id = %s", tournament)
        for _, table, n in open_tables(games, tournament, number):
            if table and table not in held:
                held.add(table)
                assert games.start(table)["code"] == "ok"
                finish_hand(games, table, range(1, n + 1), range(n, 0, -1))
            elif table and is_ended(games, table):
                games.cancel(table)
        if number:
            time_is_over(games, tournament)
    assert state(games, tournament) == "ended"
    assert (
        games.one("SELECT round_no FROM tournaments WHERE id = %s", tournament) == rounds
        and games.proof() == []
    )
