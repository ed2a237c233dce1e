"""The collusion report: who keeps meeting whom, and how often they take each other's discards."""

import hashlib
import json
import math
import random
from collections import Counter


def look(rig, sort="share"):
    key = hashlib.sha256(b"collusion").digest()
    rig.rows(
        "INSERT INTO api_keys (name, role, holder, key_hash, prefix, expires_at) SELECT 'collusion', 'owner',"
        " 'collusion', %s, 'rk_123456', now() + interval '1 day' WHERE NOT EXISTS (SELECT 1 FROM api_keys"
        " WHERE key_hash = %s) RETURNING id",
        key,
        key,
    )
    code, body = rig.row("SELECT * FROM do_admin_collusion(%s, %s)", key, sort)
    assert code == "ok"
    return json.loads(body)["items"]


def test_pairs_are_sorted_by_their_fraction_of_shared_games(rig):
    rig.rows("UPDATE settings SET value = '3' WHERE name = 'collusion_games_min' RETURNING name")
    ann, bob, eve = sorted(rig.player(silver=100) for _ in range(3))
    assert look(rig) == []
    for i in range(3):
        rig.settle(rig.table_of(ann, bob), [1, 2, 3, 4] if i else [2, 1, 3, 4])
    for _ in range(2):
        rig.settle(rig.table_of(bob, eve), [1, 2, 3, 4])
    rig.settle(rig.table_of(ann), [1, 2, 3, 4])  # alone with bots
    (first,) = look(rig)
    assert (first["games"], first["share_percent"], first["separated"]) == (3, 100, False)
    assert [(p["id"], p["games"], p["wins"]) for p in first["players"]] == [
        (str(ann), 3, 2),
        (str(bob), 5, 1),
    ]
    for p in first["players"]:
        chips = rig.one(
            "SELECT sum(p.silver + p.gold - g.stake)::bigint FROM game_players p JOIN games g ON g.id ="
            " p.game_id WHERE p.player_id = %s AND EXISTS (SELECT 1 FROM game_players o WHERE o.game_id ="
            " g.id AND o.player_id IN (%s, %s) AND o.player_id <> p.player_id)",
            int(p["id"]),
            ann,
            bob,
        )
        assert p["chips"] == chips
    rig.settle(rig.table_of(bob, eve), [1, 2, 3, 4])
    rig.rows("INSERT INTO separations (low_id, high_id) VALUES (%s, %s) RETURNING at", bob, eve)
    assert [(item["games"], item["share_percent"], item["separated"]) for item in look(rig)] == [
        (3, 100, False),
        (3, 100, True),
    ]
    rig.rows("UPDATE games SET ended_at = now() - interval '31 days' RETURNING id")
    assert look(rig) == []


def test_pairs_at_the_daily_limit_are_reported_with_their_links(rig):
    """Three of four games count per day; Ann invited Bob, who plays only with her, Bob invited Cid, and Ann
    invited Dan."""
    rig.rows(
        "UPDATE settings SET value = '3' WHERE name IN ('collusion_games_min', 'same_players_games_per_day')"
    )
    ann, bob, cid, dan, eve = sorted(rig.player() for _ in range(5))
    rig.rows(
        "INSERT INTO invites (inviter_id, invited_id, state) VALUES (%s, %s, 'paid'), (%s, %s, 'open'), (%s,"
        " %s, 'open')",
        ann,
        bob,
        bob,
        cid,
        ann,
        dan,
    )
    rig.rows(
        "INSERT INTO known_devices (player_id, token_hash) SELECT p, sha256('one device') FROM"
        " unnest(ARRAY[%s, %s]) p",
        cid,
        dan,
    )
    for a, b, n in ((dan, eve, 3), (cid, dan, 3), (ann, bob, 4)):
        rig.play_rated(a, b, n=n)
    items = look(rig, "meetings")
    seen = {tuple(int(p["id"]) for p in item["players"]): item for item in items}
    assert [tuple(int(p["id"]) for p in item["players"]) for item in items][0] == (ann, bob) and len(
        seen
    ) == 3
    assert seen[ann, bob]["meetings"] == {"today": 4, "per_day_max": 3, "beyond": 1}
    assert seen[cid, dan]["meetings"] == {"today": 3, "per_day_max": 3, "beyond": 0}
    assert seen[ann, bob]["invitations"] == {
        "inviter": str(ann),
        "state": "paid",
        "only_together": True,
        "common_inviter": None,
        "chain": 1,
    }
    assert seen[cid, dan]["invitations"] == {
        "inviter": None,
        "state": None,
        "only_together": False,
        "common_inviter": str(ann),
        "chain": 2,
    }
    assert seen[dan, eve]["invitations"] == {
        "inviter": None,
        "state": None,
        "only_together": False,
        "common_inviter": None,
        "chain": 1,
    }
    assert {pair for pair, item in seen.items() if item["shared_device"]} == {(cid, dan)}
    rig.rows("UPDATE meetings SET day = day - 1 RETURNING games")
    rig.play_rated(bob, eve, n=3)
    first = look(rig, "invites")[0]
    assert first["meetings"] == {"today": 0, "per_day_max": 3, "beyond": 1}, "yesterday's limit is over"
    assert (first["invitations"]["inviter"], first["invitations"]["only_together"]) == (str(ann), False)


def set_up(rig, games=3, chances=50):
    """Bots take a fifth of the discards."""
    rig.rows(
        "UPDATE settings SET value = CASE name WHEN 'collusion_games_min' THEN %s ELSE %s END"
        " WHERE name IN ('collusion_games_min', 'collusion_chances_min') RETURNING name",
        str(games),
        str(chances),
    )
    rig.rows("UPDATE throw_rates SET chances = 100000, taken = 20000 RETURNING variant")


def played(rig, people, taken, chances=10):
    """Plays a game of four in which each seat discards `chances` cards to the next, of which the next takes
    taken[seat]; returns its id."""
    facts = [{"throws": {str((seat + 1) % 4): [chances, n]}} for seat, n in enumerate(taken)]
    return rig.settle(rig.table_of(*people), [1, 2, 3, 4], facts=facts)[0]["game_id"]


def test_a_pair_that_feeds_each_other_is_listed_first(rig):
    """At 20 games: Ann discards to Bob in ten of them and to Eve in ten; Bob takes 80 of her 100, the
    others 20 of 100.

    Against bots: the common share is 20,080 of 100,100; expected 100 * 0.2006 = 20.06, variance 100 * 100,000
    * 20,080 * 80,020 / (100,100^2 * 100,099) = 16.02, so (80 - 20.06) / 4.002 = 15.0. Against Ann's discards
    to Eve (20 of 100), and Bob's draws behind Eve (20 of 100): expected 50, variance 100^4 / (200^2 * 199) =
    12.56, 30 / 3.544 = 8.5."""
    set_up(rig)
    ann, bob, eve, dan = (rig.player(gold=1000) for _ in range(4))
    fed = []
    for _ in range(10):
        fed.append(played(rig, (ann, bob, eve, dan), [8, 2, 2, 2]))
        played(rig, (ann, eve, bob, dan), [2, 2, 2, 2])
    items = look(rig, "throws")
    assert len(items) == 6
    first, *others = items
    assert {p["id"] for p in first["players"]} == {str(ann), str(bob)}
    assert first["excess"] == 8.5 and first["share_percent"] == 100
    assert first["throws"] == [
        {
            "from": str(ann),
            "to": str(bob),
            "chances": 100,
            "taken": 80,
            "taken_percent": 80.0,
            "excess": 8.5,
            "bots": {"taken_percent": 20.0, "excess": 15.0},
            "to_others": {"chances": 100, "taken": 20, "taken_percent": 20.0, "excess": 8.5},
            "from_others": {"chances": 100, "taken": 20, "taken_percent": 20.0, "excess": 8.5},
        }
    ]
    assert [record["game"] for record in first["records"]] == [str(game) for game in fed[:4:-1]]
    assert all((record["chances"], record["taken"]) == (10, 8) for record in first["records"])
    assert first["records"][0]["record"] == f"/v1/admin/games/{fed[-1]}/record"
    assert all(item["excess"] is None or item["excess"] <= 0 for item in others), items
    # Ann and Dan have no other neighbor on that side: the baseline contains only bots.
    (with_dan,) = (item for item in others if {p["id"] for p in item["players"]} == {str(ann), str(dan)})
    assert with_dan["throws"] == [
        {
            "from": str(dan),
            "to": str(ann),
            "chances": 200,
            "taken": 40,
            "taken_percent": 20.0,
            "excess": 0.0,
            "bots": {"taken_percent": 20.0, "excess": 0.0},
            "to_others": {"chances": 0, "taken": 0, "taken_percent": None, "excess": None},
            "from_others": {"chances": 0, "taken": 0, "taken_percent": None, "excess": None},
        }
    ]
    assert {p["id"] for p in look(rig, "share")[0]["players"]} == {
        str(id_) for id_ in sorted((ann, bob, eve, dan))[:2]
    }


def test_players_who_treat_all_opponents_alike_do_not_stand_out(rig):
    set_up(rig)
    ann, bob, eve = (rig.player(silver=100) for _ in range(3))
    for _ in range(6):
        played(rig, (ann, bob), [8, 2, 2, 2])  # Bob takes anyone's discards ...
        played(rig, (eve, bob), [8, 2, 2, 2])
    for item in look(rig, "throws"):
        (throws,) = item["throws"]
        assert throws["bots"]["excess"] > 10 and throws["from_others"]["excess"] == 0 == item["excess"]
    for _ in range(6):
        played(rig, (ann, eve), [8, 2, 2, 2])  # ... and Eve takes Ann's
    item = next(i for i in look(rig, "throws") if {p["id"] for p in i["players"]} == {str(ann), str(eve)})
    assert item["throws"][0]["to_others"]["excess"] == 0 == item["excess"]


def test_too_few_draws_give_no_excess(rig):
    set_up(rig, games=1)
    ann, bob = rig.player(silver=100), rig.player(silver=100)
    played(rig, (ann, bob), [49, 0, 0, 0], chances=49)
    ((throws,),) = (item["throws"] for item in look(rig, "throws"))
    assert (throws["chances"], throws["taken"], throws["excess"]) == (49, 49, None)
    assert throws["bots"] == {"taken_percent": 20.0, "excess": None}
    played(rig, (ann, bob), [1, 0, 0, 0], chances=1)
    ((throws,),) = (item["throws"] for item in look(rig, "throws"))
    assert throws["excess"] == throws["bots"]["excess"] > 10
    # A variant without a known rate has no baseline, but its discards are listed.
    rig.rows("DELETE FROM throw_rates RETURNING variant")
    ((throws,),) = (item["throws"] for item in look(rig, "throws"))
    assert (throws["taken"], throws["excess"], throws["bots"]) == (
        50,
        None,
        {"taken_percent": None, "excess": None},
    )


def excess_of(strata):
    """Mantel–Haenszel, stratum by stratum: (chances, taken, the same of the baseline)."""
    strata = [(n1, c1, n2, c2) for n1, c1, n2, c2 in strata if n2 > 0]
    more = variance = 0
    for n1, c1, n2, c2 in strata:
        n, m = n1 + n2, c1 + c2
        more += c1 - n1 * m / n
        variance += n1 * n2 * m * (n - m) / (n * n * (n - 1))
    enough = min(sum(s[0] for s in strata), sum(s[2] for s in strata)) >= 50 if strata else False
    return more / math.sqrt(variance) if enough and variance > 0 else None


def test_the_report_matches_a_plain_count(rig):
    """Tables of two, three, and four in two variants, some seats with bots. Loops over the games must give
    the same numbers."""
    set_up(rig)
    rig.rows(
        "UPDATE throw_rates SET chances = 5000, taken = 300 * seats_n + 7 * length(variant) RETURNING variant"
    )
    rates = {
        (row["variant"], row["seats_n"]): (row["chances"], row["taken"])
        for row in rig.rows("SELECT * FROM throw_rates")
    }
    r, people = random.Random(5), [rig.player(silver=100) for _ in range(5)]
    count = Counter()  # (thrower, taker, variant, seats, what)
    for _ in range(40):
        variant, n = r.choice(["straight", "treff"]), r.choice([2, 3, 4])
        sitting = r.sample(people, r.randint(2, n))
        table = rig.open_table(sitting[0], variant, seats=n, bots=n - len(sitting))["table_id"]
        for player in sitting[1:]:
            assert rig.join(player, table)["code"] == "ok"
        assert rig.start(table)["code"] == "ok"
        seats = [
            row["player_id"]
            for row in rig.rows("SELECT player_id FROM seats WHERE table_id = %s ORDER BY seat", table)
        ]
        facts = [
            {
                "throws": {
                    str(other): [c := r.randint(1, 40), r.randint(0, c)]
                    for other in range(n)
                    if other != seat and r.random() < 0.7
                }
            }
            for seat in range(n)
        ]
        rig.settle(table, list(range(1, n + 1)), facts=facts)
        for seat, fact in enumerate(facts):
            for other, (chances, taken) in fact["throws"].items():
                count[seats[seat], seats[int(other)], variant, n, "chances"] += chances
                count[seats[seat], seats[int(other)], variant, n, "taken"] += taken
    rows = {key[:4] for key in count}

    def total(match, what, stratum):
        return sum(n for key, n in count.items() if key[2:] == (*stratum, what) and match(*key[:2]))

    compared = 0
    for item in look(rig, "throws"):
        for throws in item["throws"]:
            a, b = int(throws["from"]), int(throws["to"])
            strata = sorted({row[2:] for row in rows if row[:2] == (a, b)})
            pair = [
                [total(lambda x, y: (x, y) == (a, b), what, s) for what in ("chances", "taken")]
                for s in strata
            ]
            assert [throws["chances"], throws["taken"]] == [sum(x) for x in zip(*pair)]
            yardsticks = {
                "bots": [rates[s] for s in strata],
                "to_others": [
                    [total(lambda x, y: x == a and y != b, what, s) for what in ("chances", "taken")]
                    for s in strata
                ],
                "from_others": [
                    [total(lambda x, y: x != a and y == b, what, s) for what in ("chances", "taken")]
                    for s in strata
                ],
            }
            found = []
            for kind, other in yardsticks.items():
                wanted = excess_of([(*p, *o) for p, o in zip(pair, other)])
                found += [wanted] if wanted is not None else []
                assert (wanted is None) == (throws[kind]["excess"] is None), (kind, throws)
                assert wanted is None or abs(wanted - throws[kind]["excess"]) < 0.0501
                chances, taken = map(sum, zip(*other))
                assert (
                    throws[kind]["taken_percent"] is None
                    if not chances
                    else abs(100 * taken / chances - throws[kind]["taken_percent"]) < 0.0501
                )
                compared += wanted is not None
            assert throws["excess"] is None if not found else abs(min(found) - throws["excess"]) < 0.0501
    assert compared > 20
    order = [item["excess"] for item in look(rig, "throws")]
    assert order == sorted(order, key=lambda x: (x is None, -(x or 0)))
