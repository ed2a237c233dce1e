"""Leagues and seasons: what counts, who moves and why, prizes, and the end of a season, however often,
late, or interrupted it runs."""

import datetime
import json
import random
import threading

import psycopg2
import pytest
from support.volume import volume

POSITION = {"desert": 1, "tundra": 2, "steppe": 3, "savannah": 4, "oasis": 5, "forest": 6}
LEVEL = {1: 1, 2: 6, 3: 12, 4: 18, 5: 27, 6: 38}  # the level that unlocks the room of a league


@pytest.fixture(autouse=True)
def ratings_without_games(request):
    if "rig" in request.fixturenames:
        request.getfixturevalue("rig").prizes_without_people()


def ends(rig, no=1):
    return rig.one("SELECT ends_at FROM seasons WHERE no = %s", no)


def run(rig, at, via=None):
    return rig.steps("season_rollover_step", at, via)


def end_season(rig, no=1):
    return run(rig, ends(rig, no))


def line(rig, league, games=30, points=None, wins=0, rating=None, level=None, season=1):
    """A player in a league with these counted games."""
    position = POSITION[league]
    player = rig.player(level=level or LEVEL[min(6, position + 1)])
    rig.rows("INSERT INTO league_members VALUES (%s, %s, 1)", player, position)
    if games:
        played(
            rig, player, position, games, rating * games // 100 if points is None else points, wins, season
        )
    return player


def played(rig, player, position, games, points, wins=0, season=1):
    rig.rows(
        "INSERT INTO league_games VALUES (%s, %s, %s, %s, %s, %s)",
        season,
        player,
        position,
        games,
        points,
        wins,
    )
    rig.rows(
        "SELECT make_league_rows(%s, ARRAY[%s]::bigint[]) FROM seasons WHERE no = %s AND state IN ('opening',"
        " 'open')",
        season,
        player,
        season,
    )


def crowd(rig, league, n, games, points, level):
    """n players at once; their ids."""
    ids = [
        row[0]
        for row in rig.rows("SELECT do_create_player('guest', 'c' || n, '') FROM generate_series(1, %s) n", n)
    ]
    rig.rows("UPDATE players SET level = %s WHERE id = ANY (%s)", level, ids)
    rig.rows("INSERT INTO league_members SELECT p, %s, 1 FROM unnest(%s::bigint[]) p", POSITION[league], ids)
    if games:
        rig.rows(
            "INSERT INTO league_games SELECT 1, p, %s, %s, %s + i %% 7, 0 FROM unnest(%s::bigint[]) WITH"
            " ORDINALITY AS x (p, i)",
            POSITION[league],
            games,
            points,
            ids,
        )
        rig.rows("SELECT make_league_rows(1, %s::bigint[])", ids)
    return ids


def outcome(rig, player, season=1):
    return tuple(
        rig.row(
            "SELECT reason, position, to_position, place, prize_gold FROM season_results"
            " WHERE player_id = %s AND season_no = %s",
            player,
            season,
        )
    )


def league_of(rig, player):
    found = rig.rows("SELECT position FROM league_members WHERE player_id = %s", player)
    return found[0][0] if found else None


# --- what counts --------------------------------------------------------------------------------------------


def test_the_leagues_match_the_rules(shared):
    assert [
        tuple(row)
        for row in shared.rows(
            """SELECT name, promote_rating, promote_places, relegate_rating, relegate_places, open
                                                 FROM leagues
                                                 ORDER BY position"""
        )
    ] == [
        ("Desert", 6700, None, None, None, True),
        ("Tundra", 7000, None, 6200, None, True),
        ("Steppe", 7300, None, 6500, None, True),
        ("Savannah", None, 20, None, 20, True),
        ("Oasis", None, 10, None, 20, True),
        ("Forest", None, None, None, 10, False),
    ]
    prizes = shared.rows(
        """SELECT array_agg(gold ORDER BY place) FROM league_prizes p JOIN leagues l ON l.id = p.league_id
                            GROUP BY position ORDER BY position"""
    )
    assert [row[0] for row in prizes] == [
        [a, b, c] + [d] * 7
        for a, b, c, d in [
            (50, 30, 20, 10),
            (100, 60, 40, 20),
            (150, 90, 60, 30),
            (200, 120, 80, 40),
            (250, 150, 100, 50),
            (300, 180, 120, 60),
        ]
    ]
    first = shared.row("SELECT no, state, ends_at - starts_at AS long, starts_at FROM seasons")
    assert (first["no"], first["state"], first["long"]) == (1, "open", datetime.timedelta(days=15))
    assert first["starts_at"].astimezone(datetime.UTC).strftime("%H:%M:%S") == "22:00:00"


def test_a_rated_game_counts_and_new_players_start_in_desert(rig):
    ann, bob = rig.player(), rig.player()
    rig.settle(rig.table_of(ann, bob), [1, 2, 3, 4])
    rig.settle(rig.table_of(bob), [1, 2, 3, 4])  # no other player: counts for no league
    assert rig.rows(
        "SELECT player_id, position, games, points, wins, rating FROM league_rows ORDER BY player_id"
    ) == [[ann, 1, 1, 100, 1, 10000], [bob, 1, 1, 80, 0, 8000]]
    assert league_of(rig, ann) == 1


def test_a_league_counts_games_in_its_room_and_higher_ones(rig):
    ann, bob = rig.player(level=12), rig.player(level=12)
    rig.rows("INSERT INTO league_members VALUES (%s, 2, 1)", ann)
    for room in ("desert", "tundra", "steppe"):
        table = rig.table_of(ann, bob, room=room) if room != "steppe" else None
        if table is None:
            others = [rig.player(level=12) for _ in range(2)]
            table = rig.table_of(ann, bob, *others, room=room)
        rig.settle(table, [1, 2, 3, 4])
    assert rig.rows(
        "SELECT player_id, games FROM league_rows WHERE player_id IN (%s, %s) ORDER BY 1", ann, bob
    ) == [[ann, 2], [bob, 3]]
    assert rig.one("SELECT count(*) FROM league_games WHERE player_id = %s", ann) == 3


def test_the_order_in_a_league_follows_the_rules(rig):
    # rating, then games, then first places, then the older account; players with too few games are after all
    # others
    lines = [
        (30, 2400, 5),
        (40, 3200, 0),
        (30, 2400, 6),
        (30, 2401, 0),
        (30, 2400, 5),
        (1, 100, 1),
        (29, 2900, 29),
    ]
    players = [line(rig, "desert", games, points, wins) for games, points, wins in lines]
    board = rig.one("SELECT league_board(1, 1)")
    order = [
        row[0]
        for row in rig.rows(
            "SELECT player_id FROM board_entries WHERE board_id = %s ORDER BY score DESC, player_id", board
        )
    ]
    assert [players.index(player) for player in order] == [3, 1, 2, 0, 4, 6, 5]


# --- who moves ----------------------------------------------------------------------------------------------


def test_the_lower_leagues_move_players_by_thresholds(rig):
    cases = [
        ("desert", 6700, 30, "promoted", 2),
        ("desert", 6699, 100, "stays", 1),
        ("desert", 10000, 29, "too_few_games", 1),
        ("desert", 0, 30, "stays", 1),
        ("tundra", 7000, 30, "promoted", 3),
        ("tundra", 6999, 100, "stays", 2),
        ("tundra", 6200, 30, "stays", 2),
        ("tundra", 6199, 100, "relegated", 1),
        ("tundra", 9000, 29, "too_few_games", 1),
        ("steppe", 7300, 30, "promoted", 4),
        ("steppe", 6500, 30, "stays", 3),
        ("steppe", 6499, 100, "relegated", 2),
    ]
    players = [line(rig, league, games, rating=rating) for league, rating, games, _, _ in cases]
    for player, (_, rating, _, _, _) in zip(players, cases):
        assert rig.one("SELECT rating FROM league_rows WHERE player_id = %s", player) == rating
    end_season(rig)
    for player, (league, _, _, reason, to) in zip(players, cases):
        assert outcome(rig, player)[:3] == (reason, POSITION[league], to)
        assert league_of(rig, player) == to


def test_players_with_too_few_games_drop_without_using_relegation_places(rig):
    enough = [line(rig, "savannah", 30, points=1500 + i, level=27) for i in range(101)][::-1]
    droppers = crowd(rig, "savannah", 200, 29, 2500, 27)
    result = end_season(rig)
    assert [outcome(rig, p)[0] for p in enough] == ["promoted"] * 20 + ["stays"] * 61 + ["relegated"] * 20
    assert [outcome(rig, p)[3] for p in enough] == list(range(1, 102))
    assert rig.rows(
        "SELECT reason, to_position, count(*), min(place) FROM season_results WHERE player_id = ANY (%s)"
        " GROUP BY 1, 2",
        droppers,
    ) == [["too_few_games", 3, 200, 102]]
    assert [outcome(rig, p)[4] for p in enough[:11]] == [200, 120, 80] + [40] * 7 + [0]
    assert (result["players"], result["moved"], result["prizes"], result["gold"], result["seasons"]) == (
        301,
        240,
        10,
        680,
        1,
    )


def test_a_winner_without_the_next_room_gets_the_prize_and_stays(rig):
    player = line(rig, "steppe", 30, rating=9000, level=17)
    end_season(rig)
    assert outcome(rig, player) == ("room_locked", 3, 3, 1, 150)
    assert rig.purse(player)[1] == 150
    assert rig.rows("SELECT key FROM transfers WHERE cause = 'league'") == [["league:1:steppe:1"]]
    assert rig.one("SELECT rule FROM season_results") == {"next_league": "savannah"}
    assert rig.proof() == []


def test_inactive_players_drop_league_by_league_and_out(rig):
    player = line(rig, "steppe", games=0)
    for no, (position, to) in enumerate([(3, 2), (2, 1), (1, None)], 1):
        end_season(rig, no)
        assert outcome(rig, player, no)[:4] == ("inactive", position, to, None)
        assert league_of(rig, player) == to
    end_season(rig, 4)
    assert rig.rows("SELECT 1 FROM season_results WHERE season_no = 4") == []
    rig.rows(
        "SELECT count_league_games(ARRAY[%s]::bigint[], ARRAY[3]::smallint[], '{80}', '{false}', %s)",
        player,
        ends(rig, 4),
    )
    assert (
        league_of(rig, player) == 1
        and rig.one("SELECT season_no FROM league_rows WHERE player_id = %s", player) == 5
    )


def test_a_player_who_played_only_in_lower_rooms_is_inactive(rig):
    player = line(rig, "tundra", games=0)
    played(rig, player, 1, 50, 4000)
    end_season(rig)
    assert outcome(rig, player)[:3] == ("inactive", 2, 1)


def test_forest_opens_with_twenty_elephants_in_oasis(rig):
    elephants = [line(rig, "oasis", 30, points=2400 - i, level=38) for i in range(19)]
    for _ in range(21):
        line(rig, "oasis", 30, points=900, level=27)
    line(rig, "savannah", 0, level=50)  # elsewhere, or without the title by a level: does not count
    line(rig, "oasis", 0, level=37)
    line(rig, "oasis", 0, level=38)  # has the title but plays no league game
    assert rig.rows("SELECT * FROM leagues_to_open()") == []
    end_season(rig)
    assert [outcome(rig, p)[0] for p in elephants] == ["league_closed"] * 8 + ["stays"] * 11, "a fifth of 40"
    assert not rig.one("SELECT open FROM leagues WHERE id = 'forest'")
    played(rig, line(rig, "oasis", 0, level=38), 5, 1, 50, season=2)
    for i, player in enumerate(elephants):
        played(rig, player, 5, 30, 2400 - i, season=2)
    for _ in range(20):
        played(rig, line(rig, "oasis", 0, level=27), 6, 30, 900, season=2)
    end_season(rig, 2)
    assert rig.one("SELECT open FROM leagues WHERE id = 'forest'")
    assert [outcome(rig, p, 2)[0] for p in elephants] == ["promoted"] * 7 + ["stays"] * 12, "a fifth of 39"
    played(rig, elephants[0], 6, 30, 2000, season=3)
    end_season(rig, 3)
    assert outcome(rig, elephants[0], 3) == ("stays", 6, 6, 1, 300), (
        "a fifth of one player rounds down to none"
    )
    assert rig.one("SELECT open FROM leagues WHERE id = 'forest'"), "stays open"


def test_at_most_a_fifth_of_the_eligible_players_move(rig):
    players = [line(rig, "savannah", 30, points=2000 - i, level=27) for i in range(14)]
    crowd(rig, "savannah", 30, 29, 2500, 27)  # too few games, so they do not increase the fifth
    end_season(rig)
    assert [outcome(rig, p)[0] for p in players] == ["promoted"] * 2 + ["stays"] * 10 + ["relegated"] * 2


def test_promotion_needs_the_room_and_comes_before_relegation(rig):
    """The last two of ten are the only ones eligible for promotion: they are promoted, and the two before
    them relegated."""
    locked = [line(rig, "savannah", 30, points=2000 - i, level=1) for i in range(8)]
    unlocked = [line(rig, "savannah", 30, points=1900 - i, level=27) for i in range(2)]
    end_season(rig)
    assert [outcome(rig, p)[0] for p in unlocked] == ["promoted"] * 2
    assert [outcome(rig, p)[0] for p in locked] == ["room_locked"] * 6 + ["relegated"] * 2


def decided(players, league, level_needed, is_open, games_min=30):
    """The rule again, from its wording: promoted from the top, then relegated from the bottom of the rest.
    players: (id, score, games, rating, level) in the order of the table. Returns id -> reason."""
    up_rating, up_places, down_rating, down_places = league
    enough = [p for p in players if p[2] >= games_min]
    out = {p[0]: "too_few_games" for p in players if p[2] < games_min}
    fifth = len(enough) // 5
    promoted = []
    if is_open:
        able = [p for p in enough if p[4] >= level_needed]
        promoted = [p for p in able if up_rating is not None and p[3] >= up_rating]
        promoted += [p for p in able[: min(up_places or 0, fifth)] if p not in promoted]
    rest = [p for p in enough if p not in promoted]
    last = rest[max(0, len(rest) - min(down_places or 0, fifth)) :]
    out |= {p[0]: "promoted" for p in promoted}
    out |= {
        p[0]: (
            "relegated"
            if p in last or (down_rating is not None and p[3] < down_rating)
            else "stays or not yet"
        )
        for p in rest
    }
    return out


def test_outcomes_match_a_second_implementation_of_the_rule(rig):
    """Leagues with random sizes, strengths, and numbers of places, compared with a second implementation of
    the rule."""
    rng = random.Random(20261128)
    for season in range(1, 9):
        rig.rows("DELETE FROM league_members")
        open_forest = season % 2 == 0
        rig.rows("UPDATE leagues SET open = %s, opens_players = NULL WHERE id = 'forest'", open_forest)
        rules = {}
        for name in ("tundra", "savannah", "oasis", "forest"):
            rules[name] = tuple(
                rng.choice([None, n]) for n in (7000, rng.randint(0, 9), 6000, rng.randint(0, 9))
            )
            rig.rows(
                "UPDATE leagues SET promote_rating = %s, promote_places = %s, relegate_rating = %s,"
                " relegate_places = %s WHERE id = %s",
                *rules[name],
                name,
            )
        world = {}
        for name in rules:
            world[name] = []
            for _ in range(rng.randint(0, 31)):
                games, level = rng.choice([10, 30, 30, 30, 41]), rng.choice([1, 12, 27, 38, 50])
                player = line(
                    rig,
                    name,
                    games,
                    points=games * rng.randint(50, 80),
                    wins=rng.randint(0, games),
                    level=level,
                    season=season,
                )
                world[name].append([player, level])
        end_season(rig, season)
        for name, players in world.items():
            lines = {
                row[0]: row
                for row in rig.rows(
                    "SELECT player_id, place, games, rating, reason FROM season_results"
                    " WHERE season_no = %s AND position = %s",
                    season,
                    POSITION[name],
                )
            }
            table = sorted(
                ((p, -lines[p][1], lines[p][2], lines[p][3], level) for p, level in players),
                key=lambda p: -p[1],
            )
            expected = decided(
                table,
                rules[name],
                LEVEL[POSITION[name] + 1] if name != "forest" else 99,
                name != "forest" and (name != "oasis" or open_forest),
            )
            found = {
                p: (
                    lines[p][4]
                    .replace("stays", "stays or not yet")
                    .replace("room_locked", "stays or not yet")
                    .replace("league_closed", "stays or not yet")
                )
                for p, _ in players
            }
            assert found == expected, (season, name, rules[name])


def test_a_reason_contains_the_rule_that_was_applied(rig):
    rig.rows("UPDATE leagues SET promote_places = 1, relegate_places = 1 WHERE id = 'savannah'")
    rig.rows("UPDATE leagues SET promote_places = 1, relegate_places = NULL WHERE id = 'oasis'")
    expected = {
        line(rig, league, 30, rating=7500 - i): ("stays", {})
        for league, n in (("savannah", 3), ("oasis", 4))
        for i in range(n)
    }
    expected |= {
        line(rig, "tundra", games=0): ("inactive", {}),
        line(rig, "tundra", 12, rating=8000): ("too_few_games", {"games_min": 30}),
        line(rig, "tundra", 30, rating=6100): ("relegated", {"relegate_rating": 6200}),
        line(rig, "tundra", 30, rating=6500): ("stays", {}),
        line(rig, "desert", 40, rating=6800): ("promoted", {"promote_rating": 6700}),
        line(rig, "desert", 40, rating=6800, level=1): ("room_locked", {"next_league": "tundra"}),
        line(rig, "savannah", 30, rating=8000): ("promoted", {"promote_places": 1}),
        line(rig, "savannah", 30, rating=7000): ("relegated", {"relegate_places": 1}),
        line(rig, "oasis", 30, rating=8000): ("league_closed", {"next_league": "forest"}),
    }
    end_season(rig)
    found = {
        player: (reason, rule)
        for player, reason, rule in rig.rows("SELECT player_id, reason, rule FROM season_results")
    }
    assert found == expected


def test_a_promotion_names_the_rule_that_applied(rig):
    rig.rows("UPDATE leagues SET promote_places = 2 WHERE id = 'desert'")
    best, second = line(rig, "desert", 30, rating=7000), line(rig, "desert", 30, rating=6000)
    for _ in range(8):
        line(rig, "desert", 30, rating=5000)
    end_season(rig)
    assert dict(rig.rows("SELECT player_id, rule FROM season_results WHERE reason = 'promoted'")) == {
        best: {"promote_rating": 6700},
        second: {"promote_places": 2},
    }


# --- when it runs -------------------------------------------------------------------------------------------


def test_nothing_happens_before_the_end_or_when_the_clock_is_set_back(rig):
    line(rig, "desert", 30, rating=8000)
    for at in (ends(rig) - datetime.timedelta(seconds=1), "2001-01-01"):
        assert run(rig, at) == {"seasons": 0}
    assert rig.rows("SELECT no, state FROM seasons") == [[1, "open"]]


def test_a_second_run_changes_nothing(rig):
    player = line(rig, "desert", 30, rating=8000)
    at = ends(rig)
    assert run(rig, at)["seasons"] == 1
    state = snapshot(rig)
    assert run(rig, at) == {"seasons": 0}
    assert snapshot(rig) == state
    assert rig.purse(player)[1] == 50


def test_a_run_several_seasons_late_ends_each_season(rig):
    """Games count for the season in which they ended, and for the league in which the player turns out to
    have been."""
    ann = line(rig, "desert", 30, rating=8000, level=38)
    second = ends(rig) + datetime.timedelta(days=1)
    for position in (1, 2):
        for _ in range(30):
            rig.rows(
                "SELECT count_league_games(ARRAY[%s]::bigint[], ARRAY[%s]::smallint[], '{90}', '{true}', %s)",
                ann,
                position,
                second,
            )
    fourth = ends(rig) + datetime.timedelta(days=31)
    rig.rows(
        "SELECT count_league_games(ARRAY[%s]::bigint[], ARRAY[6]::smallint[], '{100}', '{true}', %s)",
        ann,
        fourth,
    )
    assert run(rig, fourth)["seasons"] == 3
    assert [
        tuple(row)
        for row in rig.rows(
            "SELECT season_no, position, games, rating, reason, to_position FROM season_results ORDER BY 1"
        )
    ] == [(1, 1, 30, 8000, "promoted", 2), (2, 2, 30, 9000, "promoted", 3), (3, 3, 0, None, "inactive", 2)]
    assert rig.rows("SELECT no, state FROM seasons ORDER BY no") == [
        [1, "ended"],
        [2, "ended"],
        [3, "ended"],
        [4, "open"],
    ]
    assert rig.rows("SELECT position, games FROM league_rows WHERE season_no = 4") == [[2, 1]]
    starts = rig.rows("SELECT starts_at FROM seasons ORDER BY no")
    assert [(b[0] - a[0]).days for a, b in zip(starts, starts[1:])] == [15, 15, 15]


def test_a_game_that_ends_while_the_season_closes_counts_for_the_next(rig):
    ann = line(rig, "desert", 30, rating=8000)
    at = ends(rig)
    assert rig.row("SELECT * FROM season_rollover_step(%s)", at)[0]
    assert rig.one("SELECT state FROM seasons WHERE no = 1") == "closing"
    bob = rig.player()
    for player in (ann, bob):
        rig.rows(
            "SELECT count_league_games(ARRAY[%s]::bigint[], ARRAY[2]::smallint[], '{70}', '{false}', %s)",
            player,
            at - datetime.timedelta(minutes=1),
        )
    run(rig, at)
    assert outcome(rig, ann)[0] == "promoted"
    assert rig.rows("SELECT player_id, position, games FROM league_rows WHERE season_no = 2 ORDER BY 1") == [
        [ann, 2, 1],
        [bob, 1, 1],
    ]
    assert rig.one("SELECT games FROM league_rows WHERE season_no = 1 AND player_id = %s", ann) == 30


def test_the_dry_run_predicts_the_outcome_and_changes_nothing(rig):
    small_world(rig)
    before = snapshot(rig)
    rig.rows("SELECT * FROM do_make_key('k', 'owner', 'k', 1, %s, 'rk_123456')", b"k" * 32)
    rig.rows("UPDATE settings SET value = '3' WHERE name = 'job_batch'")
    plan, at = [], (None, None, None)
    while True:
        head, *page = rig.rows("SELECT * FROM q_season_preview(%s, %s, %s, %s, 4)", b"k" * 32, *at)
        assert head["code"] == "ok"
        plan += [json.loads(row["body"]) for row in page]
        if len(page) < 4:
            break
        at = (page[-1]["at1"], page[-1]["at2"], page[-1]["at3"])
    assert snapshot(rig) == before
    end_season(rig)
    done = rig.rows("""SELECT r.player_id::text, r.reason, l.id, r.rule, r.place FROM season_results r
                       LEFT JOIN leagues l ON l.position = r.to_position WHERE r.reason <> 'stays'""")
    assert len(plan) > 20
    assert sorted(
        [p["player_id"], p["reason"], p["to_league"], p["rule"], p["place"]] for p in plan
    ) == sorted(map(list, done))


def small_world(rig):
    """Some players in every league, with and without games."""
    rng = random.Random(7)
    for league in POSITION:
        for _ in range(14):
            games = rng.choice([0, 10, 30, 30, 40])
            line(
                rig,
                league,
                games,
                points=games * rng.randint(50, 95),
                wins=games // 3,
                level=rng.choice([1, 6, 12, 18, 27, 38]),
            )
    rig.rows("UPDATE leagues SET relegate_places = 3 WHERE relegate_places IS NOT NULL")
    rig.rows("UPDATE leagues SET promote_places = 3 WHERE promote_places IS NOT NULL")


def snapshot(rig):
    return (
        [rig.rows("SELECT no, starts_at, ends_at, state, step FROM seasons ORDER BY no")]
        + [
            rig.rows(f"SELECT * FROM {table} ORDER BY {order}")
            for table, order in [
                ("leagues", "position"),
                ("league_members", "player_id"),
                ("season_results", "season_no, player_id"),
                ("league_rows", "season_no, player_id"),
            ]
        ]
        + [
            rig.rows("SELECT key FROM transfers WHERE cause = 'league' ORDER BY key"),
            rig.rows("SELECT player_id, currency, balance FROM accounts WHERE kind = 'purse' ORDER BY 1, 2"),
        ]
    )


@pytest.fixture
def twin(cluster, rigs, rig):
    """A copy of the database of `rig` at the time of the call."""
    from db_rig import Rig

    made = []

    def make():
        name = cluster.new_database(migrated=False)
        rig.db.close()
        rig.node_session.close()
        rigs.give_up()
        cluster.run(f"DROP DATABASE {name}")
        cluster.run(f"CREATE DATABASE {name} TEMPLATE {rig.name}")
        rig.db, rig.node_session = rig.connect(), rig.connect()
        made.append(Rig(cluster, name))
        return made[-1]

    yield make
    for it in made:
        it.close()
        cluster.drop_database(it.name)


def test_a_rollover_killed_at_any_point_ends_with_the_same_result(rig, twin):
    small_world(rig)
    rig.rows(
        "UPDATE settings SET value = '2' WHERE name IN ('season_batch', 'season_open_batch')"
    )  # many steps
    other = twin()
    other.rows(
        "UPDATE settings SET value = '20000' WHERE name IN ('season_batch', 'season_open_batch')"
    )  # and concurrently
    at = ends(rig, 1) + datetime.timedelta(days=45)  # three seasons late
    expected = run(other, at)
    assert expected["seasons"] == 4 and expected["prizes"] > 5
    points = volume(200, 50)
    rng, kills, lost, steps = random.Random(3), 0, 0, 0
    while True:
        via = rig.connect(autocommit=False)
        pid = via.get_backend_pid()
        # Killed before, during, or after an uncommitted step, or after some committed ones.
        doing = threading.Timer(rng.random() * 0.004, lambda: rig.one("SELECT pg_terminate_backend(%s)", pid))
        if kills < points:
            doing.start()
        try:
            while True:
                more = rig.row("SELECT * FROM season_rollover_step(%s)", at, via=via)[0]
                steps += 1
                if kills < points and rng.random() < 0.5:
                    break  # its process dies before it commits
                via.commit()
                if not more:
                    break
        except psycopg2.Error:
            lost += 1
        else:
            if kills >= points and not more:
                via.close()
                break
        if kills < points:
            doing.join()
        kills += 1
        via.close()
    assert kills >= points and lost > points / 10, (kills, lost, steps)
    assert snapshot(rig) == snapshot(other)
    assert rig.proof() == []


def test_concurrent_rollovers_run_once(rig, twin):
    small_world(rig)
    rig.rows("UPDATE settings SET value = '5' WHERE name IN ('season_batch', 'season_open_batch')")
    other = twin()
    at = ends(rig)
    expected = run(other, at)
    totals = []

    def job():
        via = rig.connect()
        totals.append(run(rig, at, via=via))
        via.close()

    threads = [threading.Thread(target=job) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(t.get("seasons", 0) for t in totals) == 1
    assert sum(t.get("prizes", 0) for t in totals) == expected["prizes"]
    assert snapshot(rig) == snapshot(other)


def test_games_continue_while_a_season_ends(rig):
    small_world(rig)
    rig.rows("UPDATE settings SET value = '1' WHERE name IN ('season_batch', 'season_open_batch')")
    at = ends(rig)
    people = [rig.player() for _ in range(4)]
    counted = []

    def play():
        via = rig.connect()
        for i in range(40):
            for player in people:
                rig.rows(
                    "SELECT count_league_games(ARRAY[%s]::bigint[], ARRAY[1]::smallint[], '{60}',"
                    " '{false}', %s)",
                    player,
                    at,
                    via=via,
                )
            counted.append(i)
        via.close()

    thread = threading.Thread(target=play)
    thread.start()
    run(rig, at)
    thread.join()
    assert len(counted) == 40
    assert rig.rows(
        "SELECT DISTINCT season_no, games FROM league_rows WHERE player_id = ANY (%s)", people
    ) == [[2, 40]]
    assert rig.rows("SELECT DISTINCT season_no FROM league_games WHERE player_id = ANY (%s)", people) == [[2]]


@pytest.mark.parametrize("session_zone", ["UTC", "Europe/Berlin", "America/New_York"])
def test_seasons_end_at_local_midnight_in_summer_and_winter(rig, session_zone):
    """Fifteen days are fifteen calendar days, an hour more or less over a clock change, whatever time zone
    the session has."""
    rig.rows(f"SET timezone = '{session_zone}'")
    rig.rows("UPDATE settings SET value = 'Europe/Berlin' WHERE name = 'zone'")
    rig.rows("UPDATE seasons SET starts_at = '2026-03-14 23:00+00', ends_at = '2026-03-22 23:00+00'")
    rig.rows("SELECT ensure_seasons('2026-11-30 12:00+00')")
    found = rig.rows(
        "SELECT to_char(starts_at AT TIME ZONE 'Europe/Berlin', 'MM-DD HH24:MI'), extract(epoch FROM ends_at"
        " - starts_at) / 3600 FROM seasons WHERE no > 1 ORDER BY no"
    )
    assert [hour for day, hour in found if hour != 360] == [359, 361]
    assert [day for day, _ in found][:3] == ["03-23 00:00", "04-07 00:00", "04-22 00:00"] and {
        day[-5:] for day, _ in found
    } == {"00:00"}
