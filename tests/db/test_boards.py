"""Leaderboards: order, ties, places under constant change, friends, monthly prizes, the check against the
games."""

import json
import random
import subprocess
import threading

import pytest
from support.cluster import RUMMYD


@pytest.fixture(autouse=True)
def ratings_without_games(request):
    if "rig" in request.fixturenames:
        request.getfixturevalue("rig").prizes_without_people()


def rate(rig, player, games, points, wins=0, rummies=0, clover=0, variant="rummy51", period="all"):
    rig.rows(
        """INSERT INTO ratings (player_id, variant, period, games, points, wins, rummies, rating, clover)
                VALUES (%s, %s, %s, %s, %s, %s, %s, rating_of(%s, %s, 10000, 100), %s)
                ON CONFLICT (player_id, variant, period) DO UPDATE SET games = excluded.games,
                points = excluded.points,
                wins = excluded.wins, rummies = excluded.rummies, rating = excluded.rating,
                clover = excluded.clover""",
        player,
        variant,
        period,
        games,
        points,
        wins,
        rummies,
        points,
        games,
        clover,
    )


def board(rig, reader, kind="rating", period="all", variant="rummy51", limit=100, at=(None, None, None)):
    head, *lines = rig.rows(
        "SELECT * FROM q_board(%s, %s, %s, %s, %s, %s, %s, %s)", reader, variant, kind, period, *at, limit
    )
    return head, lines


def among_friends(
    rig, reader, kind="rating", period="all", variant="rummy51", limit=100, at=(None, None, None)
):
    head, *lines = rig.rows(
        "SELECT * FROM q_board_friends(%s, %s, %s, %s, %s, %s, %s, %s)",
        reader,
        variant,
        kind,
        period,
        *at,
        limit,
    )
    return head, lines


def shown(lines):
    return [
        (item["place"], int(item["player_id"]), item["value"])
        for item in (json.loads(line["body"]) for line in lines)
    ]


def test_players_are_listed_from_twenty_games_and_ties_go_to_more_games(rig):
    ann, bob, eve, dan, ida = (rig.player() for _ in range(5))
    rate(rig, ann, 20, 1574)  # 7870
    rate(rig, bob, 19, 1900)  # not listed
    rate(rig, eve, 21, 1674)  # 7971
    rate(rig, dan, 40, 3148)  # 7870 in more games
    rate(rig, ida, 20, 1574)  # as ann, the younger account
    assert shown(board(rig, ann)[1]) == [(1, eve, 7971), (2, dan, 7870), (3, ann, 7870), (4, ida, 7870)]
    rate(rig, bob, 20, 2000)
    assert shown(board(rig, ann)[1])[0] == (1, bob, 10000)


def test_each_kind_variant_and_period_has_a_separate_board(rig):
    ann, bob = rig.player(), rig.player()
    rate(rig, ann, 3, 240, wins=1, rummies=1, clover=500)
    rate(rig, bob, 5, 400, wins=2, rummies=0, clover=90)
    rate(rig, bob, 5, 400, wins=2, variant="points", period="2026-10")
    assert shown(board(rig, ann, "clover")[1]) == [(1, ann, 500), (2, bob, 90)]
    assert shown(board(rig, ann, "wins")[1]) == [(1, bob, 2), (2, ann, 1)]
    assert shown(board(rig, ann, "rummies")[1]) == [(1, ann, 1)]
    assert shown(board(rig, ann, "rating")[1]) == []
    assert shown(board(rig, ann, "wins", "2026-10", "points")[1]) == [(1, bob, 2)]
    assert board(rig, ann, "wins", "2026-10")[1] == []


def test_unknown_boards_and_periods_get_an_error_code(shared):
    player = shared.player()
    for kind, period, variant, code in [
        ("luck", "all", "rummy51", "no_such_board"),
        ("wins", "all", "snap", "no_such_board"),
        ("wins", "2026-13", "rummy51", "no_such_period"),
        ("wins", "ever", "rummy51", "no_such_period"),
        ("wins", "month", "rummy51", "ok"),
        ("league", "1:1", "rummy51", "no_such_board"),
    ]:
        assert board(shared, player, kind, period, variant)[0]["code"] == code
        assert (
            shared.one("SELECT code FROM q_board_around(%s, %s, %s, %s)", player, variant, kind, period)
            == code
        )
        assert among_friends(shared, player, kind, period, variant)[0]["code"] == code


def crowd(rig, n, seed=5):
    """n players with random scores, many of them equal; returns {player: (games, points)}."""
    rng = random.Random(seed)
    ids = [
        row[0]
        for row in rig.rows("SELECT do_create_player('guest', 'c' || n, '') FROM generate_series(1, %s) n", n)
    ]
    for player in ids:
        games = rng.choice([20, 20, 30, 40])
        rate(rig, player, games, games * rng.randint(40, 90), wins=rng.randint(0, 5))
    return ids


def places_are_right(rig, board_id):
    """Every place computed from pieces and moves, alone or with all others, equals the place found by
    counting."""
    assert (
        rig.rows(
            """SELECT * FROM (
        SELECT player_id, board_place(board_id, score, player_id) AS found,
               row_number() OVER (ORDER BY score DESC, player_id) AS counted
        FROM board_entries WHERE board_id = %s) p WHERE found <> counted""",
            board_id,
        )
        == []
    )
    assert (
        rig.rows(
            """WITH e AS (SELECT * FROM board_entries WHERE board_id = %s)
        SELECT * FROM (SELECT player_id, row_number() OVER (ORDER BY score DESC, player_id) AS counted
            FROM e) c
        FULL JOIN board_places(%s, ARRAY(SELECT player_id FROM e ORDER BY player_id),
            ARRAY(SELECT score FROM e ORDER BY player_id)) f USING (player_id)
        WHERE f.place IS DISTINCT FROM c.counted""",
            board_id,
            board_id,
        )
        == []
    )
    # A few places, far apart and adjacent, in any order: each part between two requested ones is summed.
    assert (
        rig.rows(
            """WITH e AS MATERIALIZED (SELECT *, row_number() OVER (ORDER BY score DESC, player_id) AS counted
               FROM board_entries WHERE board_id = %s)
        SELECT k, f.place, e.counted FROM unnest(ARRAY[1, 2, 3, 5, 11, 37]) k CROSS JOIN LATERAL (
            SELECT array_agg(player_id ORDER BY player_id * 7 %% 31, player_id) AS players,
                array_agg(score ORDER BY player_id * 7 %% 31, player_id) AS scores
            FROM e WHERE counted %% k = 0 OR counted %% k = 1 AND counted %% 5 = 0) a
        CROSS JOIN LATERAL board_places(%s, a.players, a.scores) f JOIN e USING (player_id)
        WHERE f.place <> e.counted OR f.score <> e.score""",
            board_id,
            board_id,
        )
        == []
    )


def test_places_are_exact_whatever_changes_between_samples(rig):
    rig.rows("UPDATE settings SET value = '7' WHERE name = 'board_part'")
    rig.rows("UPDATE settings SET value = '40' WHERE name = 'board_moves_max'")
    players = crowd(rig, 150)
    ids = [row[0] for row in rig.rows("SELECT id FROM boards ORDER BY id")]
    rng = random.Random(9)
    for step in range(6):
        for board_id in ids:
            places_are_right(rig, board_id)
        for player in rng.sample(players, 25):
            games = rng.choice([20, 50])
            rate(rig, player, games, games * rng.randint(40, 90), wins=rng.randint(0, 9))
        rig.rows("DELETE FROM board_entries WHERE player_id = %s", rng.choice(players))
        if step % 2:
            assert rig.one("SELECT do_fold_boards(10)") > 0
    assert rig.one("SELECT count(*) FROM board_pieces") > 1
    assert rig.one("SELECT do_fold_boards(10)") == 0, "nothing more to do"


def kept_counts(rig, board_id):
    """For each part of a board's pieces, counted: its entries, whether the stored cumulative count and the
    stored count above the piece are correct, the number of parts of the piece, and the entries of the
    piece."""
    return [
        tuple(row)
        for row in rig.rows(
            """
        WITH parts AS (
            SELECT b.score AS piece, b.tie AS piece_tie, r.no, b.scores[r.no] AS score, b.ties[r.no] AS tie,
                r.reach AS said, t.above AS said_above
            FROM board_pieces b CROSS JOIN LATERAL unnest(b.reach) WITH ORDINALITY r (reach, no)
            LEFT JOIN (SELECT u.* FROM board_tops o CROSS JOIN LATERAL unnest(o.scores, o.ties,
                o.above) u (score, tie, above)
                       WHERE o.board_id = %s) t ON (t.score, t.tie) = (b.score, b.tie)
            WHERE b.board_id = %s
        ), bounded AS (
            SELECT *, lead(score, 1, 9223372036854775807) OVER w AS to_score,
                lead(tie, 1, 9223372036854775807) OVER w AS to_tie
            FROM parts WINDOW w AS (ORDER BY score, tie)
        ), counted AS (
            SELECT b.*, (SELECT count(*) FROM board_entries e WHERE e.board_id = %s
                AND (e.score, -e.player_id) >= (b.score, b.tie)
                         AND (e.score, -e.player_id) < (b.to_score, b.to_tie)) AS n
            FROM bounded b
        )
        SELECT n, sum(n) OVER (PARTITION BY piece, piece_tie ORDER BY no DESC) = said, said_above = (
                   SELECT count(*) FROM board_entries e WHERE e.board_id = %s
                       AND (e.score, -e.player_id) > (piece, piece_tie))
                   - sum(n) OVER (PARTITION BY piece, piece_tie) + (
                   SELECT count(*) FROM board_entries e WHERE e.board_id = %s
                       AND (e.score, -e.player_id) = (piece, piece_tie)),
               (count(*) OVER (PARTITION BY piece, piece_tie))::int,
               (sum(n) OVER (PARTITION BY piece, piece_tie))::int
        FROM counted""",
            *[board_id] * 5,
        )
    ]


def counts_are_right(rig, board_id, size):
    """After a fold: stored values equal counted ones, no part or piece exceeds twice its size, and pieces
    are not too small."""
    parts = kept_counts(rig, board_id)
    assert rig.one("SELECT count(*) FROM board_moves WHERE board_id = %s", board_id) == 0
    assert sum(n for n, *_ in parts) == rig.one(
        "SELECT count(*) FROM board_entries WHERE board_id = %s", board_id
    )
    assert all(reached and above for _, reached, above, *_ in parts), parts
    assert all(n <= 2 * size and of_piece <= 8 * size**2 for n, _, _, _, of_piece in parts), parts
    pieces = rig.one("SELECT cardinality(scores) FROM board_tops WHERE board_id = %s", board_id)
    assert pieces == rig.one("SELECT count(*) FROM board_pieces WHERE board_id = %s", board_id)
    assert pieces == 1 or min(of_piece for *_, of_piece in parts) >= size**2, parts


def test_pieces_stay_evenly_sized_wherever_scores_accumulate(rig):
    """No part or piece exceeds twice its size, however many scores accumulate in one place, and small ones
    do not pile up."""
    size = 4
    rig.rows("UPDATE settings SET value = %s WHERE name = 'board_part'", str(size))
    board_id = rig.one("SELECT board_of('wins', 'rummy51', 'all')")
    rng = random.Random(4)
    fill = """INSERT INTO board_entries SELECT %s, n, %s + n %% %s FROM generate_series(%s, %s) n
              ON CONFLICT (board_id, player_id) DO UPDATE SET score = excluded.score"""
    for low, high, base, spread in [
        (1, 400, 0, 40),
        (401, 900, 100, 1),
        (1, 300, 500, 300),
        (200, 800, 50, 2),
        (1, 900, 7, 1),
    ]:
        rig.rows(fill, board_id, base, spread, low, high)
        for player in rng.sample(range(1, 900), 60):
            rig.rows(
                "UPDATE board_entries SET score = %s WHERE board_id = %s AND player_id = %s",
                rng.randint(0, 600),
                board_id,
                player,
            )
        places_are_right(rig, board_id)
        rig.rows("SELECT board_fold(%s)", board_id)
        places_are_right(rig, board_id)
        counts_are_right(rig, board_id, size)
    rig.rows("DELETE FROM board_entries WHERE player_id > 10")
    rig.rows("SELECT board_fold(%s)", board_id)
    counts_are_right(rig, board_id, size)
    assert rig.one("SELECT count(*) FROM board_pieces WHERE board_id = %s", board_id) == 1
    places_are_right(rig, board_id)


def test_stored_counts_match_a_recount_after_many_folds(rig):
    """Boards with few and with many scores, folded in random order while entries are added, moved, and
    removed, down to none and up again."""
    size = 3
    rig.rows("UPDATE settings SET value = %s WHERE name = 'board_part'", str(size))
    boards = {
        rig.one("SELECT board_of(%s, 'rummy51', 'all')", kind): scores
        for kind, scores in (("wins", 1), ("rummies", 3), ("clover", 40), ("rating", 10**12))
    }
    rng = random.Random(12)
    for step in range(14):
        for board_id, scores in rng.sample(list(boards.items()), 3):
            if step % 8 == 7:
                rig.rows("DELETE FROM board_entries WHERE board_id = %s", board_id)
            else:
                rig.rows(
                    "DELETE FROM board_entries WHERE board_id = %s AND player_id = ANY (%s)",
                    board_id,
                    rng.sample(range(1, 300), 40),
                )
                players = rng.sample(range(1, 300), rng.choice([1, 20, 90]))
                rig.rows(
                    """INSERT INTO board_entries SELECT %s, * FROM unnest(%s::bigint[], %s::bigint[])
                            ON CONFLICT (board_id, player_id) DO UPDATE SET score = excluded.score""",
                    board_id,
                    players,
                    [1 + rng.randrange(scores) for _ in players],
                )
            if rng.random() < 0.3:
                places_are_right(rig, board_id)
            if rng.random() < 0.7:
                rig.rows("SELECT board_fold(%s)", board_id)
                counts_are_right(rig, board_id, size)
                places_are_right(rig, board_id)
    assert rig.one("SELECT count(*) FROM board_tops") == 4


def test_places_stay_exact_while_samples_are_taken_and_players_move(rig):
    rig.rows("UPDATE settings SET value = '5' WHERE name = 'board_part'")
    rig.rows("UPDATE settings SET value = '0' WHERE name = 'board_moves_max'")
    players = crowd(rig, 60)
    board_id = rig.one("SELECT id FROM boards WHERE kind = 'rating'")
    done = []

    def move(seed):
        via, rng = rig.connect(), random.Random(seed)
        for _ in range(60):
            rig.rows(
                "UPDATE ratings SET points = points + 1, rating = rating + %s WHERE player_id = %s",
                rng.randint(1, 300),
                players[rng.randrange(30) * 2 + seed],
                via=via,
            )
        done.append(seed)
        via.close()

    threads = [threading.Thread(target=move, args=(seed,)) for seed in (0, 1)]
    for thread in threads:
        thread.start()
    while len(done) < 2:
        rig.rows("SELECT do_fold_boards(10)")
        places_are_right(rig, board_id)
    for thread in threads:
        thread.join()
    places_are_right(rig, board_id)


def test_pages_show_each_player_once_while_the_board_changes(rig):
    players = crowd(rig, 40)
    reader = players[0]
    seen, at = [], (None, None, None)
    while True:
        _, lines = board(rig, reader, limit=7, at=at)
        seen += shown(lines)
        if len(lines) < 7:
            break
        at = (lines[-1]["at1"], lines[-1]["at2"], lines[-1]["at3"])
        rate(rig, seen[0][1], 60, 6000)  # a listed player rises: no one is listed twice or skipped
    assert sorted(player for _, player, _ in seen) == sorted(players)
    assert [place for place, _, _ in seen] == list(range(1, 41))


def test_a_board_shows_places_around_the_player_and_their_friends(rig):
    rig.rows("UPDATE settings SET value = '2' WHERE name = 'board_around'")
    players = crowd(rig, 20)
    order = [player for _, player, _ in shown(board(rig, players[0])[1])]

    def around(reader):
        found = json.loads(rig.one("SELECT body FROM q_board_around(%s, 'rummy51', 'rating', 'all')", reader))
        return found["place"], [
            (item["place"], int(item["player_id"]), item["own"]) for item in found["items"]
        ]

    assert around(order[9]) == (10, [(n + 1, order[n], n == 9) for n in range(7, 12)])
    assert around(order[0]) == (1, [(n + 1, order[n], n == 0) for n in range(3)])
    assert around(order[19])[1][-1] == (20, order[19], True)
    assert around(rig.player()) == (None, [])

    def friends(reader):
        return [(place, player) for place, player, _ in shown(among_friends(rig, reader)[1])]

    me = order[9]
    ask = "SELECT code, body FROM do_befriend(%s, %s)"
    assert friends(me) == [(10, me)]
    assert rig.row(ask, me, order[2])["body"] == '{"state": "asked"}'
    assert friends(me) == [(10, me)], "a friend request is not enough"
    assert rig.row(ask, order[2], me)["body"] == '{"state": "friends"}'
    rig.row(ask, order[17], me)
    rig.row(ask, me, order[17])
    assert friends(me) == [(3, order[2]), (10, me), (18, order[17])]
    assert friends(order[2]) == [(3, order[2]), (10, me)]
    assert (
        rig.row(ask, me, me)["code"] == "friend_self" and rig.row(ask, me, 10**9)["code"] == "player_unknown"
    )
    rig.rows("SELECT do_unfriend(%s, %s)", order[2], me)
    assert friends(me) == [(10, me), (18, order[17])]
    rig.rows("UPDATE settings SET value = '1' WHERE name = 'friends_max'")
    assert rig.row(ask, me, order[3])["code"] == "too_many_friends"
    kinds = rig.rows(
        "SELECT data->>'state' FROM notifications WHERE kind = 'friend' AND player_id = %s ORDER BY id", me
    )
    assert kinds == [["accepted"], ["asks"]]


def test_friend_pages_show_each_friend_once_while_scores_change(rig):
    """Every player appears once, in board order, with their current place, even if many have equal
    scores."""
    players = crowd(rig, 60)
    reader, friends = players[0], players[1:60:2]
    rig.rows(
        "INSERT INTO friends (from_id, to_id, accepted_at) SELECT %s, unnest(%s::bigint[]), now()",
        reader,
        friends[::2],
    )
    rig.rows(
        "INSERT INTO friends (from_id, to_id, accepted_at) SELECT unnest(%s::bigint[]), %s, now()",
        friends[1::2],
        reader,
    )
    whole = [line for line in shown(board(rig, reader)[1]) if line[1] in {reader, *friends}]
    assert shown(among_friends(rig, reader)[1]) == whole and len(whole) == 31
    seen, at = [], (None, None, None)
    while True:
        _, lines = among_friends(rig, reader, limit=7, at=at)
        places = {player: place for place, player, _ in shown(board(rig, reader)[1])}
        assert all(place == places[player] for place, player, _ in shown(lines))
        seen += [player for _, player, _ in shown(lines)]
        if len(lines) < 7:
            break
        at = (lines[-1]["at1"], lines[-1]["at2"], lines[-1]["at3"])
        rate(rig, seen[-2], 60, 6000)  # a player already shown rises, and the others' places with them
    assert seen == [player for _, player, _ in whole]


def test_every_board_line_shows_the_rated_games(rig):
    """On the rating board the number of games is derived from the score, on the others from the rating."""
    ann, bob = rig.player(), rig.player()
    rate(rig, ann, 20, 1574, wins=3, rummies=1, clover=5)
    rate(rig, bob, 333, 30000, wins=4, rummies=2, clover=6)
    rate(rig, bob, 7, 30000, wins=4, period="2026-10")
    for kind in ("rating", "wins", "rummies", "clover"):
        assert [
            (item["player_id"], item["games"])
            for item in (json.loads(line["body"]) for line in board(rig, ann, kind)[1])
        ] == [(str(bob), 333), (str(ann), 20)]
    assert [json.loads(line["body"])["games"] for line in board(rig, ann, "wins", "2026-10")[1]] == [7]


# --- monthly prizes -----------------------------------------------------------------------------------------


def prizes(rig, at="2026-11-15"):
    return rig.steps("monthly_prizes_step", at)


def test_the_top_ten_of_a_month_are_paid_once(rig):
    players = [rig.player() for _ in range(12)]
    for i, player in enumerate(players):
        rate(rig, player, 20, 1900 - i, wins=12 - i, rummies=i, clover=100 - i, period="2026-10")
        rate(rig, player, 20, 1900 - i, wins=1, variant="points", period="2026-10")
        rate(rig, player, 20, 1900, wins=1, period="2026-11")
    assert prizes(rig) == {"months": 1, "prizes": 40, "gold": 740 + 3 * 370}
    assert prizes(rig) == {"months": 0}, "November is not over"
    gold = [200, 150, 100, 80, 60, 50, 40, 30, 20, 10]
    assert [
        row[0] for row in rig.rows("SELECT gold FROM month_winners WHERE kind = 'rating' ORDER BY place")
    ] == gold
    assert [
        row[0] for row in rig.rows("SELECT gold FROM month_winners WHERE kind = 'wins' ORDER BY place")
    ] == [g // 2 for g in gold]
    assert rig.purse(players[0])[1] == 200 + 100 + 100
    assert rig.one("SELECT player_id FROM month_winners WHERE kind = 'rummies' AND place = 1") == players[11]
    assert rig.one("SELECT count(*) FROM transfers WHERE key LIKE 'month:2026-10:rummy51:rating:%%'") == 10
    assert rig.one("SELECT count(*) FROM notifications WHERE kind = 'month_prize'") == 40
    assert prizes(rig, "2027-02-01")["months"] == 1
    assert rig.proof() == []


def test_concurrent_prize_jobs_pay_once(rig):
    for i in range(5):
        rate(rig, rig.player(), 20, 1500 + i, wins=1, period="2026-09")
    results = []

    def run():
        via = rig.connect()
        results.append(rig.row("SELECT * FROM monthly_prizes_step('2026-11-15')", via=via)[1])
        via.close()

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(r["months"] for r in results) == [0, 0, 0, 1]
    assert rig.one("SELECT count(*) FROM transfers WHERE cause = 'month'") == 10


# --- the other variants and the check -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "place, seats, points",
    [
        (1, 4, 80),
        (2, 4, 65),
        (3, 4, 50),
        (4, 4, 35),
        (1, 2, 80),
        (2, 2, 35),
        (2, 3, 57),
        (3, 3, 35),
        (2, 6, 71),
        (5, 6, 44),
        (6, 6, 35),
    ],
)
def test_points_in_other_variants_depend_on_place_and_seats(shared, place, seats, points):
    assert shared.one("SELECT variant_points(%s, %s, 80, 45)", place, seats) == points


def test_another_variant_has_its_own_rating_and_no_clover_points(rig):
    rig.rows("UPDATE rooms SET variant = 'straight' WHERE id = 'desert'")
    people = [rig.player() for _ in range(3)]
    rig.settle(
        rig.table_of(*people),
        [1, 2, 2, 4],
        opened=[True, True, False, False],
        rummy=[True, False, False, False],
    )
    assert [
        tuple(row)
        for row in rig.rows(
            "SELECT variant, points, wins, rummies, clover FROM ratings WHERE period = 'all' ORDER BY"
            " player_id"
        )
    ] == [("straight", 80, 1, 1, 0), ("straight", 65, 0, 0, 0), ("straight", 65, 0, 0, 0)]
    assert rig.rows("SELECT DISTINCT clover_points FROM players") == [[0]]
    assert [row[0] for row in rig.rows("SELECT game_points FROM game_players ORDER BY seat")] == [
        80,
        65,
        65,
        35,
    ], "the bot's too"
    assert rig.one("SELECT count(*) FROM league_rows") == 0
    assert rig.rows("SELECT * FROM q_ratings_check()") == []


def test_ratings_boards_and_levels_can_be_rebuilt_from_games_alone(rig):
    rng = random.Random(2)
    people = [rig.player() for _ in range(5)]
    rig.rows("UPDATE settings SET value = '3' WHERE name = 'rating_games_min'")
    for _ in range(14):
        seated = rng.sample(people, rng.choice([1, 2, 3, 4]))
        for player in seated:
            rig.credit(player, "gold", 10)
        places = rng.sample([1, 2, 3, 4], 4)
        rig.settle(
            rig.table_of(*seated),
            places,
            ending=rng.choice(["out", "out", "stalled"]),
            rummy=[place == 1 and rng.random() < 0.5 for place in places],
            cards_left=[rng.randint(0, 14) for _ in places],
        )
    assert rig.one("SELECT count(*) FROM ratings") > 5
    assert rig.rows("SELECT * FROM q_ratings_check()") == []
    for spoil, problem in [
        ("UPDATE ratings SET points = points + 1 WHERE period = 'all' AND player_id = %s", "rating_differs"),
        ("UPDATE players SET clover_points = clover_points + 1 WHERE id = %s", "clover_differs"),
        ("UPDATE players SET level = level + 1 WHERE id = %s", "level_differs"),
        ("UPDATE board_entries SET score = score + 1 WHERE player_id = %s", "board_differs"),
    ]:
        via = rig.connect(autocommit=False)
        rig.rows(spoil, people[0], via=via)
        assert problem in {row[0] for row in rig.rows("SELECT * FROM q_ratings_check()", via=via)}, spoil
        via.rollback()
        via.close()


def test_the_ratings_check_command_reports_differences(rig):
    rig.settle(rig.table_of(rig.player(), rig.player()), [1, 2, 3, 4])

    def check():
        return subprocess.run(
            [RUMMYD, "ratings-check", "--db", rig.cluster.conninfo(rig.name)],
            capture_output=True,
            text=True,
        )

    assert check().returncode == 0 and "agree" in check().stdout
    rig.rows("UPDATE ratings SET wins = wins + 1 WHERE period = 'all'")
    done = check()
    assert done.returncode == 1 and "rating_differs: player" in done.stdout and "problems" in done.stderr
